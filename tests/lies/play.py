"""Everything that can be asked of a book, asked of books whose tree is not that of their game.

Run it as `python -m tests.lies.play --cases 5000`. A case is a number and can be repeated: `--first
4711 --cases 1`. Whatever the book says: it is an answer or a GuessbookError, and soon.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from guessbook.book import GuessbookError, Mastermind
from guessbook.book.summary import facts
from guessbook.book.tree import Tree
from guessbook.command.main import run as command
from guessbook.export import FORMATS, export
from guessbook.serve.question import QUESTIONS, answer, parameters
from guessbook.lookup import Book, get
from guessbook.lookup.__main__ import main as door
from guessbook.play import Board, Session
from guessbook.play.boards import Boards, boards_turns
from guessbook.play.codemaker import Adversary
from guessbook.play.proof import prove
from guessbook.play.run import simulate, turns
from guessbook.play.shuffle import random_shuffle
from tests.lies.fuzz import PATIENCE, watch
from tests.lies.seeds import Seed, seeds
from tests.lies.wrong_trees import wrong_tree

# Steps down a tree that one question may take. A game of these books takes some ten guesses, each
# of which walks from the root; to play all secrets takes the most, some thousand.
MAX_STEPS = 20_000
MAX_BYTES = 1000


class Endless(BaseException):
    """More steps than anything needs; no GuessbookError, nor anything that is caught."""


class Outcome(NamedTuple):
    """What came of a case.

    Attributes:
        outcomes: how often an answer, or an error of each kind.
        steps: the most steps down a tree that one question took.
    """

    outcomes: Counter[str]
    steps: int


@contextlib.contextmanager
def counted() -> Iterator[list[int]]:
    """Count the steps down a tree in the only value of the list. Raises Endless."""
    steps = [0]
    child = Tree.child

    def counting(tree: Tree, node: int, feedback: int) -> int:
        steps[0] += 1
        if steps[0] > MAX_STEPS:
            raise Endless(f"more than {MAX_STEPS:,} steps")
        return child(tree, node, feedback)

    with patch.object(Tree, "child", counting):
        yield steps


def small_seeds() -> list[Seed]:
    """The true books that are small enough to ask everything of them."""
    return [seed for seed in seeds() if len(seed.content) < MAX_BYTES]


def wrong_book(case: int) -> Book:
    """The book of a case."""
    chance = Random(case)
    return wrong_tree(chance.choice(small_seeds()), chance)


def ask(questions: Iterator[Callable[[], object]]) -> Outcome:
    """Ask one question after the other; each is answered, or a GuessbookError."""
    outcomes: Counter[str] = Counter()
    most = 0
    for question in questions:
        with counted() as steps:
            try:
                question()
                outcomes["answered"] += 1
            except GuessbookError as error:
                outcomes[type(error).__name__] += 1
        most = max(most, steps[0])
    return Outcome(outcomes, most)


def questions(book: Book, chance: Random) -> Iterator[Callable[[], object]]:
    """What a script can ask of a book."""
    game, secrets = book.game, list(book.game.secrets)
    yield lambda: simulate(book, secrets)
    yield lambda: list(prove(book))
    for secret in chance.sample(secrets, min(3, len(secrets))):
        pair = [secret, chance.choice(secrets)]
        first = chance.choice(game.guesses)
        yield lambda secret=secret: turns(Session(book), secret)  # type: ignore[misc]
        yield lambda secret=secret, first=first: turns(Session(book), secret, first)  # type: ignore[misc]
        yield lambda pair=pair: boards_turns(Session(book), pair)  # type: ignore[misc]
    for name, form in FORMATS.items():
        deep = {"depth": chance.choice([None, 1, 9])} if "depth" in form.options else {}
        yield lambda name=name, deep=deep: export(book, name, **deep)  # type: ignore[misc]
    yield lambda: (seen(book), [seen(node) for node in book.nodes])
    yield from asked_of_session(book, chance)
    yield from asked_of_boards(book, chance)
    yield from asked_of_board(book, chance)
    adversary = Adversary(game)
    session = Session(book)
    for _ in secrets:
        yield lambda: session.add_guess(None, adversary.answer(session.hint().guess))
        yield lambda: (adversary.reveal(), adversary.confess(), seen(adversary))
        if adversary.solved:
            break
    yield session.review


def seen(thing: object) -> list[object]:
    """All that a thing has to show: its attributes, and how it is printed or drawn."""
    attributes = [getattr(thing, name) for name in dir(type(thing)) if not name.startswith("_")]
    return [*attributes, repr(thing), getattr(thing, "_repr_html_", str)()]


def asked_of_server(book: Book, history: object, guess: str) -> None:
    """What the server answers at each of its paths."""
    for name in QUESTIONS:
        given = {"history": history, "guess": guess, "secret": book.game.secrets[0], "count": 3}
        found = answer(book, name, {key: given[key] for key in parameters(name)})
        assert found.status in (200, 422, 500), (name, found)
    facts(book)


def answered(session: Session, secret: str, chance: Random) -> tuple[str, str]:
    """A guess, by the book or not, and its feedback: true, of another secret, or the tree's own."""
    game = session.game
    node = get(session.book, session.history) if session.book else None
    if node is not None and node.children and chance.random() < 0.5:
        return node.guess, str(chance.choice(list(node.children)))
    guess = chance.choice(game.guesses)
    if chance.random() < 0.7:
        with contextlib.suppress(GuessbookError):
            guess = session.hint().guess
    told = secret if chance.random() < 0.8 else chance.choice(game.secrets)
    return guess, str(game.feedback(guess, told))


