"""Table files: their rows and columns with tests, things, outcomes, weights and costs."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from guessbook.book.errors import (
    InvalidGameError,
    InvalidTableError,
    UsageError,
    did_you_mean,
    quantity,
    quote,
)
from guessbook.book.games.identification import UNKNOWN
from guessbook.book.games.sheets import Sheet, read_sheet
from guessbook.book.games.tables import Row, TableGame, as_row, share_labels
from guessbook.book.games.weights import Weight, exact

Orientation = Literal["rows", "columns"]
T = TypeVar("T")

# Headers of rows and columns with a role. An outcome and a weight belong to a thing, a cost belongs
# to a test.
ROLES = {
    "outcome": ("outcome", "outcomes"),
    "weight": ("weight", "weights"),
    "cost": ("cost", "costs"),
}
MEANINGS = {
    "outcome": "the outcome of each thing",
    "weight": "the weight of each thing",
    "cost": "the cost of each test",
}
# The top left cell, and the first labels of the columns and rows, of a sheet that marks its roles.
MARKED = ("test", "cost", "weights")
# The top left cell, and the first label of the rows, of such a sheet of guesses.
MARKED_GUESSES = ("guess", "weights")
# This name, given for a role, says that no row or column has the role.
NO_ROLE = "none"
# Words in a header that suggest a role.
LIKE_COST = "costs?|minutes?|mins?|hours?|seconds?|time|duration|prices?|effort|fees?|expenses?|money|dollars|euros?|usd"
LIKE = {
    "cost": LIKE_COST,
    "weight": f"{LIKE_COST}|weights?|counts?|number|frequency|probability|likelihood|chance|share|percent|prior|odds",
    "outcome": (
        "outcomes?|repairs?|fix|remedy|action|decision|diagnosis|verdict|treatment|priority|result|class|category|"
        "label|target|recommendation|conclusion"
    ),
}
# A header with more words is a question.
MAX_WORDS = 3
# Texts of the top left cell which say that the first column has tests (GUESSES and TESTS), or
# things.
GUESSES = {"guess", "guesses"}
TESTS = {"test", "tests", "question", "questions", *GUESSES}
THINGS = {"thing", "things", "id", "row", "case", "name", "item", "object"}
NUMBER = re.compile(r"[0-9]+([.,][0-9]+)?( ?%)?")
# Texts that people write for an unknown answer.
LIKE_UNKNOWN = r"unknown|not known|don't know|unclear|n/?a|n\.a\.|nan|null|tbd|[-–—]"


def read_table(
    path: Path | str,
    *,
    things: Orientation | None = None,
    outcome: str | None = None,
    weight: str | None = None,
    cost: str | None = None,
    goal: Literal["identify", "name"] | None = None,
    merge_equal: bool = False,
    sheet: str | None = None,
) -> TableGame:
    """Return the game that a CSV file or a workbook defines by a table of answers.

    The things (secrets) are in columns or in rows, with the tests (guesses) in the other direction.
    The first row and the first column have labels. If the first column has few different entries,
    it is a test, and the things have no labels. The first of the game's `notes` says what was read.

    Args:
        path: a CSV file, with commas, semicolons or tabs; or a workbook (xlsx, xls, ods), which
            needs the extra `sheets`.
        things: where the things are: "rows" or "columns". If None, the table must be unambiguous.
        outcome: the label of the row or column with the outcome of each thing. If None, it is the
            one with the label `outcome` or `outcomes`. "none" means that there is none.
        weight: the same for the weight of each thing, with the label `weight` or `weights`.
        cost: the same for the cost of each test, with the label `cost` or `costs`.
        goal: see `TableGame`.
        merge_equal: see `TableGame`.
        sheet: the name of a sheet in a workbook; the first sheet if None.

    Raises:
        UsageError: the file cannot be read, or has no row or column with a given label.
        InvalidGameError: the table is ambiguous (the message says what to add), `TableGame` rejects
            it (the message names a wrong cell, such as C7), or the file has more than 512 MiB,
            1,048,576 lines, or 8,388,608 characters in a row.
    """
    if things not in (None, "rows", "columns"):
        raise UsageError(f"things are in 'rows' or in 'columns', not in {quote(things)}")
    found = read_sheet(path, sheet)
    given = {"outcome": outcome, "weight": weight, "cost": cost}
    marked = _marked_roles(found)
    if things != "columns" and not marked:
        found = _with_labels(
            found, [*ROLES["outcome"], *ROLES["weight"], *filter(None, [outcome, weight])]
        )
    places = {
        role: marked[role] if marked and name is None else _find_role(found, role, name)
        for role, name in given.items()
    }
    known = {role for role, name in given.items() if marked or name is not None}
    named = [] if goal == "identify" else _named_cells(found)
    table = _Table(found, _orientation(found, places, things, known, named), places)
    if goal is None:
        goal = table.goal(named)
    if goal == "identify":
        table.ask_about_roles(known)
    return table.game(goal, merge_equal)


def _with_labels(sheet: Sheet, roles: list[str]) -> Sheet:
    """Return the sheet, with row numbers as labels if the first column has no labels.

    It has none if its header is in `roles`, or if it is a test, which has few different entries.
    """
    few = len(sheet.side) > 3 and 2 * len({*sheet.side}) <= len(sheet.side)
    if not sheet.corner or not (few or sheet.corner.casefold() in map(str.casefold, roles)):
        return sheet
    numbers = {text: number for number, text in enumerate(sheet.texts)}
    column = [numbers.setdefault(text, len(numbers)) for text in sheet.side]
    cells = [
        as_row([number, *row], len(numbers))
        for number, row in zip(column, sheet.cells, strict=True)
    ]
    labels = [f"row {number}" for number in sheet.rows[1:]]
    top = [sheet.corner, *sheet.top]
    return Sheet(sheet.name, "row", top, labels, cells, [*numbers], sheet.rows, first=0)


class _Place(NamedTuple):
    """Where a label is: its index in the first row, and in the first column."""

    top: int | None
    side: int | None


def seems_to_have_roles(tests: Sequence[str], things: Sequence[str]) -> bool:
    """Return whether `read_table` may mistake a label for that of a role, or a test for a thing."""
    labels = [*tests, *things]
    return share_labels(tests, things) or any(
        label.casefold() in ROLES[role] or _suggests(label, role)
        for role in ROLES
        for label in labels
    )


def _marked_roles(sheet: Sheet) -> dict[str, _Place] | None:
    """Return the roles of a sheet that marks them by its layout; None for another sheet.

    An exported sheet does so if labels of tests or things look like roles. It begins with `test`,
    the costs are in the first column after the labels, and the weights in the first row. Only the
    next row can have the outcomes; they belong to no test, so they have no cost. A sheet of guesses
    begins with `guess`, and has only weights.
    """
    starts = sheet.corner, sheet.top[0], sheet.side[0]
    if (sheet.corner, sheet.side[0]) == MARKED_GUESSES:
        # A blank cell in the row of weights is in a column of costs: this is no sheet of guesses.
        crossed = any(not sheet.texts[number] for number in sheet.cells[0])
        none = _Place(None, None)
        return None if crossed else {"outcome": none, "weight": _Place(None, 0), "cost": none}
    if starts != MARKED or sheet.texts[sheet.cells[0][0]]:
        return None
    has_outcomes = len(sheet.side) > 1 and not sheet.texts[sheet.cells[1][0]]
    outcome = 1 if has_outcomes and sheet.side[1] in ROLES["outcome"] else None
    return {
        "outcome": _Place(None, outcome),
        "weight": _Place(None, 0),
        "cost": _Place(0, None),
    }


def _find_role(sheet: Sheet, role: str, name: str | None) -> _Place:
    """Return the place of a role's label, which is `name` if it is given.

    Raises UsageError if there is no such label.
    """
    if name == NO_ROLE:
        return _Place(None, None)
    if name is None:
        return _Place(
            _find_spare(sheet.top, sheet.side, ROLES[role]),
            _find_spare(sheet.side, sheet.top, ROLES[role]),
        )
    wanted = " ".join(name.split()).casefold()
    found = [
        next((k for k, label in enumerate(labels) if label.casefold() == wanted), None)
        for labels in (sheet.top, sheet.side)
    ]
    if found == [None, None]:
        near = did_you_mean(name, [*sheet.top, *sheet.side][:1000])
        raise UsageError(
            f"{sheet.name} has no row or column {quote(name)} for --{role}; give a label of the table, "
            f"or --{role} {NO_ROLE}{near}"
        )
    return _Place(*found)


def _find_spare(labels: list[str], others: list[str], names: tuple[str, ...]) -> int | None:
    """Return the index of the first label that is one of `names`; None if there is none.

    A label that is also one of the `others` counts only if it occurs twice, because a guess that
    names a secret may have the name of a role.
    """
    for index, label in enumerate(labels):
        if label.casefold() in names and labels.count(label) > (label in others):
            return index
    return None


def _named_cells(sheet: Sheet) -> list[tuple[int, int]]:
    """Return the (row, column) of each cell whose row and column have one label, ignoring case."""
    columns = {label.casefold(): column for column, label in enumerate(sheet.top)}
    rows = enumerate(map(str.casefold, sheet.side))
    return [(row, columns[label]) for row, label in rows if label in columns]


def _is_game(sheet: Sheet, named: list[tuple[int, int]]) -> bool:
    """Return whether several guesses name a secret.

    If so, all cells in `named` have one answer, and no other cell has it.
    """
    answers = {sheet.cells[row][column] for row, column in named}
    if len(named) < 2 or len(answers) > 1:
        return False
    (answer,) = answers
    return sum([row.count(answer) for row in sheet.cells]) == len(named)


def _orientation(
    sheet: Sheet,
    places: dict[str, _Place],
    given: Orientation | None,
    known: set[str],
    named: list[tuple[int, int]],
) -> Orientation:
    """Return where the things are. Raises InvalidGameError if this is ambiguous or contradictory.

    `known` has the roles that the caller gave or the sheet marks. `named` has the cells in which a
    guess may name a secret.
    """
    corner = sheet.corner.casefold()
    claims: dict[Orientation, str] = {}
    for role, place in places.items():
        if (place.top is None) != (place.side is None):
            where: Orientation = "rows" if (place.side is None) != (role == "cost") else "columns"
            # In the table of a guessing game, a guess may have the label of a role, such as the
            # word `costs`.
            is_guess = corner in GUESSES or (role == "cost" and _is_game(sheet, named))
            if where == "rows" and named and role not in known and is_guess:
                continue
            label = _label(sheet, place)
            claims.setdefault(where, f"{quote(label[0])} in {label[1]} has the {role}s")
    wrong = {where: claim for where, claim in claims.items() if where != given}
    if len(claims) == 2 or (given and wrong):
        parts = [f"{claim}, so the things are in {where}" for where, claim in claims.items()]
        if len(parts) == 1:
            parts.append(f"--things {given} says otherwise")
        raise InvalidGameError(
            f"{sheet.name} has a mixed orientation: {'; '.join(parts)}; rename a label, or exclude "
            "one, as in --weight none"
        )
    if given:
        return given
    for where in claims:
        return where
    if sheet.first == 0:
        return "rows"
    if named and corner not in THINGS:
        return "columns"
    for rows, columns in _evidence(sheet):
        if rows != columns:
            return "rows" if rows else "columns"
    top, side = _some(sheet.top), _some(sheet.side)
    raise InvalidGameError(
        f"{sheet.name}: are the things in rows or in columns? add --things rows if {side} are "
        f"things and {top} are tests, or --things columns if {top} are things and {side} are tests"
    )


def _label(sheet: Sheet, place: _Place) -> tuple[str, str]:
    """Return the label at a place, and the name of its cell."""
    if place.top is not None:
        return sheet.top[place.top], sheet.cell(None, place.top)
    assert place.side is not None
    return sheet.side[place.side], sheet.cell(place.side, None)


def _some(labels: list[str]) -> str:
    some = [quote(label) for label in labels[:2]]
    more = [f"{len(labels) - 2:,} more"] if len(labels) > 2 else []
    return " and ".join([", ".join(some), *more] if more else some)


def _evidence(sheet: Sheet) -> Iterable[tuple[bool, bool]]:
    """Yield pairs of clues, the strongest first: whether things seem to be in rows, and in columns."""
    top, side = sheet.top, sheet.side
    corner = sheet.corner.casefold()
    yield corner in THINGS, corner in TESTS
    # A single row or column is a test: a single thing would need no test.
    yield len(top) == 1, len(side) == 1
    yield _is_running(side), _is_running(top)
    yield all(label.endswith("?") for label in top), all(label.endswith("?") for label in side)
    # If an answer occurs several times, but only in one column, this column is a test.
    rows, columns = _own_cells(sheet.turned()), _own_cells(sheet.cells)
    enough = len(top) * len(side) // 4
    yield rows > max(enough, 4 * columns), columns > max(enough, 4 * rows)


def _is_running(labels: list[str]) -> bool:
    """Return whether the labels are at least three consecutive integers."""
    if len(labels) < 3 or not all(label.isascii() and label.isdigit() for label in labels):
        return False
    first = int(labels[0][:20])
    return all(label.lstrip("0") == str(n).lstrip("0") for n, label in enumerate(labels, first))


def _own_cells(lines: Iterable[Row]) -> int:
    """Return the number of cells whose text occurs several times, but only in their own line."""
    counts: dict[int, int] = {}
    for line in lines:
        for number in {*line}:
            counts[number] = 0 if number in counts else line.count(number)
    return sum([number for number in counts.values() if number > 1])


class _Table:
    """A sheet whose things and tests are known.

    A line has a cell for each thing: it is a test, the outcomes or the weights. If the things are
    in columns, the lines are the rows of the sheet.
    """

    def __init__(self, sheet: Sheet, orientation: Orientation, places: dict[str, _Place]) -> None:
        self.sheet, self.orientation = sheet, orientation
        self.in_rows = orientation == "rows"
        self.lines = sheet.turned() if self.in_rows else sheet.cells
        heads, others = (sheet.top, sheet.side) if self.in_rows else (sheet.side, sheet.top)
        # For each role in the table: the index of its line, or, for costs, its index among the
        # things.
        self.roles: dict[str, int] = {}
        for role, place in places.items():
            index = place.top if self.in_rows != (role == "cost") else place.side
            if index is not None:
                self.roles[role] = index
        taken = {self.roles.get("outcome"), self.roles.get("weight")}
        self.of_tests = [k for k in range(len(heads)) if k not in taken]
        self.of_things = [k for k in range(len(others)) if k != self.roles.get("cost")]
        self.tests = [heads[k] for k in self.of_tests]
        self.things = [others[k] for k in self.of_things]
        self.labels = {
            role: (others if role == "cost" else heads)[k] for role, k in self.roles.items()
        }

    def cell(self, line: int | None, other: int | None) -> str:
        """Return the name of a cell by the index of its line and the index in the line."""
        return self.sheet.cell(other, line) if self.in_rows else self.sheet.cell(line, other)

    def goal(self, named: list[tuple[int, int]]) -> Literal["identify", "name"]:
        """Return the goal that the roles, the top left cell and the labels imply.

        Raises InvalidGameError if a single test has the label of a thing: it may be a coincidence.
        """
        if not {"outcome", "cost"}.isdisjoint(self.roles):
            return "identify"
        if self.sheet.corner.casefold() in GUESSES:
            return "name"
        if not share_labels(self.tests, self.things):
            return "identify"
        if len(named) == 1:
            row, column = named[0]
            self.sheet.fail(
                f"{quote(self.sheet.top[column])} is a test and a thing: does this test name the "
                "thing? add --goal name if it does, or --goal identify if it does not",
                self.sheet.cell(None, column),
                self.sheet.cell(row, None),
            )
        return "name"

    def ask_about_roles(self, known: set[str]) -> None:
        """Raise InvalidGameError if a label or the last test suggests an unassigned role.

        Roles in `known`, which the caller gave or the sheet marks, are not asked about.
        """
        due = {*ROLES} - known - {*self.roles}
        for label, line in zip(self.tests, self.of_tests, strict=True):
            cells = [(line, thing) for thing in self.of_things]
            if "weight" in due and _suggests(label, "weight") and self._are_numbers(cells):
                self._ask("weight", label, self.cell(line, None))
            if "outcome" in due and _suggests(label, "outcome"):
                self._ask("outcome", label, self.cell(line, None))
        for label, other in zip(self.things, self.of_things, strict=True):
            cells = [(line, other) for line in self.of_tests]
            if "cost" in due and _suggests(label, "cost") and self._are_numbers(cells):
                self._ask("cost", label, self.cell(None, other))
        if "outcome" in due and self._ends_with_outcomes():
            place = self.cell(self.of_tests[-1], None)
            self._ask("outcome", self.tests[-1], place)

    def _text(self, line: int, other: int) -> str:
        return self.sheet.texts[self.lines[line][other]]

    def _are_numbers(self, cells: list[tuple[int, int]]) -> bool:
        """Return whether every cell is a number or blank, and at least one is a number."""
        texts = [text for text in (self._text(*cell) for cell in cells) if text]
        return bool(texts) and all(map(NUMBER.fullmatch, texts))

    def _ask(self, role: str, label: str, place: str) -> None:
        self.sheet.fail(
            f'is this {MEANINGS[role]}? add --{role} "{label}" if it is, or --{role} {NO_ROLE} if it is not',
            place,
        )

    def _ends_with_outcomes(self) -> bool:
        """Return whether the last test is probably the outcome.

        This is so if the things have only numbers as names, the test has few different answers, and
        the other tests alone tell all things apart.
        """
        numbered = self.sheet.first == 0 or _is_running(self.things)
        if not self.in_rows or not numbered or len(self.tests) < 3:
            return False
        if 2 * len({*self.lines[self.of_tests[-1]]}) > len(self.things):
            return False
        others = [self.lines[k] for k in self.of_tests[:-1]]
        return len({*zip(*others, strict=True)}) == len(self.things)

    def game(self, goal: Literal["identify", "name"], merge_equal: bool) -> TableGame:
        identify = goal == "identify"
        # A blank cell is an unknown answer.
        answers = [text or (UNKNOWN if identify else "") for text in self.sheet.texts]
        rows = ([answers[self.lines[line][k]] for k in self.of_things] for line in self.of_tests)
        outcomes = self._values("outcome", _outcome)
        weights = self._values("weight", _weight)
        self._check_percentages()
        costs = self._values("cost", _cost)
        try:
            game = TableGame(
                self.tests, self.things, rows, weights,
                outcomes=outcomes, costs=costs, goal=goal, merge_equal=merge_equal,
            )  # fmt: skip
        except InvalidTableError as error:
            cells = [
                self.cell(
                    None if test is None else self.of_tests[test],
                    None if thing is None else self.of_things[thing],
                )
                for test, thing in error.places
            ]
            self.sheet.fail(error.reason, *cells)
        except InvalidGameError as error:
            self.sheet.fail(str(error))
        game.notes.insert(0, self._describe(identify, outcomes))
        if identify:
            game.notes.extend(self._unclear_answers())
        return game

    def _check_percentages(self) -> None:
        """Raise InvalidGameError if some weights are percentages and others are not."""
        index = self.roles.get("weight")
        if index is None:
            return
        percent = [self._text(index, thing).endswith("%") for thing in self.of_things]
        if len({*percent}) > 1:
            some, other = (self.of_things[percent.index(kind)] for kind in (True, False))
            self.sheet.fail(
                f"the weight {quote(self._text(index, some))} is a percentage, and "
                f"{quote(self._text(index, other))} is not; write % in all of them or in none",
                self.cell(index, some),
                self.cell(index, other),
            )

    def _unclear_answers(self) -> Iterable[str]:
        """Yield a question for each answer that looks like an unknown answer."""
        texts = self.sheet.texts
        for number, text in enumerate(texts):
            # Beside `+`, a minus sign is an answer.
            if not re.fullmatch(LIKE_UNKNOWN, text, re.I) or (text == "-" and "+" in texts):
                continue
            for line in self.of_tests:
                places = [thing for thing in self.of_things if self.lines[line][thing] == number]
                if places:
                    cell = self.cell(line, places[0])
                    yield f"is {quote(text)} in {cell} an unknown answer? then write {UNKNOWN}"
                    break

    def _values(self, role: str, read: Callable[[str], T]) -> list[T] | None:
        """Return the values of a role, converted by `read`; None if the table lacks the role.

        An error of `read` is raised with the name of the cell.
        """
        index = self.roles.get(role)
        if index is None:
            return None
        if role == "cost":
            cells = [(line, index) for line in self.of_tests]
        else:
            cells = [(index, thing) for thing in self.of_things]
        values = []
        for line, other in cells:
            text = self._text(line, other)
            try:
                values.append(read(text))
            except InvalidGameError as error:
                self.sheet.fail(str(error), self.cell(line, other))
        return values

    def _describe(self, identify: bool, outcomes: list[str] | None) -> str:
        """Describe the table in a line, such as `read 5 things in rows, 7 tests`."""
        thing, test = ("thing", "test") if identify else ("secret", "guess")
        parts = [
            f"read {quantity(len(self.things), thing)} in {self.orientation}",
            quantity(len(self.tests), test),
        ]
        if outcomes is not None:
            values = quantity(len({*outcomes}), "value")
            parts.append(f'outcome "{self.labels["outcome"]}" with {values}')
        parts += [
            f'{role} "{self.labels[role]}"' for role in ("weight", "cost") if role in self.roles
        ]
        unknown = {n for n, text in enumerate(self.sheet.texts) if text in ("", UNKNOWN)}
        if identify and unknown:
            number = sum([sum(map(self.lines[line].count, unknown)) for line in self.of_tests])
            parts += [quantity(number, "unknown cell")] * (number > 0)
        return ", ".join(parts)


def _suggests(label: str, role: str) -> bool:
    """Return whether a word of a label suggests a role, or is the role misspelt, such as `csot`."""
    found = re.findall(r"[^\W\d_]+", label.casefold())
    if len(found) > MAX_WORDS:
        return False
    return any(re.fullmatch(LIKE[role], word) or _is_misspelt(word, role) for word in found)


def _is_misspelt(word: str, role: str) -> bool:
    """Return whether a word is a role with two neighbouring letters exchanged, or a letter doubled.

    Other slips often give words of their own, such as `coast` and `eight`.
    """
    places = range(len(role))
    exchanged = {role[:k] + role[k : k + 2][::-1] + role[k + 2 :] for k in places}
    return word in exchanged or word in {role[:k] + role[k - 1 :] for k in places[1:]}


def _weight(text: str) -> Weight:
    try:
        return exact(text)
    except InvalidGameError as error:
        least = "" if text.strip("0.% ") else "; write a small one, or leave the thing out"
        raise InvalidGameError(f"{error}{_with_point(text)}{least}") from None


def _cost(text: str) -> Weight:
    try:
        return exact(text)
    except InvalidGameError:
        raise InvalidGameError(
            f"the cost {quote(text)} is not a positive number such as 5 or 0.25{_with_point(text)}"
        ) from None


def _with_point(text: str) -> str:
    """Return advice on writing a number that has a comma; "" for another text.

    A comma before three digits may separate thousands; any other comma is a decimal comma.
    """
    if "," not in text or not NUMBER.fullmatch(text):
        return ""
    if re.match("[1-9][0-9]*,[0-9]{3}(?![0-9])", text):
        fraction = re.sub(r",([0-9]+?)0*(?![0-9])", r".\1", text)
        return f"; write {text.replace(',', '')} or {fraction}"
    return f"; write {text.replace(',', '.')}"


def _outcome(text: str) -> str:
    if text in ("", UNKNOWN):
        raise InvalidGameError("this thing has no outcome; write one, or leave the thing out")
    return text
