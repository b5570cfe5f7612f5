"""Modules that find candidates and the best guess in plain Python: one for any game, and a faster one for each kind."""
