"""Makes books: policies, kernels, the growth of trees, and the commands that build."""

from guessbook.builder.build import Progress, build_book, warm_up
from guessbook.builder.policy import POLICIES
from guessbook.builder.tables import entropies, feedback_table, fitting

__all__ = [
    "POLICIES",
    "Progress",
    "build_book",
    "entropies",
    "feedback_table",
    "fitting",
    "warm_up",
]
