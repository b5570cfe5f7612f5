"""The hints of an exported page, compared with those of the book and of Guessbook."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.export.samples import BOOKS, WORDS, History, book_of, histories_of, off_book
from tests.helpers.content import edited
from tests.helpers.identifying import identifying_tables
from tests.helpers.page import answers_of_page

ONE_STEP = ["entropy", "expected", "parts", "minimax", "entropy-corrected"]
SMALL = gb.Mastermind(3, 5)


def same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Return whether a hint of a page has these values."""
    return all(
        math.isclose(found[key], value, abs_tol=1e-9)
        if isinstance(value, float)
        else found[key] == (list(value) if isinstance(value, tuple) else value)
        for key, value in expected.items()
    )


def check(book: gb.Book, number: int, reference: gb.Book | None = None) -> None:
    """Compare hints of a page after random off-book histories with those of Guessbook."""
    reference = reference or book
    histories: list[History] = []
    expected: list[gb.Hint] = []
    for history in off_book(book, 4 * number):
        hint = reference.hint(history)
        # The page does not look for an equivalent history in the book.
        if hint.source == "live" and len(histories) < number:
            histories.append(history)
            expected.append(hint)
    assert histories
    answers = answers_of_page(book, histories)
    for history, hint, found in zip(histories, expected, answers, strict=True):
        assert same(found, hint._asdict()), history


LARGE = "mastermind-5x8"
USUAL = ("mastermind-4x6", "without repeats", "hostile", "weighted words", "table")
NAMES = [n if n in USUAL else pytest.param(n, marks=pytest.mark.slow) for n in (*BOOKS, LARGE)]


@pytest.mark.parametrize("name", NAMES)
def test_page_gives_the_hints_of_guessbook_on_and_off_book(name: str) -> None:
    """Histories are reversed, because the order of entries does not matter."""
    book = book_of(name) if name in BOOKS else gb.open(name)
    histories = [history[::-1] for history in histories_of(book)]
    hints = answers_of_page(book, histories)
    for node, history, found in zip(book.nodes, histories, hints, strict=True):
        assert same(found, book.hint(history)._asdict() | {"suspects": []}), node
        assert (found["guess"], found["source"]) == (node.guess, "book")
    if name not in ("one code", "one peg, all symbols", "win", LARGE):
        check(book, 12, gb.build(book.game) if name == "hostile" else book)


@pytest.mark.parametrize(
    ("game", "policy", "options"),
    [
        (SMALL, "minimax", {}),
        (gb.Mastermind(3, 6, repeats=False), "parts", {"consistent_only": True}),
        (gb.WordGame(WORDS[:16], WORDS), "expected", {"hard_mode": True}),
        *(
            pytest.param(game, policy, options, marks=pytest.mark.slow)
            for game, policy, options in (
                (SMALL, "entropy", {}),
                (SMALL, "expected", {}),
                (SMALL, "parts", {}),
                (SMALL, "entropy-corrected", {}),
                (gb.Mastermind(3, 6, repeats=False), "entropy", {}),
                (SMALL, "minimax", {"consistent_only": True}),
                (gb.WordGame(WORDS[:16], WORDS), "expected", {"consistent_only": True}),
            )
        ),
    ],
    ids=repr,
)
def test_page_computes_every_one_step_policy(
    game: gb.Game, policy: str, options: dict[str, Any]
) -> None:
    check(gb.build(game, policy, **options), 20)


def asked_by(book: gb.Book, secret: str, draw: Random) -> History:
    """Return a random history of a thing, mostly by the book; some tests have no answer."""
    tests = list(book.game.guesses[: book.game.listed])
    history: History = []
    for _ in range(draw.randint(0, len(tests))):
        hint = book.hint(history)
        follows = hint.outcome is None and draw.random() < 0.7
        test = hint.guess if follows else draw.choice(tests)
        known = draw.random() < 0.8 and (test, "?") not in history
        history.append((test, str(book.game.feedback(test, secret)) if known else "?"))
    return history


