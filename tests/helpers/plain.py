"""Plain definitions: every policy as docs/reference/policies.md defines it, for small games.

Only the rules of the game (its codes, feedbacks and weights) come from Guessbook.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest

import guessbook as gb
from tests.helpers.content import pack, write
from tests.strategies import ONE_STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.strategies import History

    # Returns the index of the guess after a history with these candidates.
    Chooser = Callable[[History, list[str]], int]

LOG_BITS = 36
IMPOSSIBLE = 1 << 60
DEFAULTS: dict[str, dict[str, Any]] = {
    "lookahead": {"base": "entropy-corrected", "depth": 2, "width": 20},
    "rollout": {"base": "entropy", "width": 20, "endgame": 0},
    "optimal": {"base": "entropy", "max_guesses": None},
    "win": {"base": "entropy", "max_guesses": None},
    "consistent": {"random_seed": 0},
}


@cache
def logarithm(n: int, bits: int = LOG_BITS) -> int:
    """Return the integer logarithm of FORMAT.md: the sum of rounded logarithms of prime factors."""
    for p in range(2, math.isqrt(n) + 1):
        if n % p == 0:
            return logarithm(p, bits) + logarithm(n // p, bits)
    return round(math.log2(n) * (1 << bits))


def score(name: str, sizes: Sequence[int], own: int, bits: int = LOG_BITS) -> int:
    """Return the score of FORMAT.md for cells of these sizes.

    `own` is the weight of the guess, or 0 if it is not a candidate.
    """
    if name == "minimax":
        return -max(sizes)
    if name == "parts":
        return len(sizes)
    if name == "expected":
        return -sum(n * n for n in sizes)
    if name not in ("entropy", "entropy-corrected"):
        raise ValueError(f"the score of {name!r} has no definition here; add it")
    bonus = own * 2 * 2**bits if name == "entropy-corrected" else 0
    return bonus - sum(n * logarithm(n, bits) for n in sizes)


class Definition:
    """A policy in a game: `choose` returns its guess after any history."""

    def __init__(self, game: gb.Game, policy: dict[str, Any]) -> None:
        self.game = game
        self.options = DEFAULTS.get(policy["name"], {}) | policy
        self.rule = self.options.get("base", policy["name"])
        self.width = self.options.get("width")
        self.hard = self.options.get("hard_mode", False) and game.has_hard_mode
        self.guesses, self.answer = list(game.guesses), cache(game.feedback_number)
        self.index = {code: index for index, code in enumerate(self.guesses)}
        weights = getattr(game, "weights", None) or [1] * len(game.secrets)
        divisor = math.gcd(*weights)
        self.weights = {s: w // divisor for s, w in zip(game.secrets, weights, strict=True)}
        self.weighted = len(set(weights)) > 1
        if not self.weighted:
            self.weights = dict.fromkeys(game.secrets, 1)
        self.known: dict[object, Any] = {}

    def choose(self, history: History, candidates: list[str]) -> int:
        """Return the index of the guess."""
        name = self.options["name"]
        definition = self.one_step if name in ONE_STEP else getattr(self, name)
        found: int = definition(history, candidates)
        return found

    def weight(self, codes: Sequence[str]) -> int:
        """Return the total weight of some codes; a code that is never the secret has none."""
        return sum(self.weights.get(code, 0) for code in codes)

    def cells(self, guess: int, candidates: Sequence[str]) -> dict[int, list[str]]:
        """Return the candidates by their feedback to a guess."""
        cells = defaultdict(list)
        for secret in candidates:
            cells[self.answer(self.guesses[guess], secret)].append(secret)
        return cells

    def after(
        self, history: History, candidates: Sequence[str], guess: int
    ) -> list[tuple[History, list[str]]]:
        """Return the history and the candidates after each feedback but "solved"."""
        cells = self.cells(guess, candidates)
        cells.pop(self.game.solved, None)
        return [([*history, (guess, feedback)], cell) for feedback, cell in cells.items()]

    # One-step policies, and the ranking of guesses.

    def one_step(self, history: History, candidates: list[str]) -> int:
        """The first of all allowed guesses in the order of the ranking."""
        return self.order(history, candidates)[0]

    def order(self, history: History, candidates: list[str]) -> list[int]:
        """All allowed guesses, sorted by score; ties go to candidates, then to the lowest index."""
        key = "order", tuple(candidates), self.permitted(history, candidates)
        if key not in self.known:
            self.known[key] = sorted(key[2], key=lambda guess: self.rank(guess, candidates))
        found: list[int] = self.known[key]
        return found

    def rank(self, guess: int, candidates: list[str]) -> tuple[int, bool, int]:
        code = self.guesses[guess]
        sizes = [self.weight(cell) for cell in self.cells(guess, candidates).values()]
        own = self.weight([code]) if code in candidates else 0
        return -score(self.rule, sizes, own), code not in candidates, guess

    def permitted(self, history: History, candidates: list[str]) -> tuple[int, ...]:
        """The guesses that the options allow."""
        found = range(len(self.guesses))
        if self.options.get("consistent_only"):
            return tuple(i for i in found if self.guesses[i] in candidates)
        return tuple(i for i in found if not self.hard or self.keeps(history, i))

    def keeps(self, history: History, index: int) -> bool:
        """Whether Wordle's hard mode allows a word."""
        word = self.guesses[index]
        for guess, feedback in history:
            marks = self.game.format_feedback(feedback)
            marked = list(zip(self.guesses[guess], marks, word, strict=True))
            shown = Counter(letter for letter, mark, _ in marked if mark != "0")
            if any(mark == "2" and letter != own for letter, mark, own in marked):
                return False
            if any(word.count(letter) < times for letter, times in shown.items()):
                return False
        return True

    def ranking(
        self, history: History, candidates: list[str], width: int | None, alike: bool = False
    ) -> list[int]:
        """The best `width` guesses, or all if it is None; of equivalent guesses, only the first.

        Of guesses with the same cells, only the first is kept, unless `alike` is true.
        """
        chosen: dict[object, int] = {}
        for guess in self.order(history, candidates):
            if self.lowest(history, candidates, guess) < guess:
                continue
            code, cells = self.guesses[guess], self.cells(guess, candidates)
            own = self.weight([code]) if self.weighted and code in candidates else 0
            split = frozenset(map(tuple, cells.values())), own
            chosen.setdefault(guess if alike else split, guess)
            if len(chosen) == width:
                break
        return list(chosen.values())

    def lowest(self, history: History, candidates: list[str], guess: int) -> int:
        """The lowest index of the images of a guess under the symmetries of the history."""
        if not isinstance(self.game, gb.Mastermind):
            return guess
        code, found = self.guesses[guess], guess
        absent, free, symmetries = self.symmetries(history, candidates)
        for places, names in symmetries:
            named = dict(names)
            unused = {**dict.fromkeys(free, iter(free)), **dict.fromkeys(absent, iter(absent))}
            for place in places:
                if code[place] not in named:
                    named[code[place]] = next(unused[code[place]])
            image = "".join(named[code[place]] for place in places)
            found = min(found, self.index[image])
        return found

    def symmetries(self, history: History, candidates: list[str]) -> Any:
        """The symbols that no candidate has, other symbols that no guess has, and the symmetries.

        A symmetry is an order of the positions, and new names for symbols. Symbols without a new
        name are exchanged freely with those of the same kind.
        """
        key = "symmetries", frozenset(history), tuple(candidates)
        if key in self.known:
            return self.known[key]
        game, past = cast("gb.Mastermind", self.game), [self.guesses[index] for index, _ in history]
        absent = [s for s in game.symbols if not any(s in code for code in candidates)]
        free = [s for s in game.symbols if s not in absent and not any(s in c for c in past)]
        # If symbols may repeat, codes that differ only in absent symbols are equivalent.
        one = dict.fromkeys(absent, absent[0]) if absent and game.repeats else {}
        found = []
        for places in permutations(range(game.pegs)):
            pairs = {(code[k], code[p]) for code in past for p, k in enumerate(places)}
            images = dict(pairs)
            if len(pairs) == len(images) == len(set(images.values())):
                kept = {symbol: images[symbol] for symbol in images if symbol not in absent}
                found.append((places, kept | one))
        self.known[key] = absent, free, found
        return self.known[key]

    # Policies that look further.

    def lookahead(self, history: History, candidates: list[str]) -> int:
        """The guess of the highest value for `depth` steps."""
        depth = self.options["depth"]
        return max(
            self.ranking(history, candidates, self.width),
            key=lambda guess: self.value(history, candidates, guess, depth),
        )

    def value(self, history: History, candidates: list[str], guess: int, steps: int) -> int:
        """The value of a guess for a number of steps."""
        if steps == 1:
            return -self.rank(guess, candidates)[0]
        code, values = self.guesses[guess], []
        own = self.weight([code]) if code in candidates else 0
        if own:
            values.append(score(self.rule, [own], 0))
        for past, cell in self.after(history, candidates, guess):
            best = [self.one_step(past, cell)]
            if steps > 2:
                best = self.ranking(past, cell, self.width)
            values.append(max(self.value(past, cell, other, steps - 1) for other in best))
        bonus = score(self.rule, [1], own) - score(self.rule, [1], 0)
        return (min(values) if self.rule == "minimax" else sum(values)) + bonus

    def rollout(self, history: History, candidates: list[str]) -> int:
        """The guess of the smallest cost if the base makes all later guesses.

        With at most `endgame` candidates, it is the first guess of an optimal strategy.
        """
        if len(candidates) <= (self.options["endgame"] or 0):
            return self.least(history, candidates, None)[1]
        return min(
            self.ranking(history, candidates, self.width),
            key=lambda guess: self.played_on(history, candidates, guess),
        )

    def played_on(self, history: History, candidates: list[str], guess: int) -> tuple[int, int]:
        """The total and the largest number of guesses if the base makes all later guesses."""
        total, worst = self.weight(candidates), 1
        for past, cell in self.after(history, candidates, guess):
            further, longest = self.played_on(past, cell, self.one_step(past, cell))
            total, worst = total + further, max(worst, longest + 1)
        return total, worst

    def optimal(self, history: History, candidates: list[str]) -> int:
        """The guess of the least cost; a limit that no strategy meets is ignored."""
        most = self.options["max_guesses"]
        left = None if most is None else max(0, most - len(dict(history)))
        if left is not None and self.least(history, candidates, left)[0] >= IMPOSSIBLE:
            left = None
        return self.least(history, candidates, left)[1]

    def least(self, history: History, candidates: list[str], left: int | None) -> tuple[int, int]:
        """The least cost of all guesses, and the first guess of the ranking that has it."""
        key = "least", tuple(candidates), left, self.past(history)
        if key not in self.known:
            guesses = self.ranking(history, candidates, None, self.hard)
            costs = [(self.cost(history, candidates, g, left), g) for g in guesses]
            self.known[key] = min(costs, key=lambda cost: cost[0])
        found: tuple[int, int] = self.known[key]
        return found

    def past(self, history: History) -> object:
        """The part of the history that the guess depends on besides the candidates."""
        return frozenset(history) if self.hard else None

    def cost(
        self,
        history: History,
        candidates: list[str],
        guess: int,
        left: int | None,
    ) -> int:
        if left == 0:
            return IMPOSSIBLE
        total = self.weight(candidates)
        for past, cell in self.after(history, candidates, guess):
            if len(cell) == len(candidates):
                return IMPOSSIBLE
            total += self.least(past, cell, None if left is None else left - 1)[0]
        return min(total, IMPOSSIBLE)

    def win(self, history: History, candidates: list[str]) -> int:
        """The guess that finds the most within the limit; the base plays on after it.

        A second limit, for all secrets, is ignored if no strategy meets it.
        """
        most, guesses = self.options["max_guesses"], len(dict(history))
        left = max(0, int(self.options["within"]) - guesses)
        end = None if most is None else max(0, most - guesses)
        if end is not None and self.most(history, candidates, left, end)[0] < 0:
            end = None
        return self.most(history, candidates, left, end)[1]

    def most(
        self, history: History, candidates: list[str], left: int, end: int | None
    ) -> tuple[int, int]:
        """The largest weight that is found in `left` guesses, and the guess that finds it.

        It is negative if no strategy finds all in `end` guesses.
        """
        if end == 0:
            return -IMPOSSIBLE, 0
        if left == 0 and end is None:
            return 0, self.one_step(history, candidates)
        key = "most", tuple(candidates), left, end, self.past(history)
        if key not in self.known:
            guesses = self.ranking(history, candidates, None, self.hard)
            found = [(self.finds(history, candidates, g, left, end), g) for g in guesses]
            self.known[key] = max(found, key=lambda pair: pair[0])
        best: tuple[int, int] = self.known[key]
        return best

    def finds(
        self, history: History, candidates: list[str], guess: int, left: int, end: int | None
    ) -> int:
        code = self.guesses[guess]
        total = self.weight([code]) if left and code in candidates else 0
        for past, cell in self.after(history, candidates, guess):
            if len(cell) == len(candidates):
                return -IMPOSSIBLE
            further = None if end is None else end - 1
            total += self.most(past, cell, max(0, left - 1), further)[0]
        return max(total, -IMPOSSIBLE)

    # Simple policies.

    def consistent(self, _: History, candidates: list[str]) -> int:
        """A candidate, drawn by a hash and with a chance in proportion to its weight."""
        hashed = f"{self.options['random_seed']}:".encode("ascii")
        for code in candidates:
            hashed += list(self.game.secrets).index(code).to_bytes(4, "little")
        drawn = int.from_bytes(sha256(hashed).digest()[:8], "little") % self.weight(candidates)
        for code in candidates:
            drawn -= self.weight([code])
            if drawn < 0:
                return self.index[code]
        raise AssertionError

    def positional(self, _: History, candidates: list[str]) -> int:
        """The candidate whose symbols are the rarest at their positions."""
        length = max(map(len, candidates))
        padded = {code: code.ljust(length, "\0") for code in candidates}

        def surprise(code: str) -> int:
            same = [[c for c in candidates if padded[c][k] == symbol]
                    for k, symbol in enumerate(padded[code])]  # fmt: skip
            return sum(logarithm(self.weight(codes)) for codes in same)

        return self.index[min(candidates, key=surprise)]


