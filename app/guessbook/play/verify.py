"""The verification of a book: its games, its guesses, and claims like "no strategy is better"."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from guessbook.book.errors import InvalidBookError, UsageError, quantity
from guessbook.book.file import IMPORTED, LIMITS, found_within, shown_cost
from guessbook.book.games.game import Game
from guessbook.book.games.tables import TableGame
from guessbook.book.games.weights import weight_of
from guessbook.book.strategy import Strategy
from guessbook.book.summary import claims, limits_in_words, range_name, ranges_of, sum_over
from guessbook.book.tree import Columns, outcome_tree, total_of
from guessbook.policy.policy import POLICIES
from guessbook.policy.registry import MissingPolicy, fallback, in_words, policy_of


class Check(NamedTuple):
    """The result of checking one property of a book.

    Attributes:
        name: the name of the property, such as "secrets" or "claim".
        passed: whether the book has the property; None if the check was skipped.
        found: a line of text with the result and, if there is one, the first fault.
    """

    name: str
    passed: bool | None
    found: str

    def __str__(self) -> str:
        said = {True: "ok", False: "FAILED", None: "skipped"}[self.passed]
        return f"{said:<8}{self.name}: {self.found}"


class Verification(NamedTuple):
    """The results of all checks of a book; `str()` returns one line for each check.

    Attributes:
        passed: True if no check failed; skipped checks do not count.
        checks: the checks in the order in which they ran.
    """

    passed: bool
    checks: tuple[Check, ...]

    def __repr__(self) -> str:
        said = "passed" if self.passed else "FAILED"
        return f"<Verification {said}: {', '.join([check.name for check in self.checks])}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.checks))


def verification_of(checks: Iterable[Check]) -> Verification:
    done = tuple(checks)
    return Verification(all(check.passed is not False for check in done), done)


def prove(book: Strategy, policy: bool = False) -> Iterator[Check]:
    """Yield the result of each check of a book; without `policy`, checks of claims are skipped."""
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
    """Play a book against all secrets, and compare the results with its tree and header."""
    game, tree, known = book.game, book.tree, book.stats
    if game.identification is not None:
        return _check_outcomes(book)
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
    # A node that no secret reaches counts as wrong: every node must have at least one candidate.
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
        said = f"{found:,} {of} found within {quantity(known.within)}, {found / known.weight:.2%}"
        checks.append(Check("found", not more, said + more))
    return checks


def _check_outcomes(book: Strategy) -> list[Check]:
    """Follow each thing down a tree of tests, and compare its outcome with the leaf's."""
    game, tree, known = book.game, book.tree, book.stats
    columns = Columns(tree.guess, tree.feedback, tree.children, tree.candidates)
    try:
        again = outcome_tree(game, columns)
    except InvalidBookError as error:
        return [Check("outcomes", False, str(error))]
    total = shown_cost(game, again.total_cost())
    same = (total, again.distribution) == (known.total_cost, known.distribution)
    said = f"total cost {total:,}, things by tests {_by_depth(again.distribution, 0)}"
    checks = [
        Check(
            "outcomes",
            True,
            f"{known.secrets:,} of {known.secrets:,} things end with their outcome",
        ),
        Check(
            "statistics", same, f"{said}; {'as the header says' if same else 'the header differs'}"
        ),
    ]
    if known.within is not None:
        found = found_within(game, again, known.within)
        of = f"{found:,} of {known.weight:,}{' by weight' * known.is_weighted}"
        share = f"{of} known within cost {known.within:,}, {found / known.weight:.2%}"
        checks.append(Check("found", found == known.found_within, share))
    return checks


def built_again(book: Strategy) -> Strategy:
    """Build the strategy of a book again, by the policy in its header.

    Raises UsageError if the book is an imported tree, or if its policy is not installed.
    """
    if book.stats.policy == IMPORTED:
        raise UsageError(
            f"an imported tree of {book.game.name} has no policy to verify; leave out --policy (policy=True)"
        )
    policy = fallback(book.policy)
    if isinstance(policy, MissingPolicy):
        raise UsageError(
            f"{policy.reason}; to verify the book without its policy, leave out --policy (policy=True)"
        )
    return _build(book.game, book.policy)


