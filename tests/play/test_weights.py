"""Weights of secrets in play: chances, bits and means are by weight, counts stay counts."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind, WordGame
from guessbook.book.games.weights import weights_of
from guessbook.book.summary import plain
from guessbook.engine import hints as kernel_hints
from guessbook.engine.hints import hints_of
from guessbook.engine.pairs import best_pairs as pairs_by_engine
from guessbook.lookup import open_book
from guessbook.lookup.hint import hint
from guessbook.play import analysis
from guessbook.play.boards import Boards
from guessbook.play.codemaker import Adversary, random_secrets, secrets_of_day
from guessbook.play.pairs import best_pairs, searcher
from guessbook.play.proof import prove
from guessbook.play.run import simulate, simulate_games, turns
from guessbook.play.session import Session
from guessbook.play.terminal.report import explanation_lines
from guessbook.policy.one_step import POLICIES
from guessbook.policy.reference import consistent, partition
from tests.helpers.plain import entries, histories, plain_book
from tests.policy.test_weights import weighted_games

WORDS = ["crane", "trace", "crate", "slate", "stale", "tales", "least", "steal", "eerie"]
GAME = WordGame(WORDS, [*WORDS, "lores", "capes"], weights=[900, 40, 5, 5, 1, 1, 30, 8, 10])
RULES = list(POLICIES.values())


def shares(game: WordGame, guess: str, left: list[str]) -> list[float]:
    """The probability of each cell, by the definition."""
    cells = partition(game, guess, left).values()
    return [cell / sum(cells) for cell in cells]


@given(st.data())
@settings(deadline=None)
def test_hints_and_chances(data: st.DataObject) -> None:
    """Hints on the book and off it have the bits and the chance of their guess, by weight."""
    book = open_book(plain_book(GAME, "entropy-corrected"))
    history = entries(GAME, data.draw(histories(GAME, max_size=2)))
    found = hint(book, history)
    left = Session(GAME, history).candidates()
    parts = shares(GAME, found.guess, left)
    assert found.entropy == pytest.approx(-sum(p * math.log2(p) for p in parts))
    own = sum(weights_of(GAME, [found.guess])) if found.guess in left else 0
    assert found.chance == pytest.approx(own / sum(weights_of(GAME, left)))


def test_without_weights_all_are_equally_likely() -> None:
    """In a game whose secrets count the same a hint that may be the secret is one of those left."""
    book = open_book("mastermind-4x6")
    found = hint(book)
    assert plain(found) == {k: v for k, v in found._asdict().items() if k not in {"win", "others"}}
    assert found.chance == 1 / found.remaining
    assert Session(book).weight is None


@given(weighted_games(12), st.data())
def test_scores_are_exact(game: WordGame, data: st.DataObject) -> None:
    """Plain Python and the engine score every guess as the definition says."""
    history = data.draw(histories(game, max_size=2))
    left = consistent(game, history)
    guesses = range(len(game.guesses))
    seen = analysis.Analysis(game, history)
    total = sum(weights_of(game, left))
    engine = hints_of(game, history)
    quick = [engine.scores(rule, guesses) for rule in RULES]
    slow = seen._plain(RULES, guesses)
    for rule, one, other in zip(RULES, quick, slow, strict=True):
        costs = rule.costs(total)
        for index, guess in enumerate(game.guesses):
            cells = partition(game, guess, left)
            score = rule.score(cells.values(), costs) + rule.credit * cells[game.solved]
            assert one[index] == other[index] == score


def test_explanations_speak_of_chances() -> None:
    """Each cell has its probability by weight, and its likeliest candidates; sizes are counts."""
    why = Session(GAME).explain("slate", 3)
    assert (why.weight, why.chance) == (1000, 5 / 1000)
    assert [cell.chance for cell in why.partition] == sorted(
        shares(GAME, "slate", list(GAME.secrets)), reverse=True
    )
    assert sum(cell.size for cell in why.partition) == len(WORDS)
    assert why.partition[-1].sum == pytest.approx(why.entropy)
    assert why.partition[0].examples == ("crane",)
    alike = next(c for c in Session(GAME).explain("eerie").partition if len(c.examples) > 1)
    weights = weights_of(GAME, alike.examples)
    assert list(weights) == sorted(weights, reverse=True)
    assert Session(GAME).explain("crane").chance == 0.9


def test_columns_of_an_explanation_say_what_they_are() -> None:
    """Each guess has its chance to be the secret, and sizes of cells do not look like chances."""
    why = Session(GAME).explain("slate")
    assert {a.guess: a.chance for a in why.alternatives}["crane"] == 0.9
    lines = explanation_lines(why, 80, GAME)
    heads = [line.split() for line in lines if line.startswith("guess ")]
    assert heads == [["guess", "chance", "bits", "cells", "largest", "expected"]] * 2
    crane = next(line.split() for line in lines if line.startswith("crane*"))
    assert crane[1] == "90.00%"
    assert "chance is that the guess is the secret" in " ".join(lines)
    for width in (40, 60, 80):
        assert max(map(len, explanation_lines(why, width, GAME))) <= width
    plain = Session("mastermind-3x4").explain(count=1)
    assert plain.best_by["minimax"].chance is None
    assert "chance is that" not in " ".join(explanation_lines(plain, 80, Mastermind(3, 4)))


def test_ratings_and_reviews() -> None:
    """A rating's chance, a review's bits and its luck are by weight; what is left is counted."""
    session = Session(GAME, ["slate=00202"])
    assert session.candidates() == ["crane"]
    rated = Session(GAME).rate("crane")
    assert (rated.chance, rated.weight, rated.remaining) == (0.9, 1000, 9)
    cells = partition(GAME, "crane", GAME.secrets)
    assert rated.worst == max(cells.values())
    assert rated.expected_size == sum(n * n for n in cells.values()) / 1000
    reviewed = session.review().turns[0]
    assert (reviewed.remaining, reviewed.left) == (9, 1)
    assert reviewed.bits == pytest.approx(math.log2(1000 / 900))
    assert reviewed.luck < 50  # the likeliest answer tells the least


def test_games_of_a_policy() -> None:
    """The bits of a game's answers add up to how unlikely its secret was."""
    for secret in WORDS:
        played = turns(Session(open_book(plain_book(GAME))), secret)
        own = sum(weights_of(GAME, [secret]))
        assert sum(turn.bits for turn in played) == pytest.approx(math.log2(1000 / own))


