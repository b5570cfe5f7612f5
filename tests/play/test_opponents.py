"""Codemakers, adversaries, shuffled play and simulations."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from math import log2
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.hints.definitions import (
    BULLS,
    SMALL,
    WEIGHTED_GAME,
    answer,
    cells,
    fitting,
    weights,
)

if TYPE_CHECKING:
    from tests.helpers.command import Run
    from tests.hints.definitions import Entries


@pytest.mark.parametrize("make", [gb.Codemaker, gb.Adversary])
def test_opponent_keeps_its_answers_in_the_history(make: Any, book: gb.Book) -> None:
    opponent, session = make("mastermind-4x6"), gb.Session(book)
    assert repr(opponent) == f"<{make.__name__} mastermind-4x6: no guesses so far>"
    while not opponent.solved:
        guess = session.hint().guess
        told = opponent.feedback(guess)
        assert len(opponent.history) == len(session.rows), "feedback must not be kept"
        answered = opponent.answer(list(guess))
        assert answered == told == (answered.black, answered.white)
        session.add_guess(guess, answered)
        assert opponent.history == session.history
        assert session.remaining > 0
    assert session.solved
    assert opponent.reveal() == session.rows[-1].guess
    assert opponent.reveal() in opponent.reveal_text()
    assert repr(opponent).endswith(f": {len(session.rows)} guesses>")
    with pytest.raises(gb.InvalidCodeError):
        opponent.answer("XXXX")


def test_codemaker_draws_secret_by_seed_and_weight() -> None:
    assert gb.Codemaker("bagels", "0 1 2").secret == "012"
    drawn = [gb.Codemaker(WEIGHTED_GAME, random_seed=seed).secret for seed in range(400)]
    assert drawn == [gb.Codemaker(WEIGHTED_GAME, random_seed=seed).secret for seed in range(400)]
    assert 345 < Counter(drawn)["light"] < 375
    assert set(drawn) <= set(WEIGHTED_GAME.secrets)
    assert len({gb.Codemaker("bagels", random_seed=seed).secret for seed in range(20)}) > 10
    assert len({gb.Codemaker("bagels").secret for _ in range(20)}) > 1


@cache
def guesses_needed(game: gb.Game, history: tuple[tuple[str, str], ...]) -> int:
    """The guesses that the policy `entropy` needs for all candidates together."""
    session = gb.Session(game, history)
    guess, left = session.hint().guess, session.candidates()
    below = [
        guesses_needed(game, (*history, (guess, feedback)))
        for feedback in cells(game, guess, left)
        if feedback != answer(game, guess, guess)
    ]
    return len(left) + sum(below)


def answer_of_hide(game: gb.Game, history: Entries, guess: str) -> str:
    """The adversary's answer by the rules in docs/reference/ratings.md, which ignore weights."""
    if isinstance(game, gb.WordGame):
        game = gb.WordGame(game.secrets, game.guesses)
    found = cells(game, guess, fitting(game, history))
    most = max(map(len, found.values()))

    def order(feedback: str) -> tuple[object, ...]:
        after, number = (*history, (guess, feedback)), game.parse_feedback(feedback)
        if number == game.solved:
            return (1, 0, number)
        if most <= 12:
            return (0, -guesses_needed(game, after), number)
        return (0, round(gb.Session(game, after).hint().entropy, 9), number)

    return min((f for f, cell in found.items() if len(cell) == most), key=order)


@pytest.mark.parametrize("game", [SMALL, BULLS, WEIGHTED_GAME], ids=["codes", "bulls", "weights"])
def test_adversary_keeps_most_candidates_and_breaks_ties_as_documented(game: gb.Game) -> None:
    step = 3 if game is WEIGHTED_GAME else 13
    for first in game.guesses[::step]:
        for second in game.guesses[1::step]:
            adversary = gb.Adversary(game)
            for guess in (first, second):
                history = adversary.history
                told = str(adversary.answer(guess))
                assert told == answer_of_hide(game, history, guess), (history, guess)
                assert adversary.candidates() == fitting(game, adversary.history)


def test_adversary_compares_information_without_rounding() -> None:
    # Both answers leave 16 candidates. The best next guess splits them into 10,1,1,1,1,1,1 or
    # 5,5,4,2, which have the same entropy, so the lower feedback number decides.
    first, second = "0000000000123456", "0000011111222233"
    secrets = [f"{side}{k:02}" for side in "xy" for k in range(16)]
    bits_of_secret = [[k >> bit & 1 for k in range(32)] for bit in range(4)]
    for numbers in (first + second, second + first):
        table = ["x" * 16 + "y" * 16, numbers, *bits_of_secret]
        adversary = gb.Adversary(
            gb.TableGame([f"row {k}" for k in range(6)], secrets, table, goal="name")
        )
        assert adversary.answer("row 0") == "x"