def check_claim(book: Strategy, again: Strategy, bound: str) -> Check:
    """Check a claim that a book makes about all strategies.

    `again` is a new build of the book for comparison. `bound` names the claim. "at_least": no
    strategy needs fewer guesses than the book claims. "found_at_most": no strategy finds more
    secrets in `within` guesses than the book claims.
    """
    claimed: int | float = claims(book.stats)[bound]
    if bound == "found_at_most":
        # Only a build by `win` finds the largest weight within the limit.
        if again.stats.policy != "win":
            options = ("within", "max_guesses", "first_guess", *LIMITS)
            limits = {name: book.policy[name] for name in options if name in book.policy}
            again = _build(book.game, {"name": "win", **limits})
        most = again.stats.found_within or 0
        better = f"that finds {most:,}" if most > claimed else ""
    else:
        # Without a bound in the header, the book claims that its own total cost is minimal. It is
        # compared with the total cost of `again`, which is minimal, because the policy of both
        # books is `optimal`.
        least: int | float | None = again.stats.total_cost
        if book.stats.at_least is not None and book.game.identification is not None:
            least = _search_cheaper(book)
        elif book.stats.at_least is not None:
            # Imported here because it loads numpy.
            from guessbook.builder.optimum import search_cheaper

            least = search_cheaper(book.game, book.policy, book.policy["proven"])
        better = f"of {least:,}" if least is not None and least < claimed else ""
    said = _statement(book, bound)
    if better:
        return Check("claim", False, f"found a strategy {better}, the file says {said}")
    return Check("claim", True, f"{said}: searched again")


def _search_cheaper(book: Strategy) -> int | float:
    """Return the least cost to identify the outcome, if it is below the bound that the book claims.

    If it is not, return a number that is not below the bound.
    """
    # Imported here because only a check with `policy` needs the engine.
    from guessbook.engine.identification import Identifier

    plan = POLICIES["entropy"].plan(book.game)._replace(endgame=len(book.game.secrets))
    search = Identifier(cast(TableGame, book.game), plan)
    return shown_cost(book.game, search.cost(book.policy["proven"] - 1))


def _build(game: Game, policy: Mapping[str, object]) -> Strategy:
    # Imported here because only a check with `policy` needs the builder.
    from guessbook.builder.build import build, first_guess_index

    return build(game, policy_of(policy), first_guess_index(game, policy, None)).book


def _statement(book: Strategy, bound: str) -> str:
    """Return a claim of a book as a sentence about all strategies.

    `bound` names the claim, as in `check_claim`.
    """
    claimed, by_weight = claims(book.stats), " by weight" * book.stats.is_weighted
    strategy = f"no strategy{limits_in_words(claimed['limits'])}"
    if bound == "found_at_most":
        within = quantity(book.stats.within or 0)
        if book.game.identification is not None:
            within = f"cost {book.stats.within:,}"
        return f"{strategy} finds more than {claimed[bound]:,}{by_weight} within {within}"
    if book.game.identification is not None:
        return f"{strategy} costs less than {claimed[bound]:,}{by_weight}"
    return f"{strategy} needs fewer than {claimed[bound]:,} guesses{by_weight}"


def _difference(book: Strategy, again: Strategy) -> str:
    """Describe the first node where a book differs from its new build `again`; "" if none does."""
    old, new = book.tree, again.tree
    for node, (a, b) in enumerate(zip(old.guess, new.guess, strict=False)):
        if a != b:
            better = book.game.display_name(book.game.guesses[b])
            return f"{_place(book, node)} found {_guess(book, node)}, the policy guesses {better}"
        # All nodes before this node are equal, so this node has equal histories in both trees.
        if (old.feedback[node], old.children[node]) != (new.feedback[node], new.children[node]):
            return (
                f"{_place(book, node)} found feedbacks that differ from those of the policy's tree"
            )
    return "" if len(old) == len(new) else f"found {len(old)} nodes, the policy has {len(new)}"


def _history(book: Strategy, node: int) -> str:
    """Return the history that leads to a node, as text such as `RYGB=1,1 RGOP=0,2`."""
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
    return book.game.display_name(book.game.guesses[book.tree.guess[node]])


def _by_depth(distribution: Sequence[int], start: int = 1) -> str:
    shown = ranges_of(len(distribution), start)
    return " ".join(f"{range_name(r)}:{sum_over(distribution, r, start)}" for r in shown)
