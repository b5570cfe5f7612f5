"""Policies: what each of them guesses, in books and live."""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind, Strategy, UsageError
from guessbook.book.games.words import WordGame
from guessbook.builder import POLICIES, build_strategy
from guessbook.builder.arrays import rule_of
from guessbook.builder.choice import choose
from guessbook.builder.limits import check_policy
from guessbook.command.options import policy_map
from guessbook.lookup import live, open_book
from guessbook.play.analysis import Analysis
from guessbook.play.proof import prove
from guessbook.policy import one_step
from guessbook.policy.consistent import Consistent, draw, rarest
from guessbook.policy.notation import header, policy_of, summary
from guessbook.policy.one_step import best_guess
from guessbook.policy.reference import consistent, keeps_hints
from guessbook.policy.search import sliced
from tests.helpers.oracle import optima
from tests.helpers.plain import GAMES, descriptions, grow, histories, paths

if TYPE_CHECKING:
    from guessbook.book import Game
    from guessbook.lookup import Book
    from guessbook.policy.policy import Policy


BULLS = Mastermind(4, 10, repeats=False)


SECRETS = "crane crate trace slate stale least tales steal abbey geese eerie level lever revel"


OTHER_WORDS = "speed erase llama rebel bevel salet soare"


WORDS = WordGame(SECRETS.split(), OTHER_WORDS.split())


SIGHTS = ["light", "night", "right", "fight", "might", "sight", "eight", "tight", "wight"]
LOOSE = WordGame(SIGHTS, ["flams", "wrens"], "loose")


def reference(game: Game, policy: Policy) -> Book:
    """The book of a policy by its plain definition."""
    return grow(game, game, "x", lambda past, cell: policy.choose(game, past, cell))


@given(st.sampled_from([g for g in GAMES if len(g.guesses) <= 64]), descriptions())
def test_books_by_definition(game: Mastermind, description: dict[str, Any]) -> None:
    """Every node of a built book has the guess that the plain definition gives."""
    policy = policy_of(description)
    book = build_strategy(game, description)
    assert list(book.tree.guess) == list(reference(game, policy).tree.guess)


@pytest.mark.parametrize(
    "description",
    [
        {"name": "entropy-corrected"},
        {"name": "consistent", "random_seed": 3},
        {"name": "positional"},
        {"name": "parts", "consistent_only": True},
        {"name": "entropy", "hard_mode": True},
        {"name": "rollout", "width": 3, "hard_mode": True},
        {"name": "rollout", "width": 4},
        {"name": "lookahead", "width": 3, "base": "minimax"},
    ],
    ids=lambda description: summary(policy_of(description)),
)
def test_word_books_by_definition(description: dict[str, Any]) -> None:
    """The same in a game of words."""
    book = build_strategy(WORDS, description)
    assert list(book.tree.guess) == list(reference(WORDS, policy_of(description)).tree.guess)


@given(st.data(), descriptions())
def test_live_hints(data: st.DataObject, description: dict[str, Any]) -> None:
    """Off-book every policy guesses by the same rule, by the engine as in plain Python."""
    game = Mastermind(3, 4)
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    expected = policy_of(description).choose(game, history, candidates)
    with pytest.MonkeyPatch.context() as patch:
        for bound in (live.SOME_FEEDBACKS, 0):
            patch.setattr(live, "SOME_FEEDBACKS", bound)
            choice = live.choose(game, history[::-1], description)
            assert choice is not None
            assert (choice.guess, choice.candidates) == (expected, len(candidates))
            assert sum(choice.sizes) == len(candidates)


@pytest.mark.usefixtures("no_engine")
def test_live_without_the_engine() -> None:
    """Where the engine is missing, what plain Python cannot do in time is refused in words."""
    with pytest.raises(UsageError, match=r"rollout, which needs more than .* pip install"):
        live.choose(BULLS, [], "rollout")


@pytest.mark.parametrize("description", ["entropy-corrected", "consistent", "rollout:width=2"])
def test_verify(description: str) -> None:
    """`verify --policy` builds the book again from its header, and finds a book of another rule."""
    game = Mastermind(3, 3)
    book = build_strategy(game, policy_map(description))
    assert all(check.passed for check in prove(book, policy=True))
    other = Strategy(game, book.policy, build_strategy(game, "minimax", "RRR").tree)
    assert [check.passed for check in prove(other, policy=True)][-1] is False


