"""The search for candidates and guesses in plain Python: fast modules for kinds of games, and one for any game."""