@settings(max_examples=10)
@given(
    identifying_tables(),
    st.sampled_from(["entropy", "minimax", "optimal", "win:within=3"]),
    st.randoms(use_true_random=False),
)
def test_page_hints_equal_those_of_python_in_tables_with_outcomes(
    game: gb.TableGame, policy: str, draw: Random
) -> None:
    """On-book hints are those of the book; all others are those of the policy `entropy`."""
    book = gb.build(game, policy)
    histories = histories_of(book)
    histories += [asked_by(book, draw.choice(game.secrets), draw) for _ in range(30)]
    for history, found in zip(histories, answers_of_page(book, histories), strict=True):
        on_book = found["source"] == "book"
        hint = book.hint(history) if on_book else gb.Session(game, history, "entropy").hint()
        assert same(found, hint._asdict()), history
        assert on_book == (book.hint(history).source == "book")


def test_page_scores_weighted_outcomes_exactly() -> None:
    """Also with gains above 2**53, different costs, and weights with large prime factors."""
    weights = [1_000_003, 999_983, 500_009, 3, 2, 300_007]  # below 2**22 together
    rows = ["aaabbb", "ababab", "aabbbb", "abbabb", "bababa"]
    for costs in ([1, 1, 1, 1, 1], [3, 2, 2, 1, "1.5"]):
        game = gb.TableGame("vwxyz", "mnopqr", rows, weights, costs=costs)
        book = gb.build(game, "entropy")
        first = book.root.guess
        others = [test for test in "vwxyz" if test != first]
        histories = [[(t, "?") for t in (first, *some)] for some in ("", *others, others[:2])]
        for history, found in zip(histories, answers_of_page(book, histories), strict=True):
            assert same(found, gb.Session(game, history, "entropy").hint()._asdict()), history


def test_page_rounds_costs_as_guessbook_does() -> None:
    """Three tenths are 0.3, not 0.30000000000000004."""
    book = gb.build(gb.TableGame("ab", "xy", ["01", "00"], costs=["0.3", "0.1"]))
    (found,) = answers_of_page(book, [[]])
    assert found["cost"] == book.hint().cost == 0.3


def test_page_gives_chance_0_to_a_guess_that_does_not_fit() -> None:
    words, weights = ["ca", "aa", "ad", "ab", "ac", "da"], [2, 2, 1, 1, 2, 3]
    book = gb.build(gb.WordGame(words, weights=weights))
    history = [("ac", "20")]
    hint = book.hint(history)
    assert (hint.candidate, hint.chance) == (False, 0.0)
    (found,) = answers_of_page(book, [history])
    assert same(found, hint._asdict())


def words_of(letters: str, length: int, number: int) -> list[str]:
    """Return distinct random words, the same ones in each run."""
    draw = Random(number)
    found: dict[str, None] = {}
    while len(found) < number:
        found["".join(draw.choices(letters, k=length))] = None
    return list(found)


