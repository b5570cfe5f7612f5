"""Table games: labels, answers, what says found, and what is refused."""

from __future__ import annotations

import pickle
import sys
from itertools import count, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from guessbook.book import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    TableGame,
    game_from_header,
    parse_history,
)
from guessbook.book.errors import InvalidBookError, InvalidTableError
from guessbook.book.games import tables
from guessbook.book.games.labels import label_of
from tests.helpers.tables import LAMP, MIXED, NUMBERS, table_games

GAMES = [LAMP, NUMBERS, MIXED]


def test_where_no_guess_names_a_secret_guesses_are_added() -> None:
    """Each secret is a guess after those that were given, answered by found or no."""
    assert LAMP.given == 4
    assert LAMP.guesses[4:] == LAMP.secrets
    assert LAMP.answers == ("dark", "flickers, a bit", "lights up", "no", "found")
    assert LAMP.solved == LAMP.feedbacks - 1 == 4
    assert LAMP.feedback_number("swap the bulb", "bulb") == 2
    assert [LAMP.feedback_number("bulb", secret) for secret in LAMP.secrets] == [4, 3, 3, 3, 3]


def test_weights_follow_their_secrets() -> None:
    """They are given in the order of the secrets, and go with them; a header has them as well."""
    rows = [["1", "2", "1"], ["no", "no", "yes"]]
    game = TableGame(["q", "Eva"], ["Anna", "Bob", "Eva"], rows, weights=[10, 20, 30])
    assert (game.secrets, game.weights) == (("Eva", "Anna", "Bob"), (3, 1, 2))
    assert game_from_header(game.header()) == game
    double = bytes.fromhex("06000000 02000000 04000000")
    for wrong in (b"", double[:4], double, bytes(12), "3", [3, 1, 2]):
        with pytest.raises(InvalidBookError, match="weight"):
            game_from_header({**game.header(), "weights": wrong})


def test_labels_that_differ_in_case_are_two() -> None:
    """As codes of `a` and `A` do: each secret has its guess."""
    codes = ["aA", "Aa", "AA"]
    game = TableGame(codes, codes[:2], lambda g, s: sum(map(str.__eq__, g, s)))
    assert (game.given, game.parse_code("Aa")) == (3, 1)
    with pytest.raises(InvalidCodeError):
        game.parse_code("aa")


def test_where_guesses_name_secrets_their_answer_says_found() -> None:
    """The answer to the right guess is the last one, and nothing is added."""
    assert NUMBERS.guesses == NUMBERS.secrets == tuple("123456789")
    assert (NUMBERS.answers, NUMBERS.given) == (("<", ">", "="), 9)
    assert NUMBERS.feedback_number("3", "3") == NUMBERS.solved


def test_where_some_guesses_name_secrets_the_others_are_added() -> None:
    """Secrets come in the order of the guesses that name them, those that none names at the end."""
    assert MIXED.guesses == ("has a hat?", "Eva", "has = glasses?", "Anna", "Bob", "Zoë")
    assert MIXED.secrets == ("Eva", "Anna", "Bob", "Zoë")
    said = [[str(MIXED.feedback(g, s)) for s in MIXED.secrets] for g in MIXED.guesses]
    assert said == [
        ["n", "n", "y", "y"],
        ["it is her", "no", "no", "no"],
        ["yes", "no", "no", "yes"],
        ["no", "it is her", "no", "no"],
        ["no", "no", "it is her", "no"],
        ["no", "no", "no", "it is her"],
    ]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_all_forms_of_a_table_are_the_same(dtype: Any) -> None:
    """A function of what was given, rows of integers or texts, and numpy integers make one game."""
    numbers = [30, 10, 20]
    rows = [[abs(guess - secret) for secret in numbers] for guess in numbers]
    game = TableGame(numbers, numbers, lambda guess, secret: abs(guess - secret))
    assert game.answers == ("10", "20", "0")
    assert game == TableGame(["30", "10", "20"], numbers, rows)
    assert game == TableGame(numbers, numbers, [[str(n) for n in row] for row in rows])
    assert game == TableGame(numbers, numbers, np.array(rows, dtype))
    assert hash(game) == hash(TableGame(np.array(numbers), numbers, iter(rows)))


