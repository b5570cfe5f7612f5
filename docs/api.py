"""Generate docs/reference/api.md: the public names, grouped by task."""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from griffe import DocstringReturn, DocstringSectionKind, GriffeLoader

import guessbook as gb

__all__ = ["FRONT", "NAMES", "page"]

ROOT = Path(__file__).resolve().parent.parent
PORTIONS = ("app", "book", "builder", "lookup")
START = """\
# The library

With `import guessbook as gb` you can do what the command does: get hints, play, build, compare and
export. Most sections below begin with an example that you can run. Most results are named tuples,
which cannot be changed; this page lists their types for type hints. [Extend](#extend) is for your
own policies, games and forms. [Playing](../how-to/playing.md#in-python) shows a session,
[arrays](../how-to/numpy.md) feedbacks and entropies as arrays, and
[embedding](../how-to/embedding.md) what runs without Guessbook. Names that this page does not list
may change from version to version.
"""

# The sections of the page: title, text with an example, and public names.
FRONT: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Open",
        """\
>>> import guessbook as gb
>>> book = gb.open("mastermind-4x6")
>>> book
<Book mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>
>>> book.stats.total_guesses, book.policy
(5722, {'name': 'entropy'})
>>> gb.shipped_books()[-1]
'mastermind-5x8'""",
        ("open", "shipped_books", "Stats"),
    ),
    (
        "Ask",
        """\
>>> history = [("RYGB", "1,1"), ("RGOP", "0,2")]
>>> hint = book.hint(history)
>>> hint.guess, hint.remaining
('PYYG', 57)
>>> book.rate(history, "YYYY").skill
44
>>> book.candidates("RYGB=1,1 RGOP=0,2 PYYG=2,1")
['GYYO', 'GYPG', 'PYRY']

Nodes lead through the tree step by step:

>>> book.root.child("1,1").guess
'RGOP'""",
        (
            "Book",
            "Hint",
            "Node",
            "Explanation",
            "Cell",
            "Alternative",
            "Rating",
            "Verification",
            "Check",
            "Simulation",
            "Text",
        ),
    ),
    (
        "Play",
        """\
>>> session = gb.Session("mastermind-4x6")
>>> codemaker = gb.Codemaker("mastermind-4x6", "PYRO")
>>> while not session.solved:
...     guess = session.hint().guess
...     session.add_guess(guess, codemaker.answer(guess))
>>> session
<Session mastermind-4x6: RYGB=1,1 RGOP=0,3 YPGO=1,2 PYRO=4,0>
>>> session.review()
<Review of 4 guesses: skill 100, luck 57, solved>""",
        (
            "Session",
            "Boards",
            "Board",
            "Codemaker",
            "Adversary",
            "Row",
            "PairRating",
            "Split",
            "Review",
            "ReviewedTurn",
        ),
    ),
    (
        "Build",
        """\
>>> built = gb.build("bagels", "parts")
>>> built.hint("012=0,1").guess
'134'
>>> game = gb.WordGame(["crane", "slate", "night"], ["abbey"])
>>> gb.build(game, "rollout", width=5).simulate()
<Simulation of 3 games: 1.6667 guesses on average, 2 at most>""",
        (
            "build",
            "make_policy",
            "presets",
            "Mastermind",
            "WordGame",
            "TableGame",
            "read_table",
            "read_attributes",
            "read_tree",
            "Pegs",
            "Preset",
            "Progress",
        ),
    ),
    (
        "Compare",
        """\
>>> print(gb.compare(["entropy", "parts"], "mastermind-3x4").title)
mastermind-3x4: 64 secrets""",
        ("compare", "Comparison", "ComparedBook"),
    ),
    (
        "Arrays",
        """\
>>> gb.feedback_table(gb.Mastermind(2, 3)).shape
(9, 9)""",
        ("feedback_table", "entropies", "fitting"),
    ),
    (
        "Extend",
        """\
[Extending](../how-to/extending.md) shows how to add a policy, a game, a preset and a form;
[How it works](../explanation/how-it-works.md) leads through the code.""",
        ("Game", "Policy", "Form", "Options", "Strategy", "parse_history"),
    ),
    (
        "Errors",
        """\
>>> try:
...     book.hint("RYGB=4,0 YYYY=4,0")
... except gb.GuessbookError as error:
...     print(type(error).__name__)
InconsistentFeedbackError""",
        (
            "GuessbookError",
            "UsageError",
            "InvalidGameError",
            "InvalidTableError",
            "InvalidCodeError",
            "InvalidFeedbackError",
            "InconsistentFeedbackError",
            "NotInBookError",
            "InvalidBookError",
            "WrongTreeError",
            "BuildError",
            "NoStrategyError",
            "EngineError",
        ),
    ),
)

# All public names, in the order of the page.
NAMES = [name for _, _, names in FRONT for name in names]


