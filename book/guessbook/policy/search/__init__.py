"""Search in plain Python: fast versions for each kind of game, and one for any game."""
