"""The searches of `optimal` and `win`: bounds, limits, memory, threads, and difficult games."""

from __future__ import annotations

from functools import cache
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.plain import fitting, plain_tree
from tests.helpers.samples import SMALL, every_nth
from tests.routes.routes import expected_tree, tree_of
from tests.strategies import ONE_STEP, games, policies

GAME = gb.Mastermind(4, 5)
OPTIMUM = 2463
# More than 24 openings: tasks try them one by one.
WORDS = [a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"]
WEIGHED = gb.WordGame(WORDS, weights=[1 + 7 * k % 50 for k in range(len(WORDS))])


def many_words(count: int) -> list[str]:
    drawn = Random(1)
    return list(dict.fromkeys("".join(drawn.choices("aeilnorst", k=5)) for _ in range(count)))


# The optimum by brute force: every guess is tried after every history.


def least_total(game: gb.Game, hard: bool) -> int:
    feedback = cache(game.feedback_number)

    def allowed(history: frozenset[tuple[int, int]], index: int) -> bool:
        word = game.guesses[index]
        for guess, number in history:
            marks = zip(game.guesses[guess], game.format_feedback(number), strict=True)
            shown = [(place, *mark) for place, mark in enumerate(marks) if mark[1] != "0"]
            letters = [letter for _, letter, _ in shown]
            if any(mark == "2" and word[place] != letter for place, letter, mark in shown):
                return False
            if any(word.count(letter) < letters.count(letter) for letter in letters):
                return False
        return True

    @cache
    def total(history: frozenset[tuple[int, int]], candidates: tuple[str, ...]) -> int:
        costs = []
        for index, code in enumerate(game.guesses):
            if hard and not allowed(history, index):
                continue
            cells: dict[int, list[str]] = {}
            for secret in candidates:
                cells.setdefault(feedback(code, secret), []).append(secret)
            if len(cells) == 1 and game.solved not in cells:
                continue
            cells.pop(game.solved, None)
            below = [total(history | {(index, f)}, tuple(cell)) for f, cell in cells.items()]
            costs.append(len(candidates) + sum(below))
        return min(costs)

    return total(frozenset(), tuple(game.secrets))


@given(games(12).filter(lambda game: not getattr(game, "weights", None)), st.booleans())
def test_optimal_total_matches_brute_force(game: gb.Game, hard: bool) -> None:
    hard = hard and game.has_hard_mode
    book = gb.build(game, "optimal", hard_mode=hard)
    assert book.stats.total_guesses == least_total(game, hard)


@given(games(16), st.sampled_from(ONE_STEP))
def test_win_finds_no_fewer_secrets_with_more_guesses(game: gb.Game, base: str) -> None:
    worst = gb.build(game, "optimal").stats.max_guesses
    found = [
        gb.build(game, "win", within=within, base=base).stats.found_within or 0
        for within in range(1, worst + 2)
    ]
    weights = getattr(game, "weights", None) or [1] * len(game.secrets)
    assert found == sorted(found)
    assert found[worst - 1] == found[worst] == gb.build(game, "optimal").stats.weight
    assert found[0] * sum(weights) == max(weights) * found[worst]


@given(st.data(), games(40), st.sampled_from(["optimal", "win:within=3"]))
def test_consistent_only_and_hard_mode_find_no_better_strategy(
    data: st.DataObject, game: gb.Game, policy: str
) -> None:
    drawn = data.draw(policies(game, "optimal"))
    limits = {key: drawn[key] for key in ("consistent_only", "hard_mode") if key in drawn}
    best, limited = gb.build(game, policy).stats, gb.build(game, policy, **limits).stats
    if policy == "optimal":
        assert best.weighted_guesses <= limited.weighted_guesses
    else:
        assert (best.found_within or 0) >= (limited.found_within or 0)


@given(games(), st.sampled_from(ONE_STEP), st.integers(1, 30), st.booleans())
def test_rollout_never_needs_more_guesses_than_its_base(
    game: gb.Game, base: str, width: int, limited: bool
) -> None:
    options: dict[str, Any] = {"hard_mode" if game.has_hard_mode else "consistent_only": limited}
    plain = gb.build(game, base, **options).stats
    better = gb.build(game, "rollout", base=base, width=width, **options).stats
    assert better.weighted_guesses <= plain.weighted_guesses


def test_wide_rollout_does_not_beat_optimum() -> None:
    game = gb.Mastermind(3, 5)
    least = gb.build(game, "optimal").stats.total_guesses
    assert gb.build(game, "rollout:width=125").stats.total_guesses >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "policy"),
    [
        (gb.Mastermind(3, 3), {"name": "optimal"}),
        (gb.Mastermind(3, 3), {"name": "optimal", "base": "parts", "max_guesses": 4}),
        (gb.Mastermind(3, 4, repeats=False), {"name": "optimal", "base": "entropy-corrected"}),
        (gb.Mastermind(3, 3), {"name": "win", "within": 3, "base": "expected"}),
        (gb.WordGame(WORDS[:14]), {"name": "optimal", "hard_mode": True}),
    ],
    ids=repr,
)
def test_trees_of_optimal_and_win_match_plain_definition(
    game: gb.Game, policy: dict[str, Any]
) -> None:
    assert tree_of(gb.build(game, policy)) == expected_tree(plain_tree(game, policy))


