"""A sheet to print: the whole strategy as a booklet, which is followed without a computer.

Each numbered entry has a guess, and for each answer the number of the entry to go to. Where nothing
but a few codes to try one after the other is left, these stand there instead of a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from guessbook.book.errors import UsageError
from guessbook.book.facts import average
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Tree
from guessbook.export import Options
from guessbook.export.form import Form, form_of
from guessbook.export.page import digest, filled
from guessbook.export.pictures import ink
from guessbook.play.look import look_of
from guessbook.policy.notation import in_words

PAGE = Path(__file__).with_name("report.html")
STYLE = Path(__file__).with_name("booklet.css")
# About 80 pages of A4.
MAX_NODES = 10_000
NODES_A_PAGE = 125
# Rows of an entry that is never divided between two columns.
WHOLE = 14
# Pixels of a column: of the narrowest, of the widest, and of what stands between its parts.
NARROWEST, WIDEST, BETWEEN = 150.0, 340.0, 46.0


def render(book: Strategy, options: Options) -> str:
    """The booklet of a book, as HTML: the same text for the same book.

    Args:
        book: a book of at most 10,000 nodes.
        options: none of them concerns a booklet.

    Raises:
        UsageError: the book is too large to be printed.
    """
    nodes = len(book.tree)
    if nodes > MAX_NODES:
        raise UsageError(
            f"found a book of {nodes:,} nodes, some {nodes // NODES_A_PAGE} pages of A4, expected "
            f"at most {MAX_NODES:,} nodes for a sheet; export it as html, a page for a phone"
        )
    form = form_of(book.game)
    style = STYLE.read_text("utf-8") + form.printed_style()
    style += f"ol{{column-width:{ink.short(column(form))}px}}"
    allowed = f"style-src '{digest(style)}'; base-uri 'none'; form-action 'none'"
    return filled(
        PAGE.read_text("utf-8"),
        {
            "policy": escape(f"default-src 'none'; {allowed}"),
            "title": escape(f"{book.game.name}, {in_words(book.policy)}"),
            "style": style,
            "body": "\n".join([*head(book, form), "<ol>", *entries(book, form), "</ol>"]),
        },
    )


def column(form: Form) -> float:
    """How wide a column is, in pixels: an answer and two codes have room in it."""
    size = form.printed_size
    answer = form.feedback_width(size) + form.marks_width()
    return min(max(answer + 2 * form.code_width(size) + BETWEEN, NARROWEST), WIDEST)


def head(book: Strategy, form: Form) -> list[str]:
    """What the booklet is, and how it is read."""
    game = book.game
    solved = escape(game.format_feedback(game.solved))
    return [
        f"<h1>{escape(game.name)}</h1>",
        f"<p>{escape(look_of(game).rules())} This booklet finds every secret, with "
        f"{average(book.stats)} and {book.stats.max_guesses} at most (policy "
        f"{escape(in_words(book.policy))}).</p>",
        form.legend(),
        '<ul class="how">',
        "<li>Begin at <b>1</b>. Make the guess that stands beside the number.</li>",
        "<li>Find its answer in the rows below, go to the number that stands there, and make the "
        "guess beside it.</li>",
        "<li>Codes in place of a number are all that is left: guess the first one; if it is wrong, "
        "the one after <i>else</i>.</li>",
        f"<li>The answer <b>{solved}</b> ends the game. If an answer is not in the rows, it or an "
        "earlier one was wrong.</li>",
        "</ul>",
    ]


def entries(book: Strategy, form: Form) -> list[str]:
    """The entries in the order of their numbers, each as an item of a list."""
    tree, game = book.tree, book.game
    numbers = numbered(tree)

    def drawn(guess: int) -> str:
        return form.printed(game.guesses[guess])

    def row(child: int) -> str:
        goal = " <i>else</i> ".join(map(drawn, tried(tree, child)))
        if number := numbers.get(child):
            goal = f'<a href="#{number}">go to {number}</a>'
        answer = form.printed_feedback(tree.feedback[child])
        return f"<div><dt>{answer}</dt><dd>{goal}</dd></div>"

    items = []
    for node, number in numbers.items():
        below = sorted(children(tree, node), key=lambda child: form.place(tree.feedback[child]))
        kind = ' class="long"' if len(below) > WHOLE else ""
        left = f"<small>{tree.candidates[node]:,} left</small>"
        head = f"<h2><b>{number}</b> {drawn(tree.guess[node])}{left}</h2>"
        items.append(f'<li id="{number}"{kind}>{head}<dl>{"".join(map(row, below))}</dl></li>')
    return items


def numbered(tree: Tree) -> dict[int, int]:
    """The nodes that need an entry, with its number from 1: what follows a node is behind it."""
    numbers: dict[int, int] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node == 0 or not tried(tree, node):
            numbers[node] = len(numbers) + 1
            waiting += reversed(children(tree, node))
    return numbers


def children(tree: Tree, node: int) -> Sequence[int]:
    """The nodes that follow a node."""
    return range(tree.first[node], tree.first[node + 1])


def tried(tree: Tree, node: int) -> list[int]:
    """The guesses that are left to try one after the other; none if answers have to be read."""
    guesses: list[int] = []
    while tree.is_candidate(node) and tree.children[node] <= 1:
        guesses.append(tree.guess[node])
        if not tree.children[node]:
            return guesses
        node = tree.first[node]
    return []
