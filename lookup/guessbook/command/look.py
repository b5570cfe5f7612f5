"""The commands that look at a history, explain, rate, review, share, or a book: tree, verify."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import typer

from guessbook.book.book import DEFAULT_BOOK, book_path
from guessbook.book.errors import UsageError
from guessbook.book.levels import shown_levels, subtree_sizes
from guessbook.command.arguments import AsJson, BookName, BookOption, argument, flag, option
from guessbook.command.output import print_json, show
from guessbook.lookup import open_book
from guessbook.lookup.patience import patiently
from guessbook.play.proof import prove
from guessbook.play.terminal.drawing import Screen, can_show
from guessbook.play.terminal.drawing import columns_wide as width
from guessbook.play.terminal.outline import draw_outline, nested
from guessbook.play.terminal.patient import PatientSession
from guessbook.play.terminal.report import explanation_lines, pair_lines, rating_lines, review_lines

READABLE = 40
DEEPEST = 100

HistoryText = Annotated[
    list[str] | None, argument("GUESS=FEEDBACK", "What was guessed and answered, in order.")
]
Count = Annotated[int, option("N", "How many guesses are listed.", min=1, max=1000)]


def explain(
    history: HistoryText = None,
    book: BookOption = DEFAULT_BOOK,
    guess: Annotated[
        str | None, option("CODE", "Explain this guess instead of the suggested one.")
    ] = None,
    pairs: Annotated[bool, flag("--pairs", "Find the best pairs of guesses instead.")] = False,
    count: Count = 10,
    json: AsJson = False,
) -> None:
    """Say why a guess is the one to make.

    Prints its partition: each feedback with the candidates that give it, its probability, what it
    tells, and how the entropy adds up; then the best guesses with their numbers under each policy.

    Example: guessbook explain RYGB=1,1 RGOP=0,2
    """
    session = PatientSession(book, history or [])
    if pairs:
        if guess is not None:
            raise UsageError("found --pairs and --guess, expected one of them")
        found = session.best_pairs(count)
        show({"pairs": found} if json else pair_lines(found, width()))
        return
    why = session.explain(guess, count)
    show(why if json else explanation_lines(why, width()))


def rate(
    words: Annotated[
        list[str] | None,
        argument(
            "[GUESS=FEEDBACK]... GUESS", "What was guessed and answered, then the guess to rate."
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None, option("A B", "Rate two guesses that are made one after the other.")
    ] = None,
    book: BookOption = DEFAULT_BOOK,
    json: AsJson = False,
) -> None:
    """Rate a guess against the best one.

    The score, 0 to 100, compares the information that the guess is expected to give with that of
    the best one; docs/playing.md defines it.

    Example: guessbook rate RYGB=1,1 RGOP=0,2 YYYY
    """
    given = list(words or [])
    if pair is not None:
        both = PatientSession(book, given).rate_pair(*pair)
        show(both if json else pair_lines([both], width()))
        return
    session = PatientSession(book, given[:-1])
    if not given or ("=" in given[-1] and given[-1] not in session.game.guesses):
        raise UsageError("found no guess to rate; give it last, after the history, without '='")
    found = session.rate(given[-1])
    show(found if json else rating_lines(found))


def review(
    history: HistoryText = None,
    book: BookOption = DEFAULT_BOOK,
    secret: Annotated[str | None, option("CODE", "The secret, if the game was not solved.")] = None,
    json: AsJson = False,
) -> None:
    """Look back at a game, finished or not.

    For each guess: the information it was expected to give and did give, the best guess, skill and
    luck, each 0 to 100; at the end what the policy would have played. docs/playing.md defines them.

    Example: guessbook review RRYY=0,1 RGGG=0,0 BYBO=2,2 BBOY=0,4 OYBB=4,0
    """
    found = PatientSession(book, history or []).review(secret)
    show(found if json else review_lines(found, width()))


def share(
    history: HistoryText = None,
    book: BookOption = DEFAULT_BOOK,
    ascii_only: Annotated[
        bool, flag("--ascii", "Write B, W and . for pegs, digits for squares.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Write the grid of a game, to share it.

    The grid has its pegs or squares, and nothing of its codes.

    Example: guessbook share RYGB=1,1 RGOP=0,2 PYYG=2,1 GYYO=4,0
    """
    session = PatientSession(book, history or [])
    plainly = ascii_only or (not json and not can_show("●○·🟩", sys.stdout.encoding))
    grid = session.share(plainly)
    session.suggest()  # an inconsistent history has no grid
    if json:
        known = {"game": session.game.name, "guesses": len(session.rows), "solved": session.solved}
        show({**known, "rows": grid.splitlines()[2:], "text": grid})
    else:
        show(grid.splitlines())


def tree(
    book: BookName = DEFAULT_BOOK,
    depth: Annotated[
        int | None,
        option(
            "D",
            f"How many guesses deep.  [default: 2 or more, while that is {READABLE} lines]",
            min=1,
            max=DEEPEST,
        ),
    ] = None,
    start: Annotated[
        list[str] | None,
        option(
            "GUESS=FEEDBACK",
            "Begin after this; may be given once for each guess, or with several in quotes.",
            "--from",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Show the strategy tree of a book.

    A line for each node: the feedback that leads to it, the guess, how many candidates there are
    before it, the bits that its feedback is expected to give, and, where the outline ends, how many
    nodes are below.

    Example: guessbook tree mastermind-4x6 --from RYGB=1,1
    """
    opened = open_book(book)
    node = opened.find(" ".join(start or []))
    levels = shown_levels(opened.tree, depth, READABLE, node.index)
    known = opened.metadata
    if json:
        head = {"game": opened.game.name, "policy": known.policy, "depth": len(levels)}
        show({**head, "tree": nested(opened, levels)})
        return
    screen = Screen()
    screen.say(f"{opened.game.name}, {known.policy}: {known.secrets:,} secrets")
    draw_outline(screen, opened, levels)
    shown, nodes = sum(map(len, levels)), subtree_sizes(opened.tree)[node.index]
    if shown < nodes:
        screen.say(f"{shown:,} of {nodes:,} nodes; --depth {len(levels) + 1} shows more")
    else:
        screen.say(f"all {nodes:,} nodes" if nodes > 1 else "1 node")


def verify(
    book: BookName = DEFAULT_BOOK,
    policy: Annotated[
        bool, flag("--policy", "Also compute every guess of the book again and compare.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Prove a book against every secret.

    The book plays each secret by the rules of its game, and what it says of itself must be what
    comes out. Prints one line a check; the exit code is 1 if any fails.

    Example: guessbook verify mastermind-4x6 --policy
    """
    opened = open_book(book)
    checks = []
    proof = prove(opened, policy)
    while check := patiently("Proving the book", partial(next, proof, None)):
        checks.append(check)
        if not json:
            typer.echo(f"{'ok' if check.passed else 'FAILED':<8}{check.name}: {check.found}")
    passed = all(check.passed for check in checks)
    if json:
        print_json({"path": book_path(book), "passed": passed, "checks": checks})
    if not passed:
        raise typer.Exit(1)
