"""The hint: the next guess, from the book, by symmetry, or from a computation."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import (
    InconsistentFeedbackError,
    WrongTreeError,
    listing,
    quantity,
)
from guessbook.book.games.game import NOT_KNOWN, UNLISTED, Game, History, others_fitting, unanswered
from guessbook.book.games.weights import weight_of
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Tree, entropy

if TYPE_CHECKING:
    from guessbook.policy.policy import Policy

# The results of `walk` if there is no node. OFF: the history lacks a guess of the tree, or has two
# feedbacks to one guess. LOST: the tree has no node for a feedback; in an intact book, such a
# history is solved, or no secret fits it.
OFF, LOST = -1, -2


def walk(tree: Tree, history: History) -> int:
    """Return the index of a history's node; `OFF` or `LOST` if there is none."""
    left = dict(history)
    if len(left) < len(set(history)):
        return OFF  # The history has two feedbacks to one guess.
    node = 0
    while left:
        feedback = left.pop(tree.guess[node], None)
        if feedback is None:
            return OFF
        node = tree.child(node, feedback)
        if node < 0:
            return LOST
    return node


def step(book: Strategy, node: int, feedback: int) -> int:
    """Return the child for a feedback that some secret gives, or raise WrongTreeError."""
    child = book.tree.child(node, feedback)
    if child < 0:
        raise wrong_tree(book.game, [(book.tree.guess[node], feedback)])
    return child


def wrong_tree(game: Game, history: History) -> WrongTreeError:
    """Return the error for a book that has no guess after a history, although some secret fits."""
    place = f"after {entry_text(game, *history[-1])}" if history else "at the start"
    return WrongTreeError(
        f"this book has no guess {place}, so its tree is not of {game.name}; run `verify`"
    )


def entry_text(game: Game, guess: int, feedback: int) -> str:
    """Return an entry of a history as people write it, such as `RYGB=1,1`."""
    return f"{game.display_name(game.guesses[guess])}={game.format_feedback(feedback)}"


class Hint(NamedTuple):
    """The next guess, with its expected results.

    Attributes:
        guess: the code to guess; the secret itself if the history has solved the game; the
            likeliest outcome if `outcome` is not None.
        source: "book" for a guess of the book; "symmetry" for a guess that the book has for an
            equivalent history; "live" for a computed guess and for a solved game. "guesses" means
            that no secret fits the history, but other guesses fit: these guesses are then the
            candidates.
        remaining: the number of candidates; on several boards, the sum over the boards.
        entropy: the expected information of the feedback in bits; on several boards, the sum over
            the boards.
        candidate: whether `guess` may be the secret.
        solved: whether the history contains the feedback "solved"; on several boards, whether all
            boards are solved; if the game identifies outcomes, whether only one outcome remains.
        chance: the probability, 0 to 1, that `guess` is the secret, by the weights of the secrets;
            on several boards, that `guess` is the secret of at least one board; if `outcome` is not
            None, that `guess` is the outcome.
        others: the number of guesses that fit the history, but are not in the list of secrets; None
            if more than one secret fits, or if no guess outside this list may be the secret.
        win: the probability, 0 to 1, that the secret is found within the limit of guesses or cost
            of the policy `win`; None without such a limit, after the feedback "solved", and if
            guesses are refused.
        outcome: if the game identifies outcomes, and no further test helps: the outcome, such as
            `rust`; or `rust or dirt` if the tests that remain tell nothing. None while `guess` is a
            test, whose `entropy` is the expected information about the outcome.
        outcomes: the probability, 0 to 1, of each outcome that remains; None if `outcome` is None.
        cost: the cost of the test `guess`, in the units of the table; None if `guess` is no test.
        answers: the answers to the test `guess` that are possible; None if `guess` is no test.
    """

    guess: str
    source: str
    remaining: int
    entropy: float
    candidate: bool
    solved: bool
    chance: float
    others: int | None = None
    win: float | None = None
    outcome: str | None = None
    outcomes: dict[str, float] | None = None
    cost: float | None = None
    answers: tuple[str, ...] | None = None

    def __str__(self) -> str:
        if self.outcome is not None:
            return f"The outcome is {self.outcome}."
        if self.solved:
            return f"{self.guess} is the secret: solved."
        if self.chance == 1 and self.remaining == 1:
            return f"The secret is {self.guess}."
        chance = f"{self.chance:.2%} to be" if self.candidate else "cannot be"
        won = "" if self.win is None else f", {self.win:.2%} to win"
        known = f"{self.entropy:.4f} bits, {chance} the secret{won}"
        return f"{quantity(self.remaining, 'candidate')}. Guess {self.guess}: {known}."


