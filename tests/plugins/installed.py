"""Helpers for tests of plugins: the type of a fixture, and a check of books."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import guessbook as gb


class Install(Protocol):
    """The type of the fixture `install`."""

    def __call__(self, package: str, group: str, **entries: str) -> None:
        """Register entry points of a package, each as NAME="MODULE:OBJECT"."""


def assert_guesses_of(policy: Any, book: gb.Book) -> None:
    """Check that each guess of a book is the one that the policy chooses."""
    game: Any = book.game
    waiting: list[Any] = [(book.root, [], list(game.secrets))]
    for node, history, candidates in waiting:
        guess = game.parse_code(node.guess)
        assert policy.choose(game, history, candidates) == guess
        for feedback, child in node.children.items():
            told = game.parse_feedback(feedback)
            fitting = [s for s in candidates if game.feedback_number(node.guess, s) == told]
            waiting.append((child, [*history, (guess, told)], fitting))