@pytest.mark.parametrize(
    ("game", "first_guess", "total"),
    [
        (Mastermind(4, 6), None, 5719),
        (Mastermind(4, 6), "RRYG", 5669),
        (BULLS, None, 26407),
        (Mastermind(3, 10, repeats=False), None, 3614),
    ],
    ids=repr,
)
def test_corrected_totals(game: Mastermind, first_guess: str | None, total: int) -> None:
    """The totals known for the correction of 2 bits."""
    assert build_strategy(game, "entropy-corrected", first_guess).stats.total_guesses == total


def test_credit_beats_a_perfect_split() -> None:
    """A candidate that leaves two together wins over a perfect guess that is none."""
    game = WordGame(["abc", "abd", "abe", "bcd"], ["xyz", "dec"])
    cells = Counter(game.feedback_number("dec", secret) for secret in game.secrets)
    assert max(cells.values()) == 1
    plain, _ = best_guess(game, list(game.secrets), policy_of("entropy"))  # type: ignore[arg-type]
    credited, _ = best_guess(game, list(game.secrets), policy_of("entropy-corrected"))  # type: ignore[arg-type]
    assert game.guesses[credited] in game.secrets
    assert build_strategy(game, "entropy-corrected").root.guess == game.guesses[credited]
    assert build_strategy(game, "entropy").root.guess == game.guesses[plain]


@settings(deadline=None)
@given(st.integers(0, 1 << 64), st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=20))
def test_draw(random_seed: int, candidates: list[int]) -> None:
    """The draw is the hash that the documentation describes."""
    data = b"".join(index.to_bytes(4, "little") for index in candidates)
    digest = hashlib.sha256(str(random_seed).encode() + b":" + data).digest()
    expected = int.from_bytes(digest[:8], "little") % len(candidates)
    assert draw(random_seed, data) == expected


def test_draws_differ() -> None:
    """Other seeds draw other guesses, all of them in their turn; jobs change nothing."""
    game = Mastermind(2, 3)
    first = {build_strategy(game, header(Consistent(seed))).root.guess for seed in range(60)}
    assert first == set(game.guesses)
    one, two = (build_strategy(Mastermind(4, 4), "consistent", jobs=jobs) for jobs in (1, 2))
    assert one.to_bytes() == two.to_bytes()


def test_positional_surprise() -> None:
    """The guess has the least probable symbols of all candidates, place by place."""
    game = Mastermind(3, 5, repeats=False)
    for node in build_strategy(game, "positional").nodes:
        if node.remaining == len(game.secrets):
            cell = list(game.secrets)
            chances = {
                code: Fraction(1)
                * Fraction(sum(other[0] == code[0] for other in cell), len(cell))
                * Fraction(sum(other[1] == code[1] for other in cell), len(cell))
                * Fraction(sum(other[2] == code[2] for other in cell), len(cell))
                for code in cell
            }
            assert chances[node.guess] == min(chances.values())
    assert rarest(["012", "013", "212", "314"]) == "314"


def test_positional_tells_all_symbols_apart() -> None:
    """The 257th letter is not taken for the first one: of words that are all as rare, the first."""
    words = [chr(0xAC00 + k) for k in range(300)]
    assert build_strategy(WordGame(words), "positional").root.guess == rarest(words) == words[0]


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_consistent_only(name: str) -> None:
    """Every guess may be the secret, and no allowed guess has a better score."""
    book = build_strategy(Mastermind(4, 4), {"name": name, "consistent_only": True})
    assert all(node.candidate for node in book.nodes)
    game, rule = book.game, POLICIES[name]
    costs = rule.costs(len(game.secrets))
    waiting: list[tuple[Any, list[str]]] = [(book.root, list(game.secrets))]
    while waiting:
        node, cell = waiting.pop()
        sizes = {
            guess: Counter(game.feedback_number(guess, secret) for secret in cell).values()
            for guess in cell
        }
        scores = {guess: rule.score(sizes[guess], costs) for guess in cell}
        assert scores[node.guess] == max(scores.values())
        for answer, child in node.children.items():
            waiting.append((child, [s for s in cell if game.feedback(node.guess, s) == answer]))


