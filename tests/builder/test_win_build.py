"""The search for the most secrets within some guesses, as a build: against the plain definition."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Game, Mastermind, TableGame, WordGame
from guessbook.book.games.weights import total_weight
from guessbook.builder import build_strategy
from guessbook.builder.build import build, open_checkpoint
from guessbook.builder.executors.context import ROOT, Context
from guessbook.builder.executors.tasks import GrowTrees
from guessbook.builder.growth import optimum
from guessbook.builder.limits import MEMORY, Resources
from guessbook.policy.notation import policy_of
from tests.helpers.plain import bases, plain_book
from tests.helpers.tasks import KilledError

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.builder import Progress
    from guessbook.builder.scorers.win import WinScorer

WORDS = ["abc", "abd", "bad", "cab", "dab", "bed", "fed", "ace", "fab", "cad"]
LONG = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger", "fight"]
QUESTIONS = [[int(k >> bit & 1) for k in range(8)] for bit in range(3)]
GAMES: dict[str, Game] = {
    "codes 2x4": Mastermind(2, 4),
    "codes 4x2": Mastermind(4, 2),
    "codes 3x3": Mastermind(3, 3),
    "codes 3x4 without repeats": Mastermind(3, 4, repeats=False),
    "words": WordGame(WORDS),
    "words of many feedbacks": WordGame(LONG[:8], LONG),
    "words with weights": WordGame(WORDS, weights=[9, 1, 4, 4, 1, 7, 2, 2, 1, 5]),
    "a table": TableGame(
        ["p", "q", "r", *range(8)], range(8),
        [*QUESTIONS, *[["yes" if a == b else "no" for b in range(8)] for a in range(8)]],
    ),
}  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {"within": 1},
    {"within": 2, "base": "minimax"},
    {"within": 3},
    {"within": 3, "base": "entropy-corrected", "first_guess": True},
    {"within": 4, "base": "parts"},
    {"within": 3, "consistent_only": True},
    {"within": 3, "width": 2},
    {"within": 4, "width": 1, "base": "expected"},
    {"within": 3, "hard_mode": True},
    {"within": 3, "hard_mode": True, "width": 3, "first_guess": True},
]
CASES = [
    (name, options)
    for name, game in GAMES.items()
    for options in OPTIONS
    if "hard_mode" not in options or isinstance(game, WordGame)
]


def check(game: Game, policy: dict[str, Any]) -> None:
    """The tree is that of the definition."""
    plain, book = plain_book(game, policy), build_strategy(game, policy)
    assert list(book.tree.guess) == list(plain.tree.guess)
    assert book.tree.distribution == plain.tree.distribution


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_the_tree_is_that_of_the_definition(name: str, options: dict[str, Any]) -> None:
    """Branch and bound finds the same tree, node for node."""
    game, policy = GAMES[name], {"name": "win", **options}
    if "first_guess" in options:
        policy["first_guess"] = game.guesses[len(game.guesses) // 2]
    check(game, policy)


small_words = st.lists(st.text("abcd", min_size=3, max_size=3), min_size=1, max_size=8, unique=True)
weighted = small_words.flatmap(
    lambda words: st.builds(
        WordGame,
        st.just(words),
        weights=st.lists(st.integers(1, 9), min_size=len(words), max_size=len(words)),
    )
)
games = st.one_of(
    st.builds(WordGame, small_words, small_words, scoring=st.sampled_from(["standard", "loose"])),
    weighted,
    st.sampled_from([Mastermind(1, 4), Mastermind(2, 3), Mastermind(2, 4, repeats=False)]),
)


@given(st.data(), games)
def test_any_small_game(data: st.DataObject, game: Game) -> None:
    """The tree is that of the definition for any words, weights and options."""
    numbers: dict[str, Any] = {
        "base": bases,
        "width": st.integers(1, 4),
        "first_guess": st.sampled_from(list(game.guesses)),
        "consistent_only": st.booleans(),
    }
    if isinstance(game, WordGame) and game.scoring == "standard":
        numbers["hard_mode"] = st.booleans()
    options = data.draw(st.fixed_dictionaries({"within": st.integers(1, 5)}, optional=numbers))
    check(game, {"name": "win", **options})


@pytest.mark.parametrize(
    ("size", "within", "found"),
    [((3, 4), 2, 9), ((3, 4), 3, 43), ((3, 6), 3, 52), ((3, 6), 4, 180), ((4, 6), 3, 132),
     ((4, 6), 4, 768)],
)  # fmt: skip
def test_the_most_that_an_exhaustive_program_finds(
    size: tuple[int, int], within: int, found: int
) -> None:
    """In these games a program that leaves nothing out finds as many."""
    book = build_strategy(Mastermind(*size), {"name": "win", "within": within})
    assert sum(book.tree.distribution[:within]) == found


def many_words(count: int, letters: str = "aeilnorst") -> list[str]:
    """Words of 5 letters, the same in each run."""
    drawn = Random(1)
    return ["".join(drawn.choices(letters, k=5)) for _ in range(count)]


def bytes_of(game: Game, policy: dict[str, Any], resources: Resources) -> bytes:
    """The book of a policy."""
    return build(game, policy, resources=resources).book.to_bytes()


@pytest.mark.parametrize("few", [24, 1])
def test_threads_and_tasks_change_nothing(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The book is the same for any number of threads, and in large and small tasks."""
    words = WordGame(dict.fromkeys(many_words(120)))
    cases: list[tuple[Game, int]] = [(Mastermind(3, 5), 3), (words, 3)]
    expected = [bytes_of(game, {"name": "win", "within": k}, Resources(1)) for game, k in cases]
    monkeypatch.setattr(optimum, "SMALL", 0)
    monkeypatch.setattr(optimum, "PROMISING", few)
    for jobs in (1, 3):
        found = [bytes_of(game, {"name": "win", "within": k}, Resources(jobs)) for game, k in cases]
        assert found == expected


