"""Finished subtrees on disk, so that a long build survives Ctrl-C, SIGKILL and power cuts."""

from __future__ import annotations


class Checkpoint:
    """Later."""
