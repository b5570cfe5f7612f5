"""The builder: it computes whole strategy trees, and tables of feedbacks and entropies as numpy arrays."""

from guessbook.builder.build import build_strategy
from guessbook.builder.growth.progress import Progress
from guessbook.builder.tables import entropies, feedback_table, fitting
from guessbook.policy.one_step import POLICIES

__all__ = ["POLICIES", "Progress", "build_strategy", "entropies", "feedback_table", "fitting"]