def test_guesses_in_blocks_find_the_most() -> None:
    """Guesses in blocks, where one has many feedbacks, find what a width of all of them does."""
    words = list(dict.fromkeys(many_words(330)))
    for secrets in (words[:40], words[:130], words):
        game = WordGame(secrets, words)
        wide = {"name": "win", "within": 2, "width": len(words)}
        assert list(build_strategy(game, {"name": "win", "within": 2}).tree.guess) == list(
            build_strategy(game, wide).tree.guess
        )


def test_what_is_remembered_fits() -> None:
    """Table, blocks and sets keep to the memory; where it is scarce, there are no blocks."""
    words = list(dict.fromkeys(many_words(330)))
    policy, table = {"name": "win", "within": 3}, len(words) ** 2
    grown, blocks = set(), []
    for memory in (MEMORY, 4 * table, 2 * table):
        context = Context(WordGame(words), policy_of(policy), memory)
        grown.add(GrowTrees(ROOT).run(context).content)
        search = cast("WinScorer", context.scorer).search
        kept = search.problem.table.nbytes + memoryview(search.problem.rows).nbytes
        assert kept + 16 * search.table.size <= memory
        blocks.append(len(search.problem.rows) > 0)
    assert blocks == [True, True, False]
    assert len(grown) == 1


@pytest.mark.parametrize("few", [24, 1])
@pytest.mark.parametrize("gap", [0.5, 0.05, 0.005])
def test_a_search_that_ends_at_its_gap(
    gap: float, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is true, as near as was asked for, in the header, and the same for any threads."""
    monkeypatch.setattr(optimum, "PROMISING", few)
    weights = [1 + 7 * k % 50 for k in range(len(WORDS))]
    for game in (Mastermind(4, 4), WordGame(WORDS, weights=weights)):
        policy = {"name": "win", "within": 3}
        most = sum(build(game, policy).book.tree.weight_distribution[:3])
        book = build(game, policy, resources=Resources(gap=gap)).book
        found = sum(book.tree.weight_distribution[:3])
        bound = cast("int", book.policy.get("found_at_most", found))
        assert found <= most <= bound <= total_weight(game)
        assert bound - found <= gap * found
        assert book.to_bytes() == bytes_of(game, policy, Resources(3, gap=gap))


@pytest.mark.parametrize("resources", [Resources(1), Resources(3)])
def test_an_interrupted_search_goes_on(
    resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was searched before is not searched again, and the book is the same."""
    monkeypatch.setattr(optimum, "SMALL", 0)
    game, policy = Mastermind(4, 4), {"name": "win", "within": 4}

    def report(_: Progress) -> None:
        if checkpoint.kept > 1:
            raise KilledError

    checkpoint = open_checkpoint(tmp_path / "win.parts", game, policy, None, 0.0)
    with pytest.raises(KilledError):
        build(game, policy, resources=resources, progress=report, checkpoint=checkpoint)
    kept = open_checkpoint(tmp_path / "win.parts", game, policy, None, 0.0)
    assert kept.found > 1
    resumed = build(game, policy, resources=resources, checkpoint=kept).book
    assert resumed.to_bytes() == bytes_of(game, policy, resources)


def few_cells() -> WordGame:
    """A game of many feedbacks in which no guess has more than 4 cells, and some have no secret."""
    chance = Random(1)
    secrets = [x + y + "cde" for x in "abfg" for y in "hijk"]
    guesses = [*secrets, "azbfz", "zhijz"]
    game = WordGame(secrets, guesses)

    def cells(guess: str) -> set[int]:
        return {game.feedback_number(guess, secret) for secret in secrets}

    met = set().union(*map(cells, guesses))
    while len(met) < 80:
        guess = "".join(chance.choices("cdezabfghijk", k=5))
        if guess not in guesses and len(cells(guess)) <= 4 and cells(guess) - met:
            guesses.append(guess)
            met |= cells(guess)
    return WordGame(secrets, guesses)


def test_a_guess_that_is_no_secret_may_have_the_most_cells() -> None:
    """All its cells are searched on: two such guesses tell 16 secrets apart."""
    game, policy = few_cells(), policy_of("win:within=3")
    book = build_strategy(game, policy)
    assert book.stats.found_within == 16
    assert book.root.guess == game.guesses[policy.choose(game, [], game.secrets)]
