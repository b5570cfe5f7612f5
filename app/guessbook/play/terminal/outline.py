"""The outline: a strategy tree as lines of text."""

from collections.abc import Iterator, Sequence

from guessbook.book.strategy import Strategy
from guessbook.book.tree import entropy, subtree_sizes
from guessbook.play.display import Part, display_of
from guessbook.play.terminal.drawing import Screen, can_show, cells_of

# Prefixes of lines: for a node with later siblings, for a last sibling, and for the lines below each of these nodes.
LINES = ("├─ ", "└─ ", "│  ", "   ")
PLAIN = ("|- ", "`- ", "|  ", "   ")


def draw_outline(screen: Screen, book: Strategy, levels: Sequence[range]) -> None:
    """Draw a line for each node of `levels`: feedback, guess, candidate count, expected bits, number of nodes below."""
    tree, display = book.tree, display_of(book.game)
    sizes = subtree_sizes(tree)
    wide = [len(f"{max(tree.candidates[node] for node in level):,}") for level in levels]
    for node, depth, before in walk(book, levels, branch_lines(screen)):
        count = tree.candidates[node]
        line: list[Part] = [(before, "dim")]
        if depth:
            line.append((book.game.format_feedback(tree.feedback[node]) + "  ", ""))
        rest: list[Part] = [(f"  {count:>{wide[depth]},}", "bold")]
        if count > 1:
            rest.append((f"  {entropy(tree.cells(node)):.2f} bits", "dim"))
        if depth == len(levels) - 1 and sizes[node] > 1:
            rest.append((f"  +{sizes[node] - 1:,} below", "dim"))
        forms = display.forms(screen, book.game.guesses[tree.guess[node]])
        # A line that is too wide is drawn without its last parts and, if necessary, without spaces in the code.
        lines = [[*line, *code, *rest[:n]] for code in forms for n in range(len(rest), 0, -1)]
        screen.draw(next((parts for parts in lines if cells_of(parts) <= screen.width), lines[-1]))


def branch_lines(screen: Screen) -> tuple[str, ...]:
    """Return prefixes that draw branches: `LINES`, or `PLAIN` if stdout lacks Unicode; shorter on a narrow screen."""
    known = LINES if can_show("".join(LINES)) else PLAIN
    return tuple([line[0] + " " for line in known]) if screen.narrow else known


def walk(
    book: Strategy, levels: Sequence[range], lines: tuple[str, ...]
) -> Iterator[tuple[int, int, str]]:
    """Yield (node, depth, prefix) for each line of the outline, in the order of the lines."""
    tree = book.tree
    fork, end, along, blank = lines
    rest = [(levels[0].start, 0, "", "")]
    while rest:
        node, depth, before, below = rest.pop()
        yield node, depth, before
        if depth + 1 == len(levels):
            continue
        last = tree.first[node + 1] - 1
        for child in range(last, tree.first[node] - 1, -1):
            more = child < last
            branch = (below + (fork if more else end), below + (along if more else blank))
            rest.append((child, depth + 1, *branch))
