"""Policies, which choose guesses: their options, exact scores, and definitions in plain Python."""
