"""Guessbook: precomputed, exact strategies for guessing games such as Mastermind and Wordle.

Users need only `import guessbook as gb`; the subpackages are for people who extend Guessbook.

>>> import guessbook as gb
>>> book = gb.open("mastermind-4x6")
>>> book.hint(["RYGB=1,1", "RGOP=0,2"]).guess
'PYYG'
"""

# The underscores keep these modules out of the public names.
import os.path as _os_path

# A wheel has the whole package in one folder. In a clone, the package lies in four top folders,
# found from the place of this file: no other folder is ever joined.
_here = _os_path.dirname(_os_path.abspath(__file__))  # noqa: PTH100, PTH120
if not _os_path.isdir(_os_path.join(_here, "book")):  # noqa: PTH112, PTH118
    _clone = _os_path.dirname(_os_path.dirname(_here))  # noqa: PTH120
    __path__ += [
        _os_path.join(_clone, _top, "guessbook")  # noqa: PTH118
        for _top in ("book", "builder", "lookup")
    ]

# Type checkers treat a variable of this name as True. Importing `typing` would take longer than
# all of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from guessbook.book.csv_table import read_table as read_table
    from guessbook.book.errors import BuildError as BuildError
    from guessbook.book.errors import EngineError as EngineError
    from guessbook.book.errors import GuessbookError as GuessbookError
    from guessbook.book.errors import InconsistentFeedbackError as InconsistentFeedbackError
    from guessbook.book.errors import InvalidBookError as InvalidBookError
    from guessbook.book.errors import InvalidCodeError as InvalidCodeError
    from guessbook.book.errors import InvalidFeedbackError as InvalidFeedbackError
    from guessbook.book.errors import InvalidGameError as InvalidGameError
    from guessbook.book.errors import InvalidTableError as InvalidTableError
    from guessbook.book.errors import NoStrategyError as NoStrategyError
    from guessbook.book.errors import NotInBookError as NotInBookError
    from guessbook.book.errors import UsageError as UsageError
    from guessbook.book.errors import WrongTreeError as WrongTreeError
    from guessbook.book.games.codes import Mastermind as Mastermind
    from guessbook.book.games.codes import Pegs as Pegs
    from guessbook.book.games.game import Game as Game
    from guessbook.book.games.presets import Preset as Preset
    from guessbook.book.games.presets import presets as presets
    from guessbook.book.games.tables import TableGame as TableGame
    from guessbook.book.games.words import WordGame as WordGame
    from guessbook.book.strategy import Node as Node
    from guessbook.book.strategy import Stats as Stats
    from guessbook.book.strategy import shipped_books as shipped_books
    from guessbook.builder.growth.progress import Progress as Progress
    from guessbook.export.forms import Text as Text
    from guessbook.front.comparison import ComparedBook as ComparedBook
    from guessbook.front.comparison import Comparison as Comparison
    from guessbook.front.comparison import compare as compare
    from guessbook.front.making import build as build
    from guessbook.front.making import read_tree as read_tree
    from guessbook.lookup.book import Book as Book
    from guessbook.lookup.book import open_book as _open_book
    from guessbook.lookup.hint import Hint as Hint
    from guessbook.play.analysis import Split as Split
    from guessbook.play.board import Board as Board
    from guessbook.play.boards import Boards as Boards
    from guessbook.play.boards import BoardsTurn as BoardsTurn
    from guessbook.play.codemaker import Adversary as Adversary
    from guessbook.play.codemaker import Codemaker as Codemaker
    from guessbook.play.codemaker import Score as Score
    from guessbook.play.explain import Alternative as Alternative
    from guessbook.play.explain import Cell as Cell
    from guessbook.play.explain import Explanation as Explanation
    from guessbook.play.proof import Check as Check
    from guessbook.play.proof import Verification as Verification
    from guessbook.play.rate import PairRating as PairRating
    from guessbook.play.rate import Rating as Rating
    from guessbook.play.review import Review as Review
    from guessbook.play.review import ReviewedTurn as ReviewedTurn
    from guessbook.play.rows import Row as Row
    from guessbook.play.run import Simulation as Simulation
    from guessbook.play.run import Turn as Turn
    from guessbook.play.session import Session as Session
    from guessbook.policy.notation import make_policy as make_policy
    from guessbook.policy.policy import Policy as Policy

    open = _open_book
    __all__: list[str]
else:
    # The public names of this package, by the module that defines each name.
    _NAMES = {
        "guessbook.book.csv_table": ["read_table"],
        "guessbook.book.errors": [
            "BuildError",
            "EngineError",
            "GuessbookError",
            "InconsistentFeedbackError",
            "InvalidBookError",
            "InvalidCodeError",
            "InvalidFeedbackError",
            "InvalidGameError",
            "InvalidTableError",
            "NoStrategyError",
            "NotInBookError",
            "UsageError",
            "WrongTreeError",
        ],
        "guessbook.book.games.codes": ["Mastermind", "Pegs"],
        "guessbook.book.games.game": ["Game"],
        "guessbook.book.games.presets": ["Preset", "presets"],
        "guessbook.book.games.tables": ["TableGame"],
        "guessbook.book.games.words": ["WordGame"],
        "guessbook.book.strategy": ["Node", "Stats", "shipped_books"],
        "guessbook.builder.growth.progress": ["Progress"],
        "guessbook.export.forms": ["Text"],
        "guessbook.front.comparison": ["ComparedBook", "Comparison", "compare"],
        "guessbook.front.making": ["build", "read_tree"],
        "guessbook.lookup.book": ["Book"],
        "guessbook.lookup.hint": ["Hint"],
        "guessbook.play.analysis": ["Split"],
        "guessbook.play.board": ["Board"],
        "guessbook.play.boards": ["Boards", "BoardsTurn"],
        "guessbook.play.codemaker": ["Adversary", "Codemaker", "Score"],
        "guessbook.play.explain": ["Alternative", "Cell", "Explanation"],
        "guessbook.play.proof": ["Check", "Verification"],
        "guessbook.play.rate": ["PairRating", "Rating"],
        "guessbook.play.review": ["Review", "ReviewedTurn"],
        "guessbook.play.rows": ["Row"],
        "guessbook.play.run": ["Simulation", "Turn"],
        "guessbook.play.session": ["Session"],
        "guessbook.policy.notation": ["make_policy"],
        "guessbook.policy.policy": ["Policy"],
    }
    _HOMES = {name: module for module, names in _NAMES.items() for name in names}
    # The list omits `open`: `from guessbook import *` would replace Python's built-in `open`.
    __all__ = sorted(_HOMES)
    _HOMES["open"] = "guessbook.lookup.book:open_book"

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, other = _HOMES[name].partition(":")
        # An import at the top would slow down `import guessbook`.
        from importlib import import_module

        value = globals()[name] = getattr(import_module(module), other or name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})


del TYPE_CHECKING
