"""What the commands report, as lines of text for a terminal of any width."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import TextWrapper

from guessbook.book.games.game import Game, only_one
from guessbook.book.strategy import GUESSES, TESTS, Nouns, Strategy
from guessbook.book.tree import subtree_sizes
from guessbook.play.boards import Boards
from guessbook.play.explain import Alternative, Cell, Explanation
from guessbook.play.pairs import PairRating
from guessbook.play.rate import Rating
from guessbook.play.review import Review
from guessbook.play.session import Session
from guessbook.play.terminal.display import NARROW, Part, Screen, can_show, display_of, width_of

SHOWN_CELLS = 20
# If secrets have weights, this text explains the titles of the columns.
WEIGHTED = (
    "Below, chance is the probability that the guess is the secret; largest and expected are "
    "sizes of its cells, in percent of the total weight: smaller is better."
)


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Split a string into lines of at most `width` characters, broken only between words."""
    wrapper = TextWrapper(width, indent, indent, break_long_words=False, break_on_hyphens=False)
    return wrapper.wrap(text)


def candidate_lines(session: Session) -> list[str]:
    """Return the candidates of a session as lines, with probabilities if secrets have weights."""
    found = session.game.identification
    if found is not None:
        # A thing with unknown answers has several secrets.
        thing_of = dict(zip(session.game.secrets, found.things, strict=True))
        shares: dict[str, float] = {}
        for code, chance in session.chances().items():
            shares[thing_of[code]] = shares.get(thing_of[code], 0.0) + chance
        ranked = sorted(shares.items(), key=lambda pair: -pair[1])
        return [f"{thing} {share:.1%}" for thing, share in ranked]
    if session.weight is None:
        return session.candidates()
    return [f"{code} {chance:.1%}" for code, chance in session.chances().items()]


def among_guesses_line(remaining: int) -> str:
    """Return the message that no listed secret fits, but `remaining` other guesses do."""
    fits = "1 other guess does" if remaining == 1 else f"{remaining:,} other guesses do"
    return f"No secret fits all answers, but {fits}; guesses are candidates now."


def certain_line(boards: Boards, certain: Sequence[int]) -> str:
    """Return a line about boards with one candidate each, such as "on board 1, 2 it is certain"."""
    where: dict[str, list[str]] = {}
    for board in certain:
        hint = boards.sessions[board].hint()
        only = only_one(boards.game, hint.others, hint.source == "guesses")
        where.setdefault(only, []).append(str(board + 1))
    return "; ".join([f"on board {', '.join(names)} it is {only}" for only, names in where.items()])


def broken_line(guess: str, broken: Mapping[int, str]) -> str:
    """Return a line that names each board where a guess breaks hard mode, and the broken rule."""
    where = "; ".join(f"on board {board + 1} {lack}" for board, lack in broken.items())
    return f"{guess} breaks hard mode: {where}."


def explanation_lines(found: Explanation, width: int, game: Game) -> list[str]:
    """Return an explanation as lines: the partition of the guess, and the best alternatives."""
    if game.identification is not None:
        return _test_lines(found, width)
    may = "may be the secret" if found.candidate else "cannot be the secret"
    may += f": {found.chance:.2%}" if found.chance else ""
    known = f"{found.entropy:.4f} bits expected, {found.remaining:,} possible, {may}"
    head = [
        among_guesses_line(found.remaining) if found.among_guesses else "",
        f"{game.display_name(found.guess)}: {known}",
        f"breaks hard mode: {found.breaks}" if found.breaks else "",
        "" if found.win is None else f"{found.win:.2%} to win within the guesses that are left",
    ]
    other = found.policy != found.ranked_by
    of = f"; {found.policy}, the policy itself, may guess another" if other else ""
    return [
        *[line for text in head for line in wrap(text, width)],
        "",
        *cell_lines(found.partition, width),
        *([] if found.weight is None else ["", *wrap(WEIGHTED, width)]),
        "",
        *wrap(f"best by {found.ranked_by}{of}", width),
        *alternative_lines([("", a) for a in found.alternatives], width, found.weight, game),
        "",
        "best by each policy",
        *alternative_lines([*found.best_by.items()], width, found.weight, game),
    ]


