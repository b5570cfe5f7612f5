"""The policy `optimal`: the fewest guesses in total, by the definition and by branch and bound."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import BuildError, Game, Mastermind, Strategy, WordGame
from guessbook.book.errors import NoStrategyError
from guessbook.builder import build_strategy, choice
from guessbook.builder.openings import best_build
from guessbook.lookup import open_book
from guessbook.play.proof import prove
from guessbook.policy.notation import policy_of
from guessbook.policy.reference import consistent, keeps_hints
from tests.helpers.oracle import optima
from tests.helpers.plain import bases, entries, histories, plain_book
from tests.helpers.samples import every_nth

WORDS = ["abc", "abd", "bad", "cab", "dab", "bed", "fed", "ace", "fab", "cad"]
GAMES: dict[str, Game] = {
    "codes 2x3": Mastermind(2, 3),
    "codes 2x4": Mastermind(2, 4),
    "codes 4x2": Mastermind(4, 2),
    "codes 2x5 without repeats": Mastermind(2, 5, repeats=False),
    "codes 3x3 without repeats": Mastermind(3, 3, repeats=False),
    "words": WordGame(WORDS),
    "words with more guesses": WordGame(WORDS[:6], WORDS),
    "words, loose": WordGame(WORDS, scoring="loose"),
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"base": "parts", "first_guess": True},
    {"base": "entropy-corrected"},
    {"max_guesses": 3},
    {"max_guesses": 5},
    {"consistent_only": True},
    {"width": 2, "base": "minimax", "max_guesses": 4},
    {"hard_mode": True},
    {"hard_mode": True, "width": 3, "max_guesses": 4, "first_guess": True},
]
CASES = [
    (name, options)
    for name, game in GAMES.items()
    for options in OPTIONS
    # Hard mode is a rule for words with standard scoring.
    if "hard_mode" not in options or (isinstance(game, WordGame) and game.scoring == "standard")
]
# The plain definition takes seconds for each of these.
LARGER = [
    (Mastermind(3, 3), {}),
    (Mastermind(3, 3), {"base": "parts", "max_guesses": 4}),
    (Mastermind(3, 4, repeats=False), {"base": "entropy-corrected"}),
    (WordGame([*WORDS, "add", "ebb"]), {"base": "expected"}),
]
# Games whose optimum takes more than a second to find.
LONG = {(4, 7, True), (4, 9, False), (5, 7, False)}
# And those that take longer than any test.
LONGEST = {(4, 8, True), (5, 5, True), (4, 10, False)}
KNOWN = sorted(optima().keys() - LONG - LONGEST)


def check(game: Game, policy: dict[str, Any]) -> None:
    """The tree is that of the definition, or there is none because even that needs too many."""
    plain = plain_book(game, policy)
    most = policy.get("max_guesses")
    if most is not None and plain.stats.max_guesses > most:
        with pytest.raises(BuildError, match="no strategy finds every secret"):
            build_strategy(game, policy)
        return
    book = build_strategy(game, policy)
    assert list(book.tree.guess) == list(plain.tree.guess)
    assert book.tree.distribution == plain.tree.distribution


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_the_tree_is_that_of_the_definition(name: str, options: dict[str, Any]) -> None:
    """Branch and bound finds the same tree, node for node, or that there is none."""
    game = GAMES[name]
    policy = {"name": "optimal", **options}
    if "first_guess" in options:
        policy["first_guess"] = game.guesses[len(game.guesses) // 2]
    check(game, policy)


@pytest.mark.parametrize(("game", "options"), LARGER, ids=repr)
def test_a_larger_tree_is_that_of_the_definition(game: Game, options: dict[str, Any]) -> None:
    """The same for games in which more guesses are equivalent, or cost the same."""
    check(game, {"name": "optimal", **options})


@st.composite
def policies(draw: st.DrawFn, game: Game) -> dict[str, Any]:
    """The policy with any options that the game has."""
    numbers: dict[str, Any] = {
        "base": bases,
        "width": st.integers(1, 4),
        "max_guesses": st.integers(1, 6),
        "first_guess": st.sampled_from(list(game.guesses)),
        "consistent_only": st.booleans(),
    }
    if isinstance(game, WordGame) and game.scoring == "standard":
        numbers["hard_mode"] = st.booleans()
    return {"name": "optimal", **draw(st.fixed_dictionaries({}, optional=numbers))}


small_words = st.lists(st.text("abcd", min_size=3, max_size=3), min_size=1, max_size=7, unique=True)
word_games = st.builds(
    WordGame, small_words, small_words, scoring=st.sampled_from(["standard", "loose"])
)
code_games = st.sampled_from(
    [
        Mastermind(1, 4),
        Mastermind(2, 3),
        Mastermind(4, 2),
        Mastermind(2, 4),
        Mastermind(2, 4, repeats=False),
        Mastermind(3, 3, repeats=False),
    ]
)


@given(st.data(), st.one_of(word_games, code_games))
def test_any_small_game(data: st.DataObject, game: Game) -> None:
    """The same for any words and any options."""
    check(game, data.draw(policies(game)))


@given(st.data(), st.one_of(word_games, code_games))
def test_hints_off_the_book(data: st.DataObject, game: Game) -> None:
    """After any history, longer than the limit too, the engine guesses as the definition does."""
    policy = data.draw(policies(game))
    history = data.draw(histories(game))
    rule = policy_of(policy)
    expected = rule.choose(game, history, consistent(game, history))
    assert choice.choose(game, history, rule)[0] == expected


@pytest.mark.parametrize("options", [{}, {"width": 3}, {"hard_mode": True}], ids=str)
def test_a_history_longer_than_the_limit(options: dict[str, Any]) -> None:
    """Where no strategy keeps within the limit, with guesses left or none, it is left out."""
    game = WordGame(["bat", "cat", "fat", "hat", "mat", "rat"])
    history = [(i, game.feedback_number(game.guesses[i], "rat")) for i in (0, 1)]
    assert len(consistent(game, history)) == 4
    found = [
        choice.choose(game, history, policy_of({"name": "optimal", **options, **limit}))[0]
        for limit in (*({"max_guesses": most} for most in range(1, 6)), {})
    ]
    assert len(set(found)) == 1


def least(game: Game, hard: bool) -> int:
    """The fewest guesses in total of all strategies: every guess is tried, and nothing left out."""
    feedback = cache(game.feedback_number)

    @cache
    def total(history: frozenset[tuple[int, int]], candidates: tuple[str, ...]) -> int:
        costs = []
        for index, code in enumerate(game.guesses):
            if hard and not keeps_hints(game, code, list(history)):
                continue
            cells = defaultdict(list)
            for secret in candidates:
                cells[feedback(code, secret)].append(secret)
            if len(cells) == 1 and game.solved not in cells:
                continue
            cells.pop(game.solved, None)
            costs.append(
                len(candidates)
                + sum(total(history | {(index, f)}, tuple(cell)) for f, cell in cells.items())
            )
        return min(costs)

    return total(frozenset(), tuple(game.secrets))


@given(st.one_of(word_games, code_games.filter(lambda game: len(game.secrets) <= 12)))
def test_no_strategy_needs_fewer(game: Game) -> None:
    """The total is that of a search that knows no ranking, no symmetry and no bound."""
    for hard in (False, *([True] if isinstance(game, WordGame) and game.has_hard_mode else [])):
        book = build_strategy(game, {"name": "optimal", "hard_mode": hard})
        assert book.stats.total_guesses == least(game, hard)


larger_words = st.lists(
    st.text("abcde", min_size=4, max_size=4), min_size=10, max_size=60, unique=True
)
larger_games = st.one_of(
    st.builds(WordGame, larger_words, larger_words),
    st.sampled_from([Mastermind(3, 5), Mastermind(4, 3), Mastermind(3, 6, repeats=False)]),
)


@settings(max_examples=15)
@given(st.data(), larger_games)
def test_both_searches_agree(data: st.DataObject, game: Game) -> None:
    """The search by sets finds the tree of the search by histories, with a width of all guesses."""
    policy = data.draw(policies(game))
    policy.pop("width", None)
    policy.pop("hard_mode", None)
    books = []
    for limit in ({}, {"width": len(game.guesses)}):
        try:
            books.append(list(build_strategy(game, {**policy, **limit}).tree.guess))
        except BuildError:
            books.append([])
    assert books[0] == books[1]


@pytest.mark.parametrize(
    ("secrets", "others", "total"),
    [
        ("mot hot fot hit fit cot bot", "icx xhf tit cmt ixt oiz", 18),
        ("fot mot cot hit bot hot cit mit", "izx czt ctt izt hbt", 21),
    ],
)
def test_hard_mode_tells_guesses_with_the_same_cells_apart(
    secrets: str, others: str, total: int
) -> None:
    """One of them may show a letter that forbids the guess that is best afterwards."""
    found = []
    for guesses in ([*others.split(), *secrets.split()], [*secrets.split(), *others.split()]):
        game = WordGame(secrets.split(), guesses)
        policy = {"name": "optimal", "hard_mode": True}
        found.append(build_strategy(game, policy).stats.total_guesses)
        check(game, policy)
        assert least(game, True) == found[-1]
    assert found == [total, total]


def test_hard_mode_by_candidates_alone() -> None:
    """What may be the secret is what hard mode allows: the second limit changes nothing."""
    secrets = ["mit", "cat", "hat", "bit", "hot", "fit"]
    game = WordGame(secrets, [*["fcx", "zoc", "ftx", "tof", "aht", "xzt"], *secrets])
    policy = {"name": "optimal", "hard_mode": True, "consistent_only": True}
    check(game, policy)
    plain = build_strategy(game, {"name": "optimal", "consistent_only": True})
    assert build_strategy(game, policy).tree.guess == plain.tree.guess


def test_hard_mode_where_some_letter_is_always_right() -> None:
    """No guess gets three or four grey tiles; what the others mean does not depend on it."""
    secrets = [
        "aaet",
        "abat",
        "abdt",
        "abet",
        "adat",
        "addt",
        "babt",
        "bcbt",
        "beat",
        "bebt",
        "ccbt",
        "cdbt",
        "ddct",
        "dddt",
        "ddet",
        "dedt",
        "eaat",
        "ecat",
        "eebt",
        "eect",
        "eedt",
        "eeet",
    ]
    others = [
        "exat",
        "zedt",
        "exbt",
        "zbzt",
        "adxt",
        "bdxt",
        "zebt",
        "xbxt",
        "bxet",
        "dzat",
        "czdt",
        "bect",
        "xcxt",
    ]
    game = WordGame(secrets, [*others, *secrets])
    known = build_strategy(game, {"name": "optimal", "hard_mode": True}).stats
    bound = build_strategy(game, {"name": "rollout", "hard_mode": True, "width": 40}).stats
    assert known.total_guesses <= bound.total_guesses


@pytest.mark.parametrize("consistent_only", [False, True])
def test_words_that_split_one_at_a_time(*, consistent_only: bool) -> None:
    """A chain of 26 guesses is searched as deep as it goes: 1 + 2 + ... + 26."""
    game = WordGame([letter + "ight" for letter in ascii_lowercase])
    policy = {"name": "optimal", "consistent_only": consistent_only}
    found = build_strategy(game, policy).stats
    assert (found.max_guesses, found.total_guesses) == (26, 351)


def test_the_best_opening_within_a_limit() -> None:
    """An opening from which no strategy keeps to the limit is passed over."""
    policy = {"name": "optimal", "max_guesses": 4}
    assert best_build(Mastermind(3, 4), policy).book.stats.total_guesses == 206
    with pytest.raises(NoStrategyError, match=r"secret of mastermind-3x4 within 2 guesses$"):
        best_build(Mastermind(3, 4), policy | {"max_guesses": 2})


def test_a_hint_of_a_book() -> None:
    """A book by the policy is asked for a history that it does not cover."""
    game = GAMES["words"]
    policy = {"name": "optimal", "max_guesses": 4}
    book = open_book(build_strategy(game, policy))
    other = next(code for code in game.guesses if code != book.root.guess)
    history = [(game.parse_code(other), game.feedback_number(other, "fab"))]
    hint = book.hint(entries(game, history))
    assert hint.source == "live"
    expected = policy_of(policy).choose(game, history, consistent(game, history))
    assert hint.guess == game.guesses[expected]


def test_a_saved_book_can_be_verified(tmp_path: Path) -> None:
    """The header says all that is needed to build the book again, guess by guess."""
    policy = {"name": "optimal", "base": "parts", "max_guesses": 4, "first_guess": "RRY"}
    game = Mastermind(3, 4)
    build_strategy(game, policy).save(tmp_path / "a.book")
    with open_book(tmp_path / "a.book") as book:
        assert book.policy == policy
        assert all(check.passed for check in prove(book, policy=True))
        assert build_strategy(game, book.policy).to_bytes() == book.to_bytes()


@pytest.mark.parametrize("size", every_nth(2, KNOWN), ids=str)
def test_the_optimum_is_the_published_one(size: tuple[int, int, bool]) -> None:
    """The least total is that of the literature and of other programs: tests/data/README.md."""
    assert build_strategy(Mastermind(*size), "optimal").stats.total_guesses == optima()[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", sorted(LONG), ids=str)
def test_the_optimum_of_a_larger_game(size: tuple[int, int, bool]) -> None:
    """The same for games that take it seconds or a minute."""
    test_the_optimum_is_the_published_one(size)


def test_at_most_five_guesses_cost_one_more() -> None:
    """4x6 takes 5,625 guesses and 6 at worst, or 5,626 and 5; nothing finds all within 4."""
    game = Mastermind(4, 6)
    known = build_strategy(game, {"name": "optimal", "max_guesses": 5}).stats
    assert (known.total_guesses, known.max_guesses) == (5626, 5)
    with pytest.raises(BuildError, match="within 4 guesses"):
        build_strategy(game, {"name": "optimal", "max_guesses": 4})


def test_a_width_is_an_upper_bound() -> None:
    """Fewer guesses are looked at, so the total is never lower, and with all of them the same."""
    game = Mastermind(3, 5)
    totals = [
        build_strategy(game, {"name": "optimal", "width": width}).stats.total_guesses
        for width in (1, 3, 10, 1000)
    ]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == build_strategy(game, "entropy").stats.total_guesses
    assert totals[-1] == build_strategy(game, "optimal").stats.total_guesses


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_threads_change_nothing(jobs: int) -> None:
    """The book is the same for any number of threads."""
    game = Mastermind(3, 6)
    assert build_strategy(game, "optimal", jobs=jobs).to_bytes() == small().to_bytes()


@cache
def small() -> Strategy:
    """An optimal book of 3 pegs and 6 colors."""
    return build_strategy(Mastermind(3, 6), "optimal")
