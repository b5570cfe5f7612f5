"""A reader of book files, written from FORMAT.md alone; it shares no code with Guessbook."""

from __future__ import annotations

from typing import Any

import msgpack
import zstandard

COLUMNS = ("guess", "feedback", "children", "surplus")


class Reader:
    """The header of a book file and its nodes."""

    def __init__(self, data: bytes) -> None:
        content = zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
        self.header: dict[str, Any] = msgpack.unpackb(content)
        if self.header["guessbook"][0] != 1:
            raise ValueError("unknown major version")
        self.game: dict[str, Any] = self.header["game"]
        self.nodes: int = self.header["nodes"]
        columns = [self._integers(self.header["tree"][name], self.nodes) for name in COLUMNS]
        self.guess, self.feedback, self.children, surplus = columns
        self.candidates = [a + b for a, b in zip(surplus, self.children, strict=True)]
        self.first = [1]
        for count in self.children:
            self.first.append(self.first[-1] + count)
        self._texts = self.game.get("guesses", "").split("\n")
        self.secrets = self._secrets()
        self._places = {secret: place for place, secret in enumerate(self.secrets)}
        self._rows = {text: row for row, text in enumerate(self._texts)}

    def code(self, index: int) -> str:
        """Return the code with an index."""
        if self.game["type"] in ("words", "table"):
            return str(self._texts[index])
        if "pegs" not in self.game:
            return str(index)  # a game of a plug-in, whose codes the format does not know
        pegs, colors, unused = self.game["pegs"], self.game["colors"], list(self.game["symbols"])
        if self.game["repeats"]:
            digits = [index // colors**k % colors for k in range(pegs)]
            return "".join([unused[digit] for digit in reversed(digits)])
        ranks = []
        for choices in range(colors - pegs + 1, colors + 1):
            index, rank = divmod(index, choices)
            ranks.append(rank)
        return "".join([unused.pop(rank) for rank in reversed(ranks)])

    def weights(self) -> dict[str, int]:
        """Return the weight of each secret."""
        return dict(zip(self.secrets, self.numbers("weights", len(self.secrets)), strict=True))

    def answer(self, guess: str, secret: str) -> int:
        """Return the number of the feedback that a secret gives to a guess."""
        if self.game["type"] == "table":
            return self._label(guess, secret)
        hits = [a == b for a, b in zip(guess, secret, strict=True)]
        if self.game["type"] == "mastermind":
            both = sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))
            return both * (len(guess) + 1) + sum(hits)
        standard = self.game["scoring"] == "standard"
        left = [letter for letter, hit in zip(secret, hits, strict=True) if not hit]
        number = 0
        for letter, hit in zip(guess, hits, strict=True):
            present = letter in (left if standard else secret)
            number = number * 3 + (2 if hit else int(present))
            if standard and present and not hit:
                left.remove(letter)
        return number

    def child(self, node: int, number: int) -> int | None:
        """Return the child of a node for the number of a feedback."""
        for child in range(self.first[node], self.first[node + 1]):
            if self.feedback[child] == number:
                return child
        return None

    def _label(self, guess: str, secret: str) -> int:
        labels = self.game["answers"].count("\n") + 1
        row, size = self._rows[guess], len(self.secrets)
        if row >= self.game["given"]:
            return int(labels - (1 if guess == secret else 2))
        place, plane = row * size + self._places[secret], self.game["given"] * size
        table = self.game["table"]
        return sum(table[place + k * plane] << 8 * k for k in range(len(table) // plane))

    def labels(self, key: str) -> list[str]:
        """Return the tests, things, answers or outcomes of a game with the goal `identify`."""
        return self.game[key].split("\n") if self.game[key] else []

    def numbers(self, key: str, count: int) -> list[int]:
        """Return the integers of a key, such as weights; without the key, 1 for each of `count`."""
        data = self.game.get(key, (1).to_bytes(4, "little") * count)
        return [int.from_bytes(data[k : k + 4], "little") for k in range(0, len(data), 4)]

    def rows(self) -> list[list[int]]:
        """Return the answers of all things to each test, in a game with the goal `identify`."""
        tests, things = len(self.labels("tests")), len(self.labels("things"))
        cells = self._integers(self.game["table"], tests * things) if tests else []
        return [cells[row * things : row * things + things] for row in range(tests)]

    def _secrets(self) -> list[str]:
        marks = self.game.get("secrets")
        if marks is None:
            return [self.code(index) for index in range(self.header["secrets"])]
        return [text for i, text in enumerate(self._texts) if marks[i // 8] >> i % 8 & 1]

    @staticmethod
    def _integers(data: bytes, nodes: int) -> list[int]:
        planes = [data[k : k + nodes] for k in range(0, len(data), nodes)]
        return [sum(byte << 8 * k for k, byte in enumerate(row)) for row in zip(*planes)]  # noqa: B905
