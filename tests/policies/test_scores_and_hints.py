"""Exact scores, ties, and the statistics of hints."""

from __future__ import annotations

import json
from contextlib import nullcontext
from functools import cache
from math import log2
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.command import Run
from tests.helpers.plain import (
    Definition,
    entries,
    fitting,
    logarithm,
    paths,
    without_engine,
)
from tests.helpers.samples import SMALL, WORDS
from tests.hints.definitions import calls
from tests.strategies import (
    GAMES,
    ONE_STEP,
    all_games,
    false_histories,
    histories,
    policies,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

WEIGHED = gb.WordGame(WORDS, weights=[9, 1, 4, 2, 7, 1, 1, 3, 5, 2])


class Huge:
    """A fake game with any number of secrets and with given partitions.

    Guess k splits the candidates into cells of the sizes `cells[k]`.
    """

    kind, name, weights, has_hard_mode = "huge", "huge", None, False
    length, solved, feedbacks, identification = 1, 1000, 1001, None

    def __init__(self, secrets: int, cells: Sequence[Sequence[int]]) -> None:
        self.secrets = range(secrets)
        self.guesses = [f"g{k}" for k in range(len(cells))]
        self.candidates = [f"c{k}" for k in range(sum(cells[0]))]
        self.cells = cells

    def feedback_number(self, guess: str, secret: str) -> int:
        left = self.candidates.index(secret)
        for number, size in enumerate(self.cells[int(guess[1:])]):
            if left < size:
                return number
            left -= size
        raise AssertionError


class Numerous(Huge):
    """A fake game whose feedbacks have numbers from 65,536 on."""

    solved, feedbacks = (1 << 17) - 1, 1 << 17

    def feedback_number(self, guess: str, secret: str) -> int:
        return (1 << 16) + super().feedback_number(guess, secret)


@st.composite
def partitions(draw: st.DrawFn, size: int) -> list[int]:
    """Draw cell sizes with a given sum."""
    cells: list[int] = []
    while size > sum(cells):
        cells.append(draw(st.integers(1, size - sum(cells))))
    return cells


@given(st.data(), st.integers(2, 40), st.sampled_from([0, 1, 16, 30, 33, 35]))
def test_larger_games_have_coarser_scores(data: st.DataObject, size: int, lost: int) -> None:
    """Above 2**22 secrets, each doubling costs one bit of the precision of logarithms."""
    cells = data.draw(st.lists(partitions(size), min_size=2, max_size=6))
    bits = 36 - lost
    for secrets in ((1 << 22 + lost), (1 << 21 + lost) + 1) if lost else (1, 1 << 22):
        game = Huge(secrets, cells)
        costs = [sum(n * logarithm(n, bits) for n in parts) for parts in cells]
        for name in ("entropy", "entropy-corrected"):
            policy = gb.make_policy(name)
            guess = policy.choose(cast("gb.Game", game), [], game.candidates)
            assert guess == costs.index(min(costs))


def test_logarithm_of_a_square_is_twice_that_of_its_root() -> None:
    """With 2 fractional bits, twice the logarithm of 3 is 12, but that of 9 rounds to 13."""
    game = Huge(1 << 56, [[8, 4], [9, 3]])
    assert gb.make_policy("entropy").choose(cast("gb.Game", game), [], game.candidates) == 1


@pytest.mark.parametrize("lost", [0, 10, 30, 35])
@pytest.mark.parametrize(("cells", "guess"), [([2, 2, 1, 1], 0), ([2, 1, 1, 1, 1], 1)])
def test_candidate_bonus_is_worth_two_bits(lost: int, cells: list[int], guess: int) -> None:
    """A cell of two candidates costs two bits, so one such cell ties with a perfect split."""
    game = Huge(1 << 22 + lost, [[1] * 6, cells])
    game.candidates[0] = "g1"
    plain, corrected = map(gb.make_policy, ("entropy", "entropy-corrected"))
    assert plain.choose(cast("gb.Game", game), [], game.candidates) == 0
    assert corrected.choose(cast("gb.Game", game), [], game.candidates) == guess


@pytest.mark.parametrize(
    ("some", "others"),
    [
        ([6, *[1] * 6], [3, 3, 2, 2, 2]),
        ([9, *[1] * 9], [3] * 6),
        ([25, *[1] * 25], [5] * 10),
        ([49, *[1] * 49], [7] * 14),
        ([121, *[1] * 121], [11] * 22),
    ],
    ids=str,
)
def test_partitions_of_equal_entropy_tie(some: list[int], others: list[int]) -> None:
    """In floating point, sums for these partitions may differ in the last bit."""
    for cells in ([some, others], [others, some]):
        game = Huge(sum(some), cells)
        policy = gb.make_policy("entropy")
        assert policy.choose(cast("gb.Game", game), [], game.candidates) == 0


def test_game_may_have_more_than_65536_feedbacks() -> None:
    game = Numerous(6, [[3, 3], [2, 2, 2]])
    assert gb.make_policy("entropy").choose(cast("gb.Game", game), [], game.candidates) == 1


def test_different_seeds_draw_every_candidate() -> None:
    game = gb.Mastermind(2, 3)
    drawn = {gb.build(game, "consistent", random_seed=seed).root.guess for seed in range(60)}
    assert drawn == set(game.guesses)


def test_positional_distinguishes_more_than_256_symbols() -> None:
    words = [chr(0xAC00 + k) for k in range(300)]
    assert gb.build(gb.WordGame(words), "positional").root.guess == words[0]


@pytest.mark.parametrize(
    ("guess", "marks", "word", "breaks"),
    [
        ("abc", "020", "aca", "letter 2 has to be 'b'"),
        ("abc", "100", "bbc", "it needs the letter 'a'"),
        ("aab", "120", "bab", "it needs the letter 'a' 2 times"),
        ("aab", "120", "cca", "letter 2 has to be 'a'"),
        ("aab", "120", "baa", ""),
    ],
)
def test_explain_names_hard_mode_rule_that_guess_breaks(
    guess: str, marks: str, word: str, breaks: str
) -> None:
    game = gb.WordGame(["abc", "aab", "cab", "baa", "dba", "bac"], ["aca", "bbc", "bab", "cca"])
    history = [(guess, marks)]
    session = gb.Session(game, history, "entropy:hard-mode")
    if session.remaining:
        assert session.explain(word, 1).breaks == breaks


# Candidates, and statistics of hints.


@given(st.data(), all_games())
def test_session_lists_and_counts_candidates(data: st.DataObject, game: gb.Game) -> None:
    history = data.draw(histories(game) | false_histories(game))
    expected = fitting(game, history)
    for context in (nullcontext(), without_engine()):
        with context:
            session = gb.Session(game, entries(game, history))
            if expected:
                assert list(session.candidates()) == expected
                assert session.remaining == len(expected)


@given(st.data(), all_games(), st.sampled_from(ONE_STEP))
def test_hint_statistics_match_definition(data: st.DataObject, game: gb.Game, name: str) -> None:
    policy = data.draw(policies(game, name))
    history = data.draw(histories(game).filter(lambda h: game.solved not in dict(h).values()))
    candidates, definition = fitting(game, history), Definition(game, policy)
    hint = gb.Session(game, entries(game, history), policy).hint()
    cells = definition.cells(game.parse_code(hint.guess), candidates)
    total, own = definition.weight(candidates), definition.weight([hint.guess])
    assert hint.candidate is (hint.guess in candidates)
    assert hint.chance == (own / total if hint.candidate else 0)
    shares = [definition.weight(cell) / total for cell in cells.values()]
    explained = gb.Session(game, entries(game, history), policy).explain(hint.guess, 1)
    assert sorted(cell.size for cell in explained.partition) == sorted(map(len, cells.values()))
    assert hint.entropy == pytest.approx(information(shares), abs=1e-9)


def test_feedbacks_of_15_pegs_split_candidates_alike_without_the_engine() -> None:
    """These feedbacks have numbers up to 255."""
    hints = []
    for context in (nullcontext(), without_engine()):
        with context:
            hints.append(gb.Session(gb.Mastermind(15, 2), [("R" * 15, "14,0")]).hint())
    assert hints[0] == hints[1]
    assert hints[0].entropy == pytest.approx(information([8 / 15, 7 / 15]))


def information(shares: list[float]) -> float:
    return -sum(share * log2(share) for share in shares)


# Without the engine.


@pytest.mark.usefixtures("no_engine")
def test_large_computations_are_rejected_without_engine() -> None:
    with pytest.raises(gb.EngineError, match="too many feedbacks for plain Python: entropy"):
        gb.Session(gb.Mastermind(6, 8)).hint()
    with pytest.raises(gb.EngineError, match="too many feedbacks for plain Python: rollout"):
        gb.Session(gb.Mastermind(4, 10, repeats=False), policy="rollout").hint()
    with pytest.raises(gb.EngineError):
        gb.build(gb.Mastermind(2, 3, symbols="xyz"))


def faults(tests: int, size: int, weight: int = 1) -> gb.TableGame:
    """A table of yes-or-no tests that tell all faults apart."""
    numbers = [k * 37 % (1 << tests) for k in range(1, size + 1)]
    return gb.TableGame(
        [f"test {k}" for k in range(tests)],
        [f"fault {number}" for number in numbers],
        lambda test, fault: "yes" if int(fault[6:]) >> int(test[5:]) & 1 else "no",
        weights=[k * k % weight + 1 for k in range(size)],
        goal="name",
    )


class Counting:
    """A wrapper of a game that counts calls of `feedback_number`."""

    kind = "counting"

    def __init__(self, game: gb.Game) -> None:
        self.game = game
        self.asked = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.game, name)

    def feedback_number(self, guess: str, secret: str) -> int:
        self.asked += 1
        return self.game.feedback_number(guess, secret)


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("policy", ["optimal", "optimal:max-guesses=6", "rollout:endgame=50"])
def test_exhaustive_search_without_engine_is_limited_to_small_games(policy: str) -> None:
    assert gb.Session(faults(5, 8), policy=policy).hint().remaining == 8
    with pytest.raises(gb.EngineError, match="too many feedbacks for plain Python"):
        gb.Session(faults(21, 19), policy=policy).hint()


