"""Export of a strategy tree as Graphviz text, which the program `dot` draws."""

from guessbook.book.games.game import called
from guessbook.book.strategy import Strategy
from guessbook.book.summary import average
from guessbook.book.tree import mean_guesses, shown_levels
from guessbook.export import Options
from guessbook.export.pictures.shapes import contrast, shade

# Without the option `depth`, the tree has at most this number of nodes, but at least two levels.
READABLE = 150
# Graphviz would replace sequences such as a backslash with N, and read `&` as the start of a character reference.
ESCAPED = str.maketrans({"&": "&amp;", "\\": "\\\\", '"': '\\"'})


def render(book: Strategy, options: Options) -> str:
    """Return the strategy tree in the language of Graphviz, `options.depth` guesses deep."""
    game, tree, known = book.game, book.tree, book.stats
    levels = shown_levels(tree, options.depth, READABLE)
    mean = mean_guesses(tree)
    title = f"{game.name}, {known.policy}: {known.secrets:,} secrets, "
    title += f"{average(known)}, {known.max_guesses} at worst"
    lines = [
        f"digraph {dot_text(game.name)} {{",
        f'  graph [rankdir=LR, nodesep=0.08, ranksep=0.9, fontname="sans-serif", labelloc=t, label={dot_text(title)}];',
        '  node [shape=box, style=filled, fontname="monospace", height=0.3, margin="0.1,0.04"];',
        '  edge [fontname="sans-serif", fontsize=10, arrowsize=0.6, color="#7b8794"];',
    ]
    for depth, level in enumerate(levels):
        for node in level:
            guess = called(game, game.guesses[tree.guess[node]])
            name = dot_text(f"{guess}  {tree.candidates[node]:,}")
            color = shade(depth + mean[node], known.max_guesses)
            style = f'label={name}, fillcolor="{color}", fontcolor="{contrast(color)}"'
            style += ", peripheries=2" * tree.is_candidate(node)
            # A dashed border means that the children of the node are left out.
            if level is levels[-1] and tree.children[node]:
                style += ', style="filled,dashed"'
            lines.append(f"  n{node} [{style}];")
    for level in levels[:-1]:
        for node in level:
            for child in range(tree.first[node], tree.first[node + 1]):
                label = dot_text(game.format_feedback(tree.feedback[child]))
                lines.append(f"  n{node} -> n{child} [label={label}];")
    return "\n".join([*lines, "}", ""])


def dot_text(text: str) -> str:
    """Return a text as a quoted string of Graphviz."""
    return f'"{text.translate(ESCAPED)}"'