def test_truth_values_and_tuples_are_labels() -> None:
    """A function may answer True, (1, 2), or numpy's own scalars; integers come first, in order."""
    answers = [[True, np.bool_(False), (1, 2), np.int32(-3), 10, " two  words "]]
    game = TableGame(["ask"], range(6), answers)
    assert game.answers == ("-3", "10", "1,2", "two words", "yes", "no", "found")
    assert game.parse_feedback((1, 2)) == 2
    assert game.parse_feedback(-3) == 0


def test_labels_are_found_as_people_write_them() -> None:
    """Blanks around it and capitals do not matter where it is clear what is meant."""
    assert MIXED.parse_code(" eva ") == 1
    assert MIXED.parse_code("ZOE\u0308") == 5
    assert LAMP.parse_feedback("Lights  UP") == 2
    alike = TableGame(["ab", "AB"], ["ab", "AB"], [[1, 0], [0, 1]])
    assert [alike.parse_code(label) for label in ("ab", "AB")] == [0, 1]
    with pytest.raises(InvalidCodeError, match="found 'Ab', expected one of the 2 guesses"):
        alike.parse_code("Ab")


def test_labels_are_folded_once_for_a_game() -> None:
    """However many labels are typed in another case, each label of the game is folded once."""
    folded: list[str] = []

    def watch(_: object, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__name__", "") == "casefold":
            folded.append(event)

    guesses = [f"question {number}" for number in range(50)]
    game = TableGame(guesses, ["a", "b"], [["yes", "no"]] * 50)
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        pairs = parse_history(game, [f"{label.upper()}=YES" for label in guesses])
    finally:
        sys.setprofile(before)
    assert pairs == [(number, game.parse_feedback("yes")) for number in range(50)]
    # Each label of the game once; a guess that was typed twice, for its answers; its answer once.
    assert len(folded) == len(game.guesses) + len(game.answers) + 3 * len(guesses)


@pytest.mark.parametrize(
    "wrong", ["", "Ev", "has a hat", None, 1.5, ["Eva", "Bob"], b"Eva", "x" * 10**6]
)
def test_what_is_no_label_of_the_game_is_refused(wrong: object) -> None:
    """Guesses and feedbacks that a game does not have are named, and what it has."""
    with pytest.raises(InvalidCodeError, match="expected one of the 6 guesses"):
        MIXED.parse_code(wrong)
    with pytest.raises(InvalidFeedbackError, match="expected one of 'n', 'y', 'yes', 'no', 'it is"):
        MIXED.parse_feedback(wrong)


def test_a_history_is_split_where_both_sides_are_known() -> None:
    """Labels of guesses may hold an equals sign, and so may those of answers."""
    assert parse_history(MIXED, ["has = glasses?=no", "EVA = no"]) == [(2, 3), (1, 3)]
    assert parse_history(NUMBERS, ["3==", "4=<"]) == [(2, 2), (3, 0)]
    with pytest.raises(InvalidFeedbackError, match="found feedback '', expected"):
        parse_history(NUMBERS, ["3="])
    with pytest.raises(InvalidCodeError):
        parse_history(NUMBERS, ["=" * 100_000])


REFUSED: dict[str, tuple[Any, Any, Any, str]] = {
    "no secrets": ([], [], [], "found no secrets"),
    "empty": (["a"], ["x", " "], [[1, 2]], r"secret 2: found an empty label, expected a text"),
    "control": (["a\x1b[2J"], "xy", [[1, 2]], r"guess 1: found 'a\\x1b\[2J', expected characters"),
    "invisible": (["a"], ["x\u200b", "y"], [[1, 2]], r"secret 1: found 'x\\u200b', expected char"),
    "long": (["a" * 101], "xy", [[1, 2]], "guess 1: found .*, expected at most 100 characters"),
    "huge": ([10**5000], "xy", [[1, 2]], "guess 1: found .*, expected a text or an integer"),
    "float": (["a"], "xy", [[1, 0.5]], "guess 'a', secret 'y': found 0.5, expected a text"),
    "list": (["a"], "xy", [[1, {2: 3}]], "guess 'a', secret 'y': found {2: 3}, expected a text"),
    "none": (["a"], "xy", lambda g, s: None, "guess 'a', secret 'x': found None, expected"),
    "twice": (["a", "b", "a"], "xy", [[1, 2]] * 3, "guess 3: found 'a' twice, expected each"),
    "short": (["a", "b"], "xy", [[1, 2], [1]], "guess 'b': found 1 answers, expected one"),
    "long row": (["a"], "xy", [[1, 2, 3]], "guess 'a': found 3 answers, expected one for each"),
    "more": (["a"], "xy", [[1, 2], [1, 2]], "found more than 1 rows, expected 1, one for each"),
    "fewer": (["a", "b"], "xy", [[1, 2]], "found 1 rows, expected one for each of the 2 guesses"),
    "spelling": (["a"], "xyz", [["no", "yes", "No"]], "secret 'z': found 'No', and 'no' elsewhere"),
    "apart": (["a", "b"], "xyzu", [[1, 2, 3, 2], [1, 2, 3, 2]], "found equal answers of 'y' and 'u' to every guess"),
    "nothing": ([], "xy", [], "found equal answers of 'x' and 'y' to every guess, expected"),
    "founds": (["x", "y"], "xy", [[1, 0], [0, 2]], "guess 'y', secret 'y': found the answer '2' to the cor"),
    "anagram": (["x", "a"], "xy", [[5, 1], [1, 5]], "guess 'a', secret 'y': found the answer '5' to a wrong guess"),
    "in a row": (["x"], "xy", [[5, 5]], "guess 'x', secret 'y': found the answer '5' to a wrong guess"),
    "taken": (["a"], "xy", [["found", "no"]], "found the answer 'found', but no guess that names"),
    "missed": (["x"], "xy", [["no", "yes"]], "found the answer 'no' to a correct guess"),
    "a set": ({"a", "b"}, "xy", [[1, 2]] * 2, r"found {.*}, expected a list of guesses in a fixed"),
    "no list": (["a"], None, [[1, 2]], "found None, expected a list of secrets in a fixed order"),
    "no rows": (["a"], "xy", {"a": [1, 2]}, "found {'a': .*}, expected a function, or a list with"),
    "no row": (["a"], "xy", [{"x": 1, "y": 2}], "guess 'a': found {'x': 1, .*, expected a row of"),
    "capitals": (["anna"], ["Anna", "Bob"], [[1, 2]], "found the guess 'anna' and the secret"),
    "alike at first": ([], ["x" * 60 + "1", "x" * 60 + "2"], [], "x1' and 'x.*x2' to every"),
    "word": ("ab", "xy", "no table", "guess 'a': found 1 answers, expected one for each of 2 secr"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_tables_that_make_no_game(name: str) -> None:
    """What is wrong with a table is said in a line, with its place."""
    guesses, secrets, feedback, said = REFUSED[name]
    with pytest.raises(InvalidTableError, match=said) as error:
        TableGame(guesses, secrets, feedback)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_sizes_are_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is answered where there is too much; too many answers are refused as they come up."""

    def never(*_: object) -> None:
        raise AssertionError("an answer was asked for")

    with pytest.raises(InvalidTableError, match="33,000 secrets, 1,089,000,000 pairs, expected at"):
        TableGame([], range(33_000), never)
    for guesses, secrets in ((count(), range(2)), (range(2), range(10**9))):
        with pytest.raises(InvalidTableError, match="found more than 1,000,000 "):
            TableGame(guesses, secrets, never)
    with monkeypatch.context() as patch:
        patch.setattr(tables, "physical_memory", lambda: 50 << 20)
        said = r"about 0\.1 GiB in memory, expected at most 0\.0 GiB"
        with pytest.raises(InvalidTableError, match=said):
            TableGame(range(6000), range(5000), never)
    with pytest.raises(InvalidTableError, match="found more than 65,536 different answers"):
        TableGame(range(257), range(1000, 1256), lambda g, s: g * 1000 + s)
    # With `no` and `found` there are two more.
    monkeypatch.setattr("guessbook.book.games.answers.MAX_ANSWERS", 4)
    assert TableGame(["a"], "xy", [[1, 2]]).feedbacks == 4
    with pytest.raises(
        InvalidTableError, match=r"found 5 answers \(including the answers to added"
    ):
        TableGame(["a"], "xyz", [[1, 2, 3]])


@given(table_games())
def test_a_header_is_a_game(game: TableGame) -> None:
    """The header, a pickle and the labels give the same game again, with the same hash."""
    copies = [
        game_from_header(game.header()),
        pickle.loads(pickle.dumps(game)),
        TableGame(game.guesses[: game.given], game.secrets, lambda g, s: str(game.feedback(g, s)))
        if game.given or len(game.secrets) == 1
        else game,
    ]
    for copy in copies:
        assert copy == game
        assert hash(copy) == hash(game)
        assert copy.header() == game.header()


@given(table_games())
def test_found_is_where_the_guess_is_the_secret(game: TableGame) -> None:
    """Rows are the feedbacks of all secrets, and the last feedback says found, and only it."""
    assert [game.guesses[k] for k in map(game.parse_code, game.secrets)] == list(game.secrets)
    assert all(a < b for a, b in pairwise(map(game.parse_code, game.secrets)))
    for index, guess in enumerate(game.guesses):
        row = list(game.row(index))
        assert row == [game.feedback_number(guess, secret) for secret in game.secrets]
        assert [n == game.solved for n in row] == [guess == secret for secret in game.secrets]
    assert [game.parse_feedback(label) for label in game.answers] == list(range(game.feedbacks))


def lie(game: TableGame, **changed: object) -> dict[str, Any]:
    """The header of a game with some keys changed."""
    return {**game.header(), **changed}


WIDE = TableGame(range(300), range(300), lambda guess, secret: abs(guess - secret))
WIDE_TABLE = WIDE.header()["table"]

LIES = {
    "no guesses": lie(LAMP, guesses=None),
    "bytes": lie(LAMP, answers=b"a\nb"),
    "an escape": lie(NUMBERS, answers="<\n\x1b[2J\n="),
    "no label": lie(NUMBERS, guesses="1\n2\n3\n\n5\n6\n7\n8\n9"),
    "a blank": lie(NUMBERS, answers="<\n> \n="),
    "decomposed": lie(NUMBERS, answers="<\ne\u0301\n="),
    "long": lie(NUMBERS, answers=f"<\n{'x' * 101}\n="),
    "a label twice": lie(NUMBERS, guesses="1\n2\n3\n4\n5\n6\n7\n8\n8"),
    "no secrets": lie(LAMP, secrets=bytes(2)),
    "secrets beyond": lie(LAMP, secrets=b"\xf0\x03"),
    "fewer secrets": lie(LAMP, secrets=b"\xf0\x00"),
    "other secrets": lie(LAMP, secrets=b"\xf1\x01"),
    "given": lie(LAMP, given=5),
    "none given": lie(LAMP, given=-1),
    "all given": lie(LAMP, given=10**9),
    "true": lie(LAMP, given=True),
    "too few answers": lie(TableGame(["a"], ["x"], [[1]]), answers="1", table=b"\0"),
    "too many answers": lie(LAMP, answers="\n".join(map(str, range(65_537)))),
    "table cut": lie(LAMP, table=LAMP.header()["table"][:-1]),
    "table long": lie(LAMP, table=LAMP.header()["table"] + b"\0"),
    "a number too high": lie(LAMP, table=b"\5" * 20),
    "found in the table": lie(LAMP, table=b"\4" + bytes(19)),
    "found is missing": lie(NUMBERS, table=bytes(81)),
    "found elsewhere": lie(NUMBERS, table=bytes(72) + b"\2" * 9),
    "wide, too high": lie(WIDE, table=WIDE_TABLE[:-1] + b"\2"),
    "wide, too low and high": lie(
        WIDE, table=WIDE_TABLE[:89_999] + b"\xff" + WIDE_TABLE[90_000:-1] + b"\1"
    ),
    "wide, found is missing": lie(WIDE, table=bytes(180_000)),
    "wide, one plane": lie(WIDE, table=WIDE_TABLE[:90_000]),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_headers_that_lie(name: str) -> None:
    """A header of no table game is refused, whatever is wrong."""
    with pytest.raises(InvalidBookError):
        game_from_header(LIES[name])


@given(table_games())
def test_true_headers_are_read(game: TableGame) -> None:
    """What lies are made of is read as it is: the planes, the marks and all labels."""
    assert game_from_header({**game.header(), "new": 1}) == game
    assert TableGame.from_header(WIDE.header()) == WIDE


def test_a_table_knows_no_hard_mode() -> None:
    """It has none, and says why."""
    assert not LAMP.has_hard_mode
    assert "letters" in LAMP.hard_mode_refusal
    with pytest.raises(InvalidGameError):
        tables.check_size(1 << 16, 1 << 15)
    assert label_of("x" * 100) == "x" * 100
