"""The report about a book: an HTML page with its figures and pictures, and published results."""

import csv
from collections.abc import Sequence
from html import escape
from pathlib import Path
from shlex import quote

from guessbook.book.errors import printable
from guessbook.book.strategy import Strategy
from guessbook.book.summary import (
    claim,
    facts,
    outcome_weights,
    range_name,
    ranges_of,
    secrets_in_words,
    sum_over,
)
from guessbook.book.tree import shown_levels
from guessbook.export import shapes
from guessbook.export.comparison_chart import comparison_picture, comparison_row
from guessbook.export.game_drawing import drawing_of
from guessbook.export.page import page_without_scripts
from guessbook.export.pictures import describe, draw_tree, is_small, key, key_width, opening_tag
from guessbook.policy.registry import in_words

STYLE = Path(__file__).with_name("report.css")
PUBLISHED = Path(__file__).with_name("published.csv")
# A note for books whose secrets have weights.
WEIGHED = '<p class="note">Chances and bars are by the weights of the {}.</p>'
# The second part of the caption of a wheel, a picture of the tree as rings.
WHEEL = (
    " Each ring is one more {guess}. The width of a node shows its number of candidates, "
    "and where {end}, the rings end."
)
# The largest number of rows in the tables of second guesses and of outcomes.
LISTED = 30


def report_page(
    book: Strategy,
    source: str,
    size: int,
    others: Sequence[Strategy] = (),
    title: str | None = None,
) -> str:
    """Return the report about a book as HTML, compared with `others`, books of the same game.

    The commands in the report name the book by `source`, a path or name. `size` is the size of
    the book's file in bytes.
    """
    body = [
        f"<h1>{escape(title or book.game.name)}</h1>",
        *head(book, size),
        *outcomes(book),
        *distribution(book),
        *pictures(book),
        *second_guesses(book),
        *compare(book, others),
        *(published_table(book) if book.tree.leaves is None else []),
        *usage(book, source),
    ]
    return page_without_scripts(book, STYLE.read_text("utf-8") + shapes.STYLE, body, title)


def head(book: Strategy, size: int) -> list[str]:
    """Return the head of the report as HTML: rules, policy, first guess and figures."""
    game, known, drawing = book.game, book.stats, drawing_of(book.game)
    code, first = drawing.code_width(36), escape(game.display_name(book.root.guess))
    opens = "opens with" if known.max_guesses else "needs no test: the outcome is"
    nouns, by_weight, cost = known.nouns, ", by weight" * known.is_weighted, {}
    if book.tree.leaves is not None:
        cost = {
            f"expected cost{by_weight}": f"{known.mean_cost:,.4f}",
            "worst cost": f"{known.max_cost:,}",
        }
    figures = {
        nouns.secrets: secrets_in_words(game).split()[0],
        **cost,
        f"mean ({nouns.guesses}{by_weight})": f"{known.mean_guesses:.4f}",
        f"worst ({nouns.guesses})": f"{known.max_guesses}",
        f"total ({nouns.guesses})": f"{known.total_guesses:,}",
        "nodes": f"{known.nodes:,}",
        "size (bytes)": f"{size:,}",
    }
    boxes = "".join(f"<div><dt>{name}</dt><dd>{said}</dd></div>" for name, said in figures.items())
    return [
        f'<p class="lead">{escape(drawing.rules())} The policy is {escape(in_words(book.policy))}; '
        f"it {opens} {first}.{claim_sentence(book)}</p>",
        f'<svg class="opening" width="{shapes.short(code + 4)}" height="40" role="img" '
        f'aria-label="first {nouns.guess} {first}">',
        drawing.definitions(),
        drawing.code(book.root.guess, 2, 20, 36),
        "</svg>",
        f"<dl>{boxes}</dl>",
    ]


def claim_sentence(book: Strategy) -> str:
    """Return a sentence with the claim of the book, such as "optimal"; empty if it has none."""
    known = facts(book)
    said, what = escape(claim(known)), "mean" if "weight" in known else "total"
    what = "total cost" if "goal" in known else what
    its, of_it = f"Its {what} is", f"of its {what}:"
    if "found_within" in known:
        its, of_it = "It finds", "to find"
    if "claims" not in known:
        return f" {its} {said}." if said else ""
    return f" The file claims {of_it} {said}; <code>guessbook verify --policy</code> checks it."


