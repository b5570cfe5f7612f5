"""Table games for tests: small ones with labels of every kind, and any that hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

from guessbook.book import TableGame

# Tests that find what is broken: no test names a fault.
LAMP = TableGame(
    ["swap the bulb", "bridge = wire", "other battery, 4½ V", 'shake "it"'],
    ["bulb", "wire; earth", "battery = flat", "switch", "schwarzer Löwe 🦁"],
    [
        ["lights up", "dark", "dark", "dark", "dark"],
        ["dark", "lights up", "dark", "flickers, a bit", "flickers, a bit"],
        ["dark", "dark", "lights up", "dark", "lights up"],
        ["dark", "dark", "dark", "flickers, a bit", "dark"],
    ],
)

# All secrets may be guessed, and answers have an equals sign.
NUMBERS = TableGame(
    range(1, 10), range(1, 10), lambda g, s: "<" if g < s else ">" if g > s else "="
)

# Some secrets are named by guesses, others are not, in another order.
MIXED = TableGame(
    ["has a hat?", "Eva", "has = glasses?"],
    ["Anna", "Bob", "Eva", "Zoë"],
    ["nyny", ["no", "no", "it is her", "no"], [False, False, True, True]],
)


def weighted(game: TableGame, weights: list[int]) -> TableGame:
    """The same game, in which secrets count differently."""
    return TableGame(
        game.guesses[: game.given],
        game.secrets,
        lambda guess, secret: game.format_feedback(game.feedback(guess, secret)),
        weights=weights[: len(game.secrets)],
    )


@st.composite
def table_games(draw: st.DrawFn) -> TableGame:
    """Any small table that is a game: of what is drawn, secrets that are told apart are kept."""
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
    return TableGame(
        guesses,
        [f"secret {column}" for column in kept],
        [
            ["found" if f"secret {column}" == guess else row[column] for column in kept]
            for guess, row in zip(guesses, rows, strict=True)
        ],
    )
