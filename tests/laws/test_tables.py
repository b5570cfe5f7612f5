"""Table games by their definition: guesses, secrets, answers, cells, and the header."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidBookError, InvalidFeedbackError, TableGame, game_from_header
from guessbook.book.errors import InvalidTableError
from guessbook.book.games import tables
from guessbook.book.games.tables import check_size

LETTERS = "abcdefgh"


def said(guess: str, secret: str, chance: int) -> str:
    """What a secret answers: found, if the guess names it; else a number, or a word."""
    number = (LETTERS.index(secret) >> len(guess) % 3) % 2 + chance * (guess in LETTERS)
    return "here" if guess == secret else "none" if number > 2 else str(number)


def drawn(seed: int) -> tuple[list[str], list[str], list[list[str]], list[int] | None]:
    """Guesses, of which some name secrets; secrets; rows; and perhaps weights."""
    chance = Random(seed)
    secrets = chance.sample(LETTERS, chance.randint(1, 8))
    named = chance.sample(secrets, chance.randint(0, len(secrets)))
    guesses = chance.sample(["xyz", "wxyz", "vwxyz", *named], 3 + len(named))
    rows = [[said(guess, secret, seed % 4) for secret in secrets] for guess in guesses]
    weights = [chance.randint(1, 5) for _ in secrets] if chance.random() < 0.5 else None
    return guesses, secrets, rows, weights


seeds = st.integers(0, 1 << 32)


@given(seeds)
def test_a_game_is_its_table(seed: int) -> None:
    """A guess is added for each secret without one; secrets and answers have their order."""
    guesses, secrets, rows, weights = drawn(seed)
    game = TableGame(guesses, secrets, rows, weights)
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
        assert game.parse_code(f" {guess.upper()} ") == index
    for number, label in enumerate(game.answers):
        assert game.parse_feedback(label.upper()) == number
        assert game.format_feedback(number) == label
    assert [n for n in range(-5, 15) if game.gives(n)] == list(range(len(game.answers)))
    if game.weights:
        counts = dict(zip(secrets, weights or [], strict=True))
        whole = sum(counts.values()) // sum(game.weights)
        assert [counts[secret] for secret in order] == [whole * n for n in game.weights]
    else:
        assert len(set(weights or [1])) == 1
    notes = {0: "", 1: "1 guess added that names a secret: "}
    note = notes.get(len(added), f"{len(added)} guesses added that name a secret each: ")
    end = "some have no guess" if len(added) < len(secrets) else "no guess names a secret"
    assert game.note == (note and note + end)
    assert (
        game.name == f"table-{len(game.guesses)}x{len(secrets)}{'-weighted' * bool(game.weights)}"
    )
    assert game.length == max(map(len, secrets))


@given(seeds)
def test_a_game_is_the_same_in_every_form(seed: int) -> None:
    """Rows, a function, a header and a pickle make one game; each part of it makes another."""
    guesses, secrets, rows, weights = drawn(seed)
    game = TableGame(guesses, secrets, rows, weights)
    table = {(g, s): rows[i][j] for i, g in enumerate(guesses) for j, s in enumerate(secrets)}
    for again in (
        TableGame(iter(guesses), iter(secrets), lambda g, s: table[g, s], weights),
        game_from_header(game.header()),
        pickle.loads(pickle.dumps(game)),
    ):
        assert again == game
        assert hash(again) == hash(game)
        assert again.header() == game.header()
    others: list[object] = [
        TableGame(["other", *guesses], secrets, [secrets, *rows], weights),
        TableGame(guesses, secrets, [[f"{a}!" for a in row] for row in rows], weights),
        TableGame([*guesses, "other"], secrets, [*rows, secrets], weights),
        game.header(),
    ]
    if weights is None and len(secrets) > 1:
        others.append(TableGame(guesses, secrets, rows, range(1, len(secrets) + 1)))
    assert game not in others
    assert len({hash(game), *map(hash, others[:3])}) > 1


# 273 answers, which take two bytes each; and 3, which take one.
WIDE = TableGame(range(17), range(17), lambda g, s: 999 if g == s else 17 * g + s)
NARROW = TableGame(["ask", 1, 2, 3], [1, 2, 3], [[7, 8, 7], [9, 8, 8], [7, 9, 8], [8, 8, 9]])


@given(st.sampled_from([WIDE, NARROW]), st.data())
def test_a_cell_says_found_where_the_guess_names_the_secret(
    game: TableGame, data: st.DataObject
) -> None:
    """A header with another cell is refused if that is no answer, or found in a wrong place."""
    header, count = game.header(), len(game.secrets)
    place = data.draw(st.integers(0, game.given * count - 1))
    near = [game.solved + n for n in (-1, 0, 1, 255, 256, -256)]
    number = data.draw(st.sampled_from([n for n in near if n >= 0]) | st.integers(0, game.solved))
    width = game.cells.itemsize
    table = bytearray(header["table"])
    names = game.guesses[place // count] == game.secrets[place % count]
    for k in range(width):
        table[k * len(table) // width + place] = number >> 8 * k & 255
    number &= (1 << 8 * width) - 1
    changed = {**header, "table": bytes(table)}
    if number <= game.solved and (number == game.solved) == names:
        read: Any = game_from_header(changed)
        assert read.cells[place] == number
        assert read.header() == changed
    else:
        with pytest.raises(InvalidBookError):
            game_from_header(changed)


def test_a_wide_table_is_read_back() -> None:
    """The low bytes of all numbers come first, then the high ones."""
    numbers = [WIDE.feedback_number(str(g), str(s)) for g in range(17) for s in range(17)]
    planes = bytes(n & 255 for n in numbers) + bytes(n >> 8 for n in numbers)
    assert WIDE.header()["table"] == planes
    assert game_from_header(WIDE.header()) == WIDE
    lie = bytearray(planes)
    lie[1], lie[290] = divmod(WIDE.solved + 1, 256)[::-1]
    with pytest.raises(InvalidBookError, match="belongs to no answer"):
        game_from_header({**WIDE.header(), "table": bytes(lie)})


@pytest.mark.parametrize(
    "lie",
    [
        {"given": -1},
        {"given": 3},
        {"given": 5},
        {"given": 4.0},
        {"secrets": b"\x0c"},
        {"secrets": b"\x0f"},
        {"answers": "7\n8"},
        {"answers": "9", "table": bytes(12)},
        {"answers": "\n".join(map(str, range(65_537))), "table": bytes(24)},
        {"table": NARROW.header()["table"] + b"\0"},
        {"table": NARROW.header()["table"][:-1]},
    ],
)
def test_a_header_of_another_table_is_refused(lie: dict[str, Any]) -> None:
    """What is given, named, answered and how large the table is has to agree."""
    assert game_from_header(NARROW.header()) == NARROW
    with pytest.raises(InvalidBookError):
        game_from_header({**NARROW.header(), **lie})


def test_a_guess_that_was_added_names_its_secret() -> None:
    """Another guess in its place is refused, whatever the table says of it."""
    header = TableGame(["ask"], ["x", "y"], [[1, 2]]).header()
    assert header["secrets"] == b"\x06"
    with pytest.raises(InvalidBookError, match="found 2 guesses after the 1 guesses in the table"):
        game_from_header({**header, "secrets": b"\x05", "table": b"\x03\x00"})


def test_a_header_has_two_answers() -> None:
    """Where the only guess names the only secret there is one beside found all the same."""
    header = TableGame(["a"], ["a"], [["x"]]).header()
    assert (header["answers"], header["table"]) == ("no\nx", b"\1")
    with pytest.raises(InvalidBookError, match="found 1 answers, expected 2"):
        game_from_header({**header, "answers": "x", "table": b"\0"})


def test_sizes_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most so many guesses, pairs and bytes of memory; at least one secret."""
    monkeypatch.setattr(tables, "MAX_WORDS", 50)
    monkeypatch.setattr(tables, "MAX_PAIRS", 200)
    monkeypatch.setattr(tables, "physical_memory", lambda: 400)
    check_size(20, 10)
    monkeypatch.setattr(tables, "physical_memory", lambda: 300)
    for guesses, secrets in ((50, 3), (0, 1), (10, 15)):
        check_size(guesses, secrets)
    # A guess is added for each of the two secrets.
    assert len(TableGame(range(48), "xy", [[1, 2]] * 48).guesses) == 50
    with pytest.raises(InvalidTableError, match="found 51 guesses"):
        TableGame(range(49), "xy", [[1, 2]] * 49)
    for guesses, secrets, due in (
        (1, 0, "no secrets"),
        (51, 1, "found 51 guesses, expected at most 50"),
        (3, 67, "201 pairs, expected at most 200"),
        (8, 19, "in memory"),
    ):
        with pytest.raises(InvalidTableError, match=due):
            check_size(guesses, secrets)


@pytest.mark.parametrize(("count", "listed"), [(8, r"'8'$"), (9, r"'8', \.\.\.$")])
def test_a_message_names_some_answers(count: int, listed: str) -> None:
    """Eight answers are listed, and where there are more it says so."""
    numbers = list(range(1, count))
    game = TableGame(numbers, numbers, lambda guess, secret: count if guess == secret else secret)
    with pytest.raises(InvalidFeedbackError, match=listed):
        game.parse_feedback("?")