def outcomes(book: Strategy) -> list[str]:
    """Return the section with the shares of the LISTED likeliest outcomes, as lines of HTML.

    It is empty if the game has no outcomes.
    """
    weights, rows = outcome_weights(book), []
    for outcome, weight in weights[:LISTED]:
        share = shapes.percent(weight, book.stats.weight)
        rows.append(
            f'<tr><td>{escape(outcome)}</td><td class="n">{share}%</td>'
            f"{bar(weight / weights[0][1], shapes.SHADES[1])}</tr>"
        )
    if not weights:
        return []
    rest = len(weights) - LISTED
    return [
        "<h2>Outcomes</h2>",
        '<div class="wide"><table>',
        '<tr><th>outcome</th><th class="n">chance</th><th>share</th></tr>',
        *rows,
        "</table></div>",
        *([f'<p class="note">and {rest:,} more, none likelier</p>'] if rest > 0 else []),
    ]


def bar(part: float, color: str) -> str:
    """Return the HTML of a table cell with a bar that fills the fraction `part` of the cell."""
    return (
        '<td class="bar"><svg viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{shapes.short(100 * part)}" height="16" fill="{color}"/></svg></td>'
    )


def distribution(book: Strategy) -> list[str]:
    """Return an HTML table with bars: for each number of guesses, how many secrets take it."""
    known, nouns, first = book.stats, book.stats.nouns, book.stats.first_depth
    shown, total = ranges_of(len(known.distribution), first), known.weight
    weights = [sum_over(known.weight_distribution, guesses, first) for guesses in shown]
    most, solved = max(weights), 0
    rows = []
    for guesses, weight in zip(shown, weights, strict=True):
        solved += weight
        count = sum_over(known.distribution, guesses, first)
        color = shapes.shade(guesses[-1] + 1 - first, len(known.distribution))
        rows.append(
            f'<tr><td class="n">{range_name(guesses)}</td><td class="n">{count:,}</td>'
            f'<td class="n">{shapes.percent(solved, total)}%</td>'
            f"{bar(max(weight / most, 0.004 if count else 0), color)}</tr>"
        )
    return [
        f"<h2>How many {nouns.guesses}</h2>",
        '<div class="wide"><table>',
        f'<tr><th class="n">{nouns.guesses}</th><th class="n">{nouns.secrets}</th>'
        '<th class="n">within</th><th>share</th></tr>',
        *rows,
        "</table></div>",
        *([WEIGHED.format(nouns.secrets)] if known.is_weighted else []),
    ]


def pictures(book: Strategy) -> list[str]:
    """Return HTML with pictures of the whole tree and, if it is large, of its first two levels."""
    first, whole = shown_levels(book.tree, 2, 0), shown_levels(book.tree, None, len(book.tree))
    chosen = [(whole, "The whole strategy tree.")]
    nouns = book.stats.nouns
    guess = nouns.guess
    if is_small(first) and not is_small(whole):
        chosen.insert(
            0, (first, f"The first {guess}, and the second one after each {nouns.feedback}.")
        )
    end = "a secret is found" if book.tree.leaves is None else "an outcome is known"
    parts = ["<h2>The strategy tree</h2>"]
    for levels, caption in chosen:
        kind, below, more = ("scroll", 12.0, "") if is_small(levels) else ("wheel", 20.0, WHEEL)
        picture = draw_tree(book, levels)
        width = key_width(picture)
        parts += [
            f'<figure class="{kind}">',
            opening_tag(width, picture.height + below + 52, caption, describe(book, levels)),
            picture.body,
            shapes.move(0, picture.height + below, key(book, width)),
            "</svg>",
            f"<figcaption>{caption}{more.format(guess=guess, end=end)}</figcaption>",
            "</figure>",
        ]
    return parts


