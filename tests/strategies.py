"""Hypothesis strategies that all tests share: games, policies with options, and histories."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.tables import table_games, weighted

if TYPE_CHECKING:
    from collections.abc import Callable

    # Pairs of the index of a guess and the number of its feedback.
    History = list[tuple[int, int]]

ONE_STEP = ["entropy", "entropy-corrected", "expected", "minimax", "parts"]
POLICIES = [*ONE_STEP, "lookahead", "rollout", "optimal", "win", "consistent", "positional"]

GAMES = [
    gb.Mastermind(1, 3),
    gb.Mastermind(1, 4),
    gb.Mastermind(2, 3),
    gb.Mastermind(4, 2),
    gb.Mastermind(2, 4),
    gb.Mastermind(3, 3),
    gb.Mastermind(3, 5),
    gb.Mastermind(4, 3),
    gb.Mastermind(2, 4, repeats=False),
    gb.Mastermind(2, 5, repeats=False),
    gb.Mastermind(3, 3, repeats=False),
    gb.Mastermind(3, 5, repeats=False),
    gb.Mastermind(4, 5, repeats=False),
]
# The plain definitions of these policies are slow in larger games.
MOST_GUESSES = {"lookahead": 30, "rollout": 30, "optimal": 16, "win": 16}
LARGEST = 125


def example_game(runners: int) -> gb.Game:
    """Return the game of the example plug-in, which is neither codes nor words nor a table."""
    path = Path(__file__).resolve().parents[1] / "examples" / "plugin_game" / "guessbook_race.py"
    spec = importlib.util.spec_from_file_location("guessbook_race", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: gb.Game = module.Race(runners)
    return game


OWN_GAMES = [example_game(runners) for runners in (2, 3, 4)]

code_games = st.sampled_from(GAMES)


@st.composite
def word_games(draw: st.DrawFn, most: int = 24) -> gb.WordGame:
    """Draw a game of words of 1 to 11 letters from a small alphabet, so that letters repeat."""
    length = draw(st.sampled_from([1, 2, 3, 3, 4, 5, 6, 11]))
    word = st.text(st.sampled_from("abcdß"), min_size=length, max_size=length)
    words = draw(st.lists(word, min_size=1, max_size=most, unique=True))
    secrets = draw(st.integers(1, len(words)))
    scoring = draw(st.sampled_from(["standard", "standard", "loose"]))
    order = draw(st.permutations(words))
    return gb.WordGame(words[:secrets], order, scoring)


@st.composite
def weighted_words(draw: st.DrawFn, most: int = 24, heaviest: int = 50) -> gb.WordGame:
    """Draw a game of words whose secrets have weights, many of them equal."""
    game = draw(word_games(most))
    weight = st.integers(1, draw(st.sampled_from([2, 5, heaviest])))
    weights = draw(st.lists(weight, min_size=len(game.secrets), max_size=len(game.secrets)))
    return gb.WordGame(game.secrets, game.guesses, game.scoring, weights)


tables = table_games()
weighted_tables = st.builds(
    weighted,
    table_games(),
    st.lists(st.integers(1, 9), min_size=9, max_size=9),
)


def games(most: int = LARGEST) -> st.SearchStrategy[gb.Game]:
    """Any game of codes, words or a table, with or without weights."""
    return st.one_of(
        st.sampled_from([game for game in GAMES if len(game.guesses) <= most]),
        word_games(min(most // 2, 24)),
        weighted_words(min(most // 2, 24)),
        tables,
        weighted_tables,
    )


def all_games(most: int = LARGEST) -> st.SearchStrategy[gb.Game]:
    """Any of these games, or a game of the example plug-in."""
    return games(most) | st.sampled_from([g for g in OWN_GAMES if len(g.guesses) <= most])


@st.composite
def policies(draw: st.DrawFn, game: gb.Game, name: str | None = None) -> dict[str, Any]:
    """Draw a policy with options that fit a game, or options for the policy `name`."""
    name = name or draw(st.sampled_from(POLICIES))
    drawn: dict[str, Any] = {}
    optional: dict[str, Any] = {}
    if name == "consistent":
        drawn["random_seed"] = st.integers(0, (1 << 64) - 1)
    if name in ("lookahead", "rollout", "optimal", "win"):
        optional["base"] = st.sampled_from(ONE_STEP)
    if name == "lookahead":
        optional["depth"] = st.integers(1, 3)
        optional["width"] = st.integers(1, 3)
    if name == "rollout":
        optional["endgame"] = st.integers(1, 5)
        optional["width"] = st.integers(1, 4)
    if name == "optimal":
        optional["max_guesses"] = st.integers(1, 8)
    if name == "win":
        within = draw(st.integers(1, 4))
        drawn["within"] = st.just(within)
        optional["max_guesses"] = st.integers(within + 1, 8)
    if name not in ("consistent", "positional"):
        optional["consistent_only"] = st.booleans()
        if game.has_hard_mode:
            optional["hard_mode"] = st.booleans()
    options: dict[str, Any] = draw(st.fixed_dictionaries(drawn, optional=optional))
    return {"name": name, **options}


@st.composite
def policies_with_opening(
    draw: st.DrawFn, game: gb.Game, name: str | None = None
) -> dict[str, Any]:
    """Draw a policy and, in some examples, the first guess of its book."""
    policy = draw(policies(game, name))
    if draw(st.integers(0, 3)) == 0:
        policy["first_guess"] = draw(st.sampled_from(list(game.guesses)))
    return policy


@st.composite
def histories(draw: st.DrawFn, game: gb.Game, max_size: int = 4) -> History:
    """Draw different guesses in any order, with the feedback that one secret gives to them."""
    indices = st.integers(0, len(game.guesses) - 1)
    secret = game.secrets[draw(st.integers(0, len(game.secrets) - 1))]
    drawn = draw(st.lists(indices, max_size=max_size, unique=True))
    return [(guess, game.feedback_number(game.guesses[guess], secret)) for guess in drawn]


@st.composite
def false_histories(draw: st.DrawFn, game: gb.Game) -> History:
    """Draw guesses with possible feedbacks, which rarely fit the same secret."""
    guesses = st.integers(0, len(game.guesses) - 1)
    secrets = st.integers(0, len(game.secrets) - 1)
    pairs = draw(st.lists(st.tuples(guesses, secrets), min_size=2, max_size=4))
    history = [(a, game.feedback_number(game.guesses[a], game.secrets[b])) for a, b in pairs]
    return list(dict.fromkeys(history))


def cases(
    drawn_games: Callable[[int], st.SearchStrategy[gb.Game]] = games, name: str | None = None
) -> st.SearchStrategy[tuple[gb.Game, dict[str, Any]]]:
    """Draw a game and a policy for it, with a first guess in some examples."""

    @st.composite
    def case(draw: st.DrawFn) -> tuple[gb.Game, dict[str, Any]]:
        policy_name = name or draw(st.sampled_from(POLICIES))
        game = draw(drawn_games(MOST_GUESSES.get(policy_name, LARGEST)))
        return game, draw(policies_with_opening(game, policy_name))

    return case()
