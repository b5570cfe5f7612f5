"""Import of published strategy trees in Irving's notation, which papers on Mastermind use.

A tree is parsed, then played against every secret, and becomes a book. The notation is described in
docs/how-to/embed/irving.md.
"""

from __future__ import annotations

import math
import re
import sys
from array import array
from functools import lru_cache
from typing import NamedTuple

from guessbook.book.disk import open_to_read
from guessbook.book.errors import (
    InvalidBookError,
    InvalidCodeError,
    UsageError,
    printable,
    quantity,
    quote,
)
from guessbook.book.file import IMPORTED, MAX_TEXT
from guessbook.book.games.codes import COLORS, DIGITS, MAX_PEGS, Mastermind
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Columns, Tree

# Upper bound for the levels of nested guesses. The deepest sensible tree, for one peg and 36
# colours, has 36 levels.
MAX_NESTING = 50
# Upper bound for the sum of the numbers of candidates of all nodes with a guess. This sum is about
# the total number of guesses if the tree is played against every secret.
MAX_CANDIDATES = 1 << 25
MAX_LABELS = 1000

TOKEN = re.compile(r"[0-9A-Za-z]+|[(),:;*=]|#[^\n]*|\s+|.")
# A number of candidates, and directly after it, without a blank, an optional label: the name of a
# subtree.
CELL = r"([0-9]{1,9})([A-Za-z]*)"

# The history of a node as a linked list, with the last guess and feedback first; None for the root.
Path = tuple["Path", str, tuple[int, int]] | None


class Situation(NamedTuple):
    """A node of the tree, as parsed from the notation."""

    size: int  # the number of candidates
    line: int  # the line of the text, from 1
    guess: str = ""  # the guess in the symbols of the text; empty if the text has no guess here
    cells: list[Situation] | None = (
        None  # a node per feedback, as in `cell_order`; None if the text lists no cells
    )
    label: str = ""  # the name of the subtree that replaces this node; empty if there is none


def cell_order(pegs: int) -> list[tuple[int, int]]:
    """Return the feedbacks, as (black, white) pegs, in the order of cells in the notation.

    The impossible feedback, one white peg and all others black, has no cell.

    >>> cell_order(2)
    [(0, 2), (0, 1), (0, 0), (1, 0), (2, 0)]
    """
    return [
        (black, white)
        for black in range(pegs + 1)
        for white in range(pegs - black, -1, -1)
        if (black, white) != (pegs - 1, 1)
    ]


def alphabet(colors: int) -> str:
    """Return the usual symbols of the notation, in order: the digits from 1 for up to 9 colors.

    >>> alphabet(6), alphabet(12)
    ('123456', '0123456789AB')
    """
    return DIGITS[1 : colors + 1] if colors < 10 else DIGITS[:colors]


def parse(text: str) -> Situation:
    """Parse a strategy tree and return its root.

    Raises InvalidBookError, with the line number, for an invalid text.
    """
    reader = _Reader(text)
    root = reader.situation()
    if not root.guess:
        raise error(root.line, "no guess follows the number of secrets; write it after '('")
    parts: dict[str, Situation] = {}
    while reader.token:
        if reader.token == ")":
            raise error(reader.line, "')' follows the end of the tree; remove it")
        line, label = reader.line, reader.take("a label, such as A", r"[A-Za-z]+")[0]
        reader.take("'='", "=")
        if label in parts:
            raise error(line, f"the label {label} is defined again; keep one definition")
        if len(parts) == MAX_LABELS:
            raise error(
                line, f"more than {MAX_LABELS} labels; replace some labels by their subtrees"
            )
        parts[label] = reader.plan(0, 0)
    return _resolve(root, parts)


def error(line: int, what: str) -> InvalidBookError:
    """Return an InvalidBookError whose message begins with the line number in the text."""
    return InvalidBookError(f"line {line:,}: {what}")


def missing_guess(line: int, size: int, path: Path, wanted: str) -> InvalidBookError:
    """Return the error for a node of `size` candidates that lacks its guess or its cells."""
    return error(line, f"the tree stops at the {size:,} candidates {place(path)}; write {wanted}")


