"""What fits: the limits of a build, checked before any work starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgpack import packb

from guessbook.book.errors import (
    BuildError,
    InvalidGameError,
    NoStrategyError,
    UsageError,
    counted,
    shown,
    whole_number,
)
from guessbook.book.file.compression import compress
from guessbook.book.games.game import Game
from guessbook.book.memory import physical_memory
from guessbook.book.strategy import MAX_FILE
from guessbook.policy.policy import Policy
from guessbook.policy.registry import kind_of
from guessbook.policy.search.search import lane_bytes, table_bytes

# Threads of a build: far more than any machine has cores.
MAX_JOBS = 10_000

# Scores are int64, of as many bits as there is room for; larger games take days.
MAX_SCORED_CODES = 1 << 24

# Peak memory of a build: 174 to 196 bytes a code at 7 pegs of 7 colors, beyond what a small game
# takes; of them 103 are the compressor's, which takes no more for larger games; rounded up.
BYTES_PER_CODE = 200

# Bytes that the table and the sets of a search for the optimum may take if nobody says otherwise.
MEMORY = 2 << 30

# What the table may take that feedbacks are read from.
MAX_SUMS = 1 << 31


class Means(NamedTuple):
    """With what a book is built.

    Attributes:
        jobs: threads; all cores if None.
        scheduler: the address of a Dask scheduler, such as "tcp://127.0.0.1:8786", whose workers
            run the tasks instead of threads here.
        memory: of `optimal`, `win` and an endgame: bytes that its table of feedbacks and what it
            knows of sets may take, on each machine; 2 GiB if None.
        gap: of the policies `optimal` and `win`: the search ends where the proven bound is lower
            than the best cost, or higher than what is found, by at most this part of it. If that is
            before the optimum is found, the book is that of the best strategy known, and its header
            has the bound as `proven` or `found_at_most`.
    """

    jobs: int | None = None
    scheduler: str | None = None
    memory: int | None = None
    gap: float = 0.0


# All cores, two gibibytes, and the whole search.
USUAL = Means()


def check_limits(game: Game) -> None:
    """Refuse a game whose build cannot succeed here.

    Raises:
        InvalidGameError: too many codes for the engine, or for the memory of this machine; the
            message says how many there are and what they would need. Or the number of "solved" is
            not the last one, which trees and the engine rely on.
    """
    if game.solved != game.feedbacks - 1:
        raise InvalidGameError(
            f"{game.name} has {game.feedbacks} feedback numbers, of which {game.solved} says that "
            f"the guess is the secret; expected the last one, {game.feedbacks - 1}"
        )
    codes = max(len(game.guesses), len(game.secrets))
    if codes > MAX_SCORED_CODES:
        raise InvalidGameError(
            f"{game.name} has {codes:,} codes, expected at most {MAX_SCORED_CODES:,}: take "
            f"{game.smaller}"
        )
    needed = codes * BYTES_PER_CODE
    memory = physical_memory()
    if needed > memory:
        raise InvalidGameError(
            f"{game.name} has {codes:,} codes and needs about {needed / 2**30:.1f} GiB of memory, "
            f"found {memory / 2**30:.1f} GiB; take {game.smaller}, or a larger machine"
        )
    # What is needed of it for the first guess, all of it, is a copy.
    room = min(MAX_SUMS, memory // 2)
    table = table_bytes(game)
    if table > room:
        raise InvalidGameError(
            f"{game.name} has {len(game.guesses):,} guesses and needs about "
            f"{table / 2**30:.1f} GiB of memory for them, expected at most "
            f"{room / 2**30:.1f} GiB; take {game.smaller}"
        )


def check_file(game: Game) -> None:
    """Refuse a game whose table makes a file that no reader takes.

    Raises:
        InvalidGameError: it does.
    """
    # Only a table of answers is in the file, and one that is no larger fits.
    if table_bytes(game) <= MAX_FILE:
        return
    size = len(compress(packb(game.header()), [1]))
    if size > MAX_FILE:
        raise InvalidGameError(
            f"the book of {game.name} would have about {size >> 20:,} MiB, expected at most "
            f"{MAX_FILE >> 20:,}; take {game.smaller}"
        )


def check_policy(game: Game, policy: Policy) -> None:
    """Refuse a policy that cannot play a game.

    Raises:
        UsageError: hard mode in a game that has none: of codes, or with loose scoring, where an
            answer may show a letter more often than the secret has it.
    """
    rule = policy.rule
    if rule is not None and rule.hard_mode and not game.has_hard_mode:
        raise UsageError(game.hard_mode_refusal)


def check_table(game: Game, policy: Policy, memory: int) -> None:
    """Refuse a search for optimal play whose table of feedbacks takes more than that many bytes.

    Raises:
        BuildError: it does.
    """
    if not getattr(policy, "is_tabulated", False):
        return
    table = len(game.guesses) * len(game.secrets) * lane_bytes(game)
    # The other quarter is for what is known of sets.
    if table > memory // 4 * 3:
        instead = "no endgame" if hasattr(policy, "endgame") else "a width"
        raise BuildError(
            f"a whole search of {game.name} needs a table of {table / 2**20:,.3f} MiB, "
            f"found room for {memory * 3 / 2**22:,.3f} MiB; take {game.smaller}, or {instead}, or "
            "give it more memory"
        )


def no_strategy(game: Game, policy: Mapping[str, Any], first: int | None) -> NoStrategyError:
    """The error where no strategy keeps to a limit of guesses."""
    most = policy.get("max_guesses")
    return NoStrategyError(
        f"no strategy finds every secret of {game.name}"
        + (f" within {counted(most)}" if most else "")
        + (f" with first guess {game.guesses[first]}" if first is not None else "")
        + (f" and width {policy['width']}" if "width" in policy else "")
    )


def check_means(game: Game, policy: Policy, means: Means) -> None:
    """Refuse means that do not suffice, or make no sense for a policy.

    Raises:
        BuildError: the table of feedbacks does not fit.
        UsageError: one of them is no such number or address; both threads and a cluster; a bound
            for a policy that keeps no sets in memory; or a gap for another one than `optimal` or
            `win` without a width.
    """
    _check_values(means)
    if means.jobs is not None and means.scheduler is not None:
        raise UsageError(
            f"found {means.jobs} jobs and a scheduler, expected one of them: "
            "on a cluster `dask worker --nthreads` says how many threads there are"
        )
    searches = getattr(policy, "is_tabulated", False) and kind_of(policy).plan is not None
    if means.memory is not None and not getattr(policy, "remembers", False):
        raise UsageError(
            f"found a bound of memory for {policy.name}, which keeps nothing in it; "
            "expected optimal, win, or an endgame"
        )
    if means.gap and not searches:
        raise UsageError(f"found a gap for {policy.name}, expected optimal or win without a width")
    check_table(game, policy, means.memory or MEMORY)


def _check_values(means: Means) -> None:
    """Refuse means that are of another type or out of range. Raises UsageError."""
    if means.jobs is not None:
        whole_number("jobs", means.jobs, 1, MAX_JOBS)
    if means.memory is not None:
        whole_number("bytes of memory", means.memory)
    if means.scheduler is not None and not isinstance(means.scheduler, str):
        raise UsageError(
            f"found scheduler {shown(means.scheduler)}, expected an address such as tcp://HOST:PORT"
        )
    gap: object = means.gap
    if isinstance(gap, bool) or not isinstance(gap, int | float) or not 0 <= gap < 1:
        raise UsageError(f"found gap {shown(gap)}, expected a part from 0 to 1, such as 0.005")


def check_depth(game: Game, description: Mapping[str, Any], worst: int) -> None:
    """Refuse a tree that needs more guesses than `max_guesses` allows: no strategy needs fewer.

    Raises:
        NoStrategyError: it does.
    """
    most = description.get("max_guesses")
    if most is None or worst <= most:
        return
    first = description.get("first_guess")
    raise no_strategy(game, description, None if first is None else game.parse_code(first))
