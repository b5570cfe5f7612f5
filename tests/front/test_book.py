"""The one Book: opened or built, it answers everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from guessbook.policy.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from guessbook.book.games.game import Game, History

HISTORY = "RYGB=1,1 RGOP=0,2"


@pytest.fixture(scope="module")
def book() -> gb.Book:
    """The usual book."""
    return gb.open("mastermind-4x6")


def test_open_and_build_give_the_same_book(book: gb.Book, tmp_path: Path) -> None:
    """A book from its name, its bytes, its file, or built now, is the same and hints the same."""
    path = tmp_path / "test.book"
    assert book.save(path) == len(book.to_bytes())
    others = [gb.open(path), gb.open(str(path)), gb.open(book.to_bytes()), gb.build(book.game)]
    for other in [*others, gb.open()]:
        assert type(other) is gb.Book
        assert other.to_bytes() == book.to_bytes()
        assert other.hint(HISTORY) == book.hint(HISTORY)
    assert gb.build(book.game, book.policy).to_bytes() == book.to_bytes()


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("bagels", gb.Mastermind(3, 10, False)),
        ("mastermind-3x4", gb.Mastermind(3, 4)),
        ("bulls-and-cows-3x5", gb.Mastermind(3, 5, False)),
    ],
)
def test_a_name_is_a_game(name: str, game: gb.Mastermind) -> None:
    """Wherever a game is expected, so is its name."""
    built = gb.build(name, "parts")
    assert built.game == game
    assert built.to_bytes() == gb.build(game, "parts").to_bytes()
    assert gb.Session(name, policy="parts").hint().guess == built.hint().guess
    assert gb.Boards(name, 2).game == gb.Adversary(name).game == gb.Codemaker(name).game == game
    assert gb.compare([built], name).game == game


@pytest.mark.parametrize("name", ["bagel", "mastermind-4", "mastermind-0x6", "jotto"])
def test_other_names_are_none(name: str) -> None:
    """A name that no game has is refused, and so is the preset of a game that needs words."""
    with pytest.raises(gb.UsageError):
        gb.build(name)


def test_names_that_are_no_book() -> None:
    """What is no book is told of the games: a session plays them, and `build` makes their books."""
    for name, near in (("bagles", "; did you mean bagels?"), ("qqq", "coins")):
        with pytest.raises(gb.UsageError) as caught:
            gb.Session(name)
        text = str(caught.value)
        assert text.startswith(f"found '{name}', expected the path of a book, a shipped book (")
        assert "or a game: mastermind-PEGSxCOLORS, " in text
        assert text.endswith(near)
    for name, expected in {
        "bagels": "; gb.build('bagels') makes the book of that game",
        "bagles": "; gb.build makes the book of a game; did you mean bagels?",
        "bagels.book": "give a file, or a shipped book: ",
    }.items():
        with pytest.raises(gb.UsageError) as caught:
            gb.open(name)
        assert expected in str(caught.value)
    with pytest.raises(gb.UsageError, match=r"cannot read \./bagels"):
        gb.Session("./bagels")


def test_options_of_a_policy_and_of_a_build() -> None:
    """A policy is a name with options, a map, or made; further options are those of the build."""
    wanted = gb.build("mastermind-3x4", {"name": "rollout", "width": 3}).to_bytes()
    assert gb.build("mastermind-3x4", "rollout", width=3, jobs=2).to_bytes() == wanted
    made = gb.make_policy("rollout", width=3)
    assert gb.build("mastermind-3x4", made).to_bytes() == wanted
    opened = gb.build("mastermind-3x4", "rollout", width=3, first_guess="RYG")
    assert opened.root.guess == "RYG"
    assert gb.build("mastermind-3x4", opened.policy).to_bytes() == opened.to_bytes()
    with pytest.raises(gb.UsageError, match="found option 'width' beside the policy object"):
        gb.build("mastermind-3x4", made, width=4)
    with pytest.raises(gb.UsageError, match="option 'depth' of policy rollout"):
        gb.build("mastermind-3x4", "rollout", depth=4)
    with pytest.raises(gb.UsageError, match="a memory limit for entropy"):
        gb.build("mastermind-3x4", memory=1 << 30)


class Last(Policy):
    """The last candidate."""

    name = "last"

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[-1])


@pytest.mark.parametrize("first_guess", [None, "RR"])
def test_a_book_of_ones_own_policy(first_guess: str | None) -> None:
    """Built by an instance, it is asked off its tree, verified, and built again, as any other."""
    book = gb.build("mastermind-2x3", Last(), first_guess=first_guess)
    history = ["RG=0,1"]
    assert book.get(history) is None
    found = book.hint(history)
    assert (found.source, found.guess) == ("live", book.candidates(history)[-1])
    assert book.verify(policy=True).passed
    assert gb.build(book.game, book.policy).to_bytes() == book.to_bytes()
    assert gb.Session(book, history).hint() == found
    assert gb.compare([book, Last()], book.game).books[1].label == "last"
    opened = gb.open(book.to_bytes())
    assert opened.policy == book.policy
    with pytest.raises(gb.UsageError, match="found policy 'last' in the book, expected an inst"):
        opened.hint(history)


def test_options_in_the_text_and_beside_it() -> None:
    """The options of a text and those beside it are merged; None counts as left out."""
    game = "mastermind-2x3"
    wanted = gb.build(game, "rollout", width=5, base="parts").to_bytes()
    assert gb.build(game, "rollout:width=5", base="parts").to_bytes() == wanted
    assert gb.build(game, {"name": "rollout", "width": 5}, base="parts").to_bytes() == wanted
    left_out = gb.build(game, "rollout", width=None, base=None, memory=None, gap=None)
    assert left_out.to_bytes() == gb.build(game, "rollout").to_bytes()
    with pytest.raises(gb.UsageError, match="found option 'width' in 'rollout:width=5' and on its"):
        gb.build(game, "rollout:width=5", width=6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"memory": "x"}, "found 'x' bytes of memory, expected at least 1"),
        ({"memory": 0}, "found 0 bytes of memory, expected at least 1"),
        ({"gap": "x"}, "found gap 'x', expected a fraction from 0 to below 1"),
        ({"gap": -1}, "found gap -1, expected a fraction from 0 to below 1"),
        ({"gap": True}, "found gap True, expected a fraction from 0 to below 1"),
        ({"gap": float("nan")}, "found gap nan, expected a fraction from 0 to below 1"),
        ({"scheduler": 3}, "found scheduler 3, expected an address such as tcp://HOST:PORT"),
        ({"jobs": "x"}, "found 'x' jobs, expected 1 to"),
    ],
    ids=str,
)
def test_refused_means(options: dict[str, Any], message: str) -> None:
    """With what a book is built is checked before anything is."""
    with pytest.raises(gb.UsageError) as caught:
        gb.build("mastermind-2x3", "optimal", **options)
    assert str(caught.value).startswith(message)


def test_a_map_without_a_name() -> None:
    """A map that names no policy is refused wherever a policy is expected."""
    calls: list[Callable[[], object]] = [
        lambda: gb.compare([{"width": 3}]),
        lambda: gb.compare({"a": {"width": 3}}),
        lambda: gb.build("mastermind-2x3", {"width": 3}),
        lambda: gb.make_policy({"width": 3}),
    ]
    for call in calls:
        with pytest.raises(gb.UsageError, match="found the map "):
            call()


@pytest.mark.parametrize("chosen", [10**9, -1, "RR", None])
def test_what_is_no_guess(chosen: Any) -> None:
    """A build and a live hint name the policy that chooses what is no index of a guess."""
    policy = type("Wrong", (Last,), {"name": "wrong", "choose": lambda *_: chosen})()
    session = gb.Session("mastermind-2x3", policy=policy)
    for ask in (lambda: gb.build("mastermind-2x3", policy), session.hint):
        with pytest.raises(gb.UsageError) as caught:
            ask()
        assert str(caught.value) == (
            f"found guess {chosen!r} of policy wrong, expected an index, 0 to 8"
        )


def test_a_book_answers_everything(book: gb.Book) -> None:
    """What a session can be asked about a history, a book can."""
    session = gb.Session(book, HISTORY)
    assert book.hint(HISTORY) == session.hint()
    assert book.candidates(HISTORY) == session.candidates()
    assert len(book.candidates()) == book.stats.secrets
    assert book.explain(HISTORY) == session.explain()
    assert book.explain(HISTORY, "YYYY", 3) == session.explain("YYYY", 3)
    assert book.rate(HISTORY, "YYYY") == session.rate("YYYY")
    assert book.find(HISTORY) == book.get(HISTORY)
    assert book.get("RRRR=0,0") is None
    for ask in (book.hint, book.candidates, book.explain):
        with pytest.raises(gb.InconsistentFeedbackError, match="re-check RRRR=4,0, YYYY=4,0"):
            ask("RRRR=4,0 YYYY=4,0")


def test_a_book_is_exported(book: gb.Book) -> None:
    """A form is written with its own options and with no others."""
    assert book.export("svg", depth=2).startswith("<svg")
    assert book.export("python", compress=False) != book.export("python")
    with pytest.raises(gb.UsageError, match="found option 'size' of the format svg, expected one"):
        book.export("svg", size=3)
    with pytest.raises(gb.UsageError, match="found option 'depth' of the format html, expected no"):
        book.export("html", depth=3)


def test_a_book_is_verified() -> None:
    """The checks are values that are printed as the command prints them."""
    book = gb.build("mastermind-3x3")
    found = book.verify(policy=True)
    assert found.passed
    assert [check.name for check in found.checks] == [
        "secrets", "candidates", "statistics", "policy"
    ]  # fmt: skip
    assert str(found).splitlines()[0] == "ok      secrets: 27 of 27 solved"


def test_a_book_is_simulated(book: gb.Book) -> None:
    """All secrets, some, or a part that a seed draws; the totals are those of the statistics."""
    whole = book.simulate()
    assert whole.total_guesses == book.stats.total_guesses
    assert whole.distribution == book.stats.distribution
    some = book.simulate(fraction=0.1, random_seed=1)
    assert some == book.simulate(fraction=0.1, random_seed=1)
    assert some.played == 130
    assert book.simulate(["PYRO"]).guesses == {"PYRO": whole.guesses["PYRO"]}
    same = book.simulate(["r y p o", ["P", "Y", "R", "O"], "PYRO"])
    assert (same.played, same.guesses["PYRO"]) == (3, whole.guesses["PYRO"])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"secrets": []}, "found no secrets, expected at least one"),
        ({"secrets": "RRRR"}, "found secrets 'RRRR', expected a list of secrets"),
        ({"secrets": 3}, "found secrets 3, expected a list of secrets"),
        ({"secrets": [3]}, "found code 3, expected 4 of 'RYGBOP'"),
        ({"fraction": "x"}, "found fraction 'x', expected a number more than 0 and at most 1"),
        ({"fraction": 2}, "found fraction 2, expected a number more than 0 and at most 1"),
    ],
)
def test_what_cannot_be_simulated(book: gb.Book, asked: Any, message: str) -> None:
    """What is no list of secrets, no secret, or no part of them is refused in a line."""
    with pytest.raises(gb.UsageError) as caught:
        book.simulate(**asked)
    assert str(caught.value) == message


def test_a_codemaker_has_a_secret() -> None:
    """It is given, as people write a code, or drawn, the same for the same seed."""
    assert gb.Codemaker("bagels", "0 1 2").secret == "012"
    drawn = {gb.Codemaker("bagels", random_seed=seed).secret for seed in range(20)}
    assert len(drawn) > 10
    assert (
        gb.Codemaker("bagels", random_seed=3).secret == gb.Codemaker("bagels", random_seed=3).secret
    )
