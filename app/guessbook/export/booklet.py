"""Export of a book as an HTML booklet to print, for players without a computer.

Each numbered entry has a guess and, for each answer, the number of the entry to read next or the
codes to try in turn. If outcomes are identified, the booklet is a key: the answers to the test of
entry 1 are called 1a, 1b, ..., and lead to an entry or to an outcome.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from guessbook.book.errors import UsageError
from guessbook.book.strategy import Strategy
from guessbook.book.summary import average, outcome_weights
from guessbook.book.tree import Tree
from guessbook.export import shapes
from guessbook.export.game_drawing import GameDrawing, drawing_of
from guessbook.export.page import page_without_scripts
from guessbook.play.terminal.display import display_of
from guessbook.policy.registry import in_words

STYLE = Path(__file__).with_name("booklet.css")
# This number of nodes fills about 80 pages of A4.
MAX_NODES = 10_000
NODES_A_PAGE = 125
# An entry with more rows than this limit may be split between two columns.
WHOLE = 14
# The height of a code in pixels.
SIZE = 13.0
# Widths in pixels: of the narrowest and the widest column, and of the space that a row needs in
# addition to an answer and two codes.
NARROWEST, WIDEST, BETWEEN = 150.0, 340.0, 46.0


def booklet(book: Strategy, title: str | None) -> str:
    nodes = len(book.tree)
    if nodes > MAX_NODES:
        raise UsageError(
            f"book too large for a booklet: {nodes:,} nodes, about {nodes // NODES_A_PAGE} pages "
            f"of A4, limit {MAX_NODES:,} nodes; export it as html, a page for a phone"
        )
    drawing = drawing_of(book.game)
    # A column should be wide enough for an answer and two codes.
    answer = drawing.feedback_width(SIZE) + drawing.marks_width()
    column = min(max(answer + 2 * drawing.code_width(SIZE) + BETWEEN, NARROWEST), WIDEST)
    style = STYLE.read_text("utf-8") + drawing.booklet_style()
    style += f"ol{{column-width:{shapes.short(column)}px}}"
    first = head(book, drawing) if book.tree.leaves is None else head_of_key(book, drawing)
    body = [
        f"<h1>{escape(title or book.game.name)}</h1>",
        *first,
        "<ol>",
        *entries(book, drawing),
        "</ol>",
    ]
    return page_without_scripts(book, style, body, title)


def head(book: Strategy, drawing: GameDrawing) -> list[str]:
    """Return the instructions for players as lines of HTML."""
    game = book.game
    solved = escape(game.format_feedback(game.solved))
    return [
        f"<p>{escape(display_of(game).rules())} This booklet finds every secret, with "
        f"{average(book.stats)} and {book.stats.max_guesses} at most (policy "
        f"{escape(in_words(book.policy))}).</p>",
        drawing.legend(),
        '<ul class="how">',
        "<li>Begin at <b>1</b>. Make the guess that stands beside the number.</li>",
        "<li>Find its answer in the rows below, go to the number that stands there, "
        "and make the guess beside it.</li>",
        "<li>Codes in place of a number are all that is left: guess the first one; if it is wrong, "
        "the one after <i>else</i>.</li>",
        f"<li>The answer <b>{solved}</b> ends the game. If an answer is not in the rows, it or an "
        "earlier one was wrong.</li>",
        "</ul>",
    ]


def head_of_key(book: Strategy, drawing: GameDrawing) -> list[str]:
    """Return the instructions for a key, and the share of each outcome, as lines of HTML."""
    shares = [
        f"<b>{escape(outcome)}</b> {shapes.percent(weight, book.stats.weight)}%"
        for outcome, weight in outcome_weights(book)
    ]
    return [
        f"<p>{escape(summary_of_key(book, drawing))}</p>",
        f'<p class="how">{HOW_TO_READ}</p>',
        f"<p>Outcomes: {', '.join(shares)}.</p>",
    ]


HOW_TO_READ = (
    "Begin at 1. Make the test beside the number, find its answer below, and go to the number "
    "beside the answer, until you find an outcome."
)


def summary_of_key(book: Strategy, drawing: GameDrawing) -> str:
    """Return a sentence with the size and the cost of a key."""
    known = book.stats
    return (
        f"{drawing.rules()} {average(known).capitalize()}, worst case {known.max_cost:,} "
        f"(policy {in_words(book.policy)})."
    )


def letters(number: int) -> str:
    """Return the letters for the answer with index `number`: a, b, ..., z, aa, ab, ...

    >>> letters(0), letters(25), letters(26)
    ('a', 'z', 'aa')
    """
    more, last = divmod(number, 26)
    return (letters(more - 1) if more else "") + "abcdefghijklmnopqrstuvwxyz"[last]


def key_text(book: Strategy, title: str | None) -> str:
    """Return the key of a book that identifies outcomes as plain text."""
    tree, game, numbers = book.tree, book.game, number_entries(book.tree)
    lines = [
        title or game.name,
        summary_of_key(book, drawing_of(game)),
        HOW_TO_READ,
        "",
        "Outcomes:",
    ]
    for outcome, weight in outcome_weights(book):
        lines.append(f"  {outcome}  {shapes.percent(weight, book.stats.weight)}%")
    back = {0: ""}
    for node, number in numbers.items():
        about = _in_brackets(", ".join(filter(None, [back[node], cost_of(book, node)])))
        lines += ["", f"{number}  {game.guesses[tree.guess[node]]}{about}"]
        below = range(tree.first[node], tree.first[node + 1])
        answers = [game.format_feedback(tree.feedback[child]) for child in below]
        wide = max(map(len, answers), default=0)
        for place, (child, answer) in enumerate(zip(below, answers, strict=True)):
            name = f"{number}{letters(place)}"
            goal = f"= {game.guesses[tree.guess[child]]}{_in_brackets(cost_of(book, child))}"
            if child in numbers:
                goal = f"go to {numbers[child]}"
                back[child] = f"from {name}"
            lines.append(f"  {name}  {(answer + ' ').ljust(wide + 3, '.')} {goal}")
    return "\n".join([*lines, ""])


def _in_brackets(text: str) -> str:
    return f"  ({text})" if text else ""


def cost_of(book: Strategy, node: int) -> str:
    """Return the cost of a node's test, or of all tests before its outcome; "" without costs."""
    tree, found = book.tree, book.game.identification
    if found is None or not found.priced:
        return ""
    if not tree.children[node]:
        total = found.shown(tree.path_costs[node])
        return f"total cost {total:,}" if total else ""
    return f"cost {found.shown(found.costs[tree.guess[node]]):,}"


