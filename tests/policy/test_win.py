"""The policy `win`: the most secrets within some guesses, by a search without ranking or bound."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Game, Mastermind, UsageError, WordGame
from guessbook.book.games.game import History
from guessbook.book.games.weights import total_weight, weight_of, weights_of
from guessbook.builder import build_strategy
from guessbook.builder.openings import best_build
from guessbook.policy.notation import header, make_policy, policy_of, summary
from guessbook.policy.one_step import allowed_indices
from guessbook.policy.ranking import rank_guesses
from guessbook.policy.reference import consistent, partition
from guessbook.policy.win import Win
from tests.helpers.plain import Remembering, bases, grow, histories
from tests.helpers.tables import table_games

words = st.lists(st.text("abcd", min_size=3, max_size=3), min_size=1, max_size=7, unique=True)


@st.composite
def word_games(draw: st.DrawFn) -> WordGame:
    """Any few words; half of these games have weights."""
    secrets, more = draw(words), draw(words)
    weights = draw(st.lists(st.integers(1, 4), min_size=len(secrets), max_size=len(secrets)))
    scoring = draw(st.sampled_from(["standard", "standard", "loose"]))
    return WordGame(secrets, [*more, *secrets], scoring, draw(st.sampled_from([None, weights])))


code_games = st.sampled_from(
    [
        Mastermind(1, 4),
        Mastermind(2, 3),
        Mastermind(4, 2),
        Mastermind(2, 4, repeats=False),
        Mastermind(3, 3, repeats=False),
    ]
)
games = st.one_of(word_games(), code_games, table_games())


@st.composite
def policies(draw: st.DrawFn, game: Game) -> dict[str, Any]:
    """The policy with any options that the game has."""
    options: dict[str, Any] = {
        "base": bases,
        "width": st.integers(1, 4),
        "first_guess": st.sampled_from(list(game.guesses)),
        "consistent_only": st.booleans(),
    }
    if game.has_hard_mode:
        options["hard_mode"] = st.booleans()
    within = draw(st.integers(1, 4))
    return {"name": "win", "within": within, **draw(st.fixed_dictionaries({}, optional=options))}


class Brute:
    """What any strategy finds: every guess is tried after every history, and nothing left out."""

    def __init__(self, game: Game, policy: Win) -> None:
        self.game, self.policy, self.base = game, policy, policy.base.of(game)
        self.known: dict[Any, tuple[int, int]] = {}

    def answer(self, history: History, candidates: list[str]) -> tuple[int, int]:
        """The weight that is found in the guesses that are left, and the guess."""
        left = max(0, self.policy.within - len({guess for guess, _ in history}))
        return self.most(history, candidates, left)

    def most(self, history: History, candidates: list[str], left: int) -> tuple[int, int]:
        """The same for a number of guesses."""
        path = frozenset(history) if self.base.hard_mode or self.policy.width else None
        key = (path, tuple(candidates), left)
        if key not in self.known:
            guesses = self.guesses(history, candidates, left)
            found = [(self.found(history, candidates, g, left), g) for g in guesses]
            self.known[key] = max(found, key=lambda pair: pair[0])
        return self.known[key]

    def guesses(self, history: History, candidates: list[str], left: int) -> list[int]:
        """The guesses that may be made, the base's first."""
        if self.policy.width and left > 1:
            return rank_guesses(self.game, self.base, history, candidates, self.policy.width)
        possible = dict(zip(candidates, weights_of(self.game, candidates), strict=True))
        costs, order = self.base.costs(sum(possible.values())), []
        indices = allowed_indices(self.game, self.base, history, candidates)
        for index in range(len(self.game.guesses)) if indices is None else indices:
            guess = self.game.guesses[index]
            score = self.base.score(partition(self.game, guess, candidates).values(), costs)
            score += self.base.credit * possible.get(guess, 0)
            order.append((-score, guess not in possible, index))
        return [index for _, _, index in sorted(order)]

    def found(self, history: History, candidates: list[str], guess: int, left: int) -> int:
        """The weight that a guess finds if all else is played in the best way."""
        if left == 0:
            return 0
        code, cells = self.game.guesses[guess], defaultdict(list)
        for secret in candidates:
            cells[self.game.feedback_number(code, secret)].append(secret)
        total = weight_of(self.game, cells.pop(self.game.solved, []))
        for feedback, cell in cells.items():
            if len(cell) == len(candidates):
                return -1
            total += self.most([*history, (guess, feedback)], cell, left - 1)[0]
        return total


def rule_of(policy: dict[str, Any]) -> Win:
    """The policy of a description."""
    return cast("Win", policy_of(policy))


@given(st.data(), games)
def test_the_definition_finds_the_most(data: st.DataObject, game: Game) -> None:
    """After any history, longer than K too, both searches find what all strategies can find."""
    rule = rule_of(data.draw(policies(game)))
    known = cast("Game", Remembering(game))
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    most, guess = Brute(known, rule).answer(history, candidates)
    assert rule.answer(known, history, candidates) == (most, guess)
    assert rule.choose(known, history, candidates) == guess


@given(st.data(), games)
def test_the_tree_is_that_of_the_definition(data: st.DataObject, game: Game) -> None:
    """The book of any small game is the brute tree, node for node, and finds as much."""
    policy = data.draw(policies(game))
    known = cast("Game", Remembering(game))
    brute = Brute(known, rule_of(policy))

    def choose(history: History, candidates: list[str]) -> int:
        if not history and "first_guess" in policy:
            return game.parse_code(policy["first_guess"])
        return brute.answer(history, candidates)[1]

    plain = grow(known, game, "x", choose)
    book = build_strategy(game, policy)
    assert list(book.tree.guess) == list(plain.tree.guess)
    assert book.tree.weight_distribution == plain.tree.weight_distribution
    if "first_guess" not in policy:
        assert book.stats.found_within == brute.answer([], list(game.secrets))[0]


