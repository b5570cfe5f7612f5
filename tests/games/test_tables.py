"""Table games: labels, answers, which answer means found, limits, equality, headers."""

from __future__ import annotations

import itertools
import os
import pickle
import sys
import tracemalloc
from random import Random
from string import ascii_lowercase, digits
from typing import Any
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.games.headers import refuses_header
from tests.helpers.content import table_header
from tests.helpers.tables import LAMP, MIXED, NUMBERS

LETTERS = "abcdefgh"
# 273 answers take two bytes each, 3 answers one byte.
WIDE = gb.TableGame(range(17), range(17), lambda g, s: 999 if g == s else 17 * g + s)
NARROW = gb.TableGame(["ask", 1, 2, 3], [1, 2, 3], [[7, 8, 7], [9, 8, 8], [7, 9, 8], [8, 8, 9]])


def answer(guess: str, secret: str, chance: int) -> str:
    """Return an answer of a random game: `here` for the secret, else a number or `none`."""
    number = (LETTERS.index(secret) >> len(guess) % 3) % 2 + chance * (guess in LETTERS)
    return "here" if guess == secret else "none" if number > 2 else str(number)


def drawn(seed: int) -> tuple[list[str], list[str], list[list[str]], list[int] | None]:
    """Draw guesses, some of which name secrets, then the secrets, the rows, and weights or None."""
    chance = Random(seed)
    secrets = chance.sample(LETTERS, chance.randint(1, 8))
    named = chance.sample(secrets, chance.randint(0, len(secrets)))
    guesses = chance.sample(["xyz", "wxyz", "vwxyz", *named], 3 + len(named))
    rows = [[answer(guess, secret, seed % 4) for secret in secrets] for guess in guesses]
    weights = [chance.randint(1, 5) for _ in secrets] if chance.random() < 0.5 else None
    return guesses, secrets, rows, weights


seeds = st.integers(0, 1 << 32)


@given(seeds)
def test_table_game_has_its_rows_and_a_guess_for_each_secret(seed: int) -> None:
    guesses, secrets, rows, weights = drawn(seed)
    game = gb.TableGame(guesses, secrets, rows, weights, goal="name")
    added = [secret for secret in secrets if secret not in guesses]
    order = [guess for guess in guesses if guess in secrets] + added
    assert (game.guesses, game.given) == ((*guesses, *added), len(guesses))
    assert game.secrets == tuple(order)
    found = "here" if len(added) < len(secrets) else "found"
    used = {answer for row in rows for answer in row} - {found}
    answers = sorted(used, key=lambda answer: (not answer.isdigit(), answer))
    assert game.answers == (*answers, *["no"] * bool(added), found)
    assert (game.feedbacks, game.solved) == (len(game.answers), len(game.answers) - 1)
    table = [dict(zip(secrets, row, strict=True)) for row in rows]
    table += [{s: found if s == label else "no" for s in secrets} for label in added]
    for index, (guess, row) in enumerate(zip(game.guesses, table, strict=True)):
        numbers = [game.answers.index(row[secret]) for secret in order]
        assert list(game.row(index)) == numbers
        assert [game.feedback_number(guess, secret) for secret in order] == numbers
        assert [game.feedback(guess, secret) for secret in order] == [row[s] for s in order]
        assert game.parse_code(f" {guess.upper()} ") == index
        assert game.display_name(guess) == "name: " * (guess in added) + guess
    for number, label in enumerate(game.answers):
        assert game.parse_feedback(label.upper()) == number
        assert game.format_feedback(number) == label
    assert [n for n in range(-5, 15) if game.is_possible(n)] == list(range(len(game.answers)))
    if game.weights:
        counts = dict(zip(secrets, weights or [], strict=True))
        whole = sum(counts.values()) // sum(game.weights)
        assert [counts[secret] for secret in order] == [whole * n for n in game.weights]
    else:
        assert len(set(weights or [1])) == 1
    size = f"table-{len(game.guesses)}x{len(secrets)}"
    assert game.name == size + "-weighted" * bool(game.weights)
    assert repr(game) == f"<TableGame {game.name}: {len(game.answers)} answers>"
    assert (game.length, game.has_hard_mode) == (1, False)
    count = f"added {len(added)} guess{'es' * (len(added) > 1)}"
    rest = " without a guess" * (len(added) < len(secrets))
    assert game.note == (f"{count}, one per secret{rest}" if added else "")


