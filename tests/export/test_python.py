"""The export to Python: one small script that answers as the lookup does."""

from __future__ import annotations

import ast
import random
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guessbook.book import (
    Game,
    GuessbookError,
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    Mastermind,
    WordGame,
)
from guessbook.book.games.codes import COLORS
from guessbook.builder import build_strategy
from guessbook.export import export
from guessbook.lookup import Book, open_book
from tests.helpers.plain import entries, games, paths, plain_book, policies
from tests.helpers.samples import WORD_GAME
from tests.helpers.script import check_every_node, kinds, loaded
from tests.helpers.tables import LAMP
from tests.helpers.wordlists import whole_lists

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "embed" / "python.md"


@pytest.fixture(scope="module")
def books(small_books: dict[str, Book]) -> dict[str, Book]:
    """Books of all kinds of games."""
    return kinds(small_books)


def test_every_node_answers_as_the_lookup_does(books: dict[str, Book]) -> None:
    """Guess, number of candidates and the rest are the book's for every node, and when solved."""
    for book in books.values():
        check_every_node(book, loaded(book))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mastermind-5x8", "bulls-and-cows-4x10"])
def test_every_node_of_the_large_books(name: str) -> None:
    """The same for the larger books that ship with the package."""
    book = open_book(name)
    check_every_node(book, loaded(book))


@pytest.mark.parametrize(
    "large",
    # Each step opens the file: 300,000 times for the largest book.
    [False, pytest.param(True, marks=pytest.mark.slow)],
    ids=["small", "large"],
)
def test_uncompressed_answers_the_same(books: dict[str, Book], tmp_path: Path, large: bool) -> None:
    """A script for small devices asks for no decompression, and knows as much from its own file."""
    some = [book for book in books.values() if (len(book.tree) > 1000) == large]
    assert some
    for book in some:
        text = export(book, "python", compress=False)
        assert "zlib" not in text
        assert "deflate" not in text
        check_every_node(book, loaded(book, tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + b"\n",
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"\n", b""),
        lambda text: text[:-1],
        lambda text: text[:-102],  # a whole line
        lambda text: text[: text.index(b"\n#", 1000) + 1],  # all data: shorter than these
    ],
)
def test_a_changed_file_says_so(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    """Whoever copies a script that reads itself with other line ends, or a part, gets no guess."""
    script = loaded(open_book(), tmp_path)
    path = tmp_path / "hint.py"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match="is not as it was exported"):
        script.hint()


def test_a_history_is_a_set_in_any_notation(books: dict[str, Book]) -> None:
    """Order, repetition, case, strings or pairs: the hint is the same."""
    rng = random.Random(1)
    for book in books.values():
        script = loaded(book)
        for history in rng.sample(paths(book), min(30, len(book.tree))):
            pairs = entries(book.game, history)
            known = script.hint(pairs)
            texts = [f"{code}={feedback}" for code, feedback in pairs]
            mixed = [*texts, *pairs]
            rng.shuffle(mixed)
            assert script.hint(texts[::-1]) == script.hint(" ".join(texts)) == known
            assert script.hint(mixed) == known
            assert script.hint([text.lower() for text in texts]) == known
            assert script.hint([(tuple(code), feedback) for code, feedback in pairs]) == known
            assert script.next_guess(texts) == known[0]


def forms(game: Mastermind | WordGame, number: int) -> list[object]:
    """Ways to write a feedback."""
    if isinstance(game, WordGame):
        row = game.format_feedback(number)
        letters = "".join("byg"[int(mark)] for mark in row)
        blue = game.format_squares(number).translate({ord("🟨"): "🟦", ord("🟩"): "🟧"})
        marks = tuple(int(mark) for mark in row)
        return [row, letters, letters.upper(), game.format_squares(number), blue, marks]
    black, white = game.plain_feedback(number)
    grey = game.pegs - black - white
    if min(black, white, grey) < 0:
        return []  # a minus sign may be read as a dash between two numbers
    digits = "0" * grey + "2" * black + "1" * white
    texts = [f"{black},{white}", f" {black}, {white} ", f"{black} {white}", f"{black}b{white}w"]
    return [*texts, f"{black},{white},{grey}", digits, (black, white), (black, white, grey)]


def test_feedback_is_read_as_the_lookup_reads_it(books: dict[str, Book]) -> None:
    """Every notation gives the lookup's number, and what no secret can answer is refused."""
    for book in books.values():
        game, script = book.game, loaded(book)
        for number in range(min(game.feedbacks, 300)):
            for form in forms(game, number):  # type: ignore[arg-type]
                try:
                    known = game.parse_feedback(form)
                except InvalidFeedbackError:
                    with pytest.raises(script.HintError) as error:
                        script.parse_feedback(form)
                    assert error.value.args[1] == 2
                else:
                    assert script.parse_feedback(form) == known