def hint_for(
    game: Game, policy: Policy | None, history: History, book: Strategy | None = None
) -> Hint:
    """Return the hint after a history: from the book, else by symmetry, else computed.

    Args:
        game: the game, which lists all guesses of the history (see `read_history`).
        policy: the policy that computes hints; None for the policy of the book.
        history: the entries in the player's order, including repetitions.
        book: the book, if there is one.

    Raises:
        InconsistentFeedbackError: no secret and no guess fits; the message names the entries to
            re-check.
        WrongTreeError: the tree of the book does not belong to its game.
        UsageError, EngineError, InvalidGameError: the hint cannot be computed; see `live.choose`.
    """
    pairs = list(dict.fromkeys(history))
    if game.identification is not None:
        return _identify(game, policy, pairs, history, book)
    node = OFF if book is None else walk(book.tree, pairs)
    if book is not None and node >= 0:
        return _from_node(book, node, game.guesses[book.tree.guess[node]], "book", pairs)
    for guess, feedback in pairs:
        if feedback == game.solved:
            return _solved_hint(game, guess, pairs, history)
    if book is not None and node == OFF:
        # Imported here because a hint from the book does not need this module.
        from guessbook.lookup.symmetry import equivalent_node

        found = equivalent_node(book, pairs)
        if found:
            return _from_node(book, *found, "symmetry", pairs)
    # Imported here because a hint from the book does not need the policies.
    from guessbook.lookup.live import choose
    from guessbook.policy.registry import fallback

    if policy is None:
        assert book is not None
        policy = fallback(book.policy)
    source, asked, choice = "live", game, choose(game, pairs, policy)
    if node == LOST and choice is not None:
        raise wrong_tree(game, pairs)
    if choice is None and (more := game.widened()):
        source, asked, choice = "guesses", more, choose(more, pairs, policy)
    if choice is None:
        raise _inconsistent(game, pairs, history)
    code, may, total = game.guesses[choice.guess], choice.is_candidate, sum(choice.sizes)
    chance = weight_of(asked, [code]) / total if may else 0.0
    win = None if choice.found is None else choice.found / total
    bits, others = entropy(choice.sizes), others_fitting(asked, pairs, choice.candidates)
    return Hint(code, source, choice.candidates, bits, may, False, chance, others, win)


def _identify(
    game: Game, policy: Policy | None, pairs: History, given: History, book: Strategy | None
) -> Hint:
    """Return the next test of a game that identifies outcomes, or the outcome."""
    # Imported here because other hints do not need these modules.
    from guessbook.policy.candidates import candidates_of
    from guessbook.policy.identification import outcome_bits, outcome_chances

    found = game.identification
    assert found is not None
    known = [pair for pair in pairs if pair[1] != NOT_KNOWN]
    skipped = unanswered(pairs)
    candidates = candidates_of(game, known)
    if not candidates:
        raise _inconsistent(game, known, given)
    node = OFF if book is None else walk(book.tree, known)
    source, win, within = "book", None, None
    if book is not None and node >= 0 and book.tree.guess[node] not in skipped:
        guess, within = book.tree.guess[node], book.stats.within
        if within is not None:
            left = found.whole(within) - found.spent(known)
            win = book.tree.known_within(node, left) / book.tree.weights[node]
    else:
        # Imported here because a test from the book does not need these modules.
        from guessbook.lookup.live import choose
        from guessbook.policy.registry import fallback

        if policy is None:
            assert book is not None
            policy = fallback(book.policy)
        choice = choose(game, pairs, policy)
        assert choice is not None
        source, guess = "live", choice.guess
        win = None if choice.found is None else choice.found / sum(choice.sizes)
    count = len(candidates)
    if guess >= game.listed:
        chances = outcome_chances(game, candidates)
        best, is_known = max(chances, key=chances.__getitem__), len(chances) == 1
        end = Hint(best, source, count, 0.0, True, is_known, chances[best])
        return end._replace(win=win, outcome=" or ".join(chances), outcomes=chances)
    test, bits = game.guesses[guess], outcome_bits(game, candidates, guess)
    possible = sorted({game.feedback_number(test, code) for code in candidates})
    answers, cost = tuple(map(game.format_feedback, possible)), found.shown(found.costs[guess])
    step = Hint(test, source, count, bits, False, False, 0.0)
    return step._replace(win=win, cost=cost, answers=answers)


