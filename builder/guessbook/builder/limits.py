"""The limits of a build, which are checked before any work starts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgpack import packb

from guessbook.book.errors import (
    BuildError,
    InvalidGameError,
    NoStrategyError,
    UsageError,
    counted,
    quote,
    whole_number,
)
from guessbook.book.file.compression import compress
from guessbook.book.games.game import Game
from guessbook.book.memory import physical_memory
from guessbook.book.strategy import MAX_FILE
from guessbook.policy.policy import Policy
from guessbook.policy.registry import kind_of
from guessbook.policy.search.search import lane_bytes, table_bytes

# The most threads of a build: far more than any machine has cores.
MAX_JOBS = 10_000
# The most codes whose scores fit into int64; larger games would take days.
MAX_SCORED_CODES = 1 << 24
# The peak memory of a build for each code, rounded up: at 7 pegs of 7 colors 174 to 196 bytes above
# the peak of a small game. The compressor takes 103 of these, and no more for larger games.
BYTES_PER_CODE = 200
# The bytes that the tables of a search for the optimum may take by default.
MEMORY = 2 << 30
# The most bytes of the table that feedbacks are read from.
MAX_SUMS = 1 << 31


class Resources(NamedTuple):
    """The options of a build that do not change the book, except for the gap.

    Attributes:
        jobs: threads; all cores if None.
        scheduler: the address of a Dask scheduler whose workers run the tasks instead of threads.
        memory: bytes for the tables of `optimal`, `win` or an endgame on a machine; 2 GiB if None.
        gap: `optimal` and `win` end their search when the best known strategy is proven to be
            within this part of the best one; the header then has the bound.
    """

    jobs: int | None = None
    scheduler: str | None = None
    memory: int | None = None
    gap: float = 0.0


# All cores, 2 GiB, and the whole search.
USUAL = Resources()


def check_limits(game: Game) -> None:
    """Raise InvalidGameError for a game that does not fit into the engine or into memory."""
    if game.solved != game.feedbacks - 1:
        raise InvalidGameError(
            f"{game.name} has {game.feedbacks} feedback numbers, of which {game.solved} says that "
            f"the guess is the secret; expected the last one, {game.feedbacks - 1}"
        )
    codes = max(len(game.guesses), len(game.secrets))
    if codes > MAX_SCORED_CODES:
        raise too_large(game, f"has {codes:,} codes, expected at most {MAX_SCORED_CODES:,}")
    needed, memory = codes * BYTES_PER_CODE, physical_memory()
    if needed > memory:
        found = f"{needed / 2**30:.1f} GiB of memory, found {memory / 2**30:.1f} GiB here"
        raise too_large(game, f"has {codes:,} codes and needs about {found}")
    # The first guess needs a copy of the whole table.
    table, room = table_bytes(game), min(MAX_SUMS, memory // 2)
    if table > room:
        needs = f"{table / 2**30:.1f} GiB of memory for them, expected at most {room / 2**30:.1f}"
        raise too_large(game, f"has {len(game.guesses):,} guesses and needs about {needs}")


def too_large(game: Game, found: str) -> InvalidGameError:
    """Return the error for a game that is too large."""
    return InvalidGameError(f"{game.name} {found}; take {game.smaller}")


def check_policy(game: Game, policy: Policy) -> None:
    """Raise UsageError for a policy in hard mode if the game has none."""
    rule = policy.rule
    if rule is not None and rule.hard_mode and not game.has_hard_mode:
        raise UsageError(game.hard_mode_refusal)


def check_table(game: Game, policy: Policy, memory: int) -> None:
    """Raise BuildError if the table of feedbacks of a search takes over 3/4 of `memory` bytes."""
    if not getattr(policy, "is_tabulated", False):
        return
    table = len(game.guesses) * len(game.secrets) * lane_bytes(game)
    # The other quarter is for the transposition table.
    if table > memory // 4 * 3:
        instead = "no endgame" if hasattr(policy, "endgame") else "a width"
        raise BuildError(
            f"a whole search of {game.name} needs a table of {table / 2**20:,.3f} MiB, "
            f"found room for {memory * 3 / 2**22:,.3f} MiB; take {game.smaller}, or {instead}, or "
            "give it more memory"
        )


def no_strategy(game: Game, policy: Mapping[str, Any]) -> NoStrategyError:
    """Return the error for a game that no strategy solves within the limits of a header."""
    most = policy.get("max_guesses")
    return NoStrategyError(
        f"no strategy finds every secret of {game.name}"
        + (f" within {counted(most)}" if most else "")
        + (f" with first guess {policy['first_guess']}" if "first_guess" in policy else "")
        + (f" and width {policy['width']}" if "width" in policy else "")
    )


def check_build(game: Game, policy: Policy, resources: Resources) -> None:
    """Raise UsageError, InvalidGameError or BuildError for a build that is not possible here."""
    check_policy(game, policy)
    check_limits(game)
    # The file has the answers of a table game only, and a table of up to MAX_FILE bytes fits.
    size = len(compress(packb(game.header()), [1])) if table_bytes(game) > MAX_FILE else 0
    if size > MAX_FILE:
        most = MAX_FILE >> 20
        raise too_large(game, f"needs a book of {size >> 20:,} MiB, expected at most {most:,}")
    _check_resources(policy, resources)
    check_table(game, policy, resources.memory or MEMORY)


def _check_resources(policy: Policy, resources: Resources) -> None:
    """Raise UsageError for options that are out of range, or make no sense for the policy."""
    jobs, scheduler, memory, gap = resources
    if jobs is not None:
        whole_number("jobs", jobs, 1, MAX_JOBS)
    if memory is not None:
        whole_number("bytes of memory", memory)
    if scheduler is not None and not isinstance(scheduler, str):
        raise UsageError(f"found scheduler {quote(scheduler)}, expected an address such as tcp://HOST:PORT")
    if isinstance(gap, bool) or not isinstance(gap, int | float) or not 0 <= gap < 1:
        raise UsageError(f"found gap {quote(gap)}, expected a part from 0 to 1, such as 0.005")
    if jobs is not None and scheduler is not None:
        raise UsageError(
            f"found {jobs} jobs and a scheduler, expected one of them: "
            "on a cluster `dask worker --nthreads` sets the number of threads"
        )
    if memory is not None and not getattr(policy, "remembers", False):
        raise UsageError(
            f"found a limit of memory for {policy.name}, which stores nothing; expected optimal, win, or an endgame"
        )
    searches = getattr(policy, "is_tabulated", False) and kind_of(policy).plan is not None
    if gap and not searches:
        raise UsageError(f"found a gap for {policy.name}, expected optimal or win without a width")