@example(code="", answer="000,")
@example(code="", answer="1,,1")
@given(code=st.text("RYGryg=1,é ", max_size=5), answer=st.text("0123,BWw -=é٣", max_size=5))
def test_whatever_is_typed_means_the_same_or_nothing(code: str, answer: str) -> None:
    """What the script accepts the lookup accepts, with the same meaning."""
    game, script = Mastermind(3, 3), THREE
    exit_code = 2
    for read, known, text in (
        (script.parse_code, lambda c: game.guesses[game.parse_code(c)], code),
        (script.parse_feedback, game.parse_feedback, answer),
    ):
        try:
            meant = read(text)
        except script.HintError as error:
            exit_code = error.args[1]
        else:
            assert meant == known(text)
        assert exit_code == 2


THREE = loaded(plain_book(Mastermind(3, 3)))


def test_a_code_of_another_game_is_a_usage_error(books: dict[str, Book]) -> None:
    """A wrong length, an unknown symbol, or a symbol twice where none repeats: exit code 2."""
    wrong = {"4x6": ["RYG", "RYGX", "RYGBO", "", "RYG\x1b"], "without repeats": ["001", "01"]}
    wrong |= {"words": ["star", "", "stars"[:4] + "é"], "own symbols": ["α", "αz"]}
    for name, codes in wrong.items():
        script = loaded(books[name])
        game = books[name].game
        answer = game.format_feedback(next(filter(game.gives, range(game.feedbacks))))
        for code in codes:
            if name == "words" and len(code) == books[name].game.length:
                continue
            with pytest.raises(InvalidCodeError):
                books[name].game.parse_code(code)
            with pytest.raises(script.HintError) as error:
                script.hint([(code, answer)])
            assert error.value.args[1] == 2
            assert "\x1b" not in error.value.args[0]


@pytest.mark.parametrize("game", [Mastermind(4, 6), WORD_GAME, LAMP], ids=repr)
def test_what_was_typed_is_shortened(game: Game) -> None:
    """A long code or feedback is not repeated at full length by the message of a script."""
    script = loaded(open_book(build_strategy(game)))
    guess = game.guesses[0]
    for entry in (f"{guess}={'9' * 2000}", f"{'R' * 2000}=1,1"):
        with pytest.raises(script.HintError) as error:
            script.hint([entry])
        assert len(error.value.args[0]) < 200


@pytest.mark.parametrize("feedback", ["9,9", "3,1"])
def test_a_feedback_that_is_none_is_told_the_range(feedback: str) -> None:
    """The message says how many pegs there may be in all."""
    script = loaded(open_book("mastermind-4x6"))
    with pytest.raises(script.HintError, match="expected black,white of up to 4 pegs"):
        script.hint([f"RYGB={feedback}"])


@pytest.mark.parametrize(("pegs", "colors"), [(3, 1), (2, 2), (4, 2), (3, 3)])
def test_a_script_takes_the_feedbacks_that_the_game_gives(pegs: int, colors: int) -> None:
    """Other numbers of black and white pegs are refused, as the game refuses them."""
    game = Mastermind(pegs, colors)
    script = loaded(plain_book(game))
    for black, white in product(range(pegs + 1), repeat=2):
        if black + white <= pegs and game.gives(game.number(black, white)):
            assert script.parse_feedback((black, white)) == game.number(black, white)
        else:
            with pytest.raises(script.HintError):
                script.parse_feedback((black, white))


def test_off_book_and_inconsistent_histories_are_told_apart(books: dict[str, Book]) -> None:
    """Whatever ends with 4 fits no secret; what fits one is answered as the lookup does, or 1."""
    rng = random.Random(2)
    for book in books.values():
        game, script = book.game, loaded(book)
        for _ in range(150):
            history = [
                (code, game.format_feedback(game.feedback_number(code, rng.choice(game.secrets))))
                for code in (rng.choice([book.root.guess, *game.guesses[:3]]) for _ in range(2))
            ]
            try:
                found = script.hint(history)
            except script.HintError as error:
                refusal = error.args[1]
            else:
                hint = book.hint(history)
                assert found == (hint.guess, hint.remaining, hint.candidate, hint.solved)
                continue
            assert book.get(history) is None
            if refusal != 1:
                assert refusal == 4
                with suppress(InconsistentFeedbackError):
                    assert book.hint(history).source == "guesses"  # no secret, but a guess


