"""CSV for spreadsheets, with strings such as `=A1` escaped so that they are not formulas."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from typing import Any

from guessbook.book.errors import InvalidGameError, UsageError
from guessbook.book.file import shown_cost
from guessbook.book.games.game import Game
from guessbook.book.games.sheets import FORMULA, MAX_SHEET
from guessbook.book.games.table_files import ROLES, seems_to_have_roles
from guessbook.book.games.tables import TableGame
from guessbook.book.strategy import Strategy
from guessbook.book.tree import path_costs
from guessbook.policy.candidates import sums_of

# A book cannot be exported as CSV if its number of nodes times its depth exceeds this number: empty
# cells fill short paths up to the length of the longest path.
MAX_CELLS = 1 << 20


def line(*values: object) -> str:
    """Return a line of CSV (RFC 4180) with a newline. Strings that look like formulas are escaped.

    >>> print(line("RRYY", 4) + line("a;b", "+1+1", 42), end="")
    RRYY,4
    "a;b","'+1+1",42
    """
    texts = [value for value in values if isinstance(value, str)]
    # Some spreadsheets split unquoted strings at semicolons. If one has characters other than
    # letters and digits, all strings of the line are quoted.
    plain = all(map(str.isalnum, texts))
    # OWASP advises an apostrophe before a formula. A leading apostrophe is doubled, so that a
    # reader can tell the two apart.
    risky = (*FORMULA, "'")
    cells = [f"'{v}" if isinstance(v, str) and v.startswith(risky) else v for v in values]
    written = StringIO()
    csv.writer(
        written, quoting=csv.QUOTE_MINIMAL if plain else csv.QUOTE_NONNUMERIC, lineterminator="\n"
    ).writerow(cells)
    return written.getvalue()


def paths_csv(book: Strategy) -> str:
    """Return CSV with a row for each path through the tree.

    The row has the secret or outcome, its chance, the number of guesses or the cost, and the
    guesses with their feedbacks.
    """
    tree, game, known, nouns = book.tree, book.game, book.stats, book.stats.nouns
    cells = (len(tree) + 1) * known.max_guesses
    if cells > MAX_CELLS:
        raise UsageError(
            f"book too large for CSV: {len(tree):,} nodes, {known.max_guesses:,} {nouns.guesses} deep; "
            "export it as python"
        )
    steps = known.max_guesses - known.first_depth
    head, costs = ("outcome", "chance", "cost"), tree.path_costs
    if tree.leaves is None:
        head, costs = ("secret", "chance", "guesses"), path_costs(tree, [1] * len(game.guesses))
    columns = [
        f"{what} {step}" for step in range(1, steps + 1) for what in (nouns.guess, nouns.feedback)
    ]
    lines = [line(*head, *columns)]
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        guess = game.guesses[tree.guess[node]]
        if own := tree.found(node, 1):
            cost = shown_cost(game, costs[node] + known.first_depth)
            ends = guess, round(own / known.weight, 6), cost
            lines.append(line(*ends, *path, *[""] * (2 * steps - len(path))))
        for child in range(tree.first[node + 1] - 1, tree.first[node] - 1, -1):
            waiting.append((child, (*path, guess, game.format_feedback(tree.feedback[child]))))
    return "".join(lines)


def sheet(game: Game) -> Iterator[str]:
    """Yield lines of CSV with the feedback of each secret to each guess, for `read_table`."""
    # A table game adds guesses for secrets without a row in its table. They are left out here.
    guesses = game.guesses[: game.given] if isinstance(game, TableGame) else game.guesses
    given = {n: game.format_feedback(n) for n in range(game.feedbacks) if game.is_possible(n)}
    cells = len(guesses) * len(game.secrets)
    size = (max(map(len, given.values())) + 3) * cells
    if size > MAX_SHEET:
        raise InvalidGameError(
            f"table of {game.name} too large: {cells:,} cells, {size >> 20:,} MiB, "
            f"limit {MAX_SHEET >> 20} MiB; choose {game.smaller}"
        )
    known, weights = game.identification, game.weights
    corner = "test" if known else "guess" if isinstance(game, TableGame) else game.name
    # If labels of a table look like roles, costs and weights come first. This tells `read_table`
    # where the roles are.
    marked = known is not None and seems_to_have_roles(guesses, game.secrets)
    priced = known is not None and (marked or known.priced)
    costs = [[known.shown(cost)] for cost in known.costs] if known and priced else []
    # A guess or a secret may have the name of a role. For a guess called "weights", a row of
    # weights must come first: `read_table` uses the first row of this name. In a table of guesses,
    # this row also tells `read_table` that "cost" is a label and not a role.
    names = {*(chain(*ROLES.values()) if isinstance(game, TableGame) else ROLES["weight"])}
    labels = map(str.casefold, chain(guesses, game.secrets))
    if weights is None and (marked or not names.isdisjoint(labels)):
        weights = [1] * len(game.secrets)

    def row(label: str, cells: Iterable[object], cost: list[Any]) -> str:
        return line(label, *cost, *cells) if marked else line(label, *cells, *cost)

    yield row(corner, game.secrets, ["cost"] * priced)
    blank = [""] * priced
    if weights is not None:
        yield row("weights", weights, blank)
    if known and known.outcomes != game.secrets:
        yield row("outcome", [known.outcomes[k] for k in known.outcome_of], blank)
    of = sums_of(game, game.secrets)
    for k, guess in enumerate(guesses):
        yield row(guess, map(given.__getitem__, of.answers(guess)), costs[k] if costs else [])
