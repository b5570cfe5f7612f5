"""The proof of a book: play it against every secret, and compute its guesses again."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from guessbook.book.errors import UsageError, counted
from guessbook.book.file.container import IMPORTED, LIMITS
from guessbook.book.games.game import Game, called
from guessbook.book.games.weights import weight_of
from guessbook.book.strategy import Strategy
from guessbook.book.summary import claims, limits_in_words
from guessbook.book.tree import total_of
from guessbook.policy.notation import MissingPolicy, fallback, in_words


class Check(NamedTuple):
    """One checked property of a book.

    Attributes:
        name: the property, in a word.
        passed: whether the book has the property; None if it was not checked.
        found: the result in one line for people, with the first fault if there is one.
    """

    name: str
    passed: bool | None
    found: str

    def __str__(self) -> str:
        said = {True: "ok", False: "FAILED", None: "skipped"}[self.passed]
        return f"{said:<8}{self.name}: {self.found}"


class Verification(NamedTuple):
    """The results of the checks of a book; `str()` is a line for each check.

    Attributes:
        passed: whether no check has found a fault.
        checks: the checks, in their order.
    """

    passed: bool
    checks: tuple[Check, ...]

    def __repr__(self) -> str:
        said = "passed" if self.passed else "FAILED"
        return f"<Verification {said}: {', '.join([check.name for check in self.checks])}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.checks))


def verified(book: Strategy, policy: bool = False) -> Verification:
    """Return all checks of a book, with the arguments and errors of `prove`."""
    checks = tuple(prove(book, policy))
    return Verification(all(check.passed is not False for check in checks), checks)


def prove(book: Strategy, policy: bool = False) -> Iterator[Check]:
    """Check that a book solves every secret and that its header is true.

    With `policy`, also compute every guess again by the book's policy, and prove the claims of the
    book about all strategies. Without it, claims are reported as not checked.

    Raises:
        UsageError: `policy` is set, but this version does not know the policy.
        BuildError: the claim cannot be searched here.
        EngineError: `policy` is set, but the extra `build` is not installed.
    """
    yield from check_walks(book)
    claimed = [bound for bound in claims(book.stats) if bound != "limits"]
    if not policy:
        for bound in claimed:
            yield Check("claim", None, f"{_statement(book, bound)}: checked only with --policy")
        return
    again = built_again(book)
    fault = _difference(book, again)
    said = f"all {len(book.tree):,} nodes guess by {in_words(book.policy)}"
    yield Check("policy", not fault, fault or said)
    yield from [check_claim(book, again, bound) for bound in claimed]


def check_walks(book: Strategy) -> list[Check]:
    """Play a book against all its secrets, with nothing but the game's own feedback rule.

    It computes one feedback for each guess that each secret needs, and no other.
    """
    game, tree, known = book.game, book.tree, book.stats
    solved_after = [0] * known.max_guesses
    correct = bytearray(len(tree))
    found = lost = 0
    fault = ""
    waiting: list[tuple[int, int, Sequence[str]]] = [(0, 1, game.secrets)]
    while waiting:
        node, depth, secrets = waiting.pop()
        correct[node] = tree.candidates[node] == len(secrets)
        guess = game.guesses[tree.guess[node]]
        cells: dict[int, list[str]] = {}
        for secret in secrets:
            cells.setdefault(game.feedback_number(guess, secret), []).append(secret)
        solved = cells.pop(game.solved, [])
        solved_after[depth - 1] += len(solved)
        found += weight_of(game, solved) if depth <= (known.within or 0) else 0
        for feedback, cell in cells.items():
            child = tree.child(node, feedback)
            if child >= 0:
                waiting.append((child, depth + 1, cell))
                continue
            lost += len(cell)
            asked = f"{_history(book, node)} {_guess(book, node)}={game.format_feedback(feedback)}"
            fault = fault or f"; {cell[0]} is not: no guess after {asked.lstrip()}"
    # A node that no secret reaches counts as wrong: its own count is at least 1.
    right, nodes = sum(correct), len(tree)
    wrong = f"; wrong {_place(book, correct.index(0))}" if right < nodes else ""
    total = total_of(solved_after)
    true = tuple(solved_after) == known.distribution and total == known.total_guesses
    said = f"the header says {known.total_guesses:,}, {_by_depth(known.distribution)}"
    sums = f"{total:,} guesses, secrets by guesses {_by_depth(solved_after)}"
    checks = [
        Check("secrets", not lost, f"{sum(solved_after):,} of {known.secrets:,} solved{fault}"),
        Check("candidates", not wrong, f"{right:,} of {nodes:,} nodes count them right{wrong}"),
        Check("statistics", true, f"{sums}; {'as the header says' if true else said}"),
    ]
    if known.within is not None:
        more = "" if found == known.found_within else f"; the tree says {known.found_within:,}"
        of = f"of {known.weight:,}{' by weight' * known.is_weighted}"
        said = f"{found:,} {of} found within {counted(known.within)}, {found / known.weight:.2%}"
        checks.append(Check("found", not more, said + more))
    return checks


def built_again(book: Strategy) -> Strategy:
    """Build a book once more, by the policy and the first guess that its header names."""
    if book.stats.policy == IMPORTED:
        raise UsageError(
            "found an imported tree, whose guesses no policy computes again; expected the book of "
            "a policy; verify this book without the policy"
        )
    policy = fallback(book.policy)
    if isinstance(policy, MissingPolicy):
        raise UsageError(f"{policy.reason}; it is needed to compute every guess again")
    return _built(book.game, book.policy)


def check_claim(book: Strategy, again: Strategy, bound: str) -> Check:
    """Prove a claim of a book about all strategies, "at_least" or "found_at_most".

    The proof is a search for a better strategy. A book of `optimal` or `win` without a bound in its
    header claims that none is better than itself: then the search that built `again` is the proof.
    Raises BuildError if the game is too large for the search.
    """
    claimed: int = claims(book.stats)[bound]
    if bound == "found_at_most":
        # Without a width, the policy `win` finds the most secrets of all strategies.
        if again.stats.policy != "win" or "width" in again.stats.options:
            options = ("within", "first_guess", *LIMITS)
            limits = {name: book.policy[name] for name in options if name in book.policy}
            again = _built(book.game, {"name": "win", **limits})
        most = again.stats.found_within or 0
        better = f"that finds {most:,}" if most > claimed else ""
    else:
        least: int | None = again.stats.weighted_guesses
        if book.stats.at_least is not None:
            # Late, as it loads numpy.
            from guessbook.builder.growth.optimum import cheaper

            least = cheaper(book.game, book.policy, book.stats.at_least)
        better = f"of {least:,}" if least is not None and least < claimed else ""
    said = _statement(book, bound)
    if better:
        return Check("claim", False, f"found a strategy {better}, the file says {said}")
    return Check("claim", True, f"{said}: searched again")


def _built(game: Game, policy: Mapping[str, object]) -> Strategy:
    """Build the strategy of a policy for a game."""
    # Late, as only a proof by the policy builds.
    from guessbook.builder.build import build_strategy

    return build_strategy(game, policy)


def _statement(book: Strategy, bound: str) -> str:
    """Return the full text of a claim of a book; by weight if secrets have weights."""
    claimed, by_weight = claims(book.stats), " by weight" * book.stats.is_weighted
    strategy = f"no strategy{limits_in_words(claimed['limits'])}"
    if bound == "found_at_most":
        within = counted(book.stats.within or 0)
        return f"{strategy} finds more than {claimed[bound]:,}{by_weight} within {within}"
    return f"{strategy} needs fewer than {claimed[bound]:,} guesses{by_weight}"


def _difference(book: Strategy, again: Strategy) -> str:
    """Describe the first node, breadth first, that differs in a new build; empty if none does."""
    old, new = book.tree, again.tree
    for node, (a, b) in enumerate(zip(old.guess, new.guess, strict=False)):
        if a != b:
            better = called(book.game, book.game.guesses[b])
            return f"{_place(book, node)} found {_guess(book, node)}, the policy guesses {better}"
        # Up to here both trees are equal, so equal indices are equal nodes.
        if (old.feedback[node], old.children[node]) != (new.feedback[node], new.children[node]):
            return f"{_place(book, node)} found other feedbacks than the policy's guesses give"
    return "" if len(old) == len(new) else f"found {len(old)} nodes, the policy has {len(new)}"


def _history(book: Strategy, node: int) -> str:
    """Return the history that leads to a node, as people write it."""
    tree, entries = book.tree, []
    while node:
        parent = bisect_right(tree.first, node) - 1
        feedback = book.game.format_feedback(tree.feedback[node])
        entries.append(f"{_guess(book, parent)}={feedback}")
        node = parent
    return " ".join(entries[::-1])


def _place(book: Strategy, node: int) -> str:
    return f"after {_history(book, node)}" if node else "at the start"


def _guess(book: Strategy, node: int) -> str:
    return called(book.game, book.game.guesses[book.tree.guess[node]])


def _by_depth(distribution: Sequence[int]) -> str:
    return " ".join(f"{depth}:{n}" for depth, n in enumerate(distribution, 1))