def place(path: Path) -> str:
    """Return the history of a node in words, such as "after 1122=1,0" or "at the start"."""
    entries = []
    while path is not None:
        path, guess, (black, white) = path
        entries.append(f"{guess}={black},{white}")
    return f"after {' '.join(reversed(entries))}" if entries else "at the start"


class _Reader:
    """A recursive-descent parser. `token` is the next token of the text, empty at its end."""

    def __init__(self, text: str) -> None:
        self._tokens = TOKEN.finditer(text)
        self.token = ""
        self.line = 1
        self.pegs = 0  # 0 until the first guess is read
        # Most nodes are only a number, and many on one line are equal. The cache lets equal nodes
        # share memory.
        self._bare = lru_cache(1024)(Situation)
        self._advance()

    def _advance(self) -> None:
        for match in self._tokens:
            token = match[0]
            if token.isspace():
                self.line += token.count("\n")
            elif token[0] != "#":
                self.token = token
                return
        self.token = ""

    def take(self, expected: str, pattern: str) -> re.Match[str]:
        """Match the next token against a pattern, advance by one token, and return the match.

        If the token does not match, raise InvalidBookError, which asks for `expected`.
        """
        match = re.fullmatch(pattern, self.token)
        if not match:
            found = (
                f"{quote(self.token)} is out of place" if self.token else "the text ends too early"
            )
            raise error(self.line, f"{found}; write {expected}")
        self._advance()
        return match

    def situation(self, nesting: int = 0) -> Situation:
        """Read a node: its number of candidates, then a label, a guess or nothing."""
        line = self.line
        digits, label = self.take("a number of candidates of at most 9 digits", CELL).groups()
        size = int(digits)
        if self.token == "(" and not label:
            return self.plan(size, nesting)
        if not label and self.token.isalpha():
            label = self.take("a label", r"[A-Za-z]+")[0]
        if label:
            return Situation(size, line, label=label)
        return self._bare(size, line)

    def plan(self, size: int, nesting: int) -> Situation:
        """Read the guess of a node of `size` candidates in parentheses, and its cells if given."""
        line = self.line
        if nesting > MAX_NESTING:
            raise error(
                line,
                f"more than {MAX_NESTING} nested guesses; give a tree with shorter games",
            )
        self.take("'('", r"\(")
        guess = self._guess()
        if self.token in ("*", "x"):
            self._advance()
        if self.token != ":":
            self.take("':' or ')' after a guess", r"\)")
            return Situation(size, line, guess)
        row: list[Situation] = []
        groups = 0
        while self.token in (":", ";"):
            row += self._group(groups, nesting)
            groups += 1
        self._advance()
        expected = self.pegs + 1
        if groups != expected:
            raise error(line, f"{groups} groups of cells separated by ';'; write {expected}")
        last = row[-1]
        if last.size > 1 or last.guess or last.label:
            raise error(
                last.line,
                f"the cell for {self.pegs} black has size {last.size}; write 0 or 1 without a guess",
            )
        return Situation(size, line, guess, row)

    def _group(self, black: int, nesting: int) -> list[Situation]:
        """Read the cells for feedbacks with `black` black pegs, up to the next ';' or ')'."""
        wanted = max(0, self.pegs - black + 1)
        group: list[Situation] = []
        while not group or self.token == ",":
            self._advance()
            group.append(self.situation(nesting + 1))
            if len(group) > wanted:
                if not wanted:
                    groups = quantity(self.pegs + 1, "group")
                    raise error(self.line, f"a ';' after {groups} of cells; write ')' instead")
                found = f"more than {quantity(wanted, 'cell')} with {black} black"
                end = ";" if wanted > 1 else ")"
                raise error(self.line, f"{found}; end the group with {end!r}")
        if self.token not in (";", ")"):
            self.take("',', ';' or ')' after a cell", "[;)]")
        if black == self.pegs - 1:
            # Knuth also lists the impossible feedback, as a cell without candidates.
            wanted = 1
            if len(group) == 2 and group[0] == Situation(0, group[0].line):
                del group[0]
        if len(group) != wanted:
            found = f"{quantity(len(group), 'cell')} with {black} black"
            raise error(group[0].line, f"{found}; write {wanted}")
        return group

    def _guess(self) -> str:
        line = self.line
        code = self.take("a guess", r"[0-9A-Za-z]+")[0]
        # The suffix x says that some cells have two candidates. It is ignored, because the cells
        # follow from the guess.
        if code.endswith("x") and len(code) != self.pegs:
            code = code[:-1]
        if not self.pegs and 1 <= len(code) <= MAX_PEGS:
            self.pegs = len(code)
        if len(code) != self.pegs:
            wanted = self.pegs or f"1 to {MAX_PEGS}"
            raise error(
                line, f"the guess {quote(code)} is too short or too long; write {wanted} symbols"
            )
        return code


