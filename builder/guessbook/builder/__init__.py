"""Makes books: policies, kernels, the recursion, and the commands that build."""

from guessbook.builder.build import build_book

__all__ = ["build_book"]
