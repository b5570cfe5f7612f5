"""A form for Guessbook: the strategy tree of a book as a nested list in Markdown."""

import guessbook as gb


def render(book: gb.Strategy, options: gb.Options) -> str:
    """Return a heading and a nested list of the nodes, `options.depth` guesses deep."""
    lines = [f"# {book.game.name}, {book.stats.policy}", ""]
    waiting = [(book.root, "", 1)]
    while waiting:
        node, answer, depth = waiting.pop()
        lines.append(f"{'  ' * (depth - 1)}- {answer}{node.guess}")
        if depth != options.depth:
            for feedback, child in reversed(list(node.children.items())):
                waiting.append((child, f"{feedback}: ", depth + 1))
    return "\n".join(lines) + "\n"


FORM = gb.Form(render, ".md", "the strategy tree in Markdown", ("depth",))
