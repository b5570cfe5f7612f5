"""Games on several boards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.hints.definitions import (
    BULLS,
    SMALL,
    WEIGHTED_GAME,
    WORD_GAME,
    answer,
    answers,
    bits,
    calls,
    chance,
    fitting,
    patient,
    sizes,
)

if TYPE_CHECKING:
    from tests.helpers.command import Run


GAMES: list[gb.Game] = [SMALL, BULLS, WORD_GAME, WEIGHTED_GAME]


@patient
@given(st.data())
def test_hint_maximizes_bits_summed_over_open_boards(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES))
    secrets = data.draw(st.lists(st.sampled_from(list(game.secrets)), min_size=2, max_size=4))
    boards = gb.Boards(game, len(secrets), data.draw(st.sampled_from(["entropy", "minimax"])))
    for _ in range(data.draw(st.integers(0, 2))):
        guess = data.draw(st.sampled_from(list(game.guesses)))
        boards.add_guess(guess, [answer(game, guess, secret) for secret in secrets])
    while not (hint := boards.hint()).solved:
        left = [fitting(game, boards.sessions[k].history) for k in boards.open]
        sums = {
            code: round(sum(bits(sizes(game, code, some)) for some in left), 9)
            for code in game.guesses
        }
        assert hint.entropy == pytest.approx(sums[hint.guess], abs=1e-9)
        assert hint.remaining == sum(boards.remaining_each)
        missed = 1.0
        for some in left:
            missed *= 1 - chance(game, hint.guess, some)
        assert hint.chance == pytest.approx(1 - missed)
        assert hint.candidate == (missed < 1)
        single = [k for k in boards.open if boards.remaining_each[k] == 1]
        if single:
            assert boards.sessions[single[0]].candidates() == [hint.guess]
            assert single[0] in boards.certain(hint.guess)
            assert set(boards.certain(hint.guess)) <= set(single)
        else:
            tied = [code for code in game.guesses if sums[code] == max(sums.values())]
            may = [code for code in tied if any(code in some for some in left)]
            assert hint.guess == [*may, *tied][0]
        boards.add_guess(hint.guess, [answer(game, hint.guess, secret) for secret in secrets])
    assert [session.rows[-1].guess for session in boards.sessions] == secrets
    assert (boards.open, hint.remaining, hint.chance) == ([], len(secrets), 1.0)


def test_boards_ignore_policy_and_opening_of_book() -> None:
    expected = gb.Boards(SMALL, 2).hint()
    pinned = gb.build(SMALL, "entropy", first_guess="RRR")
    assert gb.Boards(gb.Session(pinned, "RRR=1,0"), 2).hint() == expected
    assert gb.Boards(gb.build(SMALL, "minimax"), 2).hint() == expected


def test_boards_with_equal_histories_ignore_symmetry_hint_of_book() -> None:
    book = gb.build(gb.Mastermind(2, 5, repeats=False))
    boards, computed = gb.Boards(book, 2), gb.Boards(book.game, 2)
    for each in (boards, computed):
        each.add_guess("12", ["0,1", "0,1"])
    assert boards.sessions[0].hint().source == "symmetry"
    assert boards.hint() == computed.hint()
    assert boards.hint().guess == "01"


def test_edit_and_undo_change_guess_on_all_boards() -> None:
    boards = gb.Boards(SMALL, 2)
    boards.add_guess("RRY", ["3,0", "1,0"])
    boards.add_guess("RGG", ["", "0,0"])
    twin = boards.copy()
    twin.hint()
    assert [len(session.rows) for session in boards.sessions] == [1, 2]
    # The guess changes on all boards, the feedback on one.
    boards.edit(1, 0, "RRG", "1,0")
    assert [session.rows[0] for session in boards.sessions] == [
        ("RRG", "3,0", False),
        ("RRG", "1,0", False),
    ]
    boards.edit(1, 1, None, "2,0")
    assert boards.sessions[1].rows[1].feedback == "2,0"
    assert boards.undo() == "RGG"
    assert boards.undo() == "RRG"
    assert [len(session.rows) for session in twin.sessions] == [1, 2]


def test_contradiction_names_its_board() -> None:
    boards = gb.Boards(SMALL, 2)
    boards.add_guess("RRR", ["1,0", "0,0"])
    boards.add_guess("RRR", ["1,0", "1,0"])
    with pytest.raises(gb.InconsistentFeedbackError, match="board 2: ") as caught:
        boards.hint()
    assert caught.value.suspects == (0, 1)
    assert boards.contradicted() == [1]


def test_invalid_feedback_changes_no_board() -> None:
    boards = gb.Boards(SMALL, 32)
    with pytest.raises(gb.InvalidFeedbackError):
        boards.add_guess("RYG", [*["1,1"] * 31, "9,9"])
    assert not any(session.rows for session in boards.sessions)


def test_hint_for_boards_of_large_game_takes_bounded_work() -> None:
    boards = gb.Boards("mastermind-5x8", 4)
    boards.add_guess("RRYGB", ["1,1", "0,2", "1,1", "2,0"])
    assert boards.remaining_each == (5432, 7051, 5432, 1523)
    # Equal boards and equivalent guesses are scored once; all 32,768 would take millions of calls.
    assert calls(boards.hint) < 300_000


def test_boards_without_common_symmetry_rank_all_guesses() -> None:
    boards = gb.Boards("mastermind-5x8", 2)
    for guess in ("GYYOP", "YRROK"):
        boards.add_guess(guess, [answer(boards.game, guess, s) for s in ("BWKGY", "YYROK")])
    hint = boards.hint()
    for code in boards.game.guesses[::4999]:
        bits_of_all = sum(session.split(code).entropy for session in boards.sessions)
        assert bits_of_all <= hint.entropy + 1e-9


def test_run_plays_several_secrets_at_once(run: Run) -> None:
    gb.build(SMALL).save("small.book")
    secrets = ["RRY", "BGY", "BBB"]
    named = [word for secret in secrets for word in ("--secret", secret)]
    found = json.loads(run("run", "small.book", *named, "--first-guess", "GGG", "--json").out)
    assert [board["secret"] for board in found["boards"]] == secrets
    boards, longest = gb.Boards(SMALL, 3), 0
    for board, session in zip(found["boards"], boards.sessions, strict=True):
        guesses = [turn["guess"] for turn in board["turns"]]
        assert (guesses[0], guesses[-1]) == ("GGG", board["secret"])
        assert board["guesses"] == len(guesses)
        for guess, told in answers(SMALL, guesses, board["secret"]):
            session.add_guess(guess, told)
        assert [t["feedback"] for t in board["turns"]] == [row.feedback for row in session.rows]
        assert board["turns"][-1]["left"] == 1
        longest = max(longest, len(guesses))
    assert found["guesses"] == longest
    assert boards.hint().solved


def test_guesses_refused_after_the_last_board_is_solved_are_listed() -> None:
    boards = gb.Boards(gb.WordGame(["crane", "slate", "trace", "stale"]), 2)
    boards.add_guess("crane", ["00202", "22222"])
    boards.refuse("trace")
    assert boards.refused == ("trace",)
