"""Labels: what guesses, secrets and answers of a table may be given as, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from guessbook.book import InvalidCodeError, InvalidFeedbackError, TableGame
from guessbook.book.errors import InvalidTableError
from guessbook.book.games.labels import label_of
from tests.helpers.tables import MIXED


def nested(depth: int, kind: type = list) -> Any:
    """A text in a list in a list and so on."""
    value: Any = "x"
    for _ in range(depth):
        value = kind([value])
    return value


def doubled(depth: int) -> Any:
    """A list of two lists of two lists and so on: 2**depth texts."""
    value: Any = "x"
    for _ in range(depth):
        value = [value, value]
    return value


# A list that holds itself.
LOOP: list[object] = []
LOOP.append(LOOP)

NO_LABELS = {
    "nested lists": nested(2000),
    "nested tuples": nested(2000, tuple),
    "a loop": LOOP,
    "a billion billion texts": doubled(60),
    "a long list": [1] * 10**6,
    "an empty array": np.array([[]]),
}


@pytest.mark.parametrize("name", NO_LABELS)
def test_lists_without_end_are_no_labels(name: str) -> None:
    """Lists in lists, deep, wide or endless, are refused in one short line, wherever they stand."""
    wrong = NO_LABELS[name]
    tables: list[tuple[Any, Any, Any]] = [
        ([wrong], "xy", [[1, 2]]),
        (["a"], ["x", wrong], [[1, 2]]),
        (["a"], "xy", [[1, wrong]]),
    ]
    places = ["guess 1", "secret 2", "guess 'a', secret 'y'"]
    for table, place in zip(tables, places, strict=True):
        with pytest.raises(InvalidTableError, match=rf"^{place}: found .*, expected ") as error:
            TableGame(*table)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 200
    with pytest.raises(InvalidCodeError, match="expected one of the 6 guesses"):
        MIXED.parse_code(wrong)
    with pytest.raises(InvalidFeedbackError, match=r"expected one of 'n', 'y'"):
        MIXED.parse_feedback(wrong)


def test_secrets_that_hold_themselves() -> None:
    """A list of secrets that is one of its own secrets is refused."""
    with pytest.raises(InvalidTableError, match=r"secret 1: found .*, expected a text, an integer"):
        TableGame(["a"], LOOP, [[1]])


@pytest.mark.parametrize("wrong", [np.array(5), list, 5, None, {"a"}, {"a": 1}], ids=repr)
def test_what_is_no_list_of_labels(wrong: Any) -> None:
    """What has no order, or nothing in it, is no list of guesses, of secrets or of answers."""
    for table in ((wrong, "xy", [[1, 2]]), (["a"], wrong, [[1, 2]]), (["a"], "xy", [wrong])):
        with pytest.raises(InvalidTableError, match=r"found .*, expected a (list|row) of"):
            TableGame(*table)


def test_lists_and_arrays_are_labels_as_tuples_are() -> None:
    """Labels of several numbers may be lists, tuples or arrays, one in the other."""
    pair = np.array([1, 2])
    said = ["1,2", "3", "1,2,3", "1,2,3", "x", ",".join("x" * 50)]
    values: list[object] = [pair, pair[:1] + 2, [pair, 3], (1, (2, 3)), nested(20), ["x"] * 50]
    assert [label_of(value) for value in values] == said
    rows: Any = np.array([[[0, 1], [0, 0]], [[1, 1], [1, 1]]])
    guesses: Any = np.array([[1, 2], [3, 4]])
    game = TableGame(guesses, [[(5,), 6], 7], rows)
    assert game.guesses == ("1,2", "3,4", "5,6", "7")
    assert game.answers == ("0,0", "0,1", "1,1", "no", "found")


def test_values_that_are_equal_have_their_own_labels() -> None:
    """To Python True is 1 and 1.0, too: as answers they are yes, 1 and no answer."""
    tables: list[Any] = [[[1, True, 2]], [[True, 1, 2]], [np.array([1, True, 2], object)]]
    for rows in tables:
        assert TableGame(["a"], "xyz", rows).answers == ("1", "2", "yes", "no", "found")
    game = TableGame(["a", "b"], "xy", [[True, False], [1, 0]])
    assert game.answers == ("0", "1", "yes", "no", "found")
    with pytest.raises(InvalidTableError, match=r"guess 'b', secret 'x': found 1\.0, expected"):
        TableGame(["a", "b"], "xy", [[1, 2], [1.0, 3]])
