"""The page docs/api.md: the public names of each package, from their docstrings, read by griffe."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from griffe import DocstringSectionKind, GriffeLoader

ROOT = Path(__file__).resolve().parent.parent
PORTIONS = ("book", "builder", "lookup")
PACKAGES = ("lookup", "play", "book", "builder", "export")
STARS = {"variadic positional": "*", "variadic keyword": "**"}
START = """\
# The library

The public names of each package, made of their docstrings. [playing.md](playing.md) shows a session
from start to end, [howto-numpy.md](howto-numpy.md) the tables as arrays, and
[embedding.md](embedding.md) what runs without Guessbook. Everything else may change from version to
version.
"""


def page() -> str:
    """The whole page."""
    # It would complain of parameters that are described together.
    logging.getLogger("griffe").setLevel(logging.ERROR)
    loader = GriffeLoader(
        search_paths=[ROOT / portion for portion in PORTIONS], docstring_parser="google"
    )
    whole: Any = loader.load("guessbook")
    loader.resolve_aliases(external=True)
    parts = [START]
    for package in PACKAGES:
        module = whole[package]
        parts.append(f"## guessbook.{package}\n\n{module.docstring.value}\n")
        # What another package offers already is told there.
        names = [name for name in module.exports if not _told(module[name], package)]
        parts += [_entry(module[name], name, "###") for name in names]
    return "\n".join(parts)


def _told(item: Any, package: str) -> bool:
    """Whether the place of another package's own names has it: errors are of the book."""
    home = item.canonical_path.split(".")[1]
    return home != package and home in PACKAGES


def _entry(item: Any, name: str, head: str) -> str:
    """A class, a function or a value: how it is called, and what its docstring says."""
    item = item.final_target if item.is_alias else item
    called = item.is_function or (item.is_class and "__init__" in item.all_members)
    text = f"{head} {name}\n\n"
    if called:
        text += f"```python\n{_signature(item, name)}\n```\n\n"
    text += _said(item)
    if item.is_class:
        for member in item.members.values():
            if _is_public(member):
                text += _entry(member, f"{name}.{member.name}", head + "#")
    return text


def _is_public(item: Any) -> bool:
    """Whether a part of a class has a heading of its own: a method or a property."""
    if item.is_alias or item.name.startswith("_") or not item.docstring:
        return False
    return item.is_function or (item.is_attribute and "property" in item.labels)


def _signature(item: Any, name: str) -> str:
    """`name(argument, other=1)`, without what Python fills in itself."""
    found: Any = item.all_members["__init__"] if item.is_class else item
    words = []
    for parameter in found.parameters:
        if parameter.name in ("self", "cls"):
            continue
        star = {"variadic positional": "*", "variadic keyword": "**"}.get(
            str(parameter.kind.value), ""
        )
        # Versions of griffe quote differently.
        value = str(parameter.default).replace("'", '"')
        default = "" if parameter.default is None or star else f"={value}"
        words.append(f"{star}{parameter.name}{default}")
    return f"{name}({', '.join(words)})"


def _said(item: Any) -> str:
    """The docstring, its sections as lists."""
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
    """One argument, attribute, result or error."""
    shown = getattr(entry, "name", "") or str(entry.annotation or "").strip("()")
    return f"- {f'`{shown}`: ' if shown else ''}{' '.join(entry.description.split())}"


def _fenced(text: str) -> str:
    """A text whose examples are fenced, so that Markdown keeps their lines."""
    blocks = []
    for block in text.strip().split("\n\n"):
        fence = block.lstrip().startswith(">>>")
        blocks.append(f"```pycon\n{block}\n```" if fence else block)
    return "\n\n".join(blocks)