def test_hard_mode() -> None:
    """Green letters stay, yellow ones come again as often as they were shown; grey ones may."""
    history = [(WORDS.parse_code("erase"), WORDS.parse_feedback("10001"))]
    for word, allowed in {"geese": True, "abbey": False, "revel": True, "slate": False}.items():
        assert keeps_hints(WORDS, word, history) is allowed
    green = [(WORDS.parse_code("slate"), WORDS.parse_feedback("00002"))]
    assert keeps_hints(WORDS, "crane", green)
    assert not keeps_hints(WORDS, "revel", green)
    game = WordGame(SIGHTS, ["flams", "wrens"])
    for description in ({"name": "entropy", "hard_mode": True}, {"name": "entropy"}):
        book = build_strategy(game, description, "night")
        kept = []
        waiting: list[tuple[Any, Any]] = [(book.root, [])]
        while waiting:
            node, past = waiting.pop()
            kept.append(keeps_hints(game, node.guess, past))
            for answer, child in node.children.items():
                number = game.parse_feedback(answer)
                waiting.append((child, [*past, (game.parse_code(node.guess), number)]))
        assert all(kept) is ("hard_mode" in description)


def test_hard_mode_elsewhere() -> None:
    """Hard mode is refused where it has no meaning."""
    hard = policy_of({"name": "rollout", "hard_mode": True})
    check_policy(WORDS, hard)
    for game, reason in (
        (BULLS, f"words, found {BULLS.name}; use consistent-only for codes"),
        (LOOSE, "found hard mode and loose scoring, expected standard scoring: hard mode counts"),
    ):
        with pytest.raises(UsageError, match=reason):
            check_policy(game, hard)


def test_hard_mode_is_left_out_where_there_is_none() -> None:
    """Off the book hard mode limits nothing with loose scoring, by the engine as by the rule."""
    policy = policy_of({"name": "parts", "hard_mode": True})
    history = [(LOOSE.parse_code("night"), LOOSE.parse_feedback("02222"))]
    candidates = consistent(LOOSE, history)
    guess = policy.choose(LOOSE, history, candidates)
    assert guess == policy_of("parts").choose(LOOSE, history, candidates)
    assert choose(LOOSE, history, policy)[0] == guess


def test_nothing_beats_the_optimum() -> None:
    """A rollout is between the best policy of one step and the proven optimum."""
    game = Mastermind(4, 6)
    ours = [build_strategy(game, name).stats.total_guesses for name in POLICIES]
    best = build_strategy(game, {"name": "rollout", "base": "parts", "width": 50}).stats
    assert optima()[4, 6, True] <= best.total_guesses <= min(ours)


@pytest.mark.parametrize("bits", range(18, 25))
def test_scores_have_as_many_bits_as_fit(bits: int) -> None:
    """The whole of a game costs less than 2**63, also with a credit; with a bit more it would not.

    Up to 2**22 secrets there are 36 bits, as ever.
    """
    few, many = (SimpleNamespace(secrets=range(n)) for n in ((1 << bits - 1) + 1, 1 << bits))
    for rule in (POLICIES["entropy"], POLICIES["entropy-corrected"]):
        fitted = rule.of(cast("Game", many))
        assert fitted.of(cast("Game", many)) == fitted == rule.of(cast("Game", few))
        whole = (bits << fitted.bits) << bits
        assert whole + fitted.credit < 1 << 63
        assert fitted.bits == 36 if bits <= 22 else 2 * whole >= 1 << 63
        assert fitted.credit == bool(rule.credit) * (2 << fitted.bits)


@pytest.mark.parametrize("name", ["entropy", "entropy-corrected"])
def test_coarse_scores_are_the_same_everywhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With half of the bits the engine, the plain search and `rate` agree."""
    monkeypatch.setattr(one_step, "FULL", -10)
    # Symbols of its own: scorers are kept, and that of the usual game would have all bits.
    game = Mastermind(4, 4, symbols="LMNO")
    rule = rule_of(POLICIES[name], game)
    assert (rule.costs[2], rule.credit) == (2 << 18, POLICIES[name].credit >> 18)
    coarse = build_strategy(game, name)
    for node, history in list(enumerate(paths(open_book(coarse.to_bytes()))))[::3]:
        candidates = consistent(game, history)
        guess, score = best_guess(game, candidates, POLICIES[name])
        assert coarse.tree.guess[node] == guess
        found = sliced.Search(game, history).best_guess(POLICIES[name])
        assert found is not None
        assert found.guess == guess
        analysis = Analysis(game, history)
        assert analysis.scores([POLICIES[name]], [guess]) == [[score]]
