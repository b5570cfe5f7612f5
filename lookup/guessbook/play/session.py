"""The session: a game in progress, with everything that can be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from itertools import starmap
from typing import Any, Self, TypeVar

from guessbook.book.errors import InconsistentFeedbackError, UsageError, quote, whole_number
from guessbook.book.games.beyond import read_history, text_of
from guessbook.book.games.game import Game, History, feedback_to
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.games.weights import likeliest_first, secret_weights, weights_of
from guessbook.book.source import Source, open_source
from guessbook.book.strategy import DEFAULT_BOOK, Strategy
from guessbook.lookup.hint import Hint, hint_for
from guessbook.lookup.walk import wrong_tree
from guessbook.play.analysis import Analysis, Split, analysed
from guessbook.play.explain import (
    Explanation,
    explanation,
    ranking_policy,
    unrefused,
    without,
    yardstick,
)
from guessbook.play.pairs import best_pairs
from guessbook.play.rate import PairRating, Rating, pair_rating, rating
from guessbook.play.review import Review, review
from guessbook.play.rows import Entries, Row, Rows, check_order, rows_of, share
from guessbook.play.shuffle import Shuffle
from guessbook.policy.notation import PolicyLike, header, policy_of_session
from guessbook.policy.reference import broken_hint

Result = TypeVar("Result")


class Session(Rows):
    """A game in progress: what to guess, why, and how well it went.

    >>> session = Session("mastermind-4x6")
    >>> session.add_guess("RYGB", "1,1")
    >>> session.add_guess("RGOP", "0,2")
    >>> session.hint().guess, session.remaining
    ('PYYG', 57)
    >>> session.rate("YYYY").skill
    44
    >>> session.undo().guess
    'RGOP'

    Every entry is noted, also one that contradicts the others: `hint` then raises
    InconsistentFeedbackError, which names the rows to re-check, and `edit` or `set_aside` put it
    right.

    A session is not shared between threads: give each thread a `copy` of its own.

    Args:
        source: a book, the path of one, or the name of a shipped one; or a game, or its name, such
            as "bagels": then every guess is computed.
        history: the guesses and feedbacks so far, in any notation that `hint` accepts.
        policy: the policy of a game without a book, as `policy_of` takes it, without a first
            guess; a book has its own.
        shuffle: a symmetry through which the policy is seen; see `shuffle.random_shuffle`.
        refused: guesses that the game refuses; see `refuse`.

    Attributes:
        game: the game.
        book: the book, if there is one.
        policy: the policy: of a book as its header has it, else itself.

    Raises:
        InvalidBookError, UsageError: as `read_strategy` does.
        InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
    """

    def __init__(
        self,
        source: Source = DEFAULT_BOOK,
        history: object = (),
        policy: PolicyLike | None = None,
        shuffle: Shuffle | None = None,
        refused: Sequence[str] = (),
    ) -> None:
        self.book, self.game = open_source(source)
        if self.book is not None and policy is not None:
            raise UsageError("found a book and a policy, expected one of them: a book has its own")
        own = policy_of_session("entropy" if policy is None else policy)
        self.policy: PolicyLike = self.book.policy if self.book else own
        if not isinstance(shuffle, Shuffle | None):
            raise UsageError(f"found {quote(shuffle)}, expected a Shuffle, as random_shuffle gives")
        self.shuffle = shuffle
        self._rows: tuple[Row, ...] = ()
        self._refused: tuple[str, ...] = ()
        self._found: dict[str, tuple[object, Any]] = {}
        for guess in refused:
            self.refuse(guess)
        self._rows = tuple(rows_of(self.game, history))

    # The state.

    @property
    def parsed_history(self) -> History:
        """The history as (guess index, feedback number) pairs, of the game that `known` gives."""
        game = self.known
        return [(game.parse_code(g), game.parse_feedback(f)) for g, f in self.history]

    @property
    def known(self) -> Game:
        """The game, with the guesses of the history that its list lacks: see `read_history`."""
        return self._once("game", lambda: read_history(self.game, self.history)[0])

    @property
    def among_guesses(self) -> bool:
        """Whether no secret fits, but guesses do: these are the candidates then."""
        return len(self.analysis().game.secrets) > len(self.game.secrets)

    @property
    def remaining(self) -> int:
        """The number of candidates; 0 if nothing fits. No guess is computed for it."""
        history = self.history
        if not history and not self.refused:
            return len(self.game.secrets)
        told, hint = self._found.get("hint", (None, None))
        if hint is not None and told == (history, self.refused):
            return int(hint.remaining)
        return len(self.analysis().candidates)

    @property
    def refused(self) -> tuple[str, ...]:
        """The guesses that the game refuses, although its list has them here; see `refuse`."""
        guessed = {row.guess for row in self.rows}
        return tuple([guess for guess in self._refused if guess not in guessed])

    @property
    def weight(self) -> int | None:
        """The sum of the candidates' weights; None where secrets have no weights."""
        return None if secret_weights(self.game) is None else self.analysis().total

    @property
    def solved(self) -> bool:
        """Whether a feedback says that its guess is the secret, and the others agree."""
        return any(f == self.game.solved for _, f in self.parsed_history) and self.remaining > 0

    def candidates(self) -> list[str]:
        """Return the candidates, in the order of the game; none if nothing fits."""
        return list(self.analysis().candidates)

    @property
    def hard(self) -> bool:
        """Whether the policy keeps Wordle's hard mode: a guess uses all shown letters."""
        return ranking_policy(self.policy).hard_mode and self.game.has_hard_mode

    def broken(self, guess: str | Sequence[str]) -> str:
        """Return the rule of hard mode that a guess breaks, with the letter; empty if none.

        That is so in games without that mode, too. Raises InvalidCodeError.
        """
        code = text_of(self.game, guess)
        return broken_hint(self.known, code, self.parsed_history) if self.hard else ""

    def chances(self) -> dict[str, float]:
        """Return the probability of each candidate to be the secret, the likeliest first.

        Equally likely ones are in the order of the game.

        >>> from guessbook.book import WordGame
        >>> Session(WordGame(["ab", "ac", "ad"], weights=[1, 6, 1])).chances()
        {'ac': 0.75, 'ab': 0.125, 'ad': 0.125}
        """
        seen = self.analysis()
        codes = likeliest_first(seen.game, seen.candidates)
        weights = weights_of(seen.game, codes)
        total = sum(weights)
        return {code: w / total for code, w in zip(codes, weights, strict=True)}

    def listed(self) -> list[str]:
        """Return the candidates for people, with their chances where secrets have weights."""
        if self.weight is None:
            return self.candidates()
        return [f"{code} {chance:.1%}" for code, chance in self.chances().items()]

    # The events.

    def add_guess(self, guess: str | Sequence[str] | None, feedback: object) -> None:
        """Note a guess, or with None the hinted one, and its feedback.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing is noted.
            InconsistentFeedbackError: no guess is given and none can be suggested.
            UsageError: the game is solved.
        """
        feedback_to(self.game, guess, feedback)
        if self.solved:
            raise UsageError(
                "found a guess after the game was solved; take the last one back first"
            )
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        number = feedback_to(self.game, code if guess is None else guess, feedback)
        self._refused = tuple([other for other in self.refused if other != code])
        self._rows += (Row(code, self.game.format_feedback(number)),)

    def refuse(self, guess: str | Sequence[str] | None = None) -> str:
        """Leave out a guess that the game does not accept, or with None the hinted one; return it.

        Hints then name the first of the policy's ranking that is not refused, and no refused guess
        is a candidate. So for the rest of the game, or until it is answered after all.

        >>> from guessbook.book import WordGame
        >>> session = Session(WordGame(["light", "night", "might", "sight"]))
        >>> session.refuse(), session.hint().guess, session.remaining
        ('light', 'night', 3)

        Raises:
            UsageError: the game takes every code, or nothing else fits.
            InvalidCodeError: the game does not know the guess.
            InconsistentFeedbackError: no secret fits.
        """
        if has_symmetry(self.game):
            raise UsageError(f"found a refused guess, but {self.game.name} takes every code")
        self.checked()
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        after = self.copy()
        after._refused = tuple(dict.fromkeys([*self.refused, code]))
        if not after.remaining:
            raise UsageError(f"found nothing that fits but {code} and refused guesses")
        self._refused = after.refused
        return code

    def hint(self) -> Hint:
        """Return the next guess, from the book, by symmetry, or computed live.

        Raises:
            InconsistentFeedbackError: no secret fits; its `suspects` are positions in `rows`.
        """
        return self._once("hint", self._hint)

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """Explain the suggested guess, or another one: its partition, and the best alternatives.

        The guess may be one that the list lacks, as in a history; the alternatives are of the list.

        Raises:
            InconsistentFeedbackError: no secret fits.
            InvalidCodeError: the game does not know the guess.
        """
        count = whole_number("alternatives", count)
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        found = explanation(self.checked(), code, self.policy, count, self.refused)
        win = self.hint().win if guess is None else None
        return found._replace(among_guesses=self.among_guesses, breaks=self.broken(code), win=win)

    def rate(self, guess: str) -> Rating:
        """Rate a guess against the best one; the list may lack it, as in a history.

        Raises:
            InconsistentFeedbackError: no secret fits.
            InvalidCodeError: the game does not know the guess.
        """
        code = text_of(self.game, guess)
        analysis, rule = self.checked(), yardstick(self.policy)
        found = rating(analysis, code, self.best(self.history), rule)
        return found._replace(breaks=self.broken(code))

    def rate_pair(self, first: str, second: str) -> PairRating:
        """Rate two guesses that are made one after the other, whatever the first feedback is."""
        codes = text_of(self.game, first), text_of(self.game, second)
        return pair_rating(self.checked(), *codes)

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """Return the pairs of guesses with the most expected information together, best first.

        Raises:
            UsageError: the search would take too long.
        """
        return best_pairs(self.checked(), whole_number("pairs", count))

    def review(self, secret: str | None = None) -> Review:
        """Review the game so far, guess by guess, without the rows that are set aside.

        Args:
            secret: the secret, if it is known although the game is not solved.

        Raises:
            InconsistentFeedbackError: no secret fits.
            UsageError: there is nothing to review, `secret` does not fit, or there are guesses
                after the one that solved the game.
        """
        return review(self, secret)

    def share(self, ascii_only: bool = False) -> str:
        """Return the game's feedbacks as a grid of pegs or squares, as text.

        Raises:
            UsageError: there is no guess, or there are guesses after the one that solved the game.
        """
        check_order(self.game, self.history, "share")
        return share(self.game, [self.parsed_history], ascii_only)

    def fresh(self) -> Session:
        """Return a session of the same game and policy without any rows."""
        if self.book is not None:
            return type(self)(self.book, shuffle=self.shuffle)
        return type(self)(self.game, policy=self.policy, shuffle=self.shuffle)

    def at(self, history: Entries) -> Self:
        """Return a session with this game, policy and refused guesses, but other rows."""
        twin = copy(self)
        twin._rows, twin._found = tuple(starmap(Row, history)), {}
        return twin

    def copy(self) -> Self:
        """Return a session with the same rows, which can be changed without changing this one."""
        return copy(self)  # caches are shared

    def analysis(self) -> Analysis:
        """Return the candidates and what can be computed about them; none if nothing fits."""
        return self._once("analysis", self._analysed)

    def checked(self) -> Analysis:
        """Return the candidates and what can be computed about them, at least one.

        Raises:
            InconsistentFeedbackError: no secret fits.
            WrongTreeError: the hint of a book says that another number of them does.
        """
        analysis = self.analysis()
        if not analysis.candidates:
            self._found.pop("hint", None)  # of a wrong book, which may have one all the same
            raise self._contradiction(self.history)
        if self.remaining != len(analysis.candidates):
            raise wrong_tree(self.game, analysis.history)
        return analysis

    def split(self, guess: str | Sequence[str]) -> Split:
        """Return the effect of a guess on the candidates, in numbers.

        Raises:
            InconsistentFeedbackError: no secret fits.
            InvalidCodeError: the game does not know the guess.
        """
        code = text_of(self.game, guess)
        return self.checked().split(code)

    def _hint(self) -> Hint:
        hint = self._answered(self.policy, self.history, self.book)
        if hint.solved or not self.refused:
            return hint
        found = unrefused(self.checked(), hint, self.policy, self.refused)
        return found._replace(source="guesses") if self.among_guesses else found

    def _analysed(self) -> Analysis:
        found = analysed(self.known, self.parsed_history)
        return without(found, self.refused) if self.refused else found

    def _once(self, what: str, work: Callable[[], Result]) -> Result:
        """Return the result of some work for the present history, computed once for all copies.

        Copies may be asked by several threads: a result is stored together with its history.
        """
        key = (self.history, self.refused)
        known = self._found.get(what)
        if known is None or known[0] != key:
            known = self._found[what] = (key, work())
        found: Result = known[1]
        return found

    def _answered(self, policy: PolicyLike, history: Entries, book: Strategy | None) -> Hint:
        """Return the hint of a policy after a history, through the shuffle if there is one."""
        try:
            if self.shuffle is None:
                return hint_for(self.game, policy, history, book)
            carried = [(self.shuffle.back(guess), feedback) for guess, feedback in history]
            hint = hint_for(self.game, policy, carried, book)
            return hint._replace(guess=self.shuffle.there(hint.guess))
        except InconsistentFeedbackError:
            raise self._contradiction(history) from None

    def _contradiction(self, history: Entries) -> InconsistentFeedbackError:
        """Return the error for a history that no secret fits, in the codes that were typed."""
        try:
            hint_for(self.game, self.policy, history)
        except InconsistentFeedbackError as error:
            believed = [k for k, row in enumerate(self.rows) if not row.aside]
            return InconsistentFeedbackError(str(error), tuple(believed[k] for k in error.suspects))
        refused = ", ".join(self.refused)
        return InconsistentFeedbackError(
            f"no secret fits these answers but what is refused: {refused}"
        )

    def best(self, history: Entries) -> str:
        """Return the best guess by the policy `entropy`, with which other guesses are compared."""
        twin, rule = self.at(history), yardstick(self.policy)
        if self.book is None or self.book.policy != header(rule):
            twin.book, twin.policy = None, rule
        return twin.hint().guess
