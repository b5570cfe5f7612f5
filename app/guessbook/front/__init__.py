"""The public functions `build`, `compare` and `read_tree`, which combine several packages of Guessbook."""
