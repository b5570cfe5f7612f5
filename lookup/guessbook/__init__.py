"""Guessbook: precomputed, exact strategies for guessing games such as Mastermind and Wordle.

Users need only `import guessbook as gb`; the subpackages are for people who extend Guessbook.

>>> import guessbook as gb
>>> book = gb.open("mastermind-4x6")
>>> book.hint(["RYGB=1,1", "RGOP=0,2"]).guess
'PYYG'
"""

# The underscores keep these modules out of the public names.
import os.path as _os_path
import sys as _sys

# Type checkers treat a variable of this name as True. Importing `typing` would take longer than all of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any as _Any

    from guessbook.book.csv_table import read_table as read_table
    from guessbook.book.errors import BuildError as BuildError
    from guessbook.book.errors import EngineError as EngineError
    from guessbook.book.errors import GuessbookError as GuessbookError
    from guessbook.book.errors import InconsistentFeedbackError as InconsistentFeedbackError
    from guessbook.book.errors import InvalidBookError as InvalidBookError
    from guessbook.book.errors import InvalidCodeError as InvalidCodeError
    from guessbook.book.errors import InvalidFeedbackError as InvalidFeedbackError
    from guessbook.book.errors import InvalidGameError as InvalidGameError
    from guessbook.book.errors import NotInBookError as NotInBookError
    from guessbook.book.errors import UsageError as UsageError
    from guessbook.book.games.codes import Mastermind as Mastermind
    from guessbook.book.games.presets import presets as presets
    from guessbook.book.games.tables import TableGame as TableGame
    from guessbook.book.games.words import WordGame as WordGame
    from guessbook.book.strategy import Node as Node
    from guessbook.book.strategy import shipped_books as shipped_books
    from guessbook.front.comparison import compare as compare
    from guessbook.front.making import build as build
    from guessbook.front.making import read_tree as read_tree
    from guessbook.lookup.book import Book as Book
    from guessbook.lookup.book import open_book as _open_book
    from guessbook.lookup.hint import Hint as Hint
    from guessbook.play.board import Board as Board
    from guessbook.play.boards import Boards as Boards
    from guessbook.play.codemaker import Adversary as Adversary
    from guessbook.play.codemaker import Codemaker as Codemaker
    from guessbook.play.session import Session as Session
    from guessbook.policy.notation import make_policy as make_policy

    open = _open_book

del TYPE_CHECKING

# In an editable installation the parts of this package lie in several folders of `sys.path`; the loop joins them.
for _folder in _sys.path:
    # An entry of `sys.path` may have any type, but the import system uses only texts.
    if isinstance(_folder, str):
        _portion = _os_path.join(_os_path.abspath(_folder), "guessbook")  # noqa: PTH100, PTH118
        if _portion not in __path__ and _os_path.isdir(_portion):  # noqa: PTH112
            __path__.append(_portion)

# The public names of this package, by the module that defines each name.
_NAMES = {
    "guessbook.book.csv_table": ["read_table"],
    "guessbook.book.errors": [
        *("BuildError", "EngineError", "GuessbookError", "InconsistentFeedbackError"),
        *("InvalidBookError", "InvalidCodeError", "InvalidFeedbackError", "InvalidGameError"),
        *("NotInBookError", "UsageError"),
    ],
    "guessbook.book.games.codes": ["Mastermind"],
    "guessbook.book.games.presets": ["presets"],
    "guessbook.book.games.tables": ["TableGame"],
    "guessbook.book.games.words": ["WordGame"],
    "guessbook.book.strategy": ["Node", "shipped_books"],
    "guessbook.front.comparison": ["compare"],
    "guessbook.front.making": ["build", "read_tree"],
    "guessbook.lookup.book": ["Book"],
    "guessbook.lookup.hint": ["Hint"],
    "guessbook.play.board": ["Board"],
    "guessbook.play.boards": ["Boards"],
    "guessbook.play.codemaker": ["Adversary", "Codemaker"],
    "guessbook.play.session": ["Session"],
    "guessbook.policy.notation": ["make_policy"],
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
# The list omits `open`, because `from guessbook import *` would replace Python's built-in `open`.
__all__ = sorted(_HOMES)
_HOMES["open"] = "guessbook.lookup.book:open_book"


def __getattr__(name: str) -> "_Any":
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, other = _HOMES[name].partition(":")
    from importlib import import_module  # An import at the top would slow down `import guessbook`.

    value = globals()[name] = getattr(import_module(module), other or name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
