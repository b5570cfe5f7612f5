"""Scorers: the guesses for the nodes of a level, one module a way of choosing."""