@given(games, bases)
def test_more_guesses_find_no_less(game: Game, base: str) -> None:
    """What is found grows with K, to all at the worst case of the optimum, and no further."""
    worst = build_strategy(game, "optimal").stats.max_guesses
    known = cast("Game", Remembering(game))
    found = [
        rule_of({"name": "win", "within": within, "base": base}).answer(
            known, [], list(game.secrets)
        )[0]
        for within in range(1, worst + 2)
    ]
    assert found[0] == max(weights_of(game, game.secrets))
    assert found == sorted(found)
    assert found[worst - 1] == found[worst] == total_weight(game)


@given(word_games(), st.integers(1, 4), st.integers(1, 5))
def test_limits_find_no_more(game: WordGame, within: int, width: int) -> None:
    """With a width, by candidates alone or in hard mode no more is found than without."""
    policy = {"name": "win", "within": within}
    known = cast("Game", Remembering(game))
    most, _ = rule_of(policy).answer(known, [], list(game.secrets))
    limits: list[dict[str, Any]] = [{"width": width}, {"consistent_only": True}]
    limits += [{"hard_mode": True}] if game.has_hard_mode else []
    for limit in limits:
        assert rule_of({**policy, **limit}).answer(known, [], list(game.secrets))[0] <= most


@pytest.mark.parametrize(
    ("size", "within", "found"),
    [
        ((3, 4), 2, 9),
        ((3, 4), 3, 43),
        ((3, 4), 4, 64),
        ((3, 6), 3, 52),
        pytest.param((3, 6), 4, 180, marks=pytest.mark.slow),
    ],
)
def test_known_values(size: tuple[int, int], within: int, found: int) -> None:
    """The most is that of a plain exhaustive program."""
    game = Mastermind(*size)
    rule = rule_of({"name": "win", "within": within})
    known = cast("Game", Remembering(game))
    assert rule.answer(known, [], list(game.secrets))[0] == found


def test_the_quick_search_asks_for_less() -> None:
    """A live hint counts the feedbacks that it takes: the quick search takes a fraction of them."""
    asked = [0]

    class Counting(Remembering):
        def __getattr__(self, name: str) -> object:
            asked[0] += name == "solved"  # once for each partition
            return super().__getattr__(name)

    game = cast("Game", Counting(Mastermind(3, 3)))
    rule, work = rule_of({"name": "win", "within": 4}), []
    for choose in (rule.choose, rule.answer):
        asked[0] = 0
        choose(game, [], list(game.secrets))
        work.append(asked[0])
    assert 3 * work[1] < work[0]


def test_the_last_guess_is_the_heaviest_candidate() -> None:
    """With one guess left no width hides it; of the heaviest it is the base's first."""
    game = WordGame(["abc", "abd", "bad", "cab"], weights=[1, 5, 1, 5])
    for width in (None, 1):
        rule = Win(policy_of("parts").rule, 1, width)  # type: ignore[arg-type]
        assert game.guesses[rule.choose(game, [], game.secrets)] in ("abd", "cab")
        assert rule.answer(game, [], game.secrets)[0] == 5


def test_the_base_plays_on() -> None:
    """After K different guesses every guess is the base's, and every secret is found."""
    game, policy = Mastermind(3, 3), {"name": "win", "within": 1, "base": "minimax"}
    book = build_strategy(game, policy)
    assert book.stats.secrets == 27
    history = [(book.tree.guess[0], 0), (book.tree.guess[0], 0)]
    candidates = consistent(game, history)
    assert rule_of(policy).answer(game, history, candidates) == (
        0,
        policy_of("minimax").choose(game, history, candidates),
    )


def test_the_best_opening_finds_the_most() -> None:
    """The best opening is the one that finds the most, whatever guesses all secrets take."""
    game = Mastermind(3, 4)
    best = best_build(game, "win:within=2").book.stats
    totals = [
        build_strategy(game, {"name": "win", "within": 2, "first_guess": code}).stats
        for code in ("RRR", "RRY", "RYG")
    ]
    assert best.found_within == max(found.found_within or 0 for found in totals) == 9


def test_within_is_needed_and_other_options_are_refused() -> None:
    """The number of guesses has no usual value; the limit of `optimal` is none here."""
    needed = "found policy win without the option within, expected a whole number, 1 to 39, such as win:within"
    for wrong in ("win", "win:base=parts", {"name": "win", "width": 3}):
        with pytest.raises(UsageError, match=needed):
            policy_of(wrong)
    for wrong, said in {
        "win:within=0": "a whole number, 1 to 39",
        "win:within=40": "a whole number, 1 to 39",
        "win:within": "expected within=VALUE",
        "win:within=3,max-guesses=4": "it is an option of optimal",
        "optimal:within=3": "it is an option of win",
        "win:within=3,found-at-most=4": "which is the claim of a book",
    }.items():
        with pytest.raises(UsageError, match=said):
            make_policy(wrong)


def test_the_policy_as_text() -> None:
    """It is written with its number of guesses wherever a policy is named."""
    rule = make_policy("win", within=4, base="parts", hard_mode=True)
    assert str(rule) == "win:base=parts,within=4,hard-mode"
    assert repr(rule) == "make_policy('win', base='parts', within=4, hard_mode=True)"
    assert policy_of(str(rule)) == rule == policy_of({**header(rule), "found_at_most": 5})
    assert summary(rule) == "win-base-parts-within-4-hard-mode"