def test_histories_that_the_script_does_not_know() -> None:
    """Off the book's paths it is 1, with an answer that no secret gives it is 4."""
    script = loaded(open_book("mastermind-4x6"))
    for history, code in (
        (["YYYY=0,0"], 1),  # another opening
        (["RYGB=0,0", "YYYY=0,0"], 1),  # one guess too many
        (["RYGB=4,0", "YYYY=1,0"], 1),  # the same after the end
        (["RYGB=1,1", "RYGB=1,2"], 4),  # two answers to one guess
        (["RYGB=0,0", "ROOP=4,0"], 4),  # R is not in it
    ):
        with pytest.raises(script.HintError) as error:
            script.hint(history)
        assert error.value.args[1] == code, history


def test_the_lookup_refuses_what_the_script_refuses() -> None:
    """Usage errors of the script are usage errors of the lookup."""
    book = open_book("mastermind-4x6")
    for text in ("RYGB", "RYGB=3,1", "RYGX=1,1", "RYGB=1,1=2"):
        with pytest.raises(GuessbookError):
            book.hint([text])
        with pytest.raises(ValueError, match="found"):
            loaded(book).hint([text])


def test_a_step_of_the_walk_looks_at_one_block_of_nodes(books: dict[str, Book]) -> None:
    """A hint is O(depth): each node adds up one block of the tree and its own children, no more."""
    book = books["4x6"]
    script = loaded(book)
    added: list[int] = []
    total = script.total

    def counting(column: object, start: int, end: int) -> int:
        added.append(end - start)
        return int(total(column, start, end))

    script.total = counting
    for history in paths(book):
        added.clear()
        script.hint(entries(book.game, history))
        assert sum(added) <= (len(history) + 1) * (63 + 3 + 2 * book.game.feedbacks)


def size_allowed(book: Book) -> int:
    """The most bytes that the script of a book may have."""
    return 2 * len(book.to_bytes()) + 4096


def test_a_script_is_at_most_twice_the_book_and_4_kb(books: dict[str, Book]) -> None:
    """The promise of size holds for the shipped books and for all kinds of small ones."""
    large = {name: open_book(name) for name in ("mastermind-5x8", "bulls-and-cows-4x10")}
    for name, book in {**books, **large}.items():
        assert len(export(book, "python").encode()) <= size_allowed(book), name


@given(game=games, policy=policies)
def test_small_games_keep_the_promise_of_size(game: Mastermind, policy: str) -> None:
    """The smallest books, where the code of the script weighs most, are no exception."""
    book = plain_book(game, policy)
    assert len(export(book, "python").encode()) <= size_allowed(book)


@pytest.mark.slow
def test_a_large_word_list_keeps_the_promise_of_size() -> None:
    """The book of Wordle, with every word that may be guessed, gives a script within the bounds."""
    book = open_book(build_strategy(WordGame(*whole_lists(5))))
    assert len(export(book, "python").encode()) <= size_allowed(book)
    check_every_node(book, loaded(book))


def test_symbols_beyond_the_default_are_known() -> None:
    """A game of all 36 symbols and one peg, whose book is among the smallest, works too."""
    book = plain_book(Mastermind(1, 36, symbols=COLORS))
    check_every_node(book, loaded(book))
    assert len(export(book, "python").encode()) <= size_allowed(book)


def test_the_script_is_python_3_8_and_imports_little(books: dict[str, Book]) -> None:
    """Its grammar is that of Python 3.8, and it imports four modules of the standard library."""
    for book in books.values():
        text = export(book, "python")
        tree = ast.parse(text, feature_version=(3, 8))
        asked = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        names = {
            alias.name if isinstance(node, ast.Import) else node.module
            for node in asked
            for alias in node.names
        }
        assert names <= {"binascii", "sys", "zlib", "deflate", "io", "unicodedata"}
        assert {"binascii", "sys"} <= names
        documented = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        assert all(ast.get_docstring(node) for node in documented)
        assert all(len(line) <= 100 for line in text.splitlines())


def test_the_script_says_what_it_is(books: dict[str, Book]) -> None:
    """Its head names game, policy, mean and worst, and shows a history that it answers."""
    head = export(books["4x6"], "python").split("import", 1)[0]
    assert "mastermind-4x6, entropy: 4.4151 guesses on average, at most 6" in head
    for book in books.values():
        script = loaded(book)
        example = export(book, "python").split("hint.py ")[1].split("\n")[0]
        assert script.hint(shlex.split(example))


def test_the_python_of_the_page_is_true() -> None:
    """The calls that docs/how-to/embed/python.md shows give what it says."""
    hint = loaded(open_book("mastermind-4x6"))
    lines = re.findall(r"^(hint\..*?) +# (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(lines) == 3
    for call, known in lines:
        assert eval(call, {"hint": hint}) == ast.literal_eval(known)
