"""The public names that load more than a hint needs: games, sessions, opponents, results."""

from guessbook.book.games.attributes import read_attributes
from guessbook.book.games.codes import Mastermind, Pegs
from guessbook.book.games.presets import Preset, presets
from guessbook.book.games.table_files import read_table
from guessbook.book.games.tables import TableGame
from guessbook.book.games.words import WordGame
from guessbook.builder.progress import Progress
from guessbook.builder.tables import entropies, feedback_table, fitting
from guessbook.comparison import ComparedBook, Comparison, compare
from guessbook.export.forms import Form, Options, Text
from guessbook.play.analysis import Split
from guessbook.play.boards import Boards
from guessbook.play.explain import Alternative, Cell, Explanation
from guessbook.play.opponents import Adversary, Codemaker
from guessbook.play.pairs import PairRating
from guessbook.play.rate import Rating
from guessbook.play.review import Review, ReviewedTurn
from guessbook.play.session import Board, Row, Session
from guessbook.play.simulate import Simulation
from guessbook.play.verify import Check, Verification

__all__ = [
    "Adversary",
    "Alternative",
    "Board",
    "Boards",
    "Cell",
    "Check",
    "Codemaker",
    "ComparedBook",
    "Comparison",
    "Explanation",
    "Form",
    "Mastermind",
    "Options",
    "PairRating",
    "Pegs",
    "Preset",
    "Progress",
    "Rating",
    "Review",
    "ReviewedTurn",
    "Row",
    "Session",
    "Simulation",
    "Split",
    "TableGame",
    "Text",
    "Verification",
    "WordGame",
    "compare",
    "entropies",
    "feedback_table",
    "fitting",
    "presets",
    "read_attributes",
    "read_table",
]