@pytest.mark.parametrize(
    ("game", "options", "most"),
    [
        (faults(5, 8), {}, 255 * 3 * 13 * 8),
        (faults(5, 8), {"max_guesses": 39}, 255 * 3 * 13 * 8),
        (
            gb.WordGame(["bat", "cat", "fat", "hat", "mat", "rat"]),
            {"hard_mode": True},
            63 * 3 * 6 * 6,
        ),
    ],
    ids=repr,
)
def test_optimal_search_without_engine_visits_each_candidate_set_at_most_once(
    game: gb.Game, options: dict[str, Any], most: int
) -> None:
    """Eight secrets have 255 non-empty sets of candidates, and six have 63."""
    counting = Counting(game)
    policy = gb.make_policy("optimal", **options)
    policy.choose(cast("gb.Game", counting), [], list(game.secrets))
    assert 0 < counting.asked <= most


# The chance to win within the limit of guesses.

WINS = ["win:within=1", "win:within=2", "win:within=3", "win:within=3,base=minimax"]


@cache
def book_of(game: gb.Game, policy: str) -> gb.Book:
    return gb.build(game, policy)


@pytest.mark.parametrize("policy", WINS)
@pytest.mark.parametrize("game", [SMALL, WEIGHED], ids=["codes", "weighted words"])
def test_on_book_chance_to_win_matches_subtree(game: gb.Game, policy: str) -> None:
    book = book_of(game, policy)
    definition = Definition(game, {"name": "entropy"})
    guesses = played(book)
    for history in paths(book):
        candidates = fitting(game, history)
        won = [secret for secret in candidates if guesses[secret] <= (book.stats.within or 0)]
        hint = book.hint(entries(game, history))
        assert hint.source == "book"
        assert hint.win == definition.weight(won) / definition.weight(candidates)
    assert book.hint().win == (book.stats.found_within or 0) / book.stats.weight
    assert f"{book.hint().win:.2%} to win." in str(book.hint())


