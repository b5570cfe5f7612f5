"""Searching in plain Python: quickly for each kind of game, and at all for any other."""
