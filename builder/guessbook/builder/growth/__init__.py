"""Growth: whole trees, from the root to the last guesses."""
