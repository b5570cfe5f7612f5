"""A form for Guessbook: the strategy tree of a book as a nested list in Markdown."""

from guessbook.book import Book
from guessbook.export import Format, Options


def render(book: Book, options: Options) -> str:
    """Return a line for each node, in the order of the tree."""
    lines = [f"# {book.game.name}, {book.metadata.policy}", ""]
    waiting = [(book.root, "", 1)]
    while waiting:
        node, answer, depth = waiting.pop()
        lines.append(f"{'  ' * (depth - 1)}- {answer}{node.guess}")
        if depth != options.depth:
            for number, child in reversed(node.children.items()):
                waiting.append((child, f"{book.game.format_feedback(number)}: ", depth + 1))
    return "\n".join(lines) + "\n"


FORM = Format(f"{__name__}:render", ".md", "the strategy tree in Markdown", ("--depth",))
