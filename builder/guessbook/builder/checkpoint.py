"""Finished subtrees on disk, so that a long build survives Ctrl-C, SIGKILL and power cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guessbook.builder.growth import Batch, Subtrees


class Checkpoint:
    """Where a build keeps what it has finished."""

    def load(self, batch: Batch) -> Subtrees | None:
        """The subtrees of a batch, if they were finished before."""

    def save(self, batch: Batch, finished: Subtrees) -> None:
        """Keep the subtrees of a batch."""