def test_adversary_ignores_weights() -> None:
    # Both answers leave 16 candidates and the same expected information; only the weights differ.
    secrets = [f"{side}{k:02}" for side in "xy" for k in range(16)]
    table = ["x" * 16 + "y" * 16, *[[k >> bit & 1 for k in range(32)] for bit in range(4)]]
    for likely in (0, 16):
        own = [1] * 32
        own[likely] = 1000
        game = gb.TableGame(
            [f"row {k}" for k in range(5)], secrets, table, weights=own, goal="name"
        )
        assert game.weights is not None
        assert gb.Adversary(game).answer("row 0") == "x"


def test_adversary_rejects_answer_that_no_candidate_gives() -> None:
    adversary = gb.Adversary(gb.Mastermind(2, 3))
    adversary.record("RR", "0,0")
    left = adversary.candidates()
    with pytest.raises(gb.InconsistentFeedbackError):
        adversary.record("RY", "2,0")
    assert (adversary.candidates(), adversary.history) == (left, [("RR", "0,0")])


def test_shuffle_keeps_total_number_of_guesses(run: Run) -> None:
    game = gb.Mastermind(2, 4)
    book = gb.build(game)
    book.save("small.book")
    openings = set()
    for seed in (1, 2, 3):
        total = 0
        for secret in game.secrets:
            arguments = (
                "run",
                "small.book",
                "--secret",
                secret,
                "--shuffle",
                "--random-seed",
                seed,
            )
            turns = json.loads(run(*arguments, "--json").out)["turns"]
            assert {turn["source"] for turn in turns} == {"book"}
            history = [(turn["guess"], turn["feedback"]) for turn in turns]
            assert history[-1][0] == secret
            assert all(told == answer(game, guess, secret) for guess, told in history)
            total += len(turns)
            openings.add(turns[0]["guess"])
        assert total == book.stats.total_guesses
    assert len(openings) > 1
    told = run("solve", "RRRR=1,0", "YYYY=1,0", "RRYY=0,0", "--shuffle", lines="quit\n").out
    assert "  3  R R Y Y  ····  0,0   <-- re-check" in told


@pytest.mark.parametrize("game", [SMALL, WEIGHTED_GAME], ids=["codes", "weights"])
def test_simulation_of_all_secrets_matches_book_statistics(game: gb.Game) -> None:
    book = gb.build(game)
    seen: list[int] = []
    found = book.simulate(progress=seen.append)
    assert found.distribution == book.stats.distribution
    assert found.total_guesses == book.stats.total_guesses
    assert found.mean_guesses == pytest.approx(book.stats.mean_guesses)
    assert found.max_guesses == book.stats.max_guesses
    assert found.played == len(game.secrets) == seen[-1]
    first, last = game.secrets[0], game.secrets[-1]
    twice = book.simulate([first, list(last), first])
    taken = {code: found.guesses[code] for code in (first, last)}
    own = weights(game)
    assert (twice.played, twice.guesses) == (3, taken)
    assert twice.total_guesses == 2 * taken[first] + taken[last]
    weighed = (2 * own[first] * taken[first] + own[last] * taken[last]) / (
        2 * own[first] + own[last]
    )
    assert twice.mean_guesses == pytest.approx(weighed)
    assert sum(twice.distribution) == 3


def test_simulation_draws_sample_by_seed(book: gb.Book) -> None:
    some = book.simulate(fraction=0.1, random_seed=7)
    order = list(some.guesses)
    assert some.played == len(order) == 130
    assert order == sorted(order, key=book.game.guesses.index)
    assert some == book.simulate(fraction=0.1, random_seed=7)
    assert order != list(book.simulate(fraction=0.1, random_seed=8).guesses)
    assert book.simulate(["RRRR", "YYYY"], 0.01).played == 1


def test_weights_do_not_count_twice_in_random_games(run: Run) -> None:
    book = gb.build(WEIGHTED_GAME)
    book.save("w.book")
    found = json.loads(run("simulate", "w.book", "--games", 2000, "--random-seed", 7, "--json").out)
    # Secrets are drawn by weight, so the mean does not use the weights again.
    assert found["mean_guesses"] == found["total_guesses"] / 2000
    assert found["mean_guesses"] == pytest.approx(book.stats.mean_guesses, abs=0.05)


def test_bits_of_all_turns_add_up_to_information_of_secret(run: Run) -> None:
    gb.build(WEIGHTED_GAME).save("w.book")
    own = weights(WEIGHTED_GAME)
    for secret in WEIGHTED_GAME.secrets[::3]:
        turns = json.loads(run("run", "w.book", "--secret", secret, "--json").out)["turns"]
        expected = log2(sum(own.values()) / own[secret])
        assert sum(turn["bits"] for turn in turns) == pytest.approx(expected)
        assert turns[-1]["left"] == 1
    opened = json.loads(run("run", "--secret", "BGYY", "--first-guess", "GGGG", "--json").out)
    assert [turn["source"] for turn in opened["turns"][:2]] == ["first guess", "live"]
    assert run("run", "w.book", "--secret", "eerie").code == 2