@pytest.mark.parametrize("scoring", ["standard", "loose"])
@pytest.mark.parametrize(("length", "number"), [(5, 2500), (11, 60), (12, 60)])
def test_page_computes_hints_for_many_and_for_long_words(
    length: int, number: int, scoring: str
) -> None:
    """With more candidates than feedbacks, and with more feedbacks than 16 bits can number."""
    words = words_of("aabcdefg", length, number)
    book = gb.build(gb.WordGame(words[: number // 3], words, scoring), "entropy-corrected")
    check(book, 6)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ONE_STEP)
@pytest.mark.parametrize("name", ["bulls-and-cows-4x10", "mastermind-5x8"])
def test_page_computes_hints_for_large_games(name: str, policy: str) -> None:
    """Scores for 32,768 codes exceed 2**53."""
    check(edited(gb.open(name), policy={"name": policy}), 4)


@pytest.mark.parametrize(
    ("policy", "base"),
    [
        ({"name": "lookahead", "depth": 2, "width": 5}, "entropy-corrected"),
        ({"name": "consistent", "random_seed": 1}, "entropy"),
        ({"name": "of a later version"}, "entropy"),
        ({"name": "rollout", "base": "parts", "width": 5}, "parts"),
        ({"name": "win", "base": "minimax", "within": 3}, "minimax"),
    ],
)
def test_page_replaces_a_policy_that_it_cannot_compute(policy: dict[str, Any], base: str) -> None:
    check(edited(gb.build(SMALL), policy=policy), 6, gb.build(SMALL, base))


def test_page_names_the_entries_of_a_contradiction() -> None:
    """A repeated entry counts once."""
    book = gb.open("mastermind-4x6")
    wrong = [("OPOP", "0,0"), ("RRRR", "2,0"), ("RRYY", "0,0")]
    once, twice, none, both, solved = answers_of_page(
        book,
        [
            wrong[2:],
            [wrong[2], wrong[2]],
            wrong,
            [wrong[1], ("RRRR", "1,0")],
            [("OOPP", "1,1"), ("BPGP", "4,0")],
        ],
    )
    assert once == twice
    with pytest.raises(gb.InconsistentFeedbackError) as error:
        book.hint(wrong)
    assert none["guess"] is None
    assert none["suspects"] == [list(wrong[place]) for place in error.value.suspects]
    assert both["suspects"] == [["RRRR", "2,0"], ["RRRR", "1,0"]]
    hint = book.hint([("OOPP", "1,1"), ("BPGP", "4,0")])
    assert same(solved, {"guess": hint.guess, "solved": True, "source": hint.source})


def test_page_computes_hints_after_words_outside_its_lists() -> None:
    book = book_of("words")
    histories = [
        [(guess, str(book.game.feedback(guess, secret))) for guess in guesses]
        for secret in ("react", "geese", "eerie")
        for guesses in (["zzzzz"], ["xqwer", "slate"], ["crane", "slate", "eeeee"], [secret])
    ]
    histories.append([("qqqqq", "22222")])
    expected = [book.hint(history) for history in histories]
    assert {hint.source for hint in expected} >= {"guesses", "live"}
    for hint, found in zip(expected, answers_of_page(book, histories), strict=True):
        assert same(found, hint._asdict())


MISTAKES = {
    "mastermind-4x6": [
        *(("RYG", "1,1"), ("RYGX", "1,1"), ("", "1,1"), ("RYGB", "3,1"), ("RYGB", "5,0")),
        *(("RYGB", "1"), ("RYGB", "1,x"), ("RYGB", "1,1,2"), ("RYGB", "-1,1"), ("RYGB", "")),
    ],
    "words": [
        *(("crypts", "00000"), ("кошка", "00000"), ("slate", "0000"), ("slate", "00003")),
        ("slate", "22221"),
    ],
    "table": [("swap", "dark"), ("swap the bulb", "light"), ("swap the bulb", "")],
}


@pytest.mark.parametrize("name", MISTAKES)
def test_page_throws_range_error_for_invalid_entries(name: str) -> None:
    answers = answers_of_page(book_of(name), [[entry] for entry in MISTAKES[name]])
    assert answers == [{"error": "RangeError"}] * len(MISTAKES[name])


@pytest.mark.parametrize(("pegs", "colors"), [(3, 1), (2, 2), (4, 3)])
def test_page_accepts_exactly_the_possible_feedbacks(pegs: int, colors: int) -> None:
    book = gb.build(gb.Mastermind(pegs, colors))
    game = book.game
    given = {str(game.feedback(guess, secret)) for guess in game.guesses for secret in game.secrets}
    pairs = [f"{black},{white}" for black in range(pegs + 2) for white in range(pegs + 2)]
    answers = answers_of_page(book, [[(book.root.guess, pair)] for pair in pairs])
    known = [pair for pair, answer in zip(pairs, answers, strict=True) if "error" not in answer]
    assert {*known} == given


def test_page_reads_the_feedback_of_words_as_guessbook_does() -> None:
    book = book_of("words")
    texts = ["0y..2", "-Y--G", "xyxxg", "⬛🟨⬛⬛🟩", "_bw-x", "1 0,2 0 0", "yyyyy"]
    wrong = ["00", "0y..3", "22221", ""]
    histories = [[("slate", text)] for text in [*texts, *wrong]]
    answers = answers_of_page(book, histories)
    for history, found in zip(histories[: len(texts)], answers, strict=False):
        try:
            hint = book.hint(history)
        except gb.InconsistentFeedbackError:
            assert found["remaining"] == 0
        else:
            assert same(found, hint._asdict()), history
    assert answers[len(texts) :] == [{"error": "RangeError"}] * len(wrong)