@given(seeds)
def test_table_games_are_equal_if_and_only_if_their_tables_are(seed: int) -> None:
    guesses, secrets, rows, weights = drawn(seed)
    game = gb.TableGame(guesses, secrets, rows, weights, goal="name")
    table = {(g, s): rows[i][j] for i, g in enumerate(guesses) for j, s in enumerate(secrets)}
    for again in (
        gb.TableGame(iter(guesses), iter(secrets), lambda g, s: table[g, s], weights, goal="name"),
        gb.TableGame(tuple(guesses), secrets, map(iter, rows), weights, goal="name"),
        gb.open(gb.build(game).to_bytes()).game,
        gb.TableGame.from_header({**game.header(), "new": 1}),
        pickle.loads(pickle.dumps(game)),
    ):
        assert again == game
        assert hash(again) == hash(game)
        assert again.header() == game.header()
    others: list[object] = [
        gb.TableGame(["other", *guesses], secrets, [secrets, *rows], weights, goal="name"),
        gb.TableGame(
            guesses, secrets, [[f"{a}!" for a in row] for row in rows], weights, goal="name"
        ),
        gb.TableGame([*guesses, "other"], secrets, [*rows, secrets], weights, goal="name"),
        game.header(),
    ]
    if weights is None and len(secrets) > 1:
        others.append(gb.TableGame(guesses, secrets, rows, range(1, len(secrets) + 1), goal="name"))
    assert game not in others
    assert len({hash(game), *map(hash, others[:3])}) > 1


def test_table_without_guesses_may_have_one_secret() -> None:
    game = gb.TableGame([], ["x"], [], goal="name")
    assert (game.guesses, game.answers, game.given) == (("x",), ("no", "found"), 0)
    # There is always an answer that does not mean found.
    assert gb.TableGame(["a"], ["a"], [["x"]]).answers == ("no", "x")


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_function_rows_texts_and_array_give_the_same_game(dtype: Any) -> None:
    numbers = [30, 10, 20]
    rows = [[abs(guess - secret) for secret in numbers] for guess in numbers]
    game = gb.TableGame(numbers, numbers, lambda guess, secret: abs(guess - secret))
    assert game.answers == ("10", "20", "0")
    assert game == gb.TableGame(["30", "10", "20"], numbers, rows)
    assert game == gb.TableGame(numbers, numbers, [[str(n) for n in row] for row in rows])
    assert game == gb.TableGame(np.array(numbers), numbers, np.array(rows, dtype))


PAIR = np.array([1, 2])


@pytest.mark.parametrize(
    ("value", "label"),
    [
        *[(True, "yes"), (np.bool_(True), "yes"), (np.int32(-3), "-3"), (10**99, "1" + "0" * 99)],
        *[(" two  words\t", "two words"), ("e\u0301", "é"), ("x" * 100, "x" * 100), ("½", "½")],
        *[((1, 2), "1,2"), (PAIR, "1,2"), (PAIR[:1] + 2, "3"), ([PAIR, 3], "1,2,3")],
        *[((1, (2, [[["x"]]])), "1,2,x"), (["x"] * 50, ",".join("x" * 50))],
    ],
)
def test_labels_may_be_texts_integers_booleans_and_lists(value: object, label: str) -> None:
    game = gb.TableGame([value], [value, "other"], [[value, "never"]])
    assert (game.guesses[0], game.secrets[0], game.answers[-1]) == (label, label, label)
    assert game.parse_code(value) == game.parse_code(label) == 0
    assert game.format_feedback(game.parse_feedback(value)) == label