def asked_of_session(book: Book, chance: Random) -> Iterator[Callable[[], object]]:
    """Every method of a session, again and again while a game is played."""
    game = book.game
    secret = chance.choice(game.secrets)
    shuffled = isinstance(game, Mastermind) and chance.random() < 0.3
    session = Session(
        book, shuffle=random_shuffle(game, chance.randrange(99)) if shuffled else None
    )
    for _ in range(chance.randint(1, 6)):
        guess, feedback = answered(session, secret, chance)
        other = chance.choice(game.guesses)
        row = chance.randrange(len(session.rows) + 1)
        some: list[Callable[[], object]] = [
            lambda guess=guess, feedback=feedback: session.add_guess(guess, feedback),  # type: ignore[misc]
            session.hint,
            lambda: session.remaining,
            lambda: session.solved,
            lambda: (seen(session), session.candidates(), session.fresh()),
            lambda other=other: session.broken(other),  # type: ignore[misc]
            session.analysis,
            session.checked,
            session.explain,
            lambda other=other: session.explain(other),  # type: ignore[misc]
            lambda other=other: session.rate(other),  # type: ignore[misc]
            lambda other=other, guess=guess: session.rate_pair(guess, other),  # type: ignore[misc]
            session.best_pairs,
            session.review,
            lambda: session.review(secret),
            lambda other=other: session.review(other),  # type: ignore[misc]
            session.share,
            lambda other=other: session.split(other),  # type: ignore[misc]
            lambda: (book.find(session.history), book.get(session.history)),
            lambda: book.hint(session.history),
            lambda other=other: asked_of_server(book, session.history, other),  # type: ignore[misc]
            lambda feedback=feedback: session.add_guess(None, feedback),  # type: ignore[misc]
            lambda row=row: session.set_aside(row),  # type: ignore[misc]
            lambda row=row, feedback=feedback: session.edit(row, None, feedback),  # type: ignore[misc]
            session.undo,
        ]
        yield some[0]
        yield from chance.choices(some[1:], k=12)


def asked_of_boards(book: Book, chance: Random) -> Iterator[Callable[[], object]]:
    """Every method of several boards."""
    game = book.game
    secrets = [chance.choice(game.secrets) for _ in range(chance.choice([2, 2, 3]))]
    boards = Boards(Session(book), len(secrets))
    for _ in range(chance.randint(1, 6)):
        guess, feedback = answered(boards.sessions[0], secrets[0], chance)
        told = [str(game.feedback(guess, secret)) for secret in secrets]
        if chance.random() < 0.6:
            told[0] = feedback
        row = chance.randrange(3)
        yield lambda guess=guess, told=told: boards.add_guess(guess, told)  # type: ignore[misc]
        yield boards.hint
        yield lambda guess=guess: (seen(boards), boards.contradicted(), boards.broken(guess))  # type: ignore[misc]
        yield lambda row=row, told=told: boards.edit(0, row, None, told[-1])  # type: ignore[misc]
        yield lambda: (boards.hint(), boards.contradicted())
        if chance.random() < 0.3:
            yield boards.undo


def asked_of_board(book: Book, chance: Random) -> Iterator[Callable[[], object]]:
    """The board of a script, as if the book was the shipped one of its game."""
    game = book.game
    if not isinstance(game, Mastermind):
        return
    board = Board(game.pegs, game.colors, game.repeats, game.symbols)
    board._book = book
    secret = chance.choice(game.secrets)
    for _ in range(4):
        guess, feedback = answered(Session(book, board.history), secret, chance)
        yield lambda guess=guess, feedback=feedback: board.add_guess(guess, feedback)  # type: ignore[misc]
        yield lambda: (seen(board), str(board.best_next_guess()))


