"""The commands about a history, such as explain, and about a book: info, tree and verify."""

from collections.abc import Callable
from functools import partial

import typer

from guessbook.book.errors import UsageError, quantity, quote
from guessbook.book.installation import citation
from guessbook.book.strategy import Strategy
from guessbook.book.summary import average, file_facts, outcome_weights, secrets_in_words
from guessbook.book.tree import shown_levels, subtree_sizes
from guessbook.command.books import names_book, source
from guessbook.command.options import (
    BOOK,
    BOOK_OF_HISTORY,
    HISTORY,
    HISTORY_AND_GUESS,
    JSON,
    TITLE,
    flag,
    option,
    read_arguments,
)
from guessbook.command.output import print_json, say, show, show_facts
from guessbook.export.json_tree import MAX_DEPTH, nest
from guessbook.export.spreadsheet import line
from guessbook.play.session import share_of
from guessbook.play.terminal.display import Screen, can_show, terminal_width
from guessbook.play.terminal.interruptible import run_interruptibly
from guessbook.play.terminal.report import (
    among_guesses_line,
    candidate_lines,
    draw_tree,
    explanation_lines,
    pair_lines,
    rating_lines,
    review_lines,
)
from guessbook.play.verify import prove, verification_of
from guessbook.policy.registry import CLASSES, in_words, name_in_words

# Without --depth, `tree` shows at most this number of nodes, one per line, but at least two levels.
READABLE = 40
# The largest number of outcomes that `tree` lists with their probabilities.
LISTED = 10


def candidates(
    words: list[str] | None = HISTORY,
    book: str | None = BOOK_OF_HISTORY,
    count: int | None = option("N", "List only the first N codes.  [default: all]", min=1),
    csv: bool = flag("--csv", "Print CSV, for spreadsheets."),
    json: bool = JSON,
) -> None:
    """List the codes that may still be the secret.

    The codes are in the order of the game. If secrets have weights, the likeliest codes come first,
    with chances.

    Example: guessbook candidates RYGB=1,1 RGOP=0,2 --count 5
    """
    if csv and json:
        raise UsageError("--csv and --json cannot be combined; leave one out")
    session = read_arguments(words, book).session()
    # For an inconsistent history, this raises an error before anything is printed.
    run_interruptibly("Looking for what is possible", session.require_candidates)
    weighted = session.weight is not None
    rows = list(session.chances().items())[:count]
    if session.among_guesses:
        say(among_guesses_line(session.remaining))
    if json:
        codes, chances = [code for code, _ in rows], [chance for _, chance in rows]
        known = {"remaining": session.remaining, "among_guesses": session.among_guesses}
        show({**known, "candidates": codes, **({"chances": chances} if weighted else {})})
    elif csv:
        cells = 2 if weighted else 1
        show([line(*row[:cells]).rstrip("\n") for row in [("candidate", "chance"), *rows]])
    else:
        show(candidate_lines(session)[:count])


def explain(
    words: list[str] | None = HISTORY_AND_GUESS,
    book: str | None = BOOK_OF_HISTORY,
    pairs: bool = flag("--pairs", "List the best pairs of guesses instead."),
    count: int = option("N", "Number of guesses to list.", default=10, min=1, max=1000),
    json: bool = JSON,
) -> None:
    """Explain a guess, by default the guess of `hint`.

    Prints the partition of the guess: each feedback with its number of candidates, its probability,
    its information in bits and the running sum of the entropy. Then it lists the best guesses, and
    the best guess of each one-step policy.

    Example: guessbook explain RYGB=1,1 RGOP=0,2
    """
    asked = read_arguments(words, book, allow_guess=True)
    session, guess = asked.session(), asked.guess
    if pairs:
        if guess is not None:
            raise UsageError(f"--pairs and the guess {guess} cannot be combined; leave one out")
        best = run_interruptibly("Scoring pairs of guesses", lambda: session.best_pairs(count))
        show({"pairs": best} if json else pair_lines(best, terminal_width(), session.game))
        return
    why = run_interruptibly("Scoring every guess", lambda: session.explain(guess, count))
    show(why if json else explanation_lines(why, terminal_width(), session.game))


def rate(
    words: list[str] | None = HISTORY_AND_GUESS,
    book: str | None = BOOK_OF_HISTORY,
    pair: tuple[str, str] | None = option("A B", "Rate the pair of guesses A and B instead."),
    json: bool = JSON,
) -> None:
    """Compare a guess with the best guess.

    Skill is the value of the guess as a percentage of the value of the best guess. The value of a
    guess is its expected information in bits plus the probability, 0 to 1, that the guess is the
    secret.

    Example: guessbook rate RYGB=1,1 RGOP=0,2 YYYY
    """
    asked = read_arguments(words, book, allow_guess=True)
    session, guess = asked.session(), asked.guess
    if pair is not None:
        if guess is not None:
            raise UsageError(
                f"--pair {' '.join(pair)} and the guess {guess} cannot be combined; leave one out"
            )
        both = run_interruptibly("Scoring a pair of guesses", partial(session.rate_pair, *pair))
        show(both if json else pair_lines([both], terminal_width(), session.game))
        return
    if guess is None:
        raise UsageError("no guess to rate; give a guess without feedback after the history")
    rated = run_interruptibly("Scoring every other guess", partial(session.rate, guess))
    show(rated if json else rating_lines(rated, session.game))