LOOP: list[object] = []
LOOP.append(LOOP)


def nested(depth: int, kind: type) -> Any:
    """Return a text in nested lists or tuples."""
    value: Any = "x"
    for _ in range(depth):
        value = kind([value])
    return value


def doubled(depth: int) -> Any:
    """Return nested lists of two equal items each, with 2**depth texts in all."""
    value: Any = "x"
    for _ in range(depth):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    "wrong",
    [
        *[nested(200, list), nested(2000, list), nested(2000, tuple), doubled(60), LOOP],
        *[[1] * 10**6, np.array([[]])],
        *["", " ", "a\x1b[2J", "x\u200b", "\ud800", "a" * 101, "a" * 10**6, 10**5000, 10**100],
        *[0.5, None, {2: 3}, b"x", [], (1, None)],
    ],
    ids=lambda _: "value",
)
def test_values_that_cannot_be_labels_are_rejected(wrong: Any) -> None:
    tables: list[tuple[Any, Any, Any]] = [
        ([wrong], "xy", [[1, 2]]),
        (["a"], ["x", wrong], [[1, 2]]),
        (["a"], "xy", [[1, wrong]]),
        (["a"], "xy", lambda _, secret: wrong if secret == "y" else 1),
    ]
    places = ["guess 1", "secret 2", "guess 'a', secret 'y'", "guess 'a', secret 'y'"]
    for table, place in zip(tables, places, strict=True):
        with pytest.raises(gb.InvalidTableError, match=rf"^{place}: ") as error:
            gb.TableGame(*table)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 200
    with pytest.raises(gb.InvalidCodeError):
        MIXED.parse_code(wrong)
    with pytest.raises(gb.InvalidFeedbackError):
        MIXED.parse_feedback(wrong)


@pytest.mark.parametrize("wrong", [np.array(5), list, 5, None, {"a"}, {"a": 1}], ids=repr)
def test_values_that_are_not_lists_are_rejected(wrong: Any) -> None:
    tables = [(wrong, "xy", [[1, 2]]), (["a"], wrong, [[1, 2]]), (["a"], "xy", [wrong])]
    # `list` is callable, so it may be the function of a table.
    tables += [(["a"], "xy", wrong)] * (wrong is not list)
    for table in tables:
        with pytest.raises(gb.InvalidTableError):
            gb.TableGame(*table)


def test_1_and_true_have_different_labels() -> None:
    tables: list[Any] = [[[1, True, 2]], [[True, 1, 2]], [np.array([1, True, 2], object)]]
    for rows in tables:
        assert gb.TableGame(["a"], "xyz", rows, goal="name").answers == (
            "1",
            "2",
            "yes",
            "no",
            "found",
        )
    game = gb.TableGame(["a", "b"], "xy", [[True, False], [1, 0]], goal="name")
    assert game.answers == ("0", "1", "yes", "no", "found")
    game = gb.TableGame(["a"], "xyz", [[(1, 2), (True, 2), (1, 3)]], goal="name")
    assert game.answers == ("1,2", "1,3", "yes,2", "no", "found")
    with pytest.raises(gb.InvalidTableError):
        gb.TableGame(["a", "b"], "xy", [[1, 2], [1.0, 3]])


def test_case_matters_only_for_labels_that_differ_in_case_alone() -> None:
    assert [MIXED.parse_code(label) for label in (" eva ", "ZOE\u0308", "name: Bob")] == [1, 5, 4]
    assert LAMP.parse_feedback("Lights  UP") == 2
    alike = gb.TableGame(["ab", "AB"], ["ab", "AB"], [[1, 0], [0, 1]])
    assert [alike.parse_code(label) for label in ("ab", "AB")] == [0, 1]
    for game, code in ((alike, "Ab"), (MIXED, "has a hat"), (MIXED, "name: hat")):
        with pytest.raises(gb.InvalidCodeError):
            game.parse_code(code)


