"""Scorers choose the guesses of the nodes of a tree. Each kind of policy has a module here."""
