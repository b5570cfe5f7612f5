"""A policy of another package: a class and an entry point, and everything works."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from guessbook.book import BuildError, Mastermind, read_strategy
from guessbook.book.games.words import WordGame
from guessbook.builder import build_strategy
from guessbook.lookup import live
from guessbook.lookup.hint import hint
from guessbook.play.explain import ranking_policy
from guessbook.policy.notation import header, policy_of, summary
from guessbook.policy.reference import consistent
from guessbook.policy.registry import Kind
from tests.helpers.command import Run, runner
from tests.helpers.plain import grow
from tests.plugins.installed import install

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from guessbook.book import Game
    from guessbook.book.games.game import History


class Nth(NamedTuple):
    """The candidate in a given place, or the last one before it."""

    width: int = 2

    @property
    def name(self) -> str:
        """See `Policy.name`."""
        return "nth"

    @property
    def rule(self) -> None:
        """It builds on no one-step policy."""

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[: self.width][-1])

    def work(self, game: Game, candidates: int) -> int:
        """See `Policy.work`."""
        return candidates * len(game.guesses)


class First(Nth):
    """The first candidate, whatever the width: as a tuple equal to `Nth`."""

    @property
    def name(self) -> str:
        """See `Policy.name`."""
        return "first"

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[0])


NTH, FIRST = [Kind(f"{__name__}:{kind}", ("width",)) for kind in ("Nth", "First")]


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entries = {"nth": f"{__name__}:NTH", "first": f"{__name__}:FIRST"}
    install(monkeypatch, tmp_path / "package", "guessbook.policies", entries)


GAMES = [
    Mastermind(3, 4),
    WordGame(["crane", "crate", "trace", "slate", "stale", "least"], ["speed", "erase"]),
]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs `guessbook` with some arguments."""
    return runner(monkeypatch, capsys, tmp_path)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_book_and_back(game: Game, tmp_path: Path) -> None:
    """Its book is what its definition gives at every node, for any number of threads, in a file."""
    policy = Nth(3)
    before = {"name": "first", "width": 3}
    # As a tuple it is equal to the policy before it, whose guesses are others.
    assert policy == policy_of(before)
    build_strategy(game, before)
    expected = grow(game, game, "x", lambda past, cell: policy.choose(game, past, cell))
    books = [build_strategy(game, {"name": "nth", "width": 3}, jobs=jobs) for jobs in (1, 3)]
    assert books[0].to_bytes() == books[1].to_bytes()
    books[0].save(tmp_path / "nth.book")
    with read_strategy(tmp_path / "nth.book") as book:
        assert list(book.tree.guess) == list(expected.tree.guess)
        assert book.policy == {"name": "nth", "width": 3}
        assert header(policy_of(book.policy)) == book.policy
        assert summary(policy_of(book.policy)) == "nth-width-3"


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("bound", [live.SOME_FEEDBACKS, 0])
def test_live_hints(game: Game, bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Off-book it guesses by its definition, in plain Python as by way of its book's scorer."""
    monkeypatch.setattr(live, "SOME_FEEDBACKS", bound)
    book = build_strategy(game, "nth")
    history = [(len(game.guesses) - 1, game.feedback_number(game.guesses[-1], game.secrets[0]))]
    candidates = consistent(game, history)
    found = hint(book, [(game.guesses[g], game.format_feedback(f)) for g, f in history])
    assert (found.source, found.remaining) == ("live", len(candidates))
    assert game.parse_code(found.guess) == Nth().choose(game, history, candidates)


def test_commands(run: Run) -> None:
    """The commands know it: they build, verify, compare, hint, and explain."""
    built = run("build-book", "--pegs", 3, "--colors", 4, "--policy", "nth", "--width", 3)
    assert built.code == 0, built
    verified = run("verify", "mastermind-3x4-nth-width-3.book", "--policy")
    assert verified.code == 0, verified
    assert "guess by nth (width 3)" in verified.out
    compared = run("compare", "--pegs", 3, "--colors", 4, "nth", "nth:width=3", "parts")
    assert compared.code == 0, compared
    assert "nth:width=3" in compared.out
    for command in ("hint", "explain"):
        answer = run(command, "GGG=0,0", "--book", "mastermind-3x4-nth-width-3.book")
        assert answer.code == 0, answer


@pytest.mark.parametrize(("name", "limited"), [("nth", False), ("positional", True)])
def test_what_ranks_for_it(name: str, limited: bool) -> None:
    """All guesses are ranked by entropy, unless the policy says that it guesses candidates only."""
    rule = ranking_policy(name)
    assert (rule.name, rule.consistent_only) == ("entropy", limited)


def test_a_policy_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A definition that guesses the same again is refused, where it would build forever."""
    monkeypatch.setattr(Nth, "choose", lambda *_: 0)
    with pytest.raises(BuildError, match="the policy guesses RRR again"):
        build_strategy(Mastermind(3, 4), "nth")
