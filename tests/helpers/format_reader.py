"""A reader of book files written from FORMAT.md alone; it shares no code with Guessbook."""

import struct
from typing import Any

import msgpack
import zstandard


class Reader:
    """The header of a book file and its nodes."""

    def __init__(self, data: bytes) -> None:
        content = zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
        self.header: dict[str, Any] = msgpack.unpackb(content)
        if self.header["guessbook"][0] != 1:
            raise ValueError("unknown major version")
        self.nodes: int = self.header["nodes"]
        names = ("guess", "feedback", "children", "surplus")
        self.guess, self.feedback, self.children, surplus = map(self.column, names)
        self.candidates = [s + c for s, c in zip(surplus, self.children, strict=True)]
        self.first = [1]
        for count in self.children:
            self.first.append(self.first[-1] + count)

    def column(self, name: str) -> list[int]:
        """One integer a node: plane k holds bits 8k to 8k+7 of each."""
        data = self.header["tree"][name]
        planes = [data[k : k + self.nodes] for k in range(0, len(data), self.nodes)]
        planes += [bytes(self.nodes)] * (4 - len(planes))
        return [struct.unpack("<I", bytes(value))[0] for value in zip(*planes, strict=True)]

    def code(self, index: int) -> str:
        """The code with that index."""
        game = self.header["game"]
        if game["type"] in {"words", "table"}:
            return str(game["guesses"].split("\n")[index])
        unused = list(game["symbols"])
        if game["repeats"]:
            digits = [index // len(unused) ** k % len(unused) for k in range(game["pegs"])]
            return "".join(unused[digit] for digit in reversed(digits))
        digits = []
        for choices in range(game["colors"] - game["pegs"] + 1, game["colors"] + 1):
            digits.append(index % choices)
            index //= choices
        return "".join(unused.pop(digit) for digit in reversed(digits))

    def secrets(self) -> list[str]:
        """The codes that may be the secret."""
        game = self.header["game"]
        if game["type"] in {"words", "table"}:
            words, bits = game["guesses"].split("\n"), game["secrets"]
            return [word for i, word in enumerate(words) if bits[i // 8] >> i % 8 & 1]
        return [self.code(index) for index in range(self.header["secrets"])]

    def answer(self, guess: str, secret: str) -> int:
        """The number of the feedback that a secret gives to a guess."""
        game = self.header["game"]
        if game["type"] == "table":
            row, column = game["guesses"].split("\n").index(guess), self.secrets().index(secret)
            answers, size = game["answers"].count("\n") + 1, self.header["secrets"]
            place, pairs = row * size + column, game["given"] * size
            if row >= game["given"]:
                return int(answers - (1 if guess == secret else 2))
            return sum(
                game["table"][place + k * pairs] << 8 * k for k in range(1 + (answers > 256))
            )
        hits = [a == b for a, b in zip(guess, secret, strict=True)]
        if game["type"] == "mastermind":
            both = sum(min(guess.count(s), secret.count(s)) for s in set(guess))
            return both * (len(guess) + 1) + sum(hits)
        left = [b for b, hit in zip(secret, hits, strict=True) if not hit]
        number = 0
        for letter, hit in zip(guess, hits, strict=True):
            present = letter in left if game["scoring"] == "standard" else letter in secret
            number = number * 3 + (2 if hit else int(present))
            if present and not hit and game["scoring"] == "standard":
                left.remove(letter)
        return number

    def child(self, node: int, number: int) -> int | None:
        """The node that the feedback of that number leads to from a node."""
        for child in range(self.first[node], self.first[node + 1]):
            if self.feedback[child] == number:
                return child
        return None
