"""Modules that find candidates and the best guess in plain Python, for any game and for each kind of game."""