def page() -> str:
    # griffe would warn about parameters that are documented together.
    logging.getLogger("griffe").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        # Put all portions into one folder, as in a wheel.
        for portion in PORTIONS:
            shutil.copytree(
                ROOT / portion / "guessbook",
                Path(folder) / "guessbook",
                ignore=shutil.ignore_patterns("*.so", "*.c", "*.h", "*.js", "__pycache__"),
                dirs_exist_ok=True,
            )
        loader = GriffeLoader(search_paths=[folder], docstring_parser="google")
        whole: Any = loader.load("guessbook")
        loader.resolve_aliases(external=True)
        return "\n".join([START, *_front(whole)])


def _front(whole: Any) -> list[str]:
    parts = []
    for title, example, names in FRONT:
        parts.append(f"## {title}\n\n{_fenced(example)}\n")
        for name in names:
            item = whole[_home(name).removeprefix("guessbook.")]
            parts.append(_through_front(_entry(item, f"gb.{name}", "###")))
    return parts


def _home(name: str) -> str:
    """The full name of a definition, such as `guessbook.front.open_book` for `open`."""
    value: Any = getattr(gb, name)
    return f"{value.__module__}.{value.__name__}"


def _through_front(text: str) -> str:
    """Rewrite examples with public names: `gb.open` instead of `open_book`, without its import."""
    names = {_home(name).rpartition(".")[2]: name for name in NAMES}
    called = re.compile(rf"(?<![\w.])({'|'.join(names)})(?=\()")
    lines = []
    for line in text.split("\n"):
        if line.startswith((">>> from guessbook", "... from guessbook")):
            continue
        if line.startswith((">>> ", "... ")):
            line = called.sub(lambda found: f"gb.{names[found[0]]}", line)
        lines.append(line)
    return "\n".join(lines)


def _entry(item: Any, name: str, head: str) -> str:
    """Document a class, a function or a value by its signature and its docstring."""
    item = item.final_target if item.is_alias else item
    called = item.is_function or (item.is_class and "__init__" in item.all_members)
    text = f"{head} {name}\n\n"
    if called:
        text += f"```python\n{_signature(item, name)}\n```\n\n"
    text += _said(item)
    if item.is_class:
        inherited = [member.final_target for member in item.inherited_members.values()]
        # `Board` inherits from `Session`, whose section lists these methods.
        inherited = [member for member in inherited if member.parent.name != "Session"]
        for member in [*item.members.values(), *inherited]:
            if _is_public(member):
                text += _entry(member, f"{name}.{member.name}", head + "#")
    return text


def _is_public(item: Any) -> bool:
    """Whether a member gets its own heading: public methods and properties with docstrings do."""
    if item.is_alias or item.name.startswith("_") or not item.docstring:
        return False
    return item.is_function or (item.is_attribute and "property" in item.labels)


def _signature(item: Any, name: str) -> str:
    """The signature as `name(argument, other=1)`, without `self` and type hints."""
    found: Any = item.all_members["__init__"] if item.is_class else item
    words: list[str] = []
    before = ""  # the kind of the parameter before
    for parameter in found.parameters:
        if parameter.name in ("self", "cls"):
            continue
        kind = str(parameter.kind.value)
        if before == "positional-only" != kind:
            words.append("/")
        if kind == "keyword-only" and before not in (kind, "variadic positional"):
            words.append("*")
        before = kind
        star = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        # Versions of griffe quote differently.
        value = str(parameter.default).replace("'", '"')
        default = "" if parameter.default is None or star else f"={value}"
        words.append(f"{star}{parameter.name}{default}")
    return f"{name}({', '.join(words)})"


def _said(item: Any) -> str:
    """The docstring as Markdown, with its sections as lists."""
    if not item.docstring:
        return ""
    parts = []
    for section in item.docstring.parse("google"):
        if section.kind is DocstringSectionKind.text:
            parts.append(_fenced(section.value))
        elif section.kind is DocstringSectionKind.examples:
            parts.append(_fenced("\n\n".join(text for _, text in section.value)))
        elif isinstance(section.value, list):
            rows = [_row(entry) for entry in section.value]
            parts.append(f"*{section.kind.value.title()}*\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n\n"


def _row(entry: Any) -> str:
    """The list item for one argument, attribute, result or error."""
    shown = getattr(entry, "name", "")
    if not shown and not isinstance(entry, DocstringReturn):
        shown = str(entry.annotation or "").strip("()")
    return f"- {f'`{shown}`: ' if shown else ''}{' '.join(entry.description.split())}"


def _fenced(text: str) -> str:
    """Put the examples in a docstring into fenced blocks."""
    blocks = []
    for block in text.strip().split("\n\n"):
        fence = block.lstrip().startswith(">>>")
        blocks.append(f"```pycon\n{block}\n```" if fence else block)
    return "\n\n".join(blocks)