def test_simulations() -> None:
    """Played in full, the mean is that of the book; of some secrets it is by their weights."""
    book = open_book(plain_book(GAME))
    found = simulate(book, GAME.secrets)
    assert found.mean_guesses == pytest.approx(book.stats.mean_guesses)
    assert found.total_guesses == book.stats.total_guesses
    some = simulate(book, ["crane", "eerie"])
    taken = some.guesses
    assert some.mean_guesses == pytest.approx((900 * taken["crane"] + 10 * taken["eerie"]) / 910)


def test_games_count_alike_where_secrets_are_drawn_by_weight() -> None:
    """Of games with drawn secrets the mean is that of the games: weights count once, not twice."""
    book = plain_book(GAME, "entropy")
    found = simulate_games(book, 2000, 7)
    assert found.mean_guesses == found.total_guesses / 2000
    assert found.mean_guesses == pytest.approx(book.stats.mean_guesses, abs=0.05)


def test_books_are_proven() -> None:
    """`verify` proves a book with weights, its guesses too."""
    book = plain_book(GAME, "entropy-corrected")
    assert all(check.passed for check in prove(book, policy=True))


def test_secrets_are_drawn_by_weight() -> None:
    """A secret is drawn as often as its weight says, at random and for the day."""
    for drawn in (random_secrets(GAME, 2000, 7), secrets_of_day(GAME, 2000, "2026-11-22")):
        counts = Counter(drawn)
        assert 1740 < counts["crane"] < 1860
        assert counts.keys() <= set(GAME.secrets)
        assert len(counts) > 7


def test_the_adversary_knows_no_weights() -> None:
    """It keeps the most candidates, however unlikely they are."""
    adversary = Adversary(GAME)
    adversary.answer("slate")
    cells = Counter(GAME.feedback_number("slate", secret) for secret in WORDS)
    assert len(adversary.candidates()) == max(cells.values())
    while not adversary.solved:
        adversary.answer(Session(GAME, adversary.history).hint().guess)


def test_several_boards() -> None:
    """The bits of a guess on several boards are summed by the weights of each."""
    boards = Boards(Session(GAME), 2)
    boards.add_guess("capes", [str(GAME.feedback("capes", s)) for s in WORDS[1:3]])
    for guess in (*GAME.guesses, boards.hint().guess):
        expected = sum(session.split(guess).entropy for session in boards.sessions)
        best = sum(session.split(boards.hint().guess).entropy for session in boards.sessions)
        assert expected <= best + 1e-12


@given(weighted_games(9))
def test_best_pairs(game: WordGame) -> None:
    """The best pair tells the most by weight; plain Python and the engine find the same."""
    seen = analysis.Analysis(game, [])
    best = best_pairs(seen, 3)
    if len(game.guesses) < 2:
        assert not best
        return
    every = [
        seen.pair(a, b).entropy for k, a in enumerate(game.guesses) for b in game.guesses[k + 1 :]
    ]
    assert best[0].entropy == pytest.approx(max(every))
    rows = [seen.answers(guess) for guess in game.guesses]
    costs, firsts = POLICIES["entropy"].costs(seen.weight), range(len(rows))
    weights = weights_of(game, game.secrets)
    assert pairs_by_engine(rows, firsts, costs, 6, weights) == searcher(seen)(6)


def test_the_table_of_words_is_made_once_for_all_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's table of a word game is made once, however many policies score guesses."""
    made = []

    def counted(*arguments: Any) -> Any:
        made.append(arguments)
        return table(*arguments)

    table = kernel_hints.word_table
    monkeypatch.setattr(kernel_hints, "word_table", counted)
    engine = hints_of(WordGame(["abc", "abd", "bad"]), [])
    for policy in POLICIES.values():
        engine.scores(policy, [0, 1, 2])
    assert len(made) == 1
