"""The session: what it notes, what it suggests, and what it says about a game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from guessbook.book import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    Mastermind,
    UsageError,
)
from guessbook.book.tree import entropy
from guessbook.builder import build_strategy
from guessbook.export import export
from guessbook.lookup import open_book
from guessbook.play import Board, Session
from guessbook.play.boards import Boards
from guessbook.play.codemaker import Adversary
from guessbook.play.run import turns
from guessbook.play.shuffle import random_shuffle
from guessbook.play.terminal.report import rating_lines
from tests.helpers.plain import plain_book
from tests.helpers.samples import KINDS, WORD_GAME

if TYPE_CHECKING:
    from guessbook.lookup import Book


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("with_book", [True, False])
def test_every_secret_is_found(kind: str, with_book: bool) -> None:
    """Following the suggestions finds every secret, with a book and without one."""
    game = KINDS[kind]
    source = plain_book(game) if with_book else game
    for secret in game.secrets:
        session = Session(source)
        for _ in range(10):
            if session.solved:
                break
            guess = session.hint().guess
            session.add_guess(None, str(game.feedback(guess, secret)))
        assert session.solved
        assert session.rows[-1].guess == secret
        assert session.candidates() == [secret]


def test_undo_edit_and_set_aside(book: Book) -> None:
    """Any row can be taken back, corrected, or set aside and believed again."""
    session = Session(book, "RYGB=1,1 RGOP=0,2")
    assert session.remaining == 57
    assert session.set_aside(1).aside
    assert session.remaining == 252
    assert session.history == [("RYGB", "1,1")]
    session.set_aside(1)
    session.edit(1, "RROO", "4,0")
    assert session.history[1] == ("RROO", "4,0")
    assert session.undo().guess == "RROO"
    session.undo()
    with pytest.raises(UsageError, match="nothing has been answered"):
        session.undo()
    with pytest.raises(UsageError, match="row 1"):
        session.edit(0, None, "1,1")


def test_each_thread_has_a_session_of_its_own(book: Book) -> None:
    """Its docstring says that a session is not shared; copies change by themselves, and agree."""
    assert "not thread-safe" in str(Session.__doc__)
    session = Session(book, "RYGB=1,1")

    def played(number: int) -> tuple[str, int]:
        own = session.copy()
        for _ in range(number + 10):
            own.add_guess(None, "0,2")
            own.hint()
            own.undo()
            own.set_aside(0)
            own.set_aside(0)
        return own.hint().guess, own.remaining

    with ThreadPoolExecutor(6) as threads:
        assert set(threads.map(played, range(6))) == {("RGOP", 252)}
    assert [row.guess for row in session.rows] == ["RYGB"]


def test_a_contradiction_names_the_rows_to_re_check(book: Book) -> None:
    """The suspects are positions among all rows, those that are set aside included."""
    session = Session(book, "BBBB=0,0 RRRR=1,0 YYYY=1,0 RRYY=0,0")
    session.set_aside(0)
    with pytest.raises(InconsistentFeedbackError) as caught:
        session.hint()
    assert caught.value.suspects == (3,)
    assert session.remaining == 0
    assert not session.solved
    for call in (session.explain, session.review, lambda: session.rate("RYGB")):
        with pytest.raises(InconsistentFeedbackError):
            call()
    session.edit(3, None, "1,1")
    assert session.remaining > 0


def test_nothing_wrong_is_noted(book: Book) -> None:
    """What the game does not know is refused and leaves the session as it was."""
    session = Session(book, "RYGB=1,1")
    with pytest.raises(InvalidCodeError):
        session.add_guess("RYGX", "1,1")
    with pytest.raises(InvalidFeedbackError):
        session.add_guess(None, "3,1")
    with pytest.raises(InvalidFeedbackError):
        session.edit(0, None, "9,9")
    assert session.history == [("RYGB", "1,1")]
    with pytest.raises(UsageError, match="found a book, which has a policy, and the policy"):
        Session(book, policy="minimax")


@pytest.mark.parametrize("kind", KINDS)
def test_explanation_adds_up(kind: str) -> None:
    """Cells add up to the candidates, probabilities to 1, and their bits to the entropy."""
    session = Session(KINDS[kind])
    why = session.explain()
    assert sum(cell.size for cell in why.partition) == why.remaining == len(KINDS[kind].secrets)
    assert sum(cell.chance for cell in why.partition) == pytest.approx(1)
    assert why.partition[-1].sum == pytest.approx(why.entropy)
    assert why.entropy == pytest.approx(entropy(cell.size for cell in why.partition))
    assert why.alternatives[0].guess == why.guess == session.hint().guess
    bits = [alternative.entropy for alternative in why.alternatives]
    assert bits == sorted(bits, reverse=True)
    assert why.best_by["minimax"].worst == min(a.worst for a in why.best_by.values())
    assert why.best_by["parts"].cells == max(a.cells for a in why.best_by.values())


def test_guesses_equal_by_symmetry_are_listed_once(book: Book) -> None:
    """At the start of 4 pegs and 6 colours there are five different first guesses."""
    listed = [a.guess for a in Session(book).explain().alternatives]
    assert listed == ["RYGB", "RRYG", "RRYY", "RRRY", "RRRR"]


def test_ratings(book: Book) -> None:
    """The suggestion of an entropy book scores 100 and ranks first; a poor guess does not."""
    session = Session(book, "RYGB=1,1 RGOP=0,2")
    best = session.rate("PYYG")
    assert (best.skill, best.rank, best.best, best.cells) == (100, 1, "PYYG", 14)
    assert best.chance == pytest.approx(1 / 57)
    poor = session.rate("YYYY")
    assert poor.skill == round(100 * poor.entropy / (best.entropy + 1 / 57))
    assert poor.rank > 1000
    assert poor.chance == 0
    certain = Session(book, "RRYY=0,4")
    assert (certain.rate("YYRR").skill, certain.rate("RRRR").skill) == (100, 0)


def test_a_best_guess_that_is_a_mirror_image_says_of_which(book: Book) -> None:
    """Of the rated guess, or of the lowest one; a best guess that is the lowest needs no word."""
    rated = Session(book).rate("GYBR")
    assert (rated.best, rated.mirror, rated.skill) == ("RYGB", "GYBR", 100)
    assert (
        rating_lines(rated, book.game)[3] == "  best      RYGB, 3.0567 bits, a mirror image of GYBR"
    )
    assert [Session(book).rate(code).mirror for code in ("RYGB", "RRYY")] == ["", ""]
    mirrored = Session(book, ["POGB=1,1"])
    assert mirrored.hint().source == "symmetry"
    best = Session(book.game, ["POGB=1,1"]).hint().guess
    for code in ("YYYY", mirrored.hint().guess):
        rated = mirrored.rate(code)
        assert (rated.best, rated.mirror) == (mirrored.hint().guess, best)
        assert rated.best_entropy == mirrored.split(best).entropy
    shuffled = Session(book, shuffle=random_shuffle(book.game, 1))
    assert (shuffled.rate("RRYY").best, shuffled.rate("RRYY").mirror) == ("BORY", "RYGB")
    assert Session(WORD_GAME).rate("eerie").mirror == ""


def test_pair_rating(book: Book) -> None:
    """Two guesses tell at least as much as one, and their order changes nothing."""
    session = Session(book)
    both, again = session.rate_pair("RRYG", "BBOP"), session.rate_pair("BBOP", "RRYG")
    assert both.entropy == pytest.approx(again.entropy)
    assert both.entropy > session.split("RRYG").entropy
    assert session.rate_pair("RRYG", "RRYG").entropy == pytest.approx(session.split("RRYG").entropy)


def test_review(book: Book) -> None:
    """Following the book is full skill; the bits of a solved game add up to what there was."""
    session = Session(book, turns_as_history(book, "GYYO"))
    review = session.review()
    assert review.solved
    assert review.skill == 100
    assert all(turn.skill == 100 for turn in review.turns)
    assert 2 ** sum(turn.bits for turn in review.turns) == pytest.approx(1296)
    assert list(review.line) == session.history
    assert review.secret == "GYYO"
    with pytest.raises(UsageError, match="no guess to review"):
        Session(book).review()
    unfinished = Session(book, "RYGB=1,1")
    assert unfinished.review().line == ()
    assert unfinished.review("RRRY").line[-1] == ("RRRY", "4,0")


def test_a_repeated_guess_is_two_rows(book: Book) -> None:
    """A history gives the rows that its answers give one by one, also if a guess is made twice."""
    given = Session(book, "RYGB=1,1 RYGB=1,1 RGOP=0,2")
    typed = Session(book)
    for guess, feedback in (("RYGB", "1,1"), ("RYGB", "1,1"), ("RGOP", "0,2")):
        typed.add_guess(guess, feedback)
    assert given.rows == typed.rows
    assert len(given.rows) == 3
    assert given.hint() == typed.hint() == Session(book, "RYGB=1,1 RGOP=0,2").hint()
    assert given.review() == typed.review()
    assert [turn.skill for turn in given.review().turns] == [100, 0, 100]
    assert given.share() == typed.share()
    assert "3 guesses" in given.share()
    for wrong in (5, ["RYGB"], [("RYGB",)]):
        with pytest.raises(UsageError):
            Session(book, wrong)


def test_nothing_comes_after_the_solution(book: Book) -> None:
    """A guess after the one that solved the game is refused wherever the order of rows counts."""
    session = Session(book, "GYYO=4,0 RYGB=1,1")
    assert session.solved
    for call in (session.review, session.share, lambda: session.add_guess("RYGB", "1,1")):
        with pytest.raises(UsageError, match="solved"):
            call()
    assert Session(book, "RYGB=1,1 GYYO=4,0").review().solved


def test_the_explained_guess_is_in_its_own_ranking(book: Book) -> None:
    """Of guesses that are equal by symmetry the explained one is listed, whichever is suggested."""
    for history in ("GBYR=1,1", "GGBB=0,1", "OPOP=1,0"):
        session = Session(book, history)
        why = session.explain(count=5)
        assert why.guess == session.hint().guess
        assert why.alternatives[0].guess == why.guess
        assert len({a.guess for a in why.alternatives}) == 5
    shuffled = Session(book, shuffle=random_shuffle(book.game, 3))
    assert shuffled.explain().alternatives[0].guess == shuffled.hint().guess


@pytest.mark.parametrize("history", ["", "GBYR=1,1", "RRYY=0,0", "RGGY=1,0 BBRR=0,0"])
def test_every_guess_has_one_representative(book: Book, history: str) -> None:
    """Each guess is equivalent to exactly one of those that are ranked."""
    analysis = Session(book, history).analysis()
    ranked = analysis.inequivalent()
    assert ranked is not None
    for index in range(0, 1296, 37):
        assert sum(analysis.maps([index], [other]) for other in ranked) == 1


def test_share(book: Book) -> None:
    """The grid shows the feedbacks and none of the codes."""
    session = Session(book, "RYGB=1,1 RGOP=4,0")
    assert session.share().splitlines() == [
        "Guessbook mastermind-4x6 2 guesses",
        "",
        "●○··",
        "●●●●",
    ]
    assert session.share(ascii_only=True).splitlines()[2:] == ["BW..", "BBBB"]
    words = Session(WORD_GAME, [("light", "02222")])
    assert words.share().splitlines()[2:] == ["⬛🟩🟩🟩🟩"]
    assert "not solved" in words.share()


def turns_as_history(book: Book, secret: str) -> list[tuple[str, str]]:
    """The game that a book plays against a secret."""
    return [(turn.guess, turn.feedback) for turn in turns(Session(book), secret)]


@pytest.mark.parametrize(
    ("name", "history", "scored"),
    [
        ("mastermind-4x6", "", 5),
        ("mastermind-5x8", "", 7),
        ("bulls-and-cows-4x10", "", 1),
        ("bulls-and-cows-4x10", "0123=1,1", 20),
        ("mastermind-5x8", "RRYGB=1,1", 600),
    ],
)
def test_the_reasons_for_a_shipped_book_are_quick(name: str, history: str, scored: int) -> None:
    """Explaining and rating early on scores few guesses of the many."""
    session = Session(name, history)
    found = session.analysis().inequivalent()
    assert len(found) <= scored
    suggested = session.hint().guess
    assert suggested in [a.guess for a in session.explain().alternatives]
    assert session.rate(suggested).skill == 100


def test_what_is_no_game_says_what_is() -> None:
    """A wrong type is a GuessbookError that names what was found and what was expected."""
    game = Mastermind(4, 6)
    for call in (
        lambda: Session(3),  # type: ignore[arg-type]
        lambda: Session(Mastermind),  # type: ignore[arg-type]
        lambda: build_strategy("mastermind-4x6"),  # type: ignore[arg-type]
        lambda: game.format_feedback(3),
        lambda: game.format_feedback("1,1"),  # type: ignore[arg-type]
        lambda: WORD_GAME.format_feedback(3**5),
        lambda: Boards(game, "2"),  # type: ignore[arg-type]
        lambda: Session(game).explain(count=0),
        lambda: Session(game).best_pairs(0),
        lambda: Session(game, "RYGB=1,1").edit("1", None, "1,1"),  # type: ignore[arg-type]
        lambda: Session(game, "RYGB=1,1").set_aside(None),  # type: ignore[arg-type]
        lambda: build_strategy(game, jobs="2"),  # type: ignore[arg-type]
        lambda: open_book().save(3),  # type: ignore[arg-type]
        lambda: Boards(game, 2).add_guess("RYGB", 3),  # type: ignore[arg-type]
        lambda: Boards(game, 2).add_guess("RYGB", None),  # type: ignore[arg-type]
        lambda: Boards(game, 4).add_guess("1,1", "RYGB"),
        lambda: Boards(game, 2).edit(2, 0, None, "1,1"),
        lambda: Adversary("mastermind"[1:]),
        lambda: export(3, "python"),  # type: ignore[arg-type]
        lambda: export(open_book(), 3),  # type: ignore[arg-type]
        lambda: export(open_book(), "svg", size=3),
        lambda: export(open_book(), "html", depth=3),
    ):
        with pytest.raises(GuessbookError, match=r"found .*, expected"):
            call()
    with pytest.raises(GuessbookError, match="found 3, expected a book, its path, the name of a"):
        Session(3)  # type: ignore[arg-type]


def test_what_a_notebook_shows() -> None:
    """A session, a board, a book and a picture of a tree say what they are."""
    session = Session("mastermind-4x6", "RYGB=1,1 RGOP=0,2")
    session.set_aside(1)
    assert repr(session) == "<Session mastermind-4x6: RYGB=1,1 RGOP=0,2 (set aside)>"
    assert "<td>●○··</td><td>1,1</td>" in session._repr_html_()
    assert "<s>0,2</s>" in session._repr_html_()
    nothing = "<table><caption>mastermind-4x6: no guesses so far</caption></table>"
    board = Board()
    assert board._repr_html_() == session.fresh()._repr_html_() == nothing
    board.add_guess("RYGB", "1,1")
    assert repr(board) == "<Board mastermind-4x6: RYGB=1,1>"
    assert board._repr_html_() == "<table><tr><td>RYGB</td><td>1,1</td></tr></table>"
    several = Boards(session, 2)
    several.add_guess("RYGB", ["4,0", "1,1"])
    assert repr(several) == "<Boards mastermind-4x6: 2 boards, 1 open, 1 guess>"
    assert several._repr_html_().count("<td>1,1</td></tr></table>") == 1
    assert several._repr_html_().count("<table>") == 2
    with open_book("mastermind-4x6") as book:
        assert "<td>4.4151 guesses</td>" in book._repr_html_()
        assert str(export(book, "svg", depth=2)._repr_svg_()).startswith("<svg")
        assert export(book, "irving")._repr_svg_() is None


def test_rows_that_are_the_same_are_one() -> None:
    """Setting one aside, or correcting its feedback, does the same to its twins, and that helps."""
    session = Session("mastermind-4x6", "RYGB=4,0 RYGB=4,0 RYGO=2,0")
    with pytest.raises(InconsistentFeedbackError) as caught:
        session.hint()
    assert caught.value.suspects == (0, 2)
    session.set_aside(0)
    assert [row.aside for row in session.rows] == [True, True, False]
    assert session.hint().remaining > 0
    session.set_aside(1)
    assert not session.remaining
    session.edit(0, None, "2,0")
    assert [row.feedback for row in session.rows] == ["2,0"] * 3
    assert session.remaining
    session.edit(0, "RYGP", "2,0")  # another guess: the twin was made as well
    assert [row.guess for row in session.rows] == ["RYGP", "RYGB", "RYGO"]