def played(book: gb.Book) -> dict[str, int]:
    """Return the number of guesses that a book needs for each secret."""
    found = {}
    for secret in book.game.secrets:
        node, guesses = book.root, 1
        while node.guess != secret:
            child = node.child(book.game.feedback(node.guess, secret))
            assert child is not None
            node, guesses = child, guesses + 1
        found[secret] = guesses
    return found


@given(st.data(), st.sampled_from([SMALL, WEIGHED]), st.sampled_from(WINS))
def test_off_book_chance_to_win_matches_search(
    data: st.DataObject, game: gb.Game, policy: str
) -> None:
    book = book_of(game, policy)
    history = data.draw(histories(game))
    hint = book.hint(entries(game, history))
    if hint.solved:
        assert hint.win is None
        return
    if hint.source != "live":
        return
    definition, candidates = Definition(game, dict(book.policy)), fitting(game, history)
    left = max(0, book.policy["within"] - len(dict(history)))
    found = definition.most(history, candidates, left, None)[0]
    assert hint.win == found / definition.weight(candidates)
    assert gb.Session(book, entries(game, history)).explain(count=1).win == hint.win
    with without_engine():
        assert book.hint(entries(game, history)) == hint


def test_only_suggested_guess_of_win_has_chance_to_win() -> None:
    hint = gb.open("mastermind-4x6").hint()
    assert hint.win is None
    assert "to win" not in str(hint)
    assert gb.Session(SMALL, "RRY=1,1", policy="win:within=3").explain("RGB", 1).win is None