def _test_lines(found: Explanation, width: int) -> list[str]:
    """Return the explanation of a test as lines: its answers, and its alternatives with costs."""
    costly = any(test.cost != 1 for test in found.alternatives)
    wide = max([len("test"), *[len(test.guess) for test in found.alternatives]])
    title = f"{'test':<{wide}} {'bits':>7}" + (
        f" {'cost':>8} {'bits per cost':>13}" if costly else ""
    )
    lines = [
        *wrap(
            f"{found.guess}: {found.entropy:.4f} bits about the outcome, {found.remaining:,} possible",
            width,
        ),
        "",
        *cell_lines(found.partition, width, TESTS),
        "",
        *wrap(f"what each test tells about the outcome, best by {found.ranked_by}", width),
        title,
    ]
    for test in found.alternatives:
        line = f"{test.guess:<{wide}} {test.entropy:>7.4f}"
        if costly and test.cost:
            line += f" {test.cost:>8,} {test.entropy / test.cost:>13.4f}"
        lines.append(line)
    return lines


def cell_lines(cells: Sequence[Cell], width: int, nouns: Nouns = GUESSES) -> list[str]:
    """Return a table of the first 20 cells as lines, with the attributes of `Cell` as columns."""
    narrow = width < NARROW
    wide = max(8, *[len(cell.feedback) for cell in cells])
    between = separator([code for cell in cells for code in cell.examples])
    head = f"{nouns.feedback:<{wide}} {'size':>6} {'chance':>7} {'bits':>6}"
    lines = [head if narrow else f"{head} {'sum':>7}  examples"]
    for cell in cells[:SHOWN_CELLS]:
        line = f"{cell.feedback:<{wide}} {cell.size:>6,} {cell.chance:>7.2%} {cell.bits:>6.2f}"
        if not narrow:
            line += f" {cell.sum:>7.4f}  "
            texts = [between.join(cell.examples[:n]) for n in range(len(cell.examples), 0, -1)]
            line += next((text for text in texts if len(line + text) <= width), "")
        lines.append(line.rstrip())
    if len(cells) > SHOWN_CELLS:
        rest = cells[SHOWN_CELLS:]
        size = sum(cell.size for cell in rest)
        more = f"and {len(rest)} more {nouns.feedback}s for {size:,} {nouns.candidates}"
        lines += wrap(more, width)
    return lines


def part(size: float, weight: int | None, digits: int = 0) -> str:
    """Return a size as text. If `weight` is given, return the size as a percentage of `weight`.

    >>> part(1250, None), part(1250, 10_000), part(2.5, None, 2)
    ('1,250', '12.5%', '2.50')
    """
    return f"{size:,.{digits}f}" if weight is None else f"{size / weight:.{digits or 1}%}"


def alternative_lines(
    named: Sequence[tuple[str, Alternative]], width: int, weight: int | None, game: Game
) -> list[str]:
    """Return a table of guesses as lines, with bits, cells and cell sizes; `*` marks candidates.

    `named` has, for each guess, the name of the policy that prefers this guess, or "". `weight` is
    the total weight of the candidates; None if secrets have no weights.
    """
    title = "guess "
    rows = [
        (game.display_name(a.guess) + ("*" if a.candidate else " "), a, name) for name, a in named
    ]
    if weight is not None:
        wide = max(len(title), *[len(label) for label, _, _ in rows])
        title = f"{title:<{wide}} {'chance':>7}"
        rows = [(f"{label:<{wide}} {a.chance or 0.0:>7.2%}", a, name) for label, a, name in rows]
    return table_lines(title, rows, width, weight)