class PlainNode(NamedTuple):
    """A node of a tree.

    Attributes:
        history: the guesses and feedbacks that lead to it.
        candidates: the secrets that fit.
        guess: the index of its guess.
        children: the feedbacks that lead further, ascending.
    """

    history: History
    candidates: list[str]
    guess: int
    children: list[int]


def plain_nodes(game: gb.Game, choose: Chooser) -> list[PlainNode]:
    """Return the nodes of the tree that a function chooses, level by level."""
    nodes: list[PlainNode] = []
    level: list[tuple[History, list[str]]] = [([], list(game.secrets))]
    while level:
        below = []
        for history, candidates in level:
            guess, cells = choose(history, candidates), defaultdict(list)
            for secret in candidates:
                cells[game.feedback_number(game.guesses[guess], secret)].append(secret)
            cells.pop(game.solved, None)
            nodes.append(PlainNode(history, candidates, guess, sorted(cells)))
            below += [([*history, (guess, f)], cells[f]) for f in sorted(cells)]
        level = below
    return nodes


def plain_tree(game: gb.Game, policy: str | dict[str, Any]) -> list[PlainNode]:
    """Return the tree of a policy by its plain definition."""
    described = described_by(policy)
    definition = Definition(game, described)

    def choose(history: History, candidates: list[str]) -> int:
        if not history and "first_guess" in described:
            return game.parse_code(described["first_guess"])
        return definition.choose(history, candidates)

    return plain_nodes(game, choose)


