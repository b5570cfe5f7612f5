"""The command `build-book`, which builds books and writes their files."""

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from operator import eq
from pathlib import Path
from typing import Any

import typer

from guessbook.book.errors import (
    OUT_OF_MEMORY,
    BuildError,
    GuessbookError,
    InvalidBookError,
    InvalidCodeError,
    UsageError,
)
from guessbook.book.games.game import Game
from guessbook.book.strategy import Strategy, read_strategy
from guessbook.book.summary import file_facts
from guessbook.builder.build import (
    best_build,
    first_guesses,
    promising_first_guesses,
)
from guessbook.builder.checkpoint import Checkpoint
from guessbook.builder.limits import Resources, check_build
from guessbook.builder.lock import hold_lock
from guessbook.builder.progress import Progress
from guessbook.command.game_options import GameOptions, PolicyOptions
from guessbook.command.options import (
    FORCE,
    JOBS,
    JSON,
    QUIET,
    flag,
    option,
    output_option,
)
from guessbook.command.output import check_target, facts_table, print_json, progress_bar, say, write
from guessbook.policy.policy import Policy
from guessbook.policy.registry import policy_header, policy_of, summary

# For each output file, the checkpoints by first guess. The key None means the policy's own first
# guess. The value None means that there is no checkpoint, because the file is stdout.
Checkpoints = dict[Path, dict[int | None, Checkpoint | None]]


@dataclass(frozen=True)
class BuildOptions:
    """The options of `build-book` besides those of the game and the policy."""

    first_guess: str | None = option(
        "CODE",
        "Always begin with this code. `best`: build a book for every first guess, as for "
        "--openings all, and write only the book with the lowest mean, or for `win`, with the most secrets found.",
    )
    openings: str | None = option(
        "all",
        "Write a book for every first guess, into the folder -o. Codes that differ only by a permutation of symbols or "
        "positions share a book: 5 books for 4 pegs and 6 colours. A game of words or from a table may have at most 200 guesses.",
    )
    jobs: int | None = JOBS
    output: Path | None = output_option(
        "The file to write.  [default: GAME-POLICY.book in this folder]"
    )
    force: bool = FORCE
    scheduler: str | None = option(
        "ADDRESS",
        "Build on other machines: the address of a Dask scheduler, tcp://HOST:PORT. Its workers "
        "need Guessbook. Anyone who can reach the scheduler can run code on its workers.",
    )
    memory: str | None = option(
        "SIZE", "Memory on each machine for optimal, win or an endgame, such as 4G.  [default: 2G]"
    )
    stop_at_gap: str | None = option(
        "GAP",
        "For optimal and win: stop the search once its best strategy is proven to be within this fraction of the "
        "optimum, such as 0.5%.  [default: search to the end]",
    )
    stats: bool = flag(
        "--stats",
        "Also print how many pairs of guess and candidate the build scored for guess 1, 2, ...",
    )
    quiet: bool = QUIET
    json: bool = JSON

    def resources(self) -> Resources:
        """Return the options on threads, scheduler, memory (in bytes) and gap (a fraction)."""
        return Resources(self.jobs, self.scheduler, bytes_of(self.memory), gap_of(self.stop_at_gap))


def build_book(
    ctx: typer.Context,
    game_options: GameOptions,
    policy_options: PolicyOptions,
    options: BuildOptions,
) -> None:
    """Build the book of a game.

    The book holds the policy's guess for every history that can occur. The number of threads does
    not affect the book.

    After ten seconds, a build starts to save its finished tasks in the folder
    .FILE.guessbook-parts, unless it writes to stdout. After Ctrl-C or a power cut, the same command
    resumes the build. Outside a terminal, a line every ten seconds shows the progress.

    A game may have up to 16,777,216 codes; a build needs 200 bytes of memory for each code.

    Example: guessbook build-book --pegs 4 --colors 6 --policy entropy
    """
    if ctx.args:
        advice = ". Write the symbols with commas: --symbols red,blue,green"
        found = f"Got unexpected extra argument(s) ({' '.join(ctx.args)})"
        ctx.fail(found + advice if game_options.symbols else found)
    game, rule = game_options.game(), policy_options.policy_map()
    opening = options.first_guess
    if (pinned := rule.pop("first_guess", None)) is not None:
        if opening is not None or options.openings is not None:
            other = f"openings {options.openings}" if opening is None else f"first-guess {opening}"
            named = policy_options.policy
            raise UsageError(
                f"--{other} and --policy {named} both set the first guess; leave one out"
            )
        opening = str(pinned)
    policy = policy_of(rule)
    check_build(game, policy, options.resources())
    plans = plan_books(game, policy, opening, options)
    for path in plans:
        check_target(path, options.force, json=options.json, binary=True)
    written: list[dict[str, Any]] = []
    with ExitStack() as stack:
        for path in plans:
            if not is_stdout(path):
                stack.enter_context(hold_lock(path))
        checkpoints: Checkpoints = {}
        stack.enter_context(resumable(list(plans), checkpoints, written))
        for path, guesses in plans.items():
            checkpoints[path] = open_checkpoints(path, game, policy, guesses)
        show = stack.enter_context(progress_bar(options.quiet))
        for path, opened in checkpoints.items():
            written.append(write_best(game, policy, path, opened, options, show))
            for checkpoint in filter(None, opened.values()):
                checkpoint.remove()
    if options.json:
        print_json(written if options.openings else written[0])
    else:
        # If stdout receives the book, it must not contain the facts about the book.
        screen = sys.stderr if any(map(is_stdout, plans)) else sys.stdout
        print("\n\n".join([facts_table(game, facts, screen) for facts in written]), file=screen)


