"""Files of table games that claim much: refused in bounded time and memory."""

from __future__ import annotations

import tracemalloc
from itertools import islice, product
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

import pytest

from guessbook.book import InvalidBookError, WordGame
from guessbook.lookup import open_book
from tests.helpers.command import complaint
from tests.helpers.content import document, pack, packed, seal
from tests.helpers.plain import plain_book
from tests.helpers.samples import every_nth
from tests.helpers.tables import LAMP
from tests.lies.bombs import BOMBS
from tests.lies.fuzz import MAX_MIB
from tests.lies.seeds import seeds

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book import Game
    from tests.helpers.command import Run


@pytest.mark.parametrize("name", every_nth(3, BOMBS))
def test_a_bomb_in_a_table_takes_little_memory(name: str) -> None:
    """What is small in a file and large elsewhere is refused, whichever key of the game has it."""
    document, game = seeds()[0].document, LAMP.header()
    for key in ("guesses", "given", "secrets", "answers", "table", "weights"):
        blob = seal(packed({**document, "game": {**game, key: BOMBS[name]}}))
        tracemalloc.start()
        try:
            with pytest.raises(InvalidBookError) as error:
                open_book(blob)
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert len(str(error.value)) < 500
        assert peak < MAX_MIB << 20, key


@pytest.mark.slow
@pytest.mark.parametrize("repeated", [False, True])
def test_as_many_labels_as_a_small_file_holds(repeated: bool) -> None:
    """A file of 100 KB may hold 440,000 labels: they take less than 64 MiB."""
    letters = product(ascii_lowercase + digits, repeat=4)
    labels = ["".join(letter) for letter in islice(letters, 440_000)]
    labels[-1] = labels[0] if repeated else labels[-1]
    marks = bytes(len(labels) // 8 - 1) + b"\x80"
    game = {"type": "table", "guesses": "\n".join(labels), "given": len(labels) - 1}
    game |= {"secrets": marks, "answers": "no\nfound", "table": bytes(len(labels) - 1)}
    blob = seal(packed({**seeds()[0].document, "game": game}))
    tracemalloc.start()
    with pytest.raises(InvalidBookError):
        open_book(blob)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 30 << 20 < peak < MAX_MIB << 20


def test_no_more_labels_than_words() -> None:
    """A million labels are refused before there is a list of them."""
    game = {**LAMP.header(), "guesses": "\n" * 1_000_001}
    with pytest.raises(InvalidBookError, match="labels, expected at most 1,000,000"):
        open_book(seal(packed({**seeds()[0].document, "game": game})))


@pytest.mark.parametrize("game", [LAMP, WordGame(["light", "night"], scoring="loose")])
def test_hard_mode_of_a_game_that_has_none_is_refused(run: Run, tmp_path: Path, game: Game) -> None:
    """Whatever the command, a book that claims it is no book: one line, and exit code 3."""
    content, path = document(plain_book(game)), tmp_path / "hard.book"
    content["policy"]["hard_mode"] = True
    path.write_bytes(pack(content))
    alone = ["info", "hint", "explain", "play", "hide", "solve", "review", "candidates", "share"]
    alone += ["tree", "verify", "simulate", "report"]
    more = {"rate": [game.guesses[0]], "run": ["--secret", game.secrets[0]]}
    more["export"] = ["--to", "json"]
    for name in [*alone, *more]:
        assert "hard mode" in complaint(run(name, path, *more.get(name, [])), 3)