def _from_node(book: Strategy, node: int, guess: str, source: str, pairs: History) -> Hint:
    tree, game = book.tree, book.game
    if any(game.guesses[made] == guess for made, _ in pairs):
        # The book repeats a guess whose feedback was not "solved", so the book is wrong.
        raise wrong_tree(game, pairs)
    bits, may, within = entropy(tree.cells(node)), tree.is_candidate(node), book.stats.within
    win = None if within is None else tree.found(node, within - len(pairs)) / tree.weights[node]
    left, others = tree.candidates[node], others_fitting(game, pairs, tree.candidates[node])
    return Hint(guess, source, left, bits, may, False, tree.chance(node), others, win)


def _solved_hint(game: Game, guess: int, pairs: History, given: History) -> Hint:
    """Return the hint after `guess` solved the game, or raise InconsistentFeedbackError."""
    secret = game.guesses[guess]
    known = secret in game.secrets
    # Only word games accept a secret outside the list of secrets: only they can be widened.
    if not (known or game.widened()) or any(
        game.feedback_number(game.guesses[other], secret) != answer for other, answer in pairs
    ):
        raise _inconsistent(game, pairs, given)
    return Hint(secret, "live" if known else "guesses", 1, 0.0, True, True, 1.0)


def _inconsistent(game: Game, pairs: History, given: History) -> InconsistentFeedbackError:
    """Return the error for a history that no secret fits, with the entries to re-check.

    `given` are the entries as the caller wrote them; `pairs` are the entries without repetitions.
    """
    suspects = _suspects(game, pairs)
    if not suspects and (more := game.widened()):
        suspects = _suspects(more, pairs)
    answers = "this answer" if len(given) == 1 else f"these {len(given)} answers"
    secret = "secret" if game.identification is None else "thing"
    found = f"no {secret} of {game.name} fits {answers}"
    if game.has_open_lists:
        found += f"; {UNLISTED}, or else"
    else:
        found += ";"
    if not suspects:
        return InconsistentFeedbackError(f"{found} more than one of them must be wrong")
    names = []
    for pair in suspects:
        times = given.count(pair)
        often = "" if times == 1 else " (twice)" if times == 2 else f" ({times} times)"
        names.append(entry_text(game, *pair) + often)
    rest = "" if len(pairs) == 1 else ": without it, the rest fits"
    positions = tuple([given.index(pair) for pair in suspects])
    return InconsistentFeedbackError(f"{found} re-check {listing(names, 'or')}{rest}", positions)


def _suspects(game: Game, pairs: History) -> History:
    """Return each entry that alone may be wrong: some secret fits all other entries."""
    # Imported here because only an inconsistent history needs the search.
    from guessbook.policy.candidates import fitting

    def fit(entries: History) -> bool:
        return any(True for _ in fitting(game, entries))

    def contradiction(entries: History) -> History:
        """Return the shortest prefix of `entries` that no secret fits, reversed."""
        fewer = range(len(entries))
        return entries[: bisect_left(fewer, True, key=lambda n: not fit(entries[:n]))][::-1]

    # The inner call drops entries at the end, the outer call at the start. Still no secret fits the
    # remaining entries.
    few = contradiction(contradiction(pairs))
    return [pair for pair in pairs if pair in few and fit([e for e in pairs if e != pair])]