def is_stdout(path: Path) -> bool:
    """Return whether a path means stdout, which has no lock and no checkpoint."""
    return str(path) == "-"


def plan_books(
    game: Game, policy: Policy, first_guess: str | None, options: BuildOptions
) -> dict[Path, list[int | None]]:
    """Return the files to write, each with a list of first guesses to try.

    None stands for the policy's own first guess.
    """
    openings, output = options.openings, options.output
    name = summary(policy)
    if openings is not None:
        if openings != "all" or first_guess is not None:
            if first_guess is not None:
                both = f"--openings {openings} and --first-guess {first_guess}"
                raise UsageError(f"{both} cannot be combined; leave one out")
            raise UsageError(f"unknown --openings {openings}; write --openings all")
        folder = output or Path()
        if not folder.is_dir():
            raise UsageError(
                f"-o {output} is not a folder, but there are several books; name or create a folder"
            )
        return {folder / default_name(game, name, guess): [guess] for guess in first_guesses(game)}
    try:
        guess = None if first_guess is None else game.parse_code(first_guess)
    except InvalidCodeError:
        if first_guess != "best":
            raise
        default = f"{game.name}-{name}-best.book"
        return {output or Path(default): [*promising_first_guesses(game, policy)]}
    return {output or Path(default_name(game, name, guess)): [guess]}


def bytes_of(text: str | None) -> int | None:
    """Convert a size such as 4G to a number of bytes; None for None.

    >>> bytes_of("4G"), bytes_of("512m"), bytes_of(None)
    (4294967296, 536870912, None)
    """
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})([KMGT]?)(I?B)?", text.strip().upper())
    if not found or not int(found[1]):
        raise UsageError(f"--memory {text} is not a size; write one such as 512M or 4G")
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")


def gap_of(text: str | None) -> float:
    """Convert a string such as `0.5%` or `0.005` to a fraction; 0 for None.

    A search stops once its best strategy is proven to be within this fraction of the optimum.

    >>> gap_of("0.5%"), gap_of("0.02"), gap_of(None)
    (0.005, 0.02, 0.0)
    """
    if text is None:
        return 0.0
    found = re.fullmatch(r"([0-9]{0,9}\.?[0-9]{1,9})(%?)", text.strip())
    part = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 < part < 1:
        raise UsageError(
            f"--stop-at-gap {text} is not a fraction above 0 and below 1; write one such as 0.5% or 0.005"
        )
    return part


def open_checkpoints(
    path: Path, game: Game, policy: Policy, guesses: list[int | None]
) -> "dict[int | None, Checkpoint | None]":
    """Open a checkpoint for each first guess, in a folder beside `path`.

    If `path` is stdout, return None for each first guess instead.
    """
    checkpoints: dict[int | None, Checkpoint | None] = dict.fromkeys(guesses)
    for guess in () if is_stdout(path) else guesses:
        mark = f".{guess}" if len(guesses) > 1 else ""
        folder = path.with_name(f".{path.name}{mark}.guessbook-parts")
        checkpoint = checkpoints[guess] = Checkpoint(
            folder, game, policy_header(game, policy, guess)
        )
        if checkpoint.found:
            say(f"Resuming with the {checkpoint.found:,} finished tasks in {checkpoint.folder}.")
    return checkpoints