def _resolve(root: Situation, parts: dict[str, Situation]) -> Situation:
    """Replace each label by its node in `parts`, check all nodes, and return the root."""
    top, unused, total = [root], dict(parts), 0
    rows: list[tuple[list[Situation], str, Path]] = [(top, "", None)]
    pegs = len(root.guess)
    order = cell_order(pegs)
    while rows:
        row, guess, path = rows.pop()
        for number, item in enumerate(row):
            below: Path = (path, guess, order[number]) if guess else None
            if item.label:
                if item.label not in unused:
                    why = "is used twice" if item.label in parts else "has no definition"
                    raise error(
                        item.line,
                        f"the label {item.label} {why}; define it once, and use it once",
                    )
                item = row[number] = unused.pop(item.label)._replace(size=item.size)
            _check(item, below, len(order))
            total += item.size if item.guess else 0
            if total > MAX_CANDIDATES:
                raise error(
                    item.line,
                    f"more than {MAX_CANDIDATES:,} candidates in all; give a smaller tree",
                )
            if item.cells:
                rows.append((item.cells, item.guess, below))
    for label, item in unused.items():
        raise error(item.line, f"no cell refers to the label {label}; delete its definition")
    return top[0]


def _check(item: Situation, path: Path, feedbacks: int) -> None:
    """Raise InvalidBookError if a node is impossible, or lacks a required guess or its cells."""
    size = item.size
    if item.guess and not size:
        raise error(
            item.line,
            f"no candidates remain {place(path)}, so delete the guess {item.guess}",
        )
    if item.cells is not None:
        if (total := sum([cell.size for cell in item.cells])) != size:
            found = f"the cells {place(path)} have {total:,} candidates in all"
            raise error(item.line, f"{found}; correct them to {size:,}")
    elif size > (2 * feedbacks if item.guess else 2):
        wanted = f"the cells of the guess {item.guess}" if item.guess else "a guess"
        raise missing_guess(item.line, size, path, wanted)


# Upper bound for the size of an imported text in bytes. A tree for 5 pegs and 8 colours takes about
# 1 % of it.
MAX_FILE = 16 << 20

# A node with at most this number of candidates may lack a guess in the text. The first candidate is
# then guessed.
OBVIOUS = 2


class PlayedNode(NamedTuple):
    """A node of the published tree, with the secrets for which the game reaches it."""

    feedback: int  # the number of the feedback to the parent's guess; 0 for the root
    said: Situation  # this node as parsed from the text
    candidates: list[str]  # the secrets that fit the history, in the order of the game
    path: Path