def table_lines(
    title: str,
    rows: Sequence[tuple[str, Alternative | PairRating, str]],
    width: int,
    weight: int | None,
) -> list[str]:
    """Return a table with a row for each guess or pair of guesses, as lines for this width."""
    # With weights, sizes are percentages. Below the title "worst", a percentage would look like a
    # chance to lose.
    largest, expected = (" worst", "expected size") if weight is None else ("largest", "expected")
    wide, cell = max(len(title), *[len(label) for label, _, _ in rows]), len(largest)
    longest = max(len(name) for _, _, name in rows)
    narrow = width < max(NARROW, wide + cell + 30 + (longest and longest + 2))
    above = width < wide + cell + 15  # whether labels are so long that each gets its own line
    if above:
        title = title.split(" ")[0]
        wide = len("guess ")
    head = f"{title:<{wide}} {'bits':>7} {'cells':>5} {largest}"
    lines = [head if narrow else f"{head} {expected:>14}"]
    for label, a, name in rows:
        if narrow and name:
            lines.append(f"{name}:")
        if above:
            lines.append(label.rstrip())
        line = f"{'' if above else label:<{wide}} {a.entropy:>7.4f} {a.cells:>5,}"
        line += f" {part(a.worst, weight):>{cell}}"
        size = part(a.expected_size, weight, 2)
        lines.append(line if narrow else f"{line} {size:>14}  {name}".rstrip())
    return lines


def rating_lines(found: Rating, game: Game) -> list[str]:
    weight, of = found.weight, "" if found.weight is None else "the weight of "
    mirror = f", a mirror image of {found.mirror}" if found.mirror else ""
    rows = [
        ("skill", f"{found.skill} of 100"),
        ("bits", f"{found.entropy:.4f} expected"),
        ("best", f"{game.display_name(found.best)}, {found.best_entropy:.4f} bits{mirror}"),
        ("rank", f"{found.rank:,} of {found.ranks:,}"),
        ("cells", f"{found.cells:,}, the largest {part(found.worst, weight)}"),
        ("size", f"{part(found.expected_size, weight, 2)} of {of}{found.remaining:,} expected"),
        ("chance", f"{found.chance:.2%} to be the secret"),
    ]
    if found.breaks:  # skill and rank compare only guesses that hard mode allows
        rows = [row for row in rows if row[0] not in {"skill", "rank"}]
        rows.insert(0, ("breaks", f"hard mode: {found.breaks}"))
    return [game.display_name(found.guess), *[f"  {name:<9} {text}" for name, text in rows]]


def pair_lines(pairs: Sequence[PairRating], width: int, game: Game) -> list[str]:
    """Return a table of pairs of guesses as lines, with bits, cells and cell sizes."""
    if not pairs:
        return ["no pairs: this game has a single guess"]
    both = [[game.display_name(guess) for guess in (pair.first, pair.second)] for pair in pairs]
    between = separator([code for codes in both for code in codes])
    rows = [(between.join(codes), pair, "") for codes, pair in zip(both, pairs, strict=True)]
    return table_lines("pair".ljust(13), rows, width, pairs[0].weight)