def second_guesses(book: Strategy) -> list[str]:
    """Return an HTML table of the second guesses by feedback, the largest cell first."""
    nouns = book.stats.nouns
    children = sorted(book.root.children.items(), key=lambda pair: -pair[1].remaining)
    if not children:
        return [""]
    rows = [
        f"<tr><td>{escape(str(feedback))}</td>"
        f"<td><code>{escape(book.game.display_name(node.guess))}</code></td>"
        f'<td class="n">{node.remaining:,}</td><td class="n">{node.entropy:.2f}</td></tr>'
        for feedback, node in children[:LISTED]
    ]
    rest = len(children) - LISTED
    more = (
        f'<p class="note">and {rest:,} more, none with more {nouns.candidates}</p>'
        if rest > 0
        else ""
    )
    return [
        f"<h2>After {escape(book.root.guess)}</h2>",
        f'<p class="note">The bits are the expected information of the {nouns.feedback}.</p>',
        '<div class="wide"><table class="few">',
        f"<tr><th>{nouns.feedback}</th><th>second {nouns.guess}</th>"
        f'<th class="n">{nouns.candidates}</th><th class="n">bits</th></tr>',
        *rows,
        "</table></div>",
        more,
    ]


def compare(book: Strategy, others: Sequence[Strategy]) -> list[str]:
    """Return HTML with a picture that compares the book with others, the lowest mean last."""
    if not others:
        return [""]
    rows = [comparison_row(in_words(one.policy), one, None) for one in (*others, book)]
    rows.sort(key=lambda row: -row.get("mean_cost", row["mean_guesses"]))
    return [
        "<h2>Compared</h2>",
        '<figure class="wide">',
        comparison_picture(book.game.name, rows),
        f"<figcaption>A bar for each strategy, split by how many {book.stats.nouns.guesses} its "
        f"{book.stats.nouns.secrets} take.</figcaption>",
        "</figure>",
    ]


def published_table(book: Strategy) -> list[str]:
    """Return an HTML table of the published results and of this book, the lowest total first."""
    game, known = book.game, book.stats
    # A word game is identified by its numbers of secrets and guesses; its name has only the first.
    wanted = (game.name, str(len(game.guesses)))
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        results = [
            (int(row["total_guesses"]), 1, row["policy"], int(row["max_guesses"]), row["source"])
            for row in csv.DictReader(file)
            if (row["game"], row["guesses"]) == wanted
        ]
    title = "<h2>Published results</h2>"
    if not results:
        return [title, "<p>Guessbook knows of no published result for this game.</p>"]
    best = min(results)[0]
    own = (known.total_guesses, 0, in_words(book.policy), known.max_guesses, "this book")
    rows = []
    for total, other, policy, worst, source in sorted([own, *results]):
        mark = "" if other else ' class="here"'
        rows.append(
            f'<tr{mark}><td>{escape(policy)}</td><td class="n">{total:,}</td>'
            f'<td class="n">{total / known.secrets:.4f}</td><td class="n">{worst}</td>'
            f'<td class="n">{100 * (total - best) / best:+.2f}%</td><td>{escape(source)}</td></tr>'
        )
    note = drawing_of(game).note
    return [
        title,
        '<div class="wide"><table class="sources">',
        '<tr><th>policy</th><th class="n">total</th><th class="n">mean</th>'
        f'<th class="n">worst</th><th class="n">over {best:,}</th><th>source</th></tr>',
        *rows,
        "</table></div>",
        *([f'<p class="note">{escape(note)}</p>'] if note else []),
    ]


def usage(book: Strategy, source: str) -> list[str]:
    """Return HTML with commands that use the book."""
    name, first = quote(printable(source)), book.root
    answers = list(first.children)
    entry = quote(f"{book.game.display_name(first.guess)}={answers[0]}") + " " if answers else ""
    nouns = book.stats.nouns
    play = [(f"guessbook play {name}", "you guess")] if book.tree.leaves is None else []
    commands = [
        (f"guessbook hint {entry}--book {name}", f"what to {nouns.guess} next"),
        (f"guessbook solve {name}", "it guesses, you answer" if play else "it asks, you answer"),
        *play,
        (f"guessbook tree {name}", "the tree in the terminal"),
        (f"guessbook verify {name}", f"prove it against every {nouns.secret}"),
    ]
    wide = max(len(command) for command, _ in commands)
    text = "\n".join([f"{command:<{wide}}  # {what}" for command, what in commands])
    return ["<h2>Using it</h2>", f"<pre>{escape(text)}</pre>"]
