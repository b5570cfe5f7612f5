"""Which guess: policies as data, their exact scores, and their search in plain Python."""
