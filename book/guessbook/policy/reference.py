"""One-step guesses in plain Python: slow, obvious, and the reference for every faster path."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol, Self

from guessbook.book.games.beyond import listed_guesses
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weights_of


class Scores(Protocol):
    """The interface of a one-step policy here: see `guessbook.policy.one_step.OneStep`."""

    @property
    def credit(self) -> int:
        """Bonus in the score of a guess that is a candidate."""

    @property
    def consistent_only(self) -> bool:
        """Whether only candidates are guessed."""

    @property
    def hard_mode(self) -> bool:
        """Whether only guesses are allowed that use all earlier answers."""

    def of(self, game: Game, /) -> Self:
        """Return the policy with scores that fit 64 bits."""

    def costs(self, size: int, /) -> Sequence[int]:
        """Return the cost of a cell of 0, 1, ..., `size` candidates."""

    def score(self, sizes: Iterable[int], costs: Sequence[int], /) -> int:
        """Return the score of a partition."""


def consistent(game: Game, history: History) -> list[str]:
    """Return the candidates: every secret that gives each guess of the history its feedback."""
    candidates = list(game.secrets)
    for index, feedback in history:
        guess = game.guesses[index]
        candidates = [s for s in candidates if game.feedback_number(guess, s) == feedback]
    return candidates


def partition(game: Game, guess: str, candidates: Sequence[str]) -> Counter[int]:
    """Return, for each feedback to `guess`, the weight of the candidates that give it."""
    cells: Counter[int] = Counter()
    for secret, weight in zip(candidates, weights_of(game, candidates), strict=True):
        cells[game.feedback_number(guess, secret)] += weight
    return cells


def best_guess(
    game: Game, candidates: Sequence[str], policy: Scores, allowed: Iterable[int] | None = None
) -> tuple[int, int]:
    """Return the index of the policy's guess for these candidates, and its score.

    All guesses are considered, or only those `allowed`. The highest score wins; ties go to a
    candidate, then to the lowest index.
    """
    policy = policy.of(game)
    possible = dict(zip(candidates, weights_of(game, candidates), strict=True))
    costs = policy.costs(sum(possible.values()))
    best: tuple[int, bool, int] | None = None
    for index in range(len(game.guesses)) if allowed is None else allowed:
        guess = game.guesses[index]
        score = policy.score(partition(game, guess, candidates).values(), costs)
        score += policy.credit * possible.get(guess, 0)
        if best is None or (score, guess in possible, -index) > best:
            best = (score, guess in possible, -index)
    assert best is not None  # a game has guesses
    return -best[2], best[0]


def allowed(
    game: Game, policy: Scores, history: History, candidates: Sequence[str]
) -> list[int] | None:
    """Return the indices of the guesses that a one-step policy may make; None for all guesses."""
    if policy.consistent_only:
        return [game.guesses.index(code) for code in candidates]
    if policy.hard_mode and game.has_hard_mode:
        return [i for i in listed_guesses(game) if keeps_hints(game, game.guesses[i], history)]
    return None


def keeps_hints(game: Game, word: str, history: History) -> bool:
    """Return whether Wordle's hard mode allows a word: see `hard_mode.hard_words`."""
    return not broken_hint(game, word, history)


def broken_hint(game: Game, word: str, history: History) -> str:
    """Return the rule of Wordle's hard mode that a word breaks, with the letter; empty if none.

    >>> from guessbook.book import WordGame, parse_history
    >>> game = WordGame(["light", "eight", "geese"])
    >>> history = parse_history(game, "eight=02222 geese=01000")
    >>> broken_hint(game, "tight", history), broken_hint(game, "geese", history)
    ("it needs the letter 'e'", "letter 2 has to be 'i'")
    """
    for guess, feedback in history:
        marks = game.format_feedback(feedback)
        pairs = list(zip(game.guesses[guess], marks, strict=True))
        for place, (letter, mark) in enumerate(pairs):
            if mark == "2" and word[place] != letter:
                return f"letter {place + 1} has to be {letter!r}"
        shown = [letter for letter, mark in pairs if mark != "0"]
        for letter in shown:
            times = shown.count(letter)
            if word.count(letter) < times:
                return f"it needs the letter {letter!r}{f' {times} times' * (times > 1)}"
    return ""