def test_each_label_of_a_game_is_casefolded_once() -> None:
    folded = []

    def watch(_: object, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__name__", "") == "casefold":
            folded.append(event)

    guesses = [f"question {number}" for number in range(50)]
    game = gb.TableGame(guesses, ["a", "b"], [["yes", "no"]] * 50, goal="name")
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        indices = [game.parse_code(label.upper()) for label in guesses]
    finally:
        sys.setprofile(before)
    assert indices == list(range(50))
    assert len(folded) == len(game.guesses) + len(guesses)


def test_entry_is_split_into_a_known_guess_and_answer() -> None:
    history = gb.Session(MIXED, ["has = glasses?=no", "EVA = no"]).history
    assert history == [("has = glasses?", "no"), ("Eva", "no")]
    assert gb.Session(NUMBERS, ["3==", "4=<"]).history == [("3", "="), ("4", "<")]
    # The longest guess and answer, typed in decomposed Unicode.
    guess, found = "\u1f82" * 100, "\u1f83" * 100
    game = gb.TableGame([guess], ["a", "b"], [[found, "no"]])
    text = normalize("NFD", f"{guess}={found}")
    assert len(text) == 801
    assert gb.Session(game, [text]).history == [(guess, found)]
    with pytest.raises(gb.InvalidCodeError):
        gb.Session(game, [f"{text} "])


def test_guess_of_a_table_accepts_only_its_own_answers() -> None:
    session = gb.Session(MIXED, [("has a hat?", "YES"), ("bob", "no"), ("Anna", "it is her")])
    assert [answer for _, answer in session.history] == ["yes", "no", "it is her"]
    for guess, said in (("Bob", "y"), ("name: Bob", "yes"), ("has a hat?", "maybe")):
        with pytest.raises(gb.InvalidFeedbackError):
            gb.Session(MIXED, [(guess, said)])


def test_children_of_a_node_are_found_by_labels_and_values() -> None:
    numbers = gb.TableGame(range(3), range(3), lambda guess, secret: abs(guess - secret))
    root = gb.build(numbers).root
    assert [root.child(int(answer)) for answer in root.children] == list(root.children.values())


def never(*_: object) -> None:
    """Fail if an answer is computed."""
    raise AssertionError


@pytest.mark.posix
def test_size_of_a_table_is_checked_before_any_answer_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[tuple[Any, Any]] = [
        (itertools.count(), range(2)),
        (range(2), range(10**9)),
        (range(32_769), range(32_769)),
        # With the added guesses, there are too many pairs.
        (range(20_000), range(20_000, 50_000)),
    ]
    for guesses, secrets in sizes:
        with pytest.raises(gb.InvalidTableError):
            gb.TableGame(guesses, secrets, never, goal="name")
    # A table and its copy take 64 MiB of memory.
    for pages, error in ((16_384, AssertionError), (16_383, gb.InvalidTableError)):
        memory = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": pages}
        monkeypatch.setattr(os, "sysconf", memory.__getitem__)
        with pytest.raises(error):
            gb.TableGame(range(4096), range(4096, 8192), never, goal="name")


@pytest.mark.slow
def test_table_has_at_most_a_million_guesses() -> None:
    with pytest.raises(AssertionError):
        gb.TableGame(range(2, 1_000_000), range(2), never, goal="name")
    with pytest.raises(gb.InvalidTableError):
        gb.TableGame(range(2, 1_000_001), range(2), never, goal="name")


@pytest.mark.slow
def test_table_has_at_most_65536_answers() -> None:
    numbers = np.arange(65_536).reshape(16, 4096)
    game = gb.TableGame(range(16), range(16, 4112), np.minimum(numbers, 65_533), goal="name")
    assert (game.feedbacks, game.feedback(3, 999)) == (65_536, str(3 * 4096 + 999 - 16))
    # Two answers are added: no and found.
    with pytest.raises(gb.InvalidTableError):
        gb.TableGame(range(16), range(16, 4112), np.minimum(numbers, 65_534), goal="name")
    with pytest.raises(gb.InvalidTableError):
        gb.TableGame(range(17), range(17, 4113), [*numbers, numbers[0] - 1])


LAMP_TABLE = LAMP.header()["table"]
LIES: list[tuple[gb.TableGame, dict[str, Any]]] = [
    *[(LAMP, {"guesses": value}) for value in (None, "", "a", "\n" * 1_000_001)],
    (LAMP, {"answers": b"a\nb"}),
    *[
        (NUMBERS, {"answers": f"<\n{label}\n="})
        for label in ("\x1b[2J", "> ", "e\u0301", "x" * 101)
    ],
    (NUMBERS, {"answers": "<\n<\n="}),
    (NUMBERS, {"guesses": "1\n2\n3\n\n5\n6\n7\n8\n9"}),
    (NUMBERS, {"guesses": "1\n2\n3\n4\n5\n6\n7\n8\n8"}),
    *[(LAMP, {"secrets": marks}) for marks in (bytes(2), b"\xf0\x03", b"\xf0\0", b"\xf1\1", "x")],
    *[(LAMP, {"given": value}) for value in (-1, 3, 5, 10**9, True, 4.0, None)],
    (LAMP, {"answers": "\n".join(map(str, range(65_537)))}),
    *[(LAMP, {"table": table}) for table in (LAMP_TABLE[:-1], LAMP_TABLE + b"\0", None)],
    *[(LAMP, {"table": table}) for table in (b"\5" * 20, b"\4" + bytes(19))],
    *[(NUMBERS, {"table": table}) for table in (bytes(81), bytes(72) + b"\2" * 9)],
    *[(WIDE, {"table": table}) for table in (bytes(578), WIDE.header()["table"][:289])],
    (gb.TableGame(["a"], ["a"], [["x"]]), {"answers": "x", "table": b"\0"}),
    (
        gb.TableGame(["ask"], ["x", "y"], [[1, 2]], goal="name"),
        {"secrets": b"\5", "table": b"\3\0"},
    ),
]


@pytest.mark.parametrize(("game", "changes"), LIES)
def test_invalid_header_of_a_table_is_rejected(game: gb.TableGame, changes: dict[str, Any]) -> None:
    refuses_header({**game.header(), **changes})


@given(st.sampled_from([WIDE, NARROW]), st.data())
def test_header_must_have_the_answer_found_exactly_where_a_guess_is_the_secret(
    game: gb.TableGame, data: st.DataObject
) -> None:
    header, count = game.header(), len(game.secrets)
    place = data.draw(st.integers(0, game.given * count - 1))
    near = [game.solved + n for n in (-1, 0, 1, 255, 256, -256)]
    number = data.draw(st.sampled_from([n for n in near if n >= 0]) | st.integers(0, game.solved))
    table = bytearray(header["table"])
    # The low bytes of all numbers come first, then the high bytes.
    width = len(table) // (game.given * count)
    guess, secret = game.guesses[place // count], game.secrets[place % count]
    for k in range(width):
        table[k * len(table) // width + place] = number >> 8 * k & 255
    number &= (1 << 8 * width) - 1
    changed = {**header, "table": bytes(table)}
    if number <= game.solved and (number == game.solved) == (guess == secret):
        read = gb.TableGame.from_header(changed)
        assert read.feedback_number(guess, secret) == number
        assert read.header() == changed
    else:
        refuses_header(changed)


@pytest.mark.nightly
@pytest.mark.parametrize("repeated", [False, True])
def test_many_labels_in_a_small_file_take_bounded_memory(repeated: bool) -> None:
    letters = itertools.product(ascii_lowercase + digits, repeat=4)
    labels = ["".join(letter) for letter in itertools.islice(letters, 440_000)]
    labels[-1] = labels[0] if repeated else labels[-1]
    marks = bytes(len(labels) // 8 - 1) + b"\x80"
    header = {"type": "table", "guesses": "\n".join(labels), "given": len(labels) - 1}
    header |= {"secrets": marks, "answers": "no\nfound", "table": bytes(len(labels) - 1)}
    del labels
    tracemalloc.start()
    try:
        if repeated:
            refuses_header(header)
        else:
            assert len(gb.TableGame.from_header(header).guesses) == 440_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 << 20


def test_rows_of_truth_values_have_the_answers_no_and_yes() -> None:
    game = gb.TableGame(["on"], ["lamp", "fan"], [[False, True]], goal="identify")
    assert game.feedback("on", "lamp") == "no"
    assert game.feedback("on", "fan") == "yes"


def test_labels_of_tests_and_things_ignore_case() -> None:
    game = gb.TableGame(["Look"], ["Lamp", "fan"], ["ab"], goal="identify")
    assert game.feedback("look", "LAMP") == "a"
    assert game.display_name("Lamp") == "Lamp"
    for guess, secret in (("Lamp", "fan"), ("Look", "disk")):
        with pytest.raises(gb.InvalidCodeError):
            game.feedback(guess, secret)


@pytest.mark.parametrize("goal", ["identify", "name"])
def test_table_with_more_than_256_answers_is_saved_and_read(goal: Any) -> None:
    things = [f"thing {k}" for k in range(300)]
    rows = [[f"answer {k % 290}" for k in range(300)], [f"{k // 290}" for k in range(300)]]
    game = gb.TableGame(["first", "second"], things, rows, goal=goal)
    book = gb.open(gb.build(game).to_bytes())
    assert book.game == game
    assert [book.game.feedback("first", thing) for thing in things] == rows[0]


def test_different_cells_may_outnumber_the_answers_of_a_table() -> None:
    """The numbers of the 500 different cells take two bytes, those of the 250 answers one byte."""
    things = [f"thing {k}" for k in range(250)]
    sure = [f"a{k}" for k in range(250)]
    either = [f"a{k}|a{(k + 1) % 250}" for k in range(250)]
    game = gb.TableGame(["sure", "either"], things, [sure, either], goal="identify")
    assert game.feedback("sure", "thing 7 #1") == "a7"
    assert [game.feedback("either", f"thing 7 #{k}") for k in (1, 2)] == ["a7", "a8"]


def test_header_may_have_65536_answers() -> None:
    guesses, secrets = [f"row {k}" for k in range(16)], [f"{k}" for k in range(4096)]
    rows = [[*range(start, start + 4096)] for start in range(0, 65_536, 4096)]
    answers = [f"answer {k}" for k in range(65_536)]
    # The last answer means found, and no row has it.
    rows[-1][-1] = 0
    header = table_header([*guesses, *secrets], secrets, answers, rows)
    assert gb.TableGame.from_header(header).header() == header


def test_header_has_at_most_a_million_things() -> None:
    game, things = gb.TableGame(["look"], ["fan"], [["dusty"]], goal="identify"), 1_000_001
    many = {"things": "\n".join(["fan"] * things), "table": bytes(things)}
    with pytest.raises(gb.InvalidGameError):
        gb.TableGame.from_header({**game.header(), **many, "outcome": bytes(4 * things)})


def test_row_of_an_outcome_means_found_for_its_things_alone() -> None:
    game = gb.TableGame(["look", "open"], ["fan", "disk", "board"], ["aab", "abb"], outcomes="xyx")
    rows = [game.row(game.guesses.index(outcome)) for outcome in "xy"]
    found = [[number == game.solved for number in row] for row in rows]
    assert found == [[True, False, True], [False, True, False]]


def test_table_without_tests_may_have_an_empty_list_of_costs() -> None:
    plain = gb.TableGame([], ["fan"], [], goal="identify")
    assert gb.TableGame([], ["fan"], [], costs=[], goal="identify") == plain
