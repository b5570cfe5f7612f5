"""Export of a strategy tree in the notation of Irving (1978), which the literature uses."""

from guessbook.book.errors import UsageError
from guessbook.book.games.codes import Mastermind
from guessbook.book.irving import alphabet, cell_order
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Tree

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def irving_text(book: Strategy) -> str:
    """Return the tree as text that `guessbook import` reads.

    The layout is that of the program mastermind-strategy.
    """
    game, tree = book.game, book.tree
    if not isinstance(game, Mastermind):
        raise UsageError(
            f"{game.name} cannot be exported as irving, "
            "whose feedbacks are black and white pegs; export it as json"
        )
    own = set(game.symbols) <= set("0123456789")
    symbols = {} if own else str.maketrans(game.symbols, alphabet(game.colors))
    cells = [(game.number(*pair), "," if pair[1] else ";") for pair in cell_order(game.pegs)[:-1]]
    depths = depths_of(tree)
    labels = labels_of(game, tree, depths)
    # For each node, the text after its number of candidates.
    texts: dict[int, str] = {}
    for node in reversed(range(len(tree))):
        if depths[node] == 1 and node > 0:
            texts[node] = ""
            continue
        guess = game.guesses[tree.guess[node]].translate(symbols)
        solves = tree.is_candidate(node)
        if depths[node] <= 2:
            texts[node] = f" ({guess}{'' if solves else '*'})"
        else:
            below = ""
            for feedback, separator in cells:
                child = tree.child(node, feedback)
                cell = "0"
                if child >= 0:
                    cell = f"{tree.candidates[child]}{labels.get(child) or texts.pop(child)}"
                below += f" {cell}{separator}"
            texts[node] = f" ({guess}:{below} {int(solves)})"
    parts = [f"{label} ={texts[node]}\n\n" for node, label in labels.items()]
    return "".join([f"{tree.candidates[0]}{texts[0]}\n\n", *parts])


def depths_of(tree: Tree) -> list[int]:
    """Return for each node how many guesses its hardest candidate takes from there."""
    depths = [1] * len(tree)
    for node in reversed(range(len(tree))):
        depths[node] += max(depths[tree.first[node] : tree.first[node + 1]], default=0)
    return depths


def labels_of(game: Mastermind, tree: Tree, depths: list[int]) -> dict[int, str]:
    """Return labels for the large subtrees below the root, as a dict from node to label.

    In the text, the label A replaces its subtree, which follows in a paragraph "A = ...".
    """
    least = game.pegs * (game.pegs + 3) // 2
    children = [tree.child(0, game.number(*pair)) for pair in cell_order(game.pegs)[:-1]]
    large = [n for n in children if n > 0 and depths[n] > 2 and tree.candidates[n] >= least]
    names = [*LABELS, *(a + b for a in LABELS for b in LABELS)]
    return dict(zip(large, names, strict=False))