def write_best(
    game: Game,
    policy: Policy,
    path: Path,
    checkpoints: dict[int | None, Checkpoint | None],
    options: BuildOptions,
    show: Callable[[Progress], None],
) -> dict[str, Any]:
    """Build a book for each first guess, write the best book, and return the facts about it."""
    # Load numpy before the clock starts, so that the import does not count as build time.
    import guessbook.builder.growth  # noqa: F401

    start = time.perf_counter()
    best = best_build(game, policy, checkpoints, options.resources(), show)
    seconds = time.perf_counter() - start
    data = best.book.to_bytes()
    check_file(best.book, data)
    facts = {**file_facts(best.book, str(path), len(data)), "seconds": seconds}
    if resumed := sum(checkpoint.found for checkpoint in checkpoints.values() if checkpoint):
        facts["resumed"] = resumed
    if options.stats:
        facts["feedbacks_scored"] = {str(depth): pairs for depth, pairs in enumerate(best.pairs, 1)}
    write(path, data, options.force)
    return facts


def check_file(book: Strategy, data: bytes) -> None:
    """Raise BuildError unless the bytes of a file read back as the book that was built."""
    try:
        again: Strategy = read_strategy(data)
    except InvalidBookError as error:
        raise BuildError(
            f"the finished book cannot be read: {error}; correct the policy, whose guesses must give "
            "information"
        ) from error
    columns = ("guess", "feedback", "children", "candidates")
    pairs = [(getattr(book.tree, name), getattr(again.tree, name)) for name in columns]
    same = all(len(built) == len(read) and all(map(eq, built, read)) for built, read in pairs)
    if not same or again.game != book.game or again.stats != book.stats:
        raise BuildError(
            "the file does not hold the finished book; check the memory of the machine for defects, "
            "and build the book again"
        )


def default_name(game: Game, policy: str, first_guess: int | None) -> str:
    """Return the file name of a book, such as `mastermind-4x6-entropy-RRYY.book`."""
    name = f"{game.name}-{policy}"
    if first_guess is not None:
        # A code may have symbols that file names cannot contain, such as a slash. The index of the
        # code replaces it then.
        code = game.guesses[first_guess]
        name += f"-{code if code.isascii() and code.isalnum() else first_guess}"
    return f"{name}.book"


@contextmanager
def resumable(
    plans: Sequence[Path], opened: Checkpoints, written: Sequence[dict[str, Any]]
) -> Iterator[None]:
    """Run a build in a `with` block; if it ends early, save and report its finished tasks.

    During the build the caller adds checkpoints to `opened`, and the facts about finished books to
    `written`.
    """
    try:
        yield
    except (GuessbookError, KeyboardInterrupt, MemoryError) as error:
        checkpoints = [found for each in opened.values() for found in each.values() if found]
        # If the error is a full disk, saving fails again, but the tasks that were saved before stay
        # on disk.
        with suppress(GuessbookError, MemoryError, KeyboardInterrupt):
            for checkpoint in checkpoints:
                checkpoint.flush()
        begun = len(opened) == len(plans)
        left = describe_rest(len(plans), len(written), checkpoints)
        if isinstance(error, KeyboardInterrupt):
            say(f"Interrupted: {left}." if begun else "Interrupted before the build began.")
            raise
        kept = begun and any(checkpoint.kept for checkpoint in checkpoints)
        if not kept or isinstance(error, UsageError):
            raise
        reason = OUT_OF_MEMORY if isinstance(error, MemoryError) else error
        raise BuildError(f"{reason}; {left}") from error


def describe_rest(books: int, written: int, checkpoints: "Sequence[Checkpoint]") -> str:
    """Return a message that says what an interrupted build has kept, and how to resume it."""
    if written == books:
        return "the book is written" if books == 1 else f"all {books} books are written"
    again, before, nothing = "the same command", "", "nothing"
    if written:  # Without --force, a second run would refuse to overwrite these books.
        again, nothing = f"{again} with --force", "nothing else"
        before = f"{written} of {books} books are written; "
    kept = [checkpoint for checkpoint in checkpoints if checkpoint.kept]
    if not kept:
        return f"{before}{nothing} is kept, and {again} starts over"
    count = sum(checkpoint.kept for checkpoint in kept)
    tasks = "1 finished task is" if count == 1 else f"{count:,} finished tasks are"
    more = f" and {len(kept) - 1} more" if len(kept) > 1 else ""
    return f"{before}{tasks} kept in {kept[0].folder}{more}, and {again} resumes the build"


COMMANDS: dict[str, Callable[..., None]] = {"build-book": build_book}
