"""Kinds of games as arrays: how each is scored and ranked by the engine."""