def test_commands_print_chance_to_win(run: Run) -> None:
    gb.build(SMALL, "win:within=3").save("a.book")
    line = "win         87.50% within the guesses that are left"
    for history in (["RRY=1,1"], ["GGB=1,1"]):
        assert run("hint", "a.book", *history).out.splitlines()[-1] == line
        assert json.loads(run("hint", "a.book", *history, "--json").out)["win"] == 0.875
        explained = run("explain", "a.book", *history).out.splitlines()
        assert explained[1] == "87.50% to win within the guesses that are left"
        assert "best by entropy; win, the policy itself, may guess another" in explained
        told = json.loads(run("explain", "a.book", *history, "--json").out)
        assert (told["win"], told["policy"], told["ranked_by"]) == (0.875, "win", "entropy")
    assert "\nbest by entropy\n" in run("explain").out
    assert "win" not in json.loads(run("hint", "--json").out)


@given(
    st.sampled_from([game for game in GAMES if len(game.guesses) <= 30]), st.sampled_from(ONE_STEP)
)
def test_lookahead_and_rollout_of_width_one_equal_their_base(game: gb.Game, base: str) -> None:
    expected = [node.guess for node in gb.build(game, base).nodes]
    limits: list[dict[str, Any]] = [{"depth": 1}, {"width": 1}]
    for options in limits:
        book = gb.build(game, "lookahead", base=base, **options)
        assert [node.guess for node in book.nodes] == expected
    rollout = gb.build(game, "rollout", base=base, width=1)
    assert [node.guess for node in rollout.nodes] == expected


def test_consistent_only_rollout_plays_each_candidate_set_once() -> None:
    """Each guess excludes at most one secret, so rollouts are long and meet few different sets."""
    rows = [
        ["yes" if guess % 40 == secret else "no" for secret in range(40)] for guess in range(48)
    ]
    game = gb.TableGame([f"t{k}" for k in range(48)], [f"s{k}" for k in range(40)], rows)

    def hints(policy: str) -> list[str]:
        history: list[tuple[str, str]] = []
        for _ in range(10):
            guess = gb.Session(game, history, policy).hint().guess
            history.append((guess, "no"))
        return [guess for guess, _ in history]

    hints("rollout:base=parts")
    plain = calls(lambda: hints("rollout:base=minimax"))
    limited = calls(lambda: hints("rollout:base=minimax,consistent-only"))
    assert limited < 5 * plain
