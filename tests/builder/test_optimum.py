"""The search for the optimum as a build: bounded, ended early, interrupted, on threads."""

from __future__ import annotations

from collections import Counter
from random import Random
from sys import getsizeof
from threading import Barrier, Event
from typing import TYPE_CHECKING, Any

import msgpack
import pytest

from guessbook.book import BuildError, Mastermind, UsageError, WordGame, read_strategy
from guessbook.book.file.compression import decompress
from guessbook.book.file.content import unpack
from guessbook.book.summary import claim, facts
from guessbook.builder.build import build, open_checkpoint
from guessbook.builder.checkpoint import name_of
from guessbook.builder.executors.context import ROOT, Context
from guessbook.builder.executors.scheduler import Threads
from guessbook.builder.executors.tasks import GrowTrees
from guessbook.builder.growth import optimum
from guessbook.builder.growth.trials import TryGuesses
from guessbook.builder.limits import MEMORY, Resources
from guessbook.play.proof import prove
from guessbook.policy.notation import policy_of
from tests.helpers.samples import every_nth
from tests.helpers.tasks import KilledError, Shuffled, dying, noted_tasks, worked_by

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from guessbook.builder import Progress
    from guessbook.builder.checkpoint import Checkpoint

GAME = Mastermind(4, 5)
OPTIMUM = 2463
WORDS = [a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"]


@pytest.fixture
def many_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of any size are searched guess by guess, as in a large game."""
    monkeypatch.setattr(optimum, "SMALL", 0)


@pytest.mark.usefixtures("many_tasks")
@pytest.mark.parametrize("jobs", [1, 3])
def test_tasks_change_nothing(jobs: int) -> None:
    """Guess by guess, for any number of threads, it is the book of the search in one go."""
    assert build(GAME, "optimal", resources=Resources(jobs)).book.stats.total_guesses == OPTIMUM
    found = build(Mastermind(3, 6), "optimal", resources=Resources(jobs)).book
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimum, "SMALL", 1 << 19)
        assert found.to_bytes() == build(Mastermind(3, 6), "optimal").book.to_bytes()


def test_all_threads_that_are_asked_for_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more jobs than cores as many guesses are tried at the same time."""
    together = Event()
    meeting = Barrier(9, together.set)

    def met(*_: object) -> list[int]:
        # A thread may take another task before the others are cancelled.
        if not together.is_set():
            meeting.wait(10)
        raise KilledError

    monkeypatch.setattr(optimum, "PROMISING", 1)
    monkeypatch.setattr(TryGuesses, "run", met)
    with pytest.raises(KilledError):
        build(WordGame(WORDS), "optimal", resources=Resources(9))


@pytest.mark.parametrize("few", [24, 1])
@pytest.mark.parametrize("gap", every_nth(2, [0.05, 0.2, 0.0005]))
def test_a_search_that_ends_at_its_gap(
    gap: float, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is true, as near as was asked for, in the header, and the same for any threads.

    So it is where openings are too many to be weighed one after the other.
    """
    monkeypatch.setattr(optimum, "PROMISING", few)
    book = build(GAME, "optimal", resources=Resources(gap=gap)).book
    total, bound = book.stats.total_guesses, book.policy.get("proven", OPTIMUM)
    assert bound <= OPTIMUM <= total
    assert total - bound <= gap * total
    assert (
        book.to_bytes() == build(GAME, "optimal", resources=Resources(3, gap=gap)).book.to_bytes()
    )
    again = read_strategy(book.to_bytes())
    assert again.policy == book.policy
    assert all(check.passed for check in prove(again, policy=True))


@pytest.mark.parametrize("few", [24, 1])
@pytest.mark.parametrize("gap", [0.2, 0.05, 0.01, 0.0005])
def test_a_gap_by_weight(gap: float, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where secrets have weights so has the bound, and what a book claims is its mean."""
    monkeypatch.setattr(optimum, "PROMISING", few)
    game = WordGame(WORDS, weights=[1 + 7 * k % 50 for k in range(len(WORDS))])
    least = build(game, "optimal").book.stats.weighted_guesses
    book = build(game, "optimal", resources=Resources(gap=gap)).book
    total, bound = book.stats.weighted_guesses, book.policy.get("proven", least)
    assert bound <= least <= total
    assert total - bound <= gap * total
    if "proven" in book.policy:
        mean = float(claim(facts(book)).split()[-3])
        assert least / book.stats.weight >= mean > bound / book.stats.weight - 1e-4
    assert (
        book.to_bytes() == build(game, "optimal", resources=Resources(3, gap=gap)).book.to_bytes()
    )
    assert all(check.passed for check in prove(read_strategy(book.to_bytes()), policy=True))


def test_a_gap_that_nothing_is_known_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within so few guesses nothing is known before an opening is solved, of many openings one."""
    limited = {"name": "optimal", "max_guesses": 5}
    book = build(GAME, limited, resources=Resources(gap=0.1)).book
    bound = book.policy.get("proven", OPTIMUM)
    assert len(book.stats.distribution) == 5
    assert bound <= OPTIMUM == book.stats.total_guesses
    monkeypatch.setattr(optimum, "PROMISING", 1)
    with pytest.raises(
        BuildError, match=r"both a gap and a limit of guesses; .* choose a first guess"
    ):
        build(GAME, limited, resources=Resources(gap=0.1))


def test_the_bound_is_of_a_minor_version() -> None:
    """Only what version 1.1 has brought says 1.1; other books are the bytes that they were."""
    ended = build(GAME, "optimal", resources=Resources(gap=0.2)).book
    assert "proven" in ended.policy
    versions = [
        unpack(decompress(book.to_bytes()))["guessbook"]
        for book in (ended, build(GAME, "optimal").book, build(GAME, "rollout").book)
    ]
    assert versions == [[1, 1], [1, 1], [1, 0]]


def test_little_memory_gives_the_same_book() -> None:
    """Sets that are forgotten are searched again."""
    table = len(GAME.guesses) ** 2
    small = build(GAME, "optimal", resources=Resources(memory=table // 3 * 4 + 20_000)).book
    assert small.to_bytes() == build(GAME, "optimal").book.to_bytes()
    with pytest.raises(BuildError, match=r"needs a table of .* more memory"):
        build(GAME, "optimal", resources=Resources(memory=table))


ENDGAME: Any = {"name": "rollout", "endgame": 40}


@pytest.mark.parametrize("policy", ["optimal", ENDGAME])
def test_what_is_remembered_fits(policy: Any) -> None:
    """A context, also one on another machine, keeps to its memory; the result is the same."""
    rule = policy_of(policy)
    results = []
    for memory in (MEMORY, 625**2 + 40_000):
        context = Context(GAME, rule, memory)
        grown = GrowTrees(ROOT).run(context)
        results.append((grown.sizes, grown.content))
        scorer: Any = context.scorer
        search = getattr(scorer, "end", scorer)
        kept = 16 * search.search.table.size + search.problem.table.nbytes
        assert kept <= memory
    assert kept > 625**2 + 20_000
    assert results[0] == results[1]


def test_what_a_width_remembers_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes are forgotten where there is no room for them, and the book is the same."""
    policy, memory = {"name": "optimal", "width": 4}, 50_000
    made: list[Any] = []

    def noted(*arguments: Any) -> Context:
        made.append(Context(*arguments))
        return made[-1]  # type: ignore[no-any-return]

    monkeypatch.setattr("guessbook.builder.growth.frontier.Context", noted)
    book = build(GAME, policy, resources=Resources(1, memory=memory)).book
    assert book.to_bytes() == build(GAME, policy).book.to_bytes()
    known, more = [context.scorer.known for context in made]
    kept = sum(
        sum(map(getsizeof, (key, value, *key, *value, *key[1]))) for key, value in known.items()
    )
    assert 0 < kept + getsizeof(known) <= memory
    assert len(more) > len(known)


class Many(Threads):
    """Threads that pretend to be several processes of one machine."""

    processes = 3


def test_processes_of_one_machine_share_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of three gets a third of it; the table has to fit into that third."""
    memories = []

    def noted(game: Any, policy: Any, memory: int) -> Context:
        memories.append(memory)
        return Context(game, policy, memory)

    monkeypatch.setattr(optimum, "Context", noted)
    table = len(GAME.guesses) ** 2
    with Many(2) as workers, worked_by(workers):
        book = build(GAME, "optimal", resources=Resources(memory=6 * table)).book
        assert memories == [2 * table]
        with pytest.raises(BuildError, match=r"needs a table of .* more memory"):
            build(GAME, "optimal", resources=Resources(memory=3 * table))
    assert book.to_bytes() == build(GAME, "optimal").book.to_bytes()


def test_means_that_make_no_sense() -> None:
    """A gap is for the whole search, a bound of memory for what remembers sets."""
    wide: Any = {"name": "optimal", "width": 2}
    for policy in ("entropy", "rollout"):
        with pytest.raises(UsageError, match="expected optimal, win, or rollout with an endgame"):
            build(GAME, policy, resources=Resources(memory=1 << 30))
    for policy in ("entropy", "rollout", ENDGAME, wide):
        with pytest.raises(UsageError, match=r"found a gap .* expected optimal"):
            build(GAME, policy, resources=Resources(gap=0.1))
    with pytest.raises(BuildError, match=r"needs a table of .* no endgame, or .* more memory"):
        build(GAME, ENDGAME, resources=Resources(memory=625**2))


@pytest.mark.usefixtures("many_tasks")
@pytest.mark.parametrize("resources", [Resources(), Resources(3), Resources(gap=0.02)])
def test_an_interrupted_search_goes_on(resources: Resources, tmp_path: Path) -> None:
    """Cells that were searched before are not searched again, and the book is the same.

    So is what is proven, where the search ends at its gap.
    """
    folder = tmp_path / "optimal.parts"

    def report(_: Progress) -> None:
        if checkpoint.kept > 5:
            raise KilledError

    checkpoint = open_checkpoint(folder, GAME, "optimal", None, 0.0)
    with pytest.raises(KilledError):
        build(GAME, "optimal", resources=resources, progress=report, checkpoint=checkpoint)
    kept = open_checkpoint(folder, GAME, "optimal", None, 0.0)
    assert kept.found > 3
    resumed = build(GAME, "optimal", resources=resources, checkpoint=kept).book
    assert resumed.to_bytes() == build(GAME, "optimal", resources=resources).book.to_bytes()


@pytest.mark.usefixtures("many_tasks")
@pytest.mark.parametrize("game", [GAME, WordGame(WORDS)])
def test_the_time_left_is_known_early(game: Mastermind | WordGame) -> None:
    """The search counts its work: few openings by their cells, many by what has been tried."""
    seen: list[Progress] = []
    build(game, "optimal", resources=Resources(1), progress=seen.append)
    search = [progress for progress in seen if progress.stage.startswith("best")]
    assert all(0 <= progress.done <= progress.total for progress in search)
    known = [progress for progress in search if progress.seconds is not None]
    assert len(known) > len(search) / 2
    assert known[0].done < known[0].total / 2
    assert search[-1].done > search[-1].total / 3


def tried(tasks: Iterable[object]) -> Counter[int]:
    """How often each opening was tried."""
    openings = [task for task in tasks if isinstance(task, TryGuesses) and task.nodes == ROOT]
    return Counter(guess for task in openings for guess in task.guesses)


@pytest.mark.parametrize("weights", [None, [1 + 7 * k % 50 for k in range(len(WORDS))]])
def test_openings_that_were_tried_are_not_tried_again(
    weights: list[int] | None, tmp_path: Path
) -> None:
    """Of a game with many openings each is kept: a search that goes on does only the rest."""
    game = WordGame(WORDS, weights=weights)
    assert len(game.guesses) > optimum.PROMISING
    with noted_tasks() as tasks:
        whole = build(game, "optimal").book
    every = tried(tasks)
    assert set(every.values()) == {1}
    for kept in (1, 5, len(every) - 1):
        folder, checkpoint = tmp_path / f"{kept}.parts", open_of(game, tmp_path / f"{kept}.parts")
        with pytest.raises(KilledError), dying(checkpoint, kept), worked_by(Shuffled(Random(kept))):
            build(game, "optimal", checkpoint=checkpoint)
        finished = {path.stem for path in folder.glob("*.tree")}
        again = open_of(game, folder)
        assert again.found == kept == len(finished)
        with noted_tasks() as tasks:
            resumed = build(game, "optimal", resources=Resources(3), checkpoint=again).book
        assert resumed.to_bytes() == whole.to_bytes()
        rest = tried(tasks)
        assert set(rest.values()) <= {1}
        # An opening that is ruled out for costing more than was known then may not be by now.
        assert not finished & {name_of(("try", ROOT, guess)) for guess in rest}
        assert len(rest) + kept <= len(game.guesses)


def open_of(game: WordGame, folder: Path) -> Checkpoint:
    """The checkpoint of an optimal build."""
    return open_checkpoint(folder, game, "optimal", None, 0.0)


@pytest.mark.parametrize(
    "forged", [[], [1], [0, 1], [-5, 1], [1 << 60, 1], ["a", 1], [9, 2], [9, -1], [9.0, 1]]
)
def test_a_forged_cost_of_an_opening_is_found_again(forged: list[Any], tmp_path: Path) -> None:
    """What cannot be the cost of an opening is dropped, and the opening is tried again."""
    game, folder = WordGame(WORDS), tmp_path / "a.parts"
    first = open_of(game, folder)
    whole = build(game, "optimal", checkpoint=first).book
    names = {name_of(("try", ROOT, guess)) for guess in range(len(game.guesses))}
    paths = [path for path in folder.glob("*.tree") if path.stem in names]
    content = msgpack.packb(forged)
    for path in paths:
        path.write_bytes(first._checksum(path.stem, content) + content)
    again = open_of(game, folder)
    with noted_tasks() as tasks:
        assert build(game, "optimal", checkpoint=again).book.to_bytes() == whole.to_bytes()
    assert again.found == first.kept - len(paths)
    assert len(tried(tasks)) >= len(paths) > 0