def review(
    words: list[str] | None = HISTORY,
    book: str | None = BOOK_OF_HISTORY,
    secret: str | None = option("CODE", "The secret, if the game was not solved."),
    json: bool = JSON,
) -> None:
    """Rate every guess of a game, finished or not.

    Prints for each guess the expected and the actual information in bits, the best guess, skill as
    in `rate`, and luck. Luck is the probability, in percent, of a feedback with less information,
    plus half the probability of feedbacks with equal information. Its mean is 50. If the secret is
    known, the last line has the guesses that the policy would make.

    Example: guessbook review RRYY=0,1 RGGG=0,0 BYBO=2,2 BBOY=0,4 OYBB=4,0
    """
    session = read_arguments(words, book).session()
    found = run_interruptibly("Looking back at every guess", lambda: session.review(secret))
    show(found if json else review_lines(found, terminal_width(), session.game))


def share(
    words: list[str] | None = HISTORY,
    book: str | None = BOOK_OF_HISTORY,
    ascii_only: bool = flag(
        "--ascii", "Print B, W and . instead of pegs, and digits instead of squares."
    ),
    json: bool = JSON,
) -> None:
    """Print the feedbacks of a game as a grid to share.

    The grid has the pegs or squares of each feedback, but hides the codes.

    Example: guessbook share RYGB=1,1 RGOP=0,2 PYYG=2,1 GYYO=4,0
    """
    session = read_arguments(words, book).session()
    plainly = ascii_only or (not json and not can_show("●○·🟩"))
    # For an inconsistent history, this raises an error before the grid is printed.
    found = run_interruptibly("Looking for what is possible", partial(share_of, session, plainly))
    show(found if json else found["text"].splitlines())


def info(
    book: str | None = BOOK,
    cite: bool = flag("--cite", "Print how to cite Guessbook, and BOOK if it is given, instead."),
    json: bool = JSON,
) -> None:
    """Describe a book and its results.

    A claim in the output, such as "optimal", compares the book with all other strategies. `verify
    --policy` checks it.

    Example: guessbook info mastermind-5x8
    """
    if cite:
        if json:
            raise UsageError("--cite and --json cannot be combined; leave one out")
        print("\n".join([citation(), *([_cited(source(book).book)] if book else [])]))
        return
    opened, path, size = source(book)
    show_facts(opened.game, file_facts(opened, path, size), json)


def _cited(book: Strategy) -> str:
    """Return a line with the game, the policy and the result of a book."""
    known = book.stats
    result = f"{known.total_guesses:,} guesses in total"
    if book.game.identification is not None:
        result = average(known)
    return f"The book: game {book.game.name}, policy {in_words(book.policy)}, {result}."


def tree(
    words: list[str] | None = HISTORY,
    book: str | None = BOOK_OF_HISTORY,
    depth: int | None = option(
        "D",
        f"Number of levels to show.  [default: 2, or more within {READABLE} lines]",
        min=1,
        max=MAX_DEPTH,
    ),
    title: str | None = TITLE,
    json: bool = JSON,
) -> None:
    """Show the strategy tree of a book, or the part below a history.

    Prints a line for each node: the feedback that leads to the node, its guess, the number of
    candidates before the guess, and the expected information in bits. Lines of the last level also
    have the number of nodes below. The line of an outcome has an equals sign, and its probability.
    With --json, the nodes have the format of `export --to json`.

    Example: guessbook tree mastermind-4x6 RYGB=1,1
    """
    asked = read_arguments(words, book)
    opened = asked.source.book
    node = opened.find(asked.history)
    levels = shown_levels(opened.tree, depth, READABLE, node.index)
    known = opened.stats
    if json:
        head = {"game": opened.game.name, "policy": known.policy, "depth": len(levels)}
        show({**head, "tree": nest(opened, levels)})
        return
    screen = Screen()
    heading = title or f"{opened.game.name}, {name_in_words(opened.policy)}"
    screen.say(f"{heading}: {secrets_in_words(opened.game)}")
    if opened.game.identification is not None:
        screen.say(f"{average(known)}, worst case {known.max_cost:,}")
        shares = [
            f"{outcome} {weight / known.weight:.2%}" for outcome, weight in outcome_weights(opened)
        ]
        rest = [f"{len(shares) - LISTED:,} more"] if len(shares) > LISTED else []
        screen.say(f"{quantity(len(shares), 'outcome')}: {', '.join([*shares[:LISTED], *rest])}")
    draw_tree(screen, opened, levels)
    shown, nodes = sum(map(len, levels)), subtree_sizes(opened.tree)[node.index]
    if shown < nodes:
        screen.say(f"{shown:,} of {nodes:,} nodes; --depth {len(levels) + 1} shows more")
    else:
        screen.say(f"all {nodes:,} nodes" if nodes > 1 else "1 node")


def verify(
    book: str | None = BOOK,
    policy: bool = flag(
        "--policy",
        "Also recompute every guess by the book's policy, and prove the book's claims; takes as long as the build.",
    ),
    json: bool = JSON,
) -> None:
    """Check a book against every secret.

    Plays the book against each secret, and compares the results with the book's statistics. Proves
    claims like "no strategy is better" only with --policy. Prints a line for each check; the exit
    code is 1 if a check fails.

    Example: guessbook verify mastermind-4x6 --policy
    """
    if policy and book in CLASSES.built_in and not names_book(book):
        raise UsageError(
            f"--policy takes no value here, and there is no book {quote(book)}; name the book"
        )
    opened, path, _ = source(book)
    checks = []
    proof = prove(opened, policy)
    while check := run_interruptibly("Proving the book", partial(next, proof, None)):
        checks.append(check)
        if not json:
            print(check)
    found = verification_of(checks)
    if json:
        print_json({"path": path, **found._asdict()})
    if not found.passed:
        raise typer.Exit(1)


COMMANDS: dict[str, Callable[..., None]] = {
    "candidates": candidates,
    "explain": explain,
    "info": info,
    "rate": rate,
    "review": review,
    "share": share,
    "tree": tree,
    "verify": verify,
}
