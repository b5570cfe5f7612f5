"""The limits of the builder: checks of the game, the policy and the options before a build."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgpack import packb

from guessbook.book.errors import (
    BuildError,
    InvalidGameError,
    NoStrategyError,
    UsageError,
    quantity,
    quote,
    whole_number,
)
from guessbook.book.file import compress
from guessbook.book.games.game import Game
from guessbook.book.installation import physical_memory
from guessbook.book.strategy import MAX_FILE
from guessbook.policy.candidates import lane_bytes, table_bytes
from guessbook.policy.policy import Policy

# The largest number of threads of a build: far more than the cores of any machine.
MAX_JOBS = 10_000
# The largest number of guesses, and of secrets. In larger games, scores may overflow int64, and
# builds take days.
MAX_SCORED_CODES = 1 << 24
# The peak memory of a build in bytes per code, rounded up: builds with 7 pegs and 7 colours took
# 174 to 196 bytes.
BYTES_PER_CODE = 200
# The default memory limit, in bytes, for the tables of the policies that search for an optimum.
MEMORY = 2 << 30
# The largest size in bytes of a precomputed table of feedbacks.
MAX_TABLE = 1 << 31


class Resources(NamedTuple):
    """The options that control how a build runs; only the gap may change the book.

    Attributes:
        jobs: the number of threads; None for one per core.
        scheduler: the address of a Dask scheduler. Its workers run the tasks. None for threads of
            this process.
        memory: the bytes per machine for the tables of `optimal`, `win`, or `rollout` with an
            endgame; None for 2 GiB.
        gap: the fraction by which the result of `optimal` or `win` may differ from the optimum; 0
            for the optimum.
        task_size: the largest number of candidates of a task; None to choose it by the size of the
            game.
        checkpoint_delay: the seconds after which a build with a checkpoint begins to write to it;
            None for 10.
    """

    jobs: int | None = None
    scheduler: str | None = None
    memory: int | None = None
    gap: float = 0.0
    task_size: int | None = None
    checkpoint_delay: float | None = None


# All cores, 2 GiB of memory, and a search without a gap.
DEFAULTS = Resources()


def check_limits(game: Game) -> None:
    """Raise InvalidGameError for a game that the engine does not support or memory cannot hold."""
    if game.solved != game.feedbacks - 1:
        raise InvalidGameError(
            f"{game.name} gives the feedback to the secret itself the number {game.solved}; use the "
            f"last number, {game.feedbacks - 1}"
        )
    codes = max(len(game.guesses), len(game.secrets))
    if codes > MAX_SCORED_CODES:
        raise too_large(game, f"has {codes:,} codes, limit {MAX_SCORED_CODES:,}")
    needed, memory = codes * BYTES_PER_CODE, physical_memory()
    if needed > memory:
        needs = f"{needed / 2**30:.1f} GiB of memory; this machine has {memory / 2**30:.1f} GiB"
        raise too_large(game, f"has {codes:,} codes and needs about {needs}")
    # The search for the first guess needs a copy of the whole table, so the table may fill at most
    # half of the memory.
    table, room = table_bytes(game), min(MAX_TABLE, memory // 2)
    if table > room:
        needs = (
            f"{table / 2**30:.1f} GiB of memory for their feedbacks, limit {room / 2**30:.1f} GiB"
        )
        raise too_large(game, f"has {len(game.guesses):,} guesses and needs about {needs}")


def too_large(game: Game, found: str) -> InvalidGameError:
    return InvalidGameError(f"{game.name} {found}; use {game.smaller}")


def check_table(game: Game, policy: Policy, memory: int) -> None:
    """Raise BuildError if the table of feedbacks of a search takes over 3/4 of `memory` bytes."""
    if not policy.is_tabulated or game.identification is not None:
        return
    table = len(game.guesses) * len(game.secrets) * lane_bytes(game)
    # The remaining quarter is for the transposition table.
    if table > memory // 4 * 3:
        instead = "no endgame" if policy.name == "rollout" else "the policy rollout"
        raise BuildError(
            f"a search of all guesses of {game.name} needs a table of {table / 2**20:,.3f} MiB, "
            f"but may use only {memory * 3 / 2**22:,.3f} MiB; use {game.smaller}, or {instead}, or "
            "allow more memory"
        )


def no_strategy(game: Game, policy: Mapping[str, Any]) -> NoStrategyError:
    """Return the error for a game that no strategy solves with a policy, given as in a header."""
    most = policy.get("max_guesses")
    return NoStrategyError(
        f"no strategy finds every secret of {game.name}"
        + (f" within {quantity(most)}" if most else "")
        + (f" with first guess {policy['first_guess']}" if "first_guess" in policy else "")
    )


def check_build(game: Game, policy: Policy, resources: Resources) -> None:
    """Raise an error if this machine cannot build the book with these options."""
    policy.check(game)
    check_limits(game)
    # Only a table game stores its feedbacks in the book. Up to MAX_FILE bytes, they always fit.
    size = len(compress(packb(game.header()), [1])) if table_bytes(game) > MAX_FILE else 0
    if size > MAX_FILE:
        most = MAX_FILE >> 20
        raise too_large(game, f"needs a book of {size >> 20:,} MiB, limit {most:,} MiB")
    _check_resources(policy, resources)
    check_table(game, policy, resources.memory or MEMORY)


def is_number(value: object) -> bool:
    """Return whether a value is an int or a float, but not True or False."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_resources(policy: Policy, resources: Resources) -> None:
    """Raise UsageError if an option is out of range, or does not apply to the policy."""
    jobs, scheduler, memory, gap, task_size, delay = resources
    if jobs is not None:
        whole_number("jobs", jobs, 1, MAX_JOBS)
    if memory is not None:
        whole_number("bytes of memory", memory)
    if task_size is not None and not (
        type(task_size) is int and 1 <= task_size <= MAX_SCORED_CODES
    ):
        raise UsageError(
            f"task_size is {quote(task_size)}; give 1 to {MAX_SCORED_CODES:,} candidates per task"
        )
    if delay is not None and not (is_number(delay) and delay >= 0):
        raise UsageError(
            f"checkpoint_delay {quote(delay)} is not a number of seconds; give one such as 10"
        )
    if scheduler is not None and not isinstance(scheduler, str):
        raise UsageError(
            f"scheduler {quote(scheduler)} is not an address; give one such as tcp://HOST:PORT"
        )
    if not (is_number(gap) and 0 <= gap < 1):
        raise UsageError(
            f"gap {quote(gap)} is not a fraction from 0 to below 1; give one such as 0.005"
        )
    if jobs is not None and scheduler is not None:
        raise UsageError(
            "the number of jobs does not apply to a cluster, where `dask worker --nthreads` sets the "
            "number of threads; remove the jobs"
        )
    if memory is not None and not policy.remembers:
        raise UsageError(
            f"a memory limit does not apply to {policy.name}, only to optimal, win, and rollout with an "
            "endgame; remove the limit"
        )
    if gap and policy.name not in ("optimal", "win"):
        raise UsageError(
            f"a gap does not apply to {policy.name}, only to optimal and win; remove the gap"
        )