# Options of the build.


@pytest.mark.parametrize("gap", every_nth(4, [0.2, 0.05, 0.0005, 0.01]))
@pytest.mark.parametrize("game", [GAME, WEIGHED], ids=repr)
def test_optimal_stops_within_requested_gap(game: gb.Game, gap: float) -> None:
    least = gb.build(game, "optimal").stats.weighted_guesses
    book = gb.build(game, "optimal", gap=gap)
    total, bound = book.stats.weighted_guesses, book.policy.get("proven", least)
    assert bound <= least <= total
    assert total - bound <= gap * total
    assert gb.build(game, "optimal", gap=gap, jobs=3).to_bytes() == book.to_bytes()
    assert gb.open(book.to_bytes()).verify(policy=True).passed


@pytest.mark.parametrize("gap", every_nth(3, [0.05, 0.5, 0.005]))
@pytest.mark.parametrize("game", [gb.Mastermind(4, 4), WEIGHED], ids=repr)
def test_win_stops_within_requested_gap(game: gb.Game, gap: float) -> None:
    most = gb.build(game, "win:within=3").stats.found_within or 0
    book = gb.build(game, "win:within=3", gap=gap)
    found = book.stats.found_within or 0
    bound = book.policy.get("found_at_most", found)
    assert found <= most <= bound <= book.stats.weight
    assert bound - found <= gap * found
    assert gb.build(game, "win:within=3", gap=gap, jobs=3).to_bytes() == book.to_bytes()


def test_gap_with_guess_limit_is_rejected_for_many_openings() -> None:
    book = gb.build(GAME, "optimal:max-guesses=5", gap=0.1)
    assert book.policy.get("proven", OPTIMUM) <= OPTIMUM == book.stats.total_guesses
    assert book.stats.max_guesses == 5
    with pytest.raises(gb.BuildError, match="first guess"):
        gb.build(gb.WordGame(WORDS), "optimal:max-guesses=9", gap=0.1)


@pytest.mark.parametrize("policy", ["optimal", "win:within=4", "rollout:endgame=40"])
def test_little_memory_gives_the_same_book(policy: str) -> None:
    table = len(GAME.guesses) ** 2
    book = gb.build(GAME, policy, memory=table // 3 * 4 + 20_000)
    assert book.to_bytes() == gb.build(GAME, policy).to_bytes()
    with pytest.raises(gb.BuildError, match="memory"):
        gb.build(GAME, policy, memory=table)


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("entropy", {"memory": 1 << 30}),
        ("rollout", {"memory": 1 << 30}),
        ("entropy", {"gap": 0.1}),
        ("rollout:endgame=40", {"gap": 0.1}),
    ],
    ids=str,
)
def test_build_option_unused_by_policy_is_rejected(policy: str, options: dict[str, Any]) -> None:
    with pytest.raises(gb.UsageError):
        gb.build(GAME, policy, **options)


@pytest.mark.parametrize(
    ("game", "policy"),
    [
        (gb.Mastermind(3, 6), "optimal"),
        (gb.WordGame(WORDS), "optimal"),
        (WEIGHED, "optimal"),
        (gb.WordGame(many_words(120)), "win:within=3"),
        (gb.Mastermind(4, 4), "consistent"),
        (GAME, "rollout:base=parts,width=6"),
    ],
    ids=repr,
)
def test_book_does_not_depend_on_the_number_of_threads(game: gb.Game, policy: str) -> None:
    one, three = (gb.build(game, policy, jobs=jobs) for jobs in (1, 3))
    assert one.to_bytes() == three.to_bytes()


