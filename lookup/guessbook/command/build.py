"""The command that makes books: build-book."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from guessbook.book.errors import OUT_OF_MEMORY, BuildError, GuessbookError, UsageError
from guessbook.book.facts import file_facts, table
from guessbook.book.games.game import Game, called
from guessbook.builder.build import open_checkpoint
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import (
    Means,
    check_file,
    check_limits,
    check_means,
    check_policy,
)
from guessbook.builder.lock import locked
from guessbook.builder.openings import best_build, best_codes, is_code, opening_codes
from guessbook.command.arguments import AsJson, Force, Jobs, Quiet, flag, option, output_option
from guessbook.command.options import GameOptions, PolicyOptions
from guessbook.command.output import check_target, print_json, say, write
from guessbook.command.progress import progress_bar
from guessbook.policy.notation import in_words, policy_of, summary

if TYPE_CHECKING:
    from guessbook.builder.checkpoint import Checkpoint

# The checkpoints, by the file and the first guess that they belong to.
Opened = dict[Path, dict[str | None, "Checkpoint | None"]]


def build_book(
    game_options: GameOptions,
    policy_options: PolicyOptions,
    first_guess: Annotated[
        str | None,
        option(
            "CODE",
            "Always begin with this code, whatever the policy prefers. `best`: build a book for "
            "every first guess, as for --openings all, and write the one with the lowest mean.",
        ),
    ] = None,
    openings: Annotated[
        str | None,
        option(
            "all",
            "Write a book for every first guess, into the folder -o. Where exchanging symbols or "
            "positions makes one first guess of another, one book serves both: 5 books for 4 pegs "
            "and 6 colors. At most 200 words.",
        ),
    ] = None,
    jobs: Jobs = None,
    output: Annotated[
        Path | None, output_option("The file to write.  [default: GAME-POLICY.book in this folder]")
    ] = None,
    force: Force = False,
    scheduler: Annotated[
        str | None,
        option(
            "ADDRESS",
            "Build on other machines: the address of a Dask scheduler, tcp://HOST:PORT, whose "
            "workers have Guessbook as well. Whoever reaches it can run code there.",
        ),
    ] = None,
    memory: Annotated[
        str | None,
        option(
            "SIZE",
            "What optimal, win, or an endgame, may keep in memory, such as 4G, on each machine.  "
            "[default: 2G]",
        ),
    ] = None,
    stop_at_gap: Annotated[
        str | None,
        option(
            "GAP",
            "For optimal and win: end the search as soon as the strategy found is proven to be "
            "within this part of the best one, such as 0.5%, and write it.  [default: search to "
            "the end]",
        ),
    ] = None,
    stats: Annotated[
        bool,
        flag(
            "--stats",
            "Also say how much work the build was: how many pairs of a guess and a candidate were "
            "compared to choose the 1st, 2nd, ... guess.",
        ),
    ] = False,
    quiet: Quiet = False,
    json: AsJson = False,
) -> None:
    """Build the book of a game.

    It holds the policy's guess for every history that can come up. The result depends on the game
    and the policy alone, not on the number of threads.

    A build that takes longer than ten seconds keeps its finished tasks in .FILE.guessbook-parts;
    after Ctrl-C or a power cut the same command goes on from there. Not kept is the search of
    optimal or win for the best of many openings, as in games of words without --first-guess. A
    build to stdout has no such folder. Outside a terminal a line says every ten seconds how far it
    is.

    A game may have up to 16,777,216 codes, and the machine must have 200 bytes of memory for each
    of them.

    Example: guessbook build-book --pegs 4 --colors 6 --policy entropy
    """
    game = game_options.game()
    rule = policy_options.described()
    first_guess = chosen_opening(policy_options.policy, rule, first_guess, openings)
    check_policy(game, policy_of(rule))
    check_limits(game)
    check_file(game)
    means = Means(jobs, scheduler, bytes_of(memory), part_of(stop_at_gap))
    check_means(game, policy_of(rule), means)
    plans = planned(game, rule, first_guess, openings, output)
    for path in plans:
        check_target(path, force, json=json, binary=True)
    known: list[dict[str, Any]] = []
    with ExitStack() as stack:
        for path in plans:
            stack.enter_context(nullcontext() if to_stdout(path) else locked(path))
        checkpoints: Opened = {}
        stack.enter_context(resumable(list(plans), checkpoints, known))
        for path, codes in plans.items():
            checkpoints[path] = opened(path, game, rule, codes)
        show = stack.enter_context(progress_bar(quiet))
        for path, found in checkpoints.items():
            known.append(made(game, rule, found, path, means, force, stats, show))
            for checkpoint in found.values():
                if checkpoint:
                    checkpoint.remove()
    if json:
        print_json(known if openings else known[0])
    else:
        width_of_terminal = shutil.get_terminal_size().columns
        # Where the book is on stdout, what it is goes to stderr.
        screen = sys.stderr if any(map(to_stdout, plans)) else sys.stdout
        lines = [
            table(
                {**facts, "first_guess": called(game, facts["first_guess"])},
                in_words({"name": facts["policy"], **facts["options"]}),
                width_of_terminal,
                screen.encoding,
            )
            for facts in known
        ]
        print("\n\n".join(lines), file=screen)


def to_stdout(path: Path) -> bool:
    """Whether a file is stdout: then no other build can write it, nor one go on with it later."""
    return str(path) == "-"


def chosen_opening(
    policy: str, rule: dict[str, str | int], first_guess: str | None, openings: str | None
) -> str | None:
    """The first guess that `--first-guess` asks for, or `--policy`, which then loses it.

    Raises:
        UsageError: there are several answers to this.
    """
    pinned = rule.pop("first_guess", None)
    if pinned is None:
        return first_guess
    if first_guess is not None or openings is not None:
        other = f"--openings {openings}" if first_guess is None else f"--first-guess {first_guess}"
        raise UsageError(f"found {other} and --policy {policy}, expected one opening")
    return str(pinned)


def planned(
    game: Game,
    rule: dict[str, str | int],
    first_guess: str | None,
    openings: str | None,
    output: Path | None,
) -> dict[Path, list[str | None]]:
    """The files to write, and for each the first guesses to try; None leaves it to the policy.

    Raises:
        UsageError: the options contradict each other, or ask for too many openings.
    """
    name = summary(policy_of(rule))
    if openings is not None:
        if openings != "all" or first_guess is not None:
            raise UsageError(
                f"found --openings {openings}"
                + (f" and --first-guess {first_guess}" if first_guess else "")
                + ", expected --openings all, and then no first guess"
            )
        folder = output or Path()
        if not folder.is_dir():
            raise UsageError(
                f"found -o {output}, expected a folder, for several books; make it first"
            )
        return {folder / default_name(game, name, code): [code] for code in opening_codes(game)}
    if first_guess is None:
        return {output or Path(default_name(game, name, None)): [None]}
    if first_guess == "best" and not is_code(game, first_guess):
        path = output or Path(f"{game.name}-{name}-best.book")
        return {path: list(best_codes(game, policy_of(rule)))}
    code = game.guesses[game.parse_code(first_guess)]
    return {output or Path(default_name(game, name, code)): [code]}


def bytes_of(text: str | None) -> int | None:
    """A size in bytes, as people write it.

    >>> bytes_of("4G"), bytes_of("512m"), bytes_of(None)
    (4294967296, 536870912, None)

    Raises:
        UsageError: it is none.
    """
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})([KMGT]?)(I?B)?", text.strip().upper())
    if not found or not int(found[1]):
        raise UsageError(f"found --memory {text}, expected a size such as 512M or 4G")
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")


def part_of(text: str | None) -> float:
    """A gap as a part of the whole: `0.5%` or `0.005`; none is 0.

    >>> part_of("0.5%"), part_of("0.02"), part_of(None)
    (0.005, 0.02, 0.0)

    Raises:
        UsageError: it is none, or not between 0 and 1.
    """
    if text is None:
        return 0.0
    found = re.fullmatch(r"([0-9]{0,9}\.?[0-9]{1,9})(%?)", text.strip())
    part = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 < part < 1:
        raise UsageError(f"found --stop-at-gap {text}, expected a part such as 0.5% or 0.005")
    return part


def opened(
    path: Path, game: Game, rule: dict[str, str | int], codes: list[str | None]
) -> dict[str | None, Checkpoint | None]:
    """The checkpoint, beside the file, of the build with each of these first guesses.

    There is none for stdout.
    """
    checkpoints: dict[str | None, Checkpoint | None] = dict.fromkeys(codes)
    if to_stdout(path):
        return checkpoints
    for code in codes:
        mark = f".{game.parse_code(code)}" if code and len(codes) > 1 else ""
        folder = path.with_name(f".{path.name}{mark}.guessbook-parts")
        checkpoint = checkpoints[code] = open_checkpoint(folder, game, rule, code)
        if checkpoint.found:
            say(f"Going on with the {checkpoint.found:,} finished tasks in {checkpoint.folder}.")
    return checkpoints


def made(
    game: Game,
    rule: dict[str, str | int],
    checkpoints: dict[str | None, Checkpoint | None],
    path: Path,
    means: Means,
    force: bool,
    stats: bool,
    show: Callable[[Progress], None],
) -> dict[str, Any]:
    """Build the books with these first guesses, save the best of them, and return its facts."""
    # Late, as it loads numpy, and here, as the seconds are those of the build.
    import guessbook.builder.growth.frontier  # noqa: F401

    start = time.perf_counter()
    best = best_build(game, rule, means, show, checkpoints)
    seconds = time.perf_counter() - start
    data = best.book.to_bytes()
    known = {**file_facts(best.book, str(path), len(data)), "seconds": seconds}
    resumed = sum(checkpoint.found for checkpoint in checkpoints.values() if checkpoint)
    if resumed:
        known["resumed"] = resumed
    if stats:
        known["feedbacks_scored"] = {str(depth): pairs for depth, pairs in enumerate(best.pairs, 1)}
    write(path, data, force)
    return known


def default_name(game: Game, policy: str, first_guess: str | None) -> str:
    """The name of a book's file: `mastermind-4x6-entropy.book`, `...-entropy-RRYY.book`.

    >>> from guessbook.book import Mastermind
    >>> default_name(Mastermind(4, 6), "minimax", None)
    'mastermind-4x6-minimax.book'
    """
    name = f"{game.name}-{policy}"
    if first_guess is not None:
        # Symbols are free; some, such as a slash, cannot be in the name of a file.
        plain = first_guess.isascii() and first_guess.isalnum()
        name += f"-{first_guess if plain else game.parse_code(first_guess)}"
    return f"{name}.book"


@contextmanager
def resumable(
    plans: Sequence[Path], opened: Opened, written: Sequence[dict[str, Any]]
) -> Iterator[None]:
    """After an interruption or an error keep what is finished, and say what is kept.

    Args:
        plans: the files to write.
        opened: their checkpoints, as far as they have been opened.
        written: what is known of each book that is written.
    """
    try:
        yield
    except (GuessbookError, KeyboardInterrupt, MemoryError) as error:
        checkpoints = [found for each in opened.values() for found in each.values() if found]
        # Such as a lost cluster, whose workers finished something, or a full disk: then this fails
        # as well, and what was on disk before is kept. A second Ctrl-C ends it, too.
        with suppress(GuessbookError, MemoryError, KeyboardInterrupt):
            for checkpoint in checkpoints:
                checkpoint.flush()
        begun = len(opened) == len(plans)
        left = what_is_left(len(plans), len(written), checkpoints)
        if isinstance(error, KeyboardInterrupt):
            say(f"Interrupted: {left}." if begun else "Interrupted before the build began.")
            raise
        kept = begun and any(checkpoint.kept for checkpoint in checkpoints)
        if not kept or isinstance(error, UsageError):
            raise
        reason = OUT_OF_MEMORY if isinstance(error, MemoryError) else error
        raise BuildError(f"{reason}; {left}") from error


def what_is_left(books: int, written: int, checkpoints: Sequence[Checkpoint]) -> str:
    """Say what a build that ended early leaves, and what the same command makes of it.

    Args:
        books: how many it is about,
        written: and how many of them are written.
        checkpoints: of all builds.
    """
    if written == books:
        return "the book is written" if books == 1 else f"all {books} books are written"
    again, before = "the same command", ""
    if written:
        # As the files are there.
        again, before = f"{again} with --force", f"{written} of {books} books are written; "
    kept = [checkpoint for checkpoint in checkpoints if checkpoint.kept]
    if not kept:
        nothing = "nothing else" if written else "nothing"
        return f"{before}{nothing} is kept, and {again} starts anew"
    count = sum(checkpoint.kept for checkpoint in kept)
    tasks = "1 finished task is" if count == 1 else f"{count:,} finished tasks are"
    more = f" and {len(kept) - 1} more" if len(kept) > 1 else ""
    return f"{before}{tasks} kept in {kept[0].folder}{more}, and {again} goes on from there"