def described_by(policy: str | dict[str, Any]) -> dict[str, Any]:
    """Return a policy as a map."""
    if not isinstance(policy, str):
        return policy
    name, _, options = policy.partition(":")
    pairs = [option.partition("=") for option in options.split(",") if option]
    return {"name": name} | {
        key.replace("-", "_"): int(value) if value.isdecimal() else value or True
        for key, _, value in pairs
    }


def plain_book(game: gb.Game, policy: str | dict[str, Any] = "entropy") -> gb.Book:
    """Return the book of a game in which the plain definition of a policy chooses every guess."""
    return book_of(game, described_by(policy), plain_tree(game, policy))


def grow(game: gb.Game, named: gb.Game, policy_name: str, choose: Chooser) -> gb.Book:
    """Return the book of the game `named` with the guesses that `choose` makes in `game`."""
    return book_of(named, {"name": policy_name}, plain_nodes(game, choose))


def book_of(game: gb.Game, policy: dict[str, Any], nodes: list[PlainNode]) -> gb.Book:
    """Return the book with these nodes, read from a file that this function writes."""
    columns = {
        "guess": [node.guess for node in nodes],
        "feedback": [node.history[-1][1] if node.history else 0 for node in nodes],
        "children": [len(node.children) for node in nodes],
        "surplus": [len(node.candidates) - len(node.children) for node in nodes],
    }
    return gb.open(pack(write(game.header(), columns, policy)))


@contextmanager
def without_engine() -> Iterator[None]:
    """Hide the library of the engine from this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUESSBOOK_PURE", "1")
        yield


def fitting(game: gb.Game, history: History) -> list[str]:
    """Return the secrets that fit a history."""
    return [
        secret
        for secret in game.secrets
        if all(game.feedback_number(game.guesses[g], secret) == f for g, f in history)
    ]


def entries(game: gb.Game, history: History) -> list[tuple[str, str]]:
    """Return a history of numbers as codes and feedbacks in text."""
    return [(game.guesses[guess], game.format_feedback(feedback)) for guess, feedback in history]


def paths(book: gb.Book) -> list[History]:
    """Return the history of every node of a book, in the order of the nodes."""
    found: list[History] = [[]]
    for node in book.nodes:
        guess = book.game.parse_code(node.guess)
        answers = map(book.game.parse_feedback, node.children)
        found += [[*found[node.index], (guess, feedback)] for feedback in answers]
    return found