def commands(book: Book, path: Path, chance: Random) -> list[tuple[Any, ...]]:
    """The arguments of every command that takes a book, and the lines to type.

    What is no command of `guessbook` comes with its function.

    Args:
        book: the book.
        path: its file; others may be written beside it.
        chance: what is asked.
    """
    game = book.game
    guess, other = chance.choice(game.guesses), chance.choice(game.guesses)
    secret, second = chance.choice(game.secrets), chance.choice(game.secrets)
    session = Session(book)
    for _ in range(chance.randint(0, 4)):
        with contextlib.suppress(GuessbookError):
            made, feedback = answered(session, secret, chance)
            session.add_guess(made, feedback)
    history = [f"{row.guess}={row.feedback}" for row in session.rows]
    feedbacks = [str(game.feedback(guess, s)) for s in game.secrets]
    typed = ["?", "list", f"rate {guess}", "rows", "undo", "aside 1", f"{guess}={feedbacks[0]}"]
    typed += [f"edit 1 {feedback}" for feedback in feedbacks[:2]] + 3 * feedbacks
    lines = "\n".join(chance.choices(typed, k=20))
    guesses = "\n".join([*chance.choices([guess, other, "?", ":list"], k=9), secret, ":give-up"])
    name, out = str(path), str(path.with_suffix(".out"))
    chosen = ["--book", name]
    return [
        *[
            ([c, name, *options], "")
            for c in ("info", "verify", "tree")
            for options in ([], ["--json"])
        ],
        (["verify", name, "--policy"], ""),
        (["tree", name, "--depth", "9"], ""),
        (["tree", name, *history], ""),
        *[
            ([c, *history, *chosen, *options], "")
            for c in ("hint", "candidates", "explain", "review", "share")
            for options in ([], ["--json"])
        ],
        ([name, *history], "", door),
        (["bot", name], "\n".join([" ".join(history), "", *history, "nonsense"])),
        (["explain", *history, *chosen, guess], ""),
        (["explain", *history, *chosen, "--pairs"], ""),
        (["rate", *history, guess, *chosen], ""),
        (["score", guess, secret, *chosen], ""),
        (["rate", *history, "--pair", guess, other, *chosen], ""),
        (["review", *history, *chosen, "--secret", secret], ""),
        (["run", name, "--secret", secret], ""),
        (["run", name, "--secret", secret, "--first-guess", guess, "--json"], ""),
        (["run", name, "--secret", secret, "--shuffle", "--random-seed", "7"], ""),
        (["run", name, "--secret", secret, "--secret", second], ""),
        (["simulate", name, "-o", out, "--force"], ""),
        (["simulate", name, "--json"], ""),
        (["solve", name], lines),
        (["solve", name, *history], lines),
        (["solve", name, "--boards", "2"], lines),
        (["play", name, "--secret", secret], guesses),
        (["play", name, "--secret", secret, "--secret", second, "--max-guesses", "9"], guesses),
        (["play", name, "--daily", "--plain"], guesses),
        (["hide", name], guesses),
        (["compare", name, name], ""),
        (["report", name, "-o", out, "--force"], ""),
        *[(["export", name, "--to", form, "-o", out, "--force"], "") for form in FORMATS],
    ]


def ran(arguments: list[str], lines: str, run: Callable[[], int] = command) -> str:
    """What came of a command: its exit code, after looking at what it printed."""
    out, err = io.StringIO(), io.StringIO()
    streams = patch.multiple(sys, argv=["guessbook", *arguments], stdin=io.StringIO(lines))
    with streams, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), counted():
        code = run()
    said = err.getvalue().splitlines()
    assert code in (0, 1, 2, 3, 4), (arguments, code)
    # A failed check of `verify` is on stdout, and so is what went wrong where JSON was asked for.
    told = bool(said) or arguments[0] == "verify" or '"error"' in out.getvalue()
    assert told or not code, (arguments, code, out.getvalue())
    assert len(said) <= 1, (arguments, said)
    return f"exit {code}"


def of_commands(case: int, folder: Path) -> Counter[str]:
    """Every command, asked of the book of a case."""
    book = wrong_book(case)
    path = folder / "wrong.book"
    book.save(path)
    return Counter(ran(*asked) for asked in commands(book, path, Random(case)))


def main() -> int:
    """Print what came of a run as JSON; 1 if anything happened that must not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--every", type=int, default=20, help="each so manieth gets all commands")
    options = parser.parse_args()
    # No case needs the builder.
    sys.modules["guessbook.builder.choice"] = None  # type: ignore[assignment]
    outcomes: Counter[str] = Counter()
    faults: list[str] = []
    steps, slowest = 0, (0.0, -1)
    with tempfile.TemporaryDirectory() as folder:
        for case in range(options.first, options.first + options.cases):
            watch(PATIENCE, _bark)
            start = time.process_time()
            try:
                asked = ask(questions(wrong_book(case), Random(case)))
                outcomes += asked.outcomes
                steps = max(steps, asked.steps)
                if case % options.every == 0:
                    outcomes += of_commands(case, Path(folder))
            except (Exception, Endless):
                faults.append(f"case {case}: {traceback.format_exc(limit=-4)}")
            slowest = max(slowest, (time.process_time() - start, case))
            watch(0, _bark)
    known = {"outcomes": dict(outcomes), "most steps": steps, "slowest": slowest, "faults": faults}
    print(json.dumps(known, indent=1))
    return bool(faults)


def _bark(*_: object) -> None:
    raise Endless(f"no end after {PATIENCE} seconds")


if __name__ == "__main__":
    sys.exit(main())
