"""Policies as data, and what each of them guesses."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import InvalidCodeError, Mastermind, UsageError, open_book
from guessbook.book.words import WordGame
from guessbook.builder import POLICIES, build_book, foresight
from guessbook.builder.limits import check_policy
from guessbook.builder.opening import best_build, goodness, opening_codes
from guessbook.builder.options import described
from guessbook.builder.policy import (
    OTHERS,
    Consistent,
    drawn,
    header,
    policy_of,
    summary,
)
from guessbook.builder.reference import best_guess, consistent
from guessbook.lookup import live
from guessbook.lookup.proof import check_policy as proven
from tests.plain import GAMES, grow, histories

if TYPE_CHECKING:
    from guessbook.book import Book, Game
    from guessbook.builder.policy import AnyPolicy

PUBLISHED = Path(__file__).resolve().parents[2] / "shared" / "reference" / "strategies.csv"
BULLS = Mastermind(4, 10, repeats=False)
SECRETS = "crane crate trace slate stale least tales steal abbey geese eerie level lever revel"
OTHER_WORDS = "speed erase llama rebel bevel salet soare"
WORDS = WordGame(SECRETS.split(), OTHER_WORDS.split())
SIGHTS = ["light", "night", "right", "fight", "might", "sight", "eight", "tight", "wight"]
bases = st.sampled_from(sorted(POLICIES))
flags = st.fixed_dictionaries({}, optional={"consistent_only": st.booleans()})


@st.composite
def descriptions(draw: st.DrawFn) -> dict[str, Any]:
    """Any policy with any options, and small widths."""
    name = draw(st.sampled_from([*POLICIES, *OTHERS]))
    found: dict[str, Any] = {"name": name}
    if name == "consistent":
        found["random_seed"] = draw(st.integers(0, 1 << 40))
    if name in ("lookahead", "rollout"):
        found |= {"base": draw(bases), "width": draw(st.integers(1, 4))}
    if name == "lookahead":
        found["depth"] = draw(st.integers(1, 2))
    if name not in ("consistent", "positional"):
        found |= draw(flags)
    return found


def reference(game: Game, policy: AnyPolicy) -> Book:
    """The book of a policy by its plain definition."""
    return grow(game, game, "x", lambda past, cell: foresight.choose(game, policy, past, cell))


# --- as data --------------------------------------------------------------------------------


@given(descriptions())
def test_header_and_back(description: dict[str, Any]) -> None:
    """A policy is what its header says, and the header holds all that was asked for."""
    policy = policy_of(description)
    known = header(policy)
    assert policy_of(known) == policy
    assert {k: v for k, v in description.items() if v is not False}.items() <= known.items()


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("nope", "found policy 'nope', expected one of entropy, "),
        ({"name": "entropy", "width": 3}, "found option 'width' of policy entropy, expected one"),
        ({"name": "positional", "base": "x"}, "of policy positional, expected none"),
        ({"name": "rollout", "base": "rollout"}, "found policy 'rollout', expected one of"),
        ({"name": "rollout", "width": 0}, "found width 0, expected a whole number, 1 to"),
        ({"name": "lookahead", "depth": "2"}, "found depth '2', expected a whole number"),
        ({"name": "lookahead", "depth": 21}, "found depth 21, expected a whole number, 1 to 20"),
        ({"name": "rollout", "width": 1 << 23}, "found width 8388608, expected a whole number"),
        ({"name": "rollout", "width": True}, "found width True, expected a whole number"),
        ({"name": "consistent", "random_seed": 1 << 64}, "found random_seed 18446744073709551616"),
        ({"name": "parts", "consistent_only": 5}, "found consistent_only 5, expected a flag"),
        ({"name": "parts", "hard_mode": 1}, "found hard_mode 1, expected a flag"),
        ({"name": "rollout", "hard_mode": "no"}, "found hard_mode 'no', expected a flag"),
        ({}, "found policy None"),
        (None, "found policy None, expected a name or a map"),
        (5, "found policy 5, expected a name or a map"),
        ([("name", "parts")], "expected a name or a map"),
        ({"name": ["a"]}, "found policy ['a']"),
        ({"name": None, "first_guess": "RRYY"}, "found policy None"),
    ],
)
def test_unknown_policies(description: Any, message: str) -> None:
    """A policy or option that does not exist is refused, with those that do."""
    with pytest.raises(UsageError) as caught:
        policy_of(description)
    assert message in str(caught.value)


def test_summaries() -> None:
    """A summary names what is not as usual, and nothing else."""
    assert summary(policy_of("rollout")) == "rollout"
    assert summary(policy_of({"name": "rollout", "width": 5})) == "rollout-width-5"
    assert summary(policy_of({"name": "parts", "consistent_only": True})) == "parts-consistent-only"
    assert described("consistent:random-seed=7") == {"name": "consistent", "random_seed": 7}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rollout:name=parts", "found option 'name'"),
        ("rollout:width=3,width=4", "found option 'width' twice"),
        ("parts:first-guess=RY,first_guess=RY", "found option 'first_guess' twice"),
        ("parts:first-guess", "expected first-guess=CODE"),
        ("rollout:width", "found width True, expected a whole number"),
        ("rollout:width=" + "9" * 5000, "found width '999"),
        ("consistent:random-seed=18446744073709551616", "found random_seed 1844"),
        ("parts:consistent-only=5", "found consistent_only '5', expected a flag"),
    ],
    ids=lambda text: text[:40],
)
def test_refused_notations(text: str, message: str) -> None:
    """No option is dropped in silence: the name, one given twice, or one with a senseless value."""
    with pytest.raises(UsageError) as caught:
        described(text)
    assert message in str(caught.value)


def test_an_option_is_given_once() -> None:
    """An option in the notation and on its own is refused, even with the same value."""
    with pytest.raises(UsageError, match="'width' in 'rollout:width=3' and on its own"):
        described("rollout:width=3", width=3)
    assert described("rollout:width=3", width=None)["width"] == 3


@pytest.mark.parametrize("options", [{}, {"first_guess": "RY"}, {"base": "parts", "width": 2}])
def test_the_policy_of_a_book_builds_it(options: dict[str, Any]) -> None:
    """`build_book` of a game and `book.policy` is that book, bit for bit, first guess and all."""
    game = Mastermind(2, 3)
    book = build_book(game, {"name": "rollout", **options})
    assert book.policy.get("first_guess") == options.get("first_guess")
    assert build_book(game, book.policy).to_bytes() == book.to_bytes()
    assert build_book(game, book.policy, options.get("first_guess")).to_bytes() == book.to_bytes()


def test_first_guesses_that_differ() -> None:
    """A policy with a first guess and another one beside it, or one that is no code, is refused."""
    game = Mastermind(2, 3)
    with pytest.raises(UsageError, match="found first guess RR and a policy with first guess RY"):
        build_book(game, {"name": "parts", "first_guess": "RY"}, "RR")
    for wrong in ("nope", 5):
        with pytest.raises(InvalidCodeError):
            build_book(game, {"name": "parts", "first_guess": wrong})


@pytest.mark.parametrize("name", ["rollout", "lookahead"])
def test_the_largest_width(name: str) -> None:
    """Any width that is accepted is played: beyond the number of guesses it changes nothing."""
    game = Mastermind(3, 3)
    wide = build_book(game, {"name": name, "width": 1 << 22})
    same = build_book(game, {"name": name, "width": len(game.guesses)})
    assert list(wide.tree.guess) == list(same.tree.guess)
    assert open_book(wide.to_bytes()).policy["width"] == 1 << 22


def test_the_largest_seed() -> None:
    """Any seed that is accepted fits the header."""
    book = build_book(Mastermind(2, 3), {"name": "consistent", "random_seed": (1 << 64) - 1})
    assert open_book(book.to_bytes()).policy == book.policy


def test_header_of_a_book() -> None:
    """The options are in the book's header, and in the same book from its bytes."""
    book = build_book(Mastermind(2, 3), {"name": "rollout", "width": 3}, "RY")
    expected = {"name": "rollout", "base": "entropy", "width": 3, "first_guess": "RY"}
    assert book.policy == open_book(book.to_bytes()).policy == expected