def key(book: Strategy, title: str | None, plain: bool) -> str:
    """Return the key of a book that identifies outcomes, as HTML or as plain text."""
    if book.tree.leaves is None:
        raise UsageError(
            f"{book.game.name} cannot be exported as key, because it is not a table of outcomes; export it as booklet"
        )
    return key_text(book, title) if plain else booklet(book, title)


def entries(book: Strategy, drawing: GameDrawing) -> Iterator[str]:
    """Yield the entries of the booklet as HTML, in the order of their numbers."""
    tree, game = book.tree, book.game
    numbers = number_entries(tree)

    def draw(guess: int) -> str:
        return drawing.booklet_code(game.guesses[guess])

    back: dict[int, str] = {}

    def row(child: int, name: str) -> str:
        goal = " <i>else</i> ".join(map(draw, guesses_to_try(tree, child)))
        if cost := cost_of(book, child):
            goal += f" <small>{cost}</small>"
        if number := numbers.get(child):
            goal = f'<a href="#{number}">go to {number}</a>'
        answer = drawing.booklet_feedback(tree.feedback[child])
        if tree.leaves is not None:
            back[child] = f"from {name}"
            answer = f"<b>{name}</b> {answer}"
        return f"<div><dt>{answer}</dt><dd>{goal}</dd></div>"

    for node, number in numbers.items():
        children = range(tree.first[node], tree.first[node + 1])
        below = sorted(children, key=lambda child: drawing.booklet_order(tree.feedback[child]))
        kind = ' class="long"' if len(below) > WHOLE else ""
        # An identification key omits `candidates`, which counts copies of things.
        said = f"{tree.candidates[node]:,} left"
        if tree.leaves is not None:
            said = ", ".join(filter(None, [back.get(node), cost_of(book, node)]))
        left = f"<small>{said}</small>"
        head = f"<h2><b>{number}</b> {draw(tree.guess[node])}{left}</h2>"
        rows = [row(child, f"{number}{letters(place)}") for place, child in enumerate(below)]
        yield f'<li id="{number}"{kind}>{head}<dl>{"".join(rows)}</dl></li>'


def number_entries(tree: Tree) -> dict[int, int]:
    """Return the number of each node that has an entry: 1, 2, ... in depth-first order."""
    numbers: dict[int, int] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node == 0 or not guesses_to_try(tree, node):
            numbers[node] = len(numbers) + 1
            waiting += reversed(range(tree.first[node], tree.first[node + 1]))
    return numbers


def guesses_to_try(tree: Tree, node: int) -> list[int]:
    """Return the guesses from a node to the end if no feedback changes them, else an empty list."""
    guesses: list[int] = []
    while tree.is_candidate(node) and tree.children[node] <= 1:
        guesses.append(tree.guess[node])
        if not tree.children[node]:
            return guesses
        node = tree.first[node]
    return []
