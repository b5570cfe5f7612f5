"""Serving: a book behind HTTP on this machine."""
