"""Hints: the next guess, from the book, from an equivalent history in it, or from a computation."""
