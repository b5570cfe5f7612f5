"""Scorers choose the guesses for the nodes of a level: a module for each kind of policy."""