# --- what they guess ------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(st.sampled_from([g for g in GAMES if len(g.guesses) <= 64]), descriptions())
def test_books_by_definition(game: Mastermind, description: dict[str, Any]) -> None:
    """Every node of a built book has the guess that the plain definition gives."""
    policy = policy_of(description)
    book = build_book(game, description)
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
    book = build_book(WORDS, description)
    assert list(book.tree.guess) == list(reference(WORDS, policy_of(description)).tree.guess)


@settings(deadline=None, max_examples=25)
@given(st.data(), descriptions())
def test_live_hints(data: st.DataObject, description: dict[str, Any]) -> None:
    """Off-book every policy guesses by the same rule, by the kernels as in plain Python."""
    game = Mastermind(3, 4)
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    expected = foresight.choose(game, policy_of(description), history, candidates)
    with pytest.MonkeyPatch.context() as patch:
        for bound in (live.SOME_FEEDBACKS, 0):
            patch.setattr(live, "SOME_FEEDBACKS", bound)
            choice = live.choose(game, history[::-1], description)
            assert choice is not None
            assert (choice.guess, choice.candidates) == (expected, len(candidates))
            assert sum(choice.sizes) == len(candidates)


def test_live_without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernels are missing, what plain Python cannot do in time is refused in words."""
    monkeypatch.setattr(live, "_choose_compiled", lambda *_: None)
    with pytest.raises(UsageError, match=r"rollout would compute .* pip install"):
        live.choose(BULLS, [], "rollout")


@pytest.mark.parametrize("description", ["entropy-corrected", "consistent", "rollout:width=2"])
def test_verify(description: str) -> None:
    """`verify --policy` builds the book again from its header, and finds a book of another rule."""
    game = Mastermind(3, 3)
    book = build_book(game, described(description))
    assert proven(book).passed
    other = build_book(game, "minimax", "RRR")
    book.tree, _ = other.tree, book.tree
    assert not proven(book).passed


# --- entropy-corrected ----------------------------------------------------------------------


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
    assert build_book(game, "entropy-corrected", first_guess).metadata.total_guesses == total


def test_credit_beats_a_perfect_split() -> None:
    """A candidate that leaves two together wins over a perfect guess that is none."""
    game = WordGame(["abc", "abd", "abe", "bcd"], ["xyz", "dec"])
    cells = Counter(game.feedback("dec", secret) for secret in game.secrets)
    assert max(cells.values()) == 1
    plain, _ = best_guess(game, list(game.secrets), policy_of("entropy"))  # type: ignore[arg-type]
    credited, _ = best_guess(game, list(game.secrets), policy_of("entropy-corrected"))  # type: ignore[arg-type]
    assert game.guesses[credited] in game.secrets
    assert build_book(game, "entropy-corrected").root.guess == game.guesses[credited]
    assert build_book(game, "entropy").root.guess == game.guesses[plain]


# --- consistent, positional, limits ---------------------------------------------------------


@settings(deadline=None)
@given(st.integers(0, 1 << 64), st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=20))
def test_draw(random_seed: int, candidates: list[int]) -> None:
    """The draw is the hash that the documentation describes."""
    data = b"".join(index.to_bytes(4, "little") for index in candidates)
    digest = hashlib.sha256(str(random_seed).encode() + b":" + data).digest()
    expected = int.from_bytes(digest[:8], "little") % len(candidates)
    assert drawn(random_seed, data) == expected


def test_draws_differ() -> None:
    """Other seeds draw other guesses, all of them in their turn; jobs change nothing."""
    game = Mastermind(2, 3)
    first = {build_book(game, header(Consistent(seed))).root.guess for seed in range(60)}
    assert first == set(game.guesses)
    one, two = (build_book(Mastermind(4, 4), "consistent", jobs=jobs) for jobs in (1, 2))
    assert one.to_bytes() == two.to_bytes()


def test_positional_surprise() -> None:
    """The guess has the least probable symbols of all candidates, place by place."""
    game = Mastermind(3, 5, repeats=False)
    for node in build_book(game, "positional").nodes:
        if node.candidates == len(game.secrets):
            cell = list(game.secrets)
            chances = {
                code: Fraction(1)
                * Fraction(sum(other[0] == code[0] for other in cell), len(cell))
                * Fraction(sum(other[1] == code[1] for other in cell), len(cell))
                * Fraction(sum(other[2] == code[2] for other in cell), len(cell))
                for code in cell
            }
            assert chances[node.guess] == min(chances.values())
    assert foresight.rarest(["012", "013", "212", "314"]) == "314"


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_consistent_only(name: str) -> None:
    """Every guess may be the secret, and no allowed guess has a better score."""
    book = build_book(Mastermind(4, 4), {"name": name, "consistent_only": True})
    assert all(node.is_candidate for node in book.nodes)
    game, rule = book.game, POLICIES[name]
    weights = rule.weights(len(game.secrets))
    waiting: list[tuple[Any, list[str]]] = [(book.root, list(game.secrets))]
    while waiting:
        node, cell = waiting.pop()
        sizes = {
            guess: Counter(game.feedback(guess, secret) for secret in cell).values()
            for guess in cell
        }
        scores = {guess: rule.score(sizes[guess], weights) for guess in cell}
        assert scores[node.guess] == max(scores.values())
        for answer, child in node.children.items():
            waiting.append((child, [s for s in cell if game.feedback(node.guess, s) == answer]))


def test_hard_mode() -> None:
    """Green letters stay, yellow ones come again as often as they were shown; grey ones may."""
    history = [(WORDS.parse_code("erase"), WORDS.parse_feedback("10001"))]
    for word, allowed in {"geese": True, "abbey": False, "revel": True, "slate": False}.items():
        assert foresight.keeps_hints(WORDS, word, history) is allowed
    green = [(WORDS.parse_code("slate"), WORDS.parse_feedback("00002"))]
    assert foresight.keeps_hints(WORDS, "crane", green)
    assert not foresight.keeps_hints(WORDS, "revel", green)
    game = WordGame(SIGHTS, ["flams", "wrens"])
    for description in ({"name": "entropy", "hard_mode": True}, {"name": "entropy"}):
        book = build_book(game, description, "night")
        kept = []
        waiting: list[tuple[Any, Any]] = [(book.root, [])]
        while waiting:
            node, past = waiting.pop()
            kept.append(foresight.keeps_hints(game, node.guess, past))
            for answer, child in node.children.items():
                waiting.append((child, [*past, (game.parse_code(node.guess), answer)]))
        assert all(kept) is ("hard_mode" in description)


def test_hard_mode_elsewhere() -> None:
    """Hard mode is refused where it has no meaning."""
    hard = policy_of({"name": "rollout", "hard_mode": True})
    check_policy(WORDS, hard)
    for game in (BULLS, WordGame(["abc"], scoring="loose")):
        with pytest.raises(UsageError, match="hard mode"):
            check_policy(game, hard)


# --- openings -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [g for g in GAMES if len(g.guesses) <= 81], ids=repr)
def test_openings(game: Mastermind) -> None:
    """There is one opening for each way to group the positions of a code by their symbols."""
    shapes: dict[tuple[int, ...], str] = {}
    for code in game.guesses:
        shapes.setdefault(tuple(sorted(Counter(code).values())), code)
    assert sorted(opening_codes(game)) == sorted(shapes.values())


def test_openings_of_known_games() -> None:
    """Five for 4x6, seven for 5x8, one where no symbol repeats; words have no equivalents."""
    assert opening_codes(Mastermind(4, 6)) == ["RRRR", "RRRY", "RRYY", "RRYG", "RYGB"]
    assert len(opening_codes(Mastermind(5, 8))) == 7
    assert opening_codes(BULLS) == ["0123"]
    with pytest.raises(UsageError, match="rollout"):
        opening_codes(WORDS)


@pytest.mark.parametrize(
    ("pegs", "colors", "count"), [(7, 3, 8), (8, 2, 5), (9, 2, 5), (12, 2, 7), (8, 5, 18)]
)
def test_openings_of_long_codes(pegs: int, colors: int, count: int) -> None:
    """There is one for each way to write the pegs as a sum of at most `colors` numbers."""
    found = opening_codes(Mastermind(pegs, colors))
    shapes = {tuple(sorted(Counter(code).values())) for code in found}
    assert len(found) == len(shapes) == count
    assert found == sorted(found, key=Mastermind(pegs, colors).parse_code)


@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_best_opening(policy: str) -> None:
    """No opening at all makes a better book than the best one."""
    game = Mastermind(3, 4)
    best = best_build(game, policy).book
    books = [build_book(game, policy, code) for code in game.guesses]
    assert goodness(best) == min(map(goodness, books))
    assert best.policy["first_guess"] == best.root.guess


@pytest.mark.slow
def test_best_opening_of_5x8() -> None:
    """The best opening of 5x8 by entropy saves guesses, and the eighth one."""
    best = best_build(Mastermind(5, 8)).book.metadata
    assert best.total_guesses <= 179_704
    assert best.max_guesses <= 7


# --- published results ----------------------------------------------------------------------


def published() -> list[dict[str, str]]:
    """The published results, or a skipped test."""
    if not PUBLISHED.exists():
        pytest.skip(f"the published results are not here: {PUBLISHED}")
    with PUBLISHED.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_published_totals() -> None:
    """What the literature reports: equal up to ties, and nothing beats a proven optimum."""
    game = Mastermind(4, 6)
    rows = {row["policy"]: int(row["total_guesses"]) for row in published() if _is(row, game)}
    ours = {name: build_book(game, name).metadata.total_guesses for name in POLICIES}
    for name in POLICIES:
        assert rows[name] == ours[name]
    best = build_book(game, {"name": "rollout", "base": "parts", "width": 50}).metadata
    assert rows["optimal"] <= best.total_guesses <= min(ours.values())


def _is(row: dict[str, str], game: Mastermind) -> bool:
    return (row["game"], row["positions"], row["symbols"]) == (
        "mastermind",
        str(game.pegs),
        str(game.colors),
    )