def review_lines(found: Review, width: int, game: Game) -> list[str]:
    """Return a review as lines: each guess, the mean skill and luck, the guesses of the policy."""
    lines: list[str] = []
    codes = [(game.display_name(g.guess), game.display_name(g.best)) for g in found.turns]
    wide = max(5, *[len(code) for pair in codes for code in pair])
    answer = max(8, *[len(g.feedback) for g in found.turns])
    narrow = width < max(NARROW, 2 * wide + answer + 40)
    if not narrow:
        lines.append(
            f"    {'guess':<{wide}} {'feedback':<{answer}} {'left':>6} {'expected':>8} "
            f"{'actual':>6} {'best':>{wide}} {'skill':>5} {'luck':>4}"
        )
    for number, (g, (guess, best)) in enumerate(zip(found.turns, codes, strict=True), 1):
        if narrow:
            lines += wrap(f"{number:>2} {guess} {g.feedback}, {g.left:,} left", width)
            lines.append(f"   bits {g.bits:.2f}, expected {g.entropy:.2f}")
            value = f"best {best} {g.best_entropy:.2f}, skill {g.skill}, luck {g.luck}"
            lines += wrap(value, width, "   ")
        else:
            lines.append(
                f"{number:>3} {guess:<{wide}} {g.feedback:<{answer}} {g.left:>6,} "
                f"{g.entropy:>8.2f} {g.bits:>6.2f} {best:>{wide}} "
                f"{g.skill:>5} {g.luck:>4}"
            )
    lines += wrap(f"skill {found.skill}, luck {found.luck} (of 100; luck 50 is the mean)", width)
    if not found.solved:
        lines.append(f"not solved, {found.remaining:,} possible")
    if found.line:
        moves = [f"{game.display_name(guess)}={feedback}" for guess, feedback in found.line]
        # A shell needs quotes around a `GUESS=FEEDBACK` that contains a blank.
        shown = " ".join([f'"{move}"' if " " in move else move for move in moves])
        lines += wrap(f"the policy takes {len(moves)}: {shown}", width)
    return lines


def separator(codes: Sequence[str]) -> str:
    """Return the separator of codes in a line: ", " if some code contains a blank, else a blank."""
    return ", " if any(" " in code for code in codes) else " "


# Prefixes of lines: for a node with later siblings, for a last sibling, and for the lines below
# each of these nodes.
BRANCHES = ("├─ ", "└─ ", "│  ", "   ")
ASCII_BRANCHES = ("|- ", "`- ", "|  ", "   ")


def draw_tree(screen: Screen, book: Strategy, levels: Sequence[range]) -> None:
    """Draw a line for each node: feedback, guess, candidates, bits, and the number of nodes below.

    The line of an outcome has an equals sign, and the probability after the candidate count.
    """
    tree, display = book.tree, display_of(book.game)
    sizes = subtree_sizes(tree)
    wide = [len(f"{max(tree.candidates[node] for node in level):,}") for level in levels]
    for node, depth, before in nodes_in_order(book, levels, branches_on(screen)):
        count = tree.candidates[node]
        line: list[Part] = [(before, "dim")]
        if depth:
            line.append((book.game.format_feedback(tree.feedback[node]) + "  ", ""))
        rest: list[Part] = [(f"  {count:>{wide[depth]},}", "bold")]
        if tree.leaves and not tree.children[node]:
            line.append(("= ", "dim"))
            rest.append((f"  {tree.weights[node] / tree.weights[0]:.2%}", "dim"))
        elif count > 1:
            rest.append((f"  {tree.information(node):.2f} bits", "dim"))
        if depth == len(levels) - 1 and sizes[node] > 1:
            rest.append((f"  +{sizes[node] - 1:,} below", "dim"))
        forms = display.drawings(screen, book.game.guesses[tree.guess[node]])
        # A line that is too wide is drawn without its last parts and, if necessary, without spaces
        # in the code.
        lines = [[*line, *code, *rest[:n]] for code in forms for n in range(len(rest), 0, -1)]
        screen.draw(next((parts for parts in lines if width_of(parts) <= screen.width), lines[-1]))


def branches_on(screen: Screen) -> tuple[str, ...]:
    """Return the prefixes of a tree: `BRANCHES`, or `ASCII_BRANCHES` if stdout cannot show them.

    They are shorter on a narrow screen.
    """
    known = BRANCHES if can_show("".join(BRANCHES)) else ASCII_BRANCHES
    return tuple([line[0] + " " for line in known]) if screen.narrow else known


def nodes_in_order(
    book: Strategy, levels: Sequence[range], lines: tuple[str, ...]
) -> Iterator[tuple[int, int, str]]:
    """Yield (node, depth, prefix) for each line of a drawn tree, in the order of the lines."""
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
