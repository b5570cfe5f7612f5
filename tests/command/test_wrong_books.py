"""Books with wrong trees, and random input: each command ends with at most one error."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.command.test_command import COMMANDS
from tests.helpers.command import call
from tests.helpers.content import document, pack
from tests.helpers.samples import SMALL, WORD_GAME
from tests.helpers.tables import LAMP

# Every command that takes a book, except `serve`. Words in capitals are placeholders.
LINES = [
    *["info", "info --json", "verify", "verify --json", "verify --policy"],
    *["tree", "tree --depth 9 --json", "tree HISTORY", "simulate", "simulate --json"],
    *["hint HISTORY", "hint HISTORY --json", "candidates HISTORY", "share HISTORY"],
    *["explain HISTORY", "explain HISTORY GUESS --json", "explain HISTORY --pairs"],
    *["rate HISTORY GUESS", "rate HISTORY --pair GUESS SECRET", "score GUESS SECRET"],
    *["review HISTORY", "review HISTORY --secret SECRET --json", "compare BOOK", "table"],
    *["run --secret SECRET", "run --secret SECRET --secret SECRET --json"],
    *["run --secret SECRET --first-guess GUESS", "run --secret SECRET --shuffle"],
    *["bot", "solve", "solve HISTORY", "solve --boards 2", "hide", "play --daily --plain"],
    *["play --secret SECRET", "play --secret SECRET --secret SECRET --max-guesses 9"],
    *["report -o out", "export --to html -o out", "export --to python -o out"],
    *["export --to json -o out", "export --to c -o out", "export --to dot -o out"],
    *["export --to svg -o out", "export --to booklet -o out", "export --to irving -o out"],
]
TYPED = [
    *["?", "list", "rows", "undo", "no", "aside 1", "edit 1 FEEDBACK", "rate GUESS", "quit"],
    *["FEEDBACK", "GUESS=FEEDBACK", "GUESS", ":list", ":give-up", "FEEDBACK FEEDBACK", ""],
]
TRUE = [gb.build(game) for game in (SMALL, gb.Mastermind(2, 3), WORD_GAME, LAMP)]


@st.composite
def wrong_books(draw: st.DrawFn) -> gb.Book:
    """Draw a book with a valid file in which some nodes have a wrong guess or feedback."""
    content = document(draw(st.sampled_from(TRUE)))
    columns = content["tree"]
    guesses, feedbacks = (bytearray(columns[name]) for name in ("guess", "feedback"))
    nodes = st.integers(0, len(guesses) - 1)
    for node in draw(st.lists(nodes, max_size=4)):
        guesses[node] = guesses[draw(nodes)]
    for node in draw(st.lists(nodes, max_size=1)):
        feedbacks[node] = feedbacks[draw(nodes)]
    columns |= {"guess": bytes(guesses), "feedback": bytes(feedbacks)}
    try:
        return gb.open(pack(content))
    except gb.InvalidBookError:
        assume(False)
        raise


@st.composite
def asked(draw: st.DrawFn) -> tuple[gb.Book, list[str], str]:
    """Draw a book, the arguments of a command without the book, and the lines of input."""
    book = draw(wrong_books())
    guesses, secrets = (st.sampled_from(codes) for codes in (book.game.guesses, book.game.secrets))

    def feedback(guess: str) -> str:
        return str(book.game.feedback(guess, draw(secrets)))

    def filled(word: str) -> list[str]:
        guess = draw(guesses)
        if word == "HISTORY":
            return [f"{each}={feedback(each)}" for each in draw(st.lists(guesses, max_size=3))]
        names = {"GUESS": guess, "FEEDBACK": feedback(guess), "SECRET": draw(secrets)}
        for name, text in names.items():
            word = word.replace(name, text)
        return [word.replace("BOOK", "a.book")]

    arguments = [text for word in draw(st.sampled_from(LINES)).split() for text in filled(word)]
    typed = draw(st.lists(st.sampled_from(TYPED) | st.text(max_size=9), max_size=12))
    return book, arguments, "\n".join(filled(line)[0] for line in typed)


def check(book: gb.Book, arguments: list[str], typed: str) -> None:
    """Run the command, and check its exit code and its error."""
    command, *rest = arguments
    with TemporaryDirectory() as folder:
        book.save(Path(folder) / "a.book")
        result = call(command, "a.book", *rest, lines=typed, folder=Path(folder))
    event(f"exit {result.code}")
    assert result.code in (0, 1, 2, 3, 4)
    said = result.err.splitlines()
    assert len(said) <= 1
    # A failed check of `verify` is on stdout, and so is an error in JSON.
    on_stdout = command == "verify" or '{"error"' in result.out
    assert bool(result.code) == any(line.startswith("Error: ") for line in said) or on_stdout


@given(case=asked())
def test_command_on_a_wrong_tree_ends_with_at_most_one_error(
    case: tuple[gb.Book, list[str], str],
) -> None:
    check(*case)


@pytest.mark.slow
@settings(max_examples=600)
@given(case=asked())
def test_many_commands_on_wrong_trees_end_with_at_most_one_error(
    case: tuple[gb.Book, list[str], str],
) -> None:
    check(*case)


def test_tested_lines_cover_every_command_that_takes_a_book_except_serve() -> None:
    left = {*COMMANDS} - {line.split()[0] for line in LINES}
    assert left == {"build-book", "presets", "words", "import", "serve"}
