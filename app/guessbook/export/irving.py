"""Export of a book's strategy tree in the notation of Irving (1978), which the literature uses."""

from collections.abc import Iterator

from guessbook.book.errors import UsageError
from guessbook.book.games.codes import Mastermind
from guessbook.book.irving import alphabet, cell_order
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Tree

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def irving_text(book: Strategy) -> str:
    """Return the tree as text that `guessbook import` reads, in the layout of the program mastermind-strategy."""
    game = book.game
    if not isinstance(game, Mastermind):
        raise UsageError(
            f"found a book of {game.name}, expected a book of a code game, because "
            "Irving's notation states feedbacks as black and white pegs; export it as json"
        )
    writer = _Writer(game, book.tree)
    labels = writer.labels()
    parts = [*writer.pieces(0, labels), "\n\n"]
    for node, label in labels.items():
        parts += [f"{label} =", *writer.pieces(node, {})[1:], "\n\n"]
    return "".join(parts)


class _Writer:
    """A writer of one tree in Irving's notation."""

    def __init__(self, game: Mastermind, tree: Tree) -> None:
        self.game = game
        self.tree = tree
        # The depth of a node: the number of guesses for its hardest candidate, including the guess of the node.
        self.depth = [1] * len(tree)
        for node in range(len(tree) - 1, -1, -1):
            children = self.depth[tree.first[node] : tree.first[node + 1]]
            self.depth[node] += max(children, default=0)
        own = set(game.symbols) <= set("0123456789")
        self.symbols = {} if own else str.maketrans(game.symbols, alphabet(game.colors))
        self.cells = [
            (game.number(*pair), "," if pair[1] else ";") for pair in cell_order(game.pegs)[:-1]
        ]

    def labels(self) -> dict[int, str]:
        """Return labels that replace large subtrees, by node. The subtree A follows in a paragraph "A = ..."."""
        sizes, least = self.tree.candidates, self.game.pegs * (self.game.pegs + 3) // 2
        children = [self.tree.child(0, feedback) for feedback, _ in self.cells]
        large = [n for n in children if n > 0 and self.depth[n] > 2 and sizes[n] >= least]
        names = [*LABELS, *(a + b for a in LABELS for b in LABELS)]
        return dict(zip(large, names, strict=False))

    def pieces(self, start: int, labels: dict[int, str]) -> list[str]:
        """Return the texts of a subtree: its number of candidates; then its label, if any, else guess and children."""
        pieces: list[str] = []
        waiting: list[int | str] = [start]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                pieces.append(item)
            else:
                rest = [labels[item]] if item in labels else self._rest(item)
                waiting += reversed([str(self.tree.candidates[item]), *rest])
        return pieces

    def _rest(self, node: int) -> Iterator[int | str]:
        """Yield the parts of a node's text that follow its number of candidates; for a child, its index in the tree."""
        tree = self.tree
        if self.depth[node] == 1 and node > 0:
            return
        code = self.game.guesses[tree.guess[node]].translate(self.symbols)
        solves = tree.is_candidate(node)
        if self.depth[node] <= 2:
            yield f" ({code}{'' if solves else '*'})"
            return
        yield f" ({code}:"
        for feedback, separator in self.cells:
            child = tree.child(node, feedback)
            yield " "
            yield child if child >= 0 else "0"
            yield separator
        yield f" {int(solves)})"