def read_text(name: str) -> str:
    """Return the UTF-8 text of a file, or of the standard input if the name is `-`.

    Raises UsageError if the file cannot be read, InvalidBookError if it exceeds `MAX_FILE` bytes or
    is not UTF-8.
    """
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        with open_to_read(name, "give a file with a strategy tree") as file:
            data = file.read(MAX_FILE + 1)
    shown = printable(name)
    if len(data) > MAX_FILE:
        raise InvalidBookError(
            f"{shown}: more than {MAX_FILE:,} bytes; give a smaller strategy tree"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        found = f"byte {problem.start + 1:,} is 0x{problem.object[problem.start]:02x}, not UTF-8"
        raise InvalidBookError(f"{shown}: {found}; save the text as UTF-8") from None


def strategy_of(text: str, symbols: str | None = None, source: str | None = None) -> Strategy:
    """Return the book of a strategy tree in Irving's notation.

    The number of secrets and the length of the first guess determine the game. If the text has no
    guess for one or two candidates, the first of these candidates is guessed.

    >>> book = strategy_of("4 (12: 1, 0, 0; 2; 1)")
    >>> book.game.symbols, book.stats.policy, book.stats.total_guesses
    ('12', 'imported', 8)

    Args:
        text: the strategy tree.
        symbols: the symbols of the book, in order. Default: the symbols of the text. They define
            the order of the text's symbols if this order is not a usual one, such as 123456 or
            ABCDEF, or if they are digits and include all symbols of the text. Otherwise they
            replace the text's symbols one by one.
        source: the publication of the tree, in a line for readers.

    Raises:
        InvalidBookError: the text is not a complete and correct tree; the message names the line.
        UsageError: `symbols` does not fit the tree, `source` is not a short line, or an argument is
            not a string.
    """
    for name, given in (("tree", text), ("symbols", symbols), ("source", source)):
        if not isinstance(given, str) and (given is not None or name == "tree"):
            raise UsageError(f"{name} is {quote(given)}; pass a string")
    policy = {"name": IMPORTED}
    if source is not None:
        if not source.isprintable() or not 0 < len(source) <= MAX_TEXT:
            advice = f"give a line of 1 to {MAX_TEXT} characters"
            raise UsageError(f"the source {quote(source)} is too long or not one line; {advice}")
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
    """Return the number of colours of a tree's game, and whether its codes may repeat colours.

    Raises InvalidBookError if no game has the tree's numbers of pegs and secrets.
    """
    # Without repeated colours, the number of secrets is a product of consecutive numbers. Such a
    # product of two or more numbers is never a power (Erdős and Selfridge 1975), so at most one
    # game has `root.size` secrets.
    pegs = len(root.guess)
    for colors in range(1, len(COLORS) + 1):
        if colors**pegs == root.size:
            return colors, True
        if math.perm(colors, pegs) == root.size:
            return colors, False
    advice = f"write the number of secrets of a game, such as {6**pegs:,} with 6 colors"
    raise error(root.line, f"no game of {pegs} pegs has {root.size:,} secrets; {advice}")


def alphabet_of(used: set[str], colors: int, symbols: str | None) -> str:
    """Return the `colors` symbols that the guesses of an imported text may have, in order.

    `used` are the symbols that occur in the guesses. `symbols` are the symbols of the book, in
    order, or None for the symbols of the text. Raises UsageError if no order is known in which the
    symbols of the game include all that are used.
    """
    if symbols is not None and used <= set(symbols) <= set(DIGITS[:10]):
        return symbols
    for letters in (alphabet(colors), DIGITS, COLORS, DIGITS[10:] + DIGITS[:10]):
        for known in (letters[:colors], letters[:colors].lower()):
            if used <= set(known):
                return known
    if symbols is not None and used <= set(symbols):
        return symbols
    shown = "".join(sorted(used))
    if len(used) > colors:
        raise UsageError(
            f"the guesses have {len(used)} symbols, {quote(shown)}, and the game has {colors}; "
            "correct the guesses"
        )
    if symbols is not None:
        lacking = "".join(sorted(used - set(symbols)))
        raise UsageError(
            f"the symbols {quote(symbols)} lack {quote(lacking)}; give {colors} symbols that include {quote(shown)}"
        )
    example = (shown + "".join([c for c in COLORS if c not in used]))[:colors]
    raise UsageError(
        f"the order of the symbols {quote(shown)} is unknown; give all {colors} in order as symbols, such as {example}"
    )


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
        # Reject a guess that tells nothing about the secret: with such guesses, a tree could have
        # more than 2 nodes per secret, which is the limit of a book.
        found = f"the guess {node.said.guess} {place(node.path)} does not separate the candidates"
        raise error(node.said.line, f"{found}; give a guess that does")
    return cells


def check_cells(
    game: Mastermind,
    node: PlayedNode,
    cells: dict[int, list[str]],
    places: dict[tuple[int, int], int],
) -> None:
    """Raise InvalidBookError if the text has a wrong cell size, or lacks a required guess."""
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
            where = place((node.path, said.guess, pair))
            said_size = quantity(stated.size, "candidate")
            raise error(
                stated.line,
                f"the text has {said_size} {where}, but the game has {size:,}; write {size:,}",
            )
