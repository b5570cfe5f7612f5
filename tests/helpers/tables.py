"""Table games for tests: small ones with labels of every kind, and random ones."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

import guessbook as gb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# The tests find a fault, and none of them names one.
LAMP = gb.TableGame(
    ["swap the bulb", "bridge = wire", "other battery, 4½ V", 'shake "it"'],
    ["bulb", "wire; earth", "battery = flat", "switch", "schwarzer Löwe 🦁"],
    [
        ["lights up", "dark", "dark", "dark", "dark"],
        ["dark", "lights up", "dark", "flickers, a bit", "flickers, a bit"],
        ["dark", "dark", "lights up", "dark", "lights up"],
        ["dark", "dark", "dark", "flickers, a bit", "dark"],
    ],
    goal="name",
)

# All secrets may be guessed, and one of the answers is an equals sign.
NUMBERS = gb.TableGame(
    range(1, 10), range(1, 10), lambda g, s: "<" if g < s else ">" if g > s else "="
)

# Only one guess names a secret.
MIXED = gb.TableGame(
    ["has a hat?", "Eva", "has = glasses?"],
    ["Anna", "Bob", "Eva", "Zoë"],
    ["nyny", ["no", "no", "it is her", "no"], [False, False, True, True]],
)


def weighted(game: gb.TableGame, weights: list[int]) -> gb.TableGame:
    """Return the same game with these weights."""
    return gb.TableGame(
        game.guesses[: game.given],
        game.secrets,
        lambda guess, secret: str(game.feedback(guess, secret)),
        weights=weights[: len(game.secrets)],
        goal="name",
    )


def made_sheet(name: str) -> str | None:
    """Return a generated table as CSV, the same in each run; None for an unknown name."""
    draw = Random(1).random
    numbers, weights = range(300), [1 + int(500 * draw() * draw() * draw()) for _ in range(40)]
    if name == "higher-lower.csv":
        return csv_of(numbers, numbers, lambda a, b: "found" if a == b else "<" if a < b else ">")
    if name == "distances.csv":  # more answers than a byte has values
        return csv_of(numbers, numbers, lambda a, b: abs(a - b))
    if name in ("made.csv", "weighted.csv"):
        # Some guesses name secrets, in another order; the game adds guesses for the others.
        return csv_of(
            [f"is it {k}" if k % 3 else f"secret {k % 40}" for k in range(60, 0, -1)],
            [f"secret {k}" for k in range(40)],
            lambda guess, secret: "found" if guess == secret else int(5 * draw() * draw()),
            weights if name == "weighted.csv" else (),
        )
    return None


def csv_of(
    guesses: Iterable[object],
    secrets: Sequence[object],
    answer: Callable[[Any, Any], object],
    weights: Sequence[int] = (),
) -> str:
    """Return the table of these guesses and secrets as CSV, with a row of weights if given."""
    rows: list[list[object]] = [["guess", *secrets], *([["weights", *weights]] if weights else [])]
    rows += [[guess, *(answer(guess, secret) for secret in secrets)] for guess in guesses]
    return "\n".join(",".join(map(str, row)) for row in rows)


@st.composite
def table_games(draw: st.DrawFn) -> gb.TableGame:
    """Draw a small table, without secrets whose answers equal those of another secret."""
    size = draw(st.integers(1, 9))
    answers = draw(st.integers(1, 4))
    rows = draw(
        st.lists(st.lists(st.integers(0, answers), min_size=size, max_size=size), max_size=6)
    )
    named = draw(st.sets(st.integers(0, size - 1), max_size=len(rows)))
    names: dict[tuple[int, ...], int] = {}
    for column in range(size):
        names.setdefault(
            (column if column in named else -1, *(row[column] for row in rows)), column
        )
    kept = sorted(names.values())
    guesses = [f"ask {k}" for k in range(len(rows))]
    for k, column in enumerate(sorted(named & set(kept))):
        guesses[k] = f"secret {column}"
    return gb.TableGame(
        guesses,
        [f"secret {column}" for column in kept],
        [
            ["found" if f"secret {column}" == guess else row[column] for column in kept]
            for guess, row in zip(guesses, rows, strict=True)
        ],
        goal="name",
    )
