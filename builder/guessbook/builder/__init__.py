"""Makes books: policies, kernels, the recursion, and the commands that build."""

from guessbook.builder.build import Build, Progress, build, build_book, warm_up
from guessbook.builder.policy import POLICIES

__all__ = ["POLICIES", "Build", "Progress", "build", "build_book", "warm_up"]
