"""Import of published strategy trees in Irving's notation: a tree is played against every secret to make a book."""

import math
import sys
from array import array
from typing import NamedTuple

from guessbook.book.errors import InvalidBookError, InvalidCodeError, UsageError, printable, quote
from guessbook.book.file.container import IMPORTED, MAX_TEXT
from guessbook.book.file.disk import open_to_read
from guessbook.book.games.codes import COLORS, DIGITS, Mastermind
from guessbook.book.irving import (
    Path,
    Situation,
    alphabet,
    cell_order,
    error,
    missing_guess,
    parse,
    place,
)
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Columns, Tree

# Upper bound for the size of an imported text in bytes. A tree for 5 pegs and 8 colors takes about 1 % of it.
MAX_FILE = 16 << 20

# A node with at most this number of candidates may lack a guess in the text. The first candidate is then guessed.
OBVIOUS = 2


class PlayedNode(NamedTuple):
    """A node of the published tree, with the secrets that reach it when the tree is played against every secret."""

    feedback: int  # the number of the feedback to the parent's guess; 0 for the root
    said: Situation  # this node as parsed from the text
    candidates: list[str]  # the secrets that fit the history, in the order of the game
    path: Path


def read_text(name: str) -> str:
    """Return the UTF-8 text of a file, or of the standard input if the name is `-`.

    Raises UsageError if the file cannot be read, InvalidBookError if it exceeds `MAX_FILE` bytes or is not UTF-8.
    """
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        with open_to_read(name, "give a file with a strategy tree") as file:
            data = file.read(MAX_FILE + 1)
    shown = printable(name)
    if len(data) > MAX_FILE:
        raise InvalidBookError(
            f"{shown}: found more than {MAX_FILE:,} bytes, expected a smaller strategy tree"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        found = f"found 0x{problem.object[problem.start]:02x} as byte {problem.start + 1:,}, expected UTF-8"
        raise InvalidBookError(f"{shown}: {found}; save the text as UTF-8") from None


def strategy_of(text: str, symbols: str | None = None, source: str | None = None) -> Strategy:
    """Return the book of a strategy tree in Irving's notation.

    The number of secrets and the length of the first guess determine the game. If the text has no guess for one or two
    candidates, the first of these candidates is guessed.

    >>> book = strategy_of("4 (12: 1, 0, 0; 2; 1)")
    >>> book.game.symbols, book.stats.policy, book.stats.total_guesses
    ('12', 'imported', 8)

    Args:
        text: the strategy tree.
        symbols: the symbols of the book, in order. Default: the symbols of the text. They replace the text's symbols
            one by one if the text's symbols have a usual order, such as 123456 or ABCDEF. They only define the order
            if the text's symbols have no usual order, or if all are digits and the text has no other symbol.
        source: the publication of the tree, as a text for people.

    Raises:
        InvalidBookError: the text is not a complete and correct tree; the message names the line.
        UsageError: `symbols` does not fit the tree, `source` is not a short line, or an argument is not a text.
    """
    for name, given in (("tree", text), ("symbols", symbols), ("source", source)):
        if not isinstance(given, str) and (given is not None or name == "tree"):
            raise UsageError(f"found the {name} {quote(given)}, expected a text")
    policy = {"name": IMPORTED}
    if source is not None:
        if not source.isprintable() or not 0 < len(source) <= MAX_TEXT:
            expected = f"expected a line of 1 to {MAX_TEXT} characters"
            raise UsageError(f"found the source {quote(source)}, {expected}")
        policy["source"] = source
    root = parse(text)
    colors, repeats = rules_of(root)
    used: set[str] = set()
    waiting = [root]
    while waiting:
        said = waiting.pop()
        used.update(said.guess)
        waiting += said.cells or ()
    letters = alphabet_of(used, colors, symbols)
    game = Mastermind(len(root.guess), colors, repeats, letters if symbols is None else symbols)
    columns = play(game, root, str.maketrans(letters, game.symbols))
    return Strategy(game, policy, Tree(columns, len(game.guesses), game.feedbacks))


def rules_of(root: Situation) -> tuple[int, bool]:
    """Return the number of colors of the game of a tree, and whether its codes may repeat colors."""
    # Without repeated colors, the number of secrets is a product of consecutive numbers. Such a product of two or more
    # numbers is never a power (Erdős and Selfridge 1975), so at most one game has `root.size` secrets.
    pegs = len(root.guess)
    for colors in range(1, len(COLORS) + 1):
        if colors**pegs == root.size:
            return colors, True
        if math.perm(colors, pegs) == root.size:
            return colors, False
    expected = f"expected the number of a game's secrets, such as {6**pegs:,} with 6 colors"
    raise error(root.line, f"found {root.size:,} secrets of {pegs} pegs, {expected}")


def alphabet_of(used: set[str], colors: int, symbols: str | None) -> str:
    """Return all symbols that the guesses of an imported text may have, in order. The game has `colors` symbols.

    `used` are the symbols that occur in the guesses. `symbols` are the symbols that the book shall have, in order, or
    None for the symbols of the text.
    """
    if symbols is not None and used <= set(symbols) <= set(DIGITS[:10]):
        return symbols
    for letters in (alphabet(colors), DIGITS, COLORS, DIGITS[10:] + DIGITS[:10]):
        for known in (letters[:colors], letters[:colors].lower()):
            if used <= set(known):
                return known
    if symbols is not None and used <= set(symbols):
        return symbols
    expected = f"expected {colors} symbols in a known order, such as {alphabet(colors)}"
    found = f"found guesses of the symbols {quote(''.join(sorted(used)))}"
    raise UsageError(f"{found}, {expected}; give all symbols in their order")


def play(game: Mastermind, root: Situation, symbols: dict[int, int]) -> Columns:
    """Play a tree against every secret and return the columns of its nodes, breadth first.

    `symbols` maps the symbols of the text to the symbols of the game, for `str.translate`.
    """
    places = {pair: number for number, pair in enumerate(cell_order(game.pegs))}
    guesses, feedbacks, children, sizes = array("I"), array("I"), array("I"), array("I")
    level = [PlayedNode(0, root, list(game.secrets), None)]
    while level:
        below: list[PlayedNode] = []
        for node in level:
            code = node.said.guess.translate(symbols) or node.candidates[0]
            cells = cells_of_guess(game, node, code)
            check_cells(game, node, cells, places)
            cells.pop(game.solved, None)
            guesses.append(game.parse_code(code))
            feedbacks.append(node.feedback)
            children.append(len(cells))
            sizes.append(len(node.candidates))
            for feedback, cell in sorted(cells.items()):
                pair = game.plain_feedback(feedback)
                path = (node.path, node.said.guess or code, pair)
                said = Situation(len(cell), node.said.line)
                if node.said.cells:
                    said = node.said.cells[places[pair]]
                below.append(PlayedNode(feedback, said, cell, path))
        level = below
    return Columns(guesses, feedbacks, children, sizes)


def cells_of_guess(game: Mastermind, node: PlayedNode, code: str) -> dict[int, list[str]]:
    """Return the cells of a guess at a node: its candidates, grouped by feedback number."""
    try:
        game.parse_code(code)
    except InvalidCodeError as problem:  # for example a repeated symbol in a game without repeats
        raise error(node.said.line, str(problem)) from None
    cells: dict[int, list[str]] = {}
    for secret in node.candidates:
        cells.setdefault(game.feedback_number(code, secret), []).append(secret)
    if len(cells) == 1 and game.solved not in cells:
        # Reject a guess that tells nothing about the secret: with such guesses, a tree could have more than 2 nodes per
        # secret, which is the limit of a book.
        found = f"found the guess {node.said.guess} {place(node.path)}"
        raise error(
            node.said.line,
            f"{found}, which does not separate the candidates; give a guess that does",
        )
    return cells


def check_cells(
    game: Mastermind,
    node: PlayedNode,
    cells: dict[int, list[str]],
    places: dict[tuple[int, int], int],
) -> None:
    """Raise InvalidBookError if the text states a wrong number of candidates for a cell, or lacks a required guess."""
    said = node.said
    if said.cells is None:
        large = max(cells, key=lambda feedback: len(cells[feedback]))
        if len(cells[large]) > OBVIOUS:
            path = (node.path, said.guess, game.plain_feedback(large))
            wanted = f"a guess: only {OBVIOUS} or fewer candidates may lack one"
            raise missing_guess(said.line, len(cells[large]), path, wanted)
        return
    for pair, number in places.items():
        stated = said.cells[number]
        size = len(cells.get(game.number(*pair), ()))
        if stated.size != size:
            found = f"found {stated.size:,} candidates {place((node.path, said.guess, pair))}"
            raise error(stated.line, f"{found}, expected {size:,}")
