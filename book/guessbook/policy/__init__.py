"""Policies, which choose guesses: their options, their exact scores, and their definitions in plain Python."""