def test_search_progress_stays_within_its_total() -> None:
    seen: list[gb.Progress] = []
    gb.build(gb.WordGame(WORDS), "optimal", jobs=1, progress=seen.append)
    search = [progress for progress in seen if progress.stage.startswith("best")]
    assert all(0 <= progress.done <= progress.total for progress in search)
    assert search[-1].done > search[-1].total / 3


# Difficult games.


@pytest.mark.parametrize(
    ("secrets", "others", "total"),
    [
        ("mot hot fot hit fit cot bot", "icx xhf tit cmt ixt oiz", 18),
        pytest.param(
            "fot mot cot hit bot hot cit mit",
            "izx czt ctt izt hbt",
            21,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_hard_mode_distinguishes_guesses_with_equal_cells(
    secrets: str, others: str, total: int
) -> None:
    """One of two such guesses may show a letter that forbids the best next guess."""
    for guesses in ([*others.split(), *secrets.split()], [*secrets.split(), *others.split()]):
        game = gb.WordGame(secrets.split(), guesses)
        book = gb.build(game, "optimal:hard-mode")
        assert book.stats.total_guesses == total
        plain = plain_tree(game, {"name": "optimal", "hard_mode": True})
        assert tree_of(book) == expected_tree(plain)


def test_hard_mode_optimum_is_no_worse_than_rollout() -> None:
    secrets = "aaet abat abdt abet adat addt babt bcbt beat bebt ccbt cdbt ddct dddt ddet dedt"
    more = "eaat ecat eebt eect eedt eeet"
    others = "exat zedt exbt zbzt adxt bdxt zebt xbxt bxet dzat czdt bect xcxt"
    all_secrets = [*secrets.split(), *more.split()]
    game = gb.WordGame(all_secrets, [*others.split(), *all_secrets])
    best = gb.build(game, "optimal:hard-mode").stats
    assert best.total_guesses <= gb.build(game, "rollout:hard-mode,width=40").stats.total_guesses


@pytest.mark.parametrize("options", every_nth(2, ["", ":consistent-only"]))
def test_optimal_search_reaches_depth_26(options: str) -> None:
    game = gb.WordGame([letter + "ight" for letter in ascii_lowercase])
    found = gb.build(game, f"optimal{options}").stats
    assert (found.max_guesses, found.total_guesses) == (26, 351)


def test_words_without_common_letters_need_one_guess_each() -> None:
    words = [chr(0xAC00 + 28 * k) for k in range(80)]
    assert gb.build(gb.WordGame(words)).stats.max_guesses == 80


def test_win_uses_two_guesses_that_are_not_secrets() -> None:
    secrets = [x + y + "cde" for x in "abfg" for y in "hijk"]
    game = gb.WordGame(secrets, [*secrets, "azbfz", "zhijz"])
    book = gb.build(game, "win:within=3")
    assert book.stats.found_within == 16
    policy = gb.make_policy("win:within=3")
    assert book.root.guess == game.guesses[policy.choose(game, [], secrets)]


def test_last_guess_of_win_is_heaviest_candidate() -> None:
    game = gb.WordGame(["abc", "abd", "bad", "cab"], weights=[1, 5, 1, 5])
    hint = gb.Session(game, policy="win:within=1").hint()
    assert hint.guess in ("abd", "cab")
    assert hint.win == 5 / 12


@pytest.mark.parametrize("options", ["", ",base=parts", ",hard-mode"])
def test_unreachable_guess_limit_is_ignored_in_live_hints(options: str) -> None:
    game = gb.WordGame(["bat", "cat", "fat", "hat", "mat", "rat"])
    history = [(word, game.feedback(word, "rat")) for word in ("bat", "cat")]
    assert len(fitting(game, [(0, game.feedback_number("bat", "rat"))])) == 5
    limits = [f"optimal:max-guesses={most}{options}" for most in range(1, 7)]
    found = {gb.Session(game, history, policy).hint().guess for policy in limits}
    assert len(found) == 1


def test_custom_policy_that_repeats_a_guess_raises_build_error() -> None:
    class Stuck(gb.Policy):
        name = "stuck"

        def choose(self, game: gb.Game, history: Any, candidates: Any) -> int:
            return 0

    with pytest.raises(gb.BuildError, match="again"):
        gb.build(SMALL, Stuck())
