"""Words beyond the lists: guesses that no list has, and secrets only in the list of guesses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.hints.definitions import (
    GUESSES,
    WORD_GAME,
    WORDS,
    answer,
    answers,
    best_score,
    bits,
    cells,
    fitting,
    sizes,
    suspects,
)

HARD = {"name": "entropy", "hard_mode": True}
any_word = st.text("eghilnorstz", min_size=5, max_size=5)


@pytest.mark.parametrize("engine", [True, False])
@pytest.mark.parametrize("policy", ["entropy", "minimax"])
@given(st.lists(any_word, min_size=1, max_size=3, unique=True), st.sampled_from(WORDS))
def test_feedback_to_an_unlisted_guess_is_used_and_hints_are_listed_guesses(
    policy: str, engine: bool, guesses: list[str], secret: str
) -> None:
    history = answers(WORD_GAME, guesses, secret)
    candidates = fitting(WORD_GAME, history)
    with pytest.MonkeyPatch.context() as patch:
        if not engine:
            patch.setenv("GUESSBOOK_PURE", "1")
        session = gb.Session(WORD_GAME, history, policy)
        assert session.candidates() == candidates
        hint = session.hint()
    if hint.solved:
        assert hint.guess == secret
        return
    assert hint.guess in GUESSES
    assert (hint.remaining, hint.source) == (len(candidates), "live")
    assert hint.entropy == pytest.approx(bits(sizes(WORD_GAME, hint.guess, candidates)))
    if policy == "entropy":
        assert (round(hint.entropy, 9), hint.candidate) == best_score(WORD_GAME, candidates)


@pytest.mark.parametrize("policy", ["entropy", HARD], ids=["entropy", "hard mode"])
def test_every_guess_is_found_as_a_secret(policy: gb.Policy | str) -> None:
    book = gb.build(WORD_GAME, policy)
    for secret in GUESSES:
        session = gb.Session(book)
        for _ in range(12):
            hint = session.hint()
            secrets = fitting(WORD_GAME, session.history)
            words = fitting(WORD_GAME, session.history, GUESSES)
            assert (hint.source == "guesses") == session.among_guesses == (not secrets)
            assert hint.remaining == len(secrets or words)
            certain = len(secrets) == 1 and not hint.solved
            assert hint.others == (len(words) - 1 if certain else None)
            if hint.solved:
                break
            session.add_guess(None, answer(WORD_GAME, hint.guess, secret))
        source = "live" if secret in WORDS else "guesses"
        assert hint == gb.Hint(secret, source, 1, 0.0, True, True, 1.0)


def test_unlisted_guess_may_be_the_secret_if_all_answers_agree() -> None:
    assert gb.Session(WORD_GAME, "zzzzz=22222").hint()[:3] == ("zzzzz", "guesses", 1)
    with pytest.raises(gb.InconsistentFeedbackError):
        gb.Session(WORD_GAME, "zzzzz=22222 light=22222").hint()


@given(st.lists(st.sampled_from(GUESSES) | any_word, min_size=2, max_size=4, unique=True), any_word)
def test_without_each_suspect_a_secret_fits_or_else_a_guess(
    guesses: list[str], secret: str
) -> None:
    history = [*answers(WORD_GAME, guesses[1:], secret), (guesses[0], "00000")]
    words = [*GUESSES, *(guess for guess in guesses if guess not in GUESSES)]
    if fitting(WORD_GAME, history, words):
        return
    with pytest.raises(gb.InconsistentFeedbackError) as caught:
        gb.Session(WORD_GAME, history).hint()
    expected = suspects(WORD_GAME, history) or suspects(WORD_GAME, history, words)
    assert caught.value.suspects == expected


@pytest.mark.parametrize(
    ("guesses", "secret", "wrong", "expected"),
    [
        # The secret "their" fits the second answer; only "thing", a guess, fits the first one.
        (["light"], "thing", "eight=11011", (0,)),
        # "thing" fits the first answer, "eerie" the second one: both are only guesses.
        (["light"], "thing", "eerie=22222", (0, 1)),
        # No listed word fits the first three answers, but "zohnr" does.
        (["light", "geese", "tiger"], "zohnr", "zohnr=00000", (3,)),
        (["light", "geese", "tiger"], "zohnr", "qqqqq=00002", ()),
        (["geese", "tiger"], "wight", "light=00000", (2,)),
    ],
)
def test_suspects_are_named_if_neither_a_secret_nor_a_guess_fits(
    guesses: list[str], secret: str, wrong: str, expected: tuple[int, ...]
) -> None:
    game = gb.WordGame(WORDS, [*GUESSES, "thing"])
    with pytest.raises(gb.InconsistentFeedbackError) as caught:
        gb.Session(game, [*answers(game, guesses, secret), wrong]).hint()
    assert caught.value.suspects == expected
    assert ("more than one" in str(caught.value)) == (not expected)


def test_session_continues_with_all_guesses_if_no_secret_fits() -> None:
    session = gb.Session(WORD_GAME, answers(WORD_GAME, ["tiger", "light", "night"], "wight"))
    assert session.candidates() == ["sight", "wight", "fight"]
    assert (session.remaining, session.hint().source) == (3, "guesses")
    why = session.explain()
    assert (why.among_guesses, why.remaining, sum(c.size for c in why.partition)) == (True, 3, 3)
    assert session.rate("sight").remaining == 3
    assert session.split("sight").cells == 2
    session.add_guess("sight", answer(WORD_GAME, "sight", "wight"))
    session.add_guess("wight", "22222")
    review = session.review()
    # After the third guess no secret fits, so the candidates are the guesses that fit: three.
    assert [turn.left for turn in review.turns] == [2, 1, 3, 2, 1]
    assert [turn.remaining for turn in review.turns] == [10, 2, 4, 3, 2]
    assert (review.secret, review.line[-1]) == ("wight", ("wight", "22222"))
    for _ in range(4):
        session.undo()
    assert not session.among_guesses


def test_session_reads_unlisted_guesses_as_listed_ones() -> None:
    session = gb.Session(WORD_GAME, ["qqqqq=00000"])
    assert session.remaining == len(WORDS)
    session.edit(0, "XXXXE", answer(WORD_GAME, "light", "other"))
    session.add_guess("O O Z E S", answer(WORD_GAME, "oozes", "other"))
    assert [row.guess for row in session.rows] == ["xxxxe", "oozes"]
    assert session.game is WORD_GAME
    russian = gb.Session(gb.WordGame(["кошка", "мышка"]), [("КАШМЫ", "01000")])
    assert russian.rows[0].guess == "кашмы"


@pytest.mark.parametrize("history", [(), ["qqqqq=00000"], answers(WORD_GAME, ["tiger"], "other")])
def test_unlisted_guess_is_explained_and_rated(history: list[str]) -> None:
    session = gb.Session(WORD_GAME, history)
    expected = cells(WORD_GAME, "oozes", session.candidates())
    why = session.explain("O O Z E S", count=100)
    assert {c.feedback: c.size for c in why.partition} == {f: len(c) for f, c in expected.items()}
    assert {a.guess for a in why.alternatives} == set(GUESSES)
    rated = session.rate("oozes")
    assert (why.guess, why.candidate, rated.guess, rated.chance) == ("oozes", False, "oozes", 0)
    assert (rated.cells, rated.entropy) == (len(expected), why.entropy)
    assert rated.best in GUESSES
    assert session.split("oozes").cells == session.rate_pair("oozes", "oozes").cells == rated.cells
    for ask in (session.rate, session.explain, session.split):
        for wrong in ("ooze", "oozé!"):
            with pytest.raises(gb.InvalidCodeError):
                ask(wrong)


def test_boards_accept_unlisted_guesses_and_secrets_that_are_only_guesses() -> None:
    boards, secrets = gb.Boards(WORD_GAME, 2), ["wight", "other"]
    for guess in ("zzzzz", "tiger", "light", "night"):
        boards.add_guess(guess, [answer(WORD_GAME, guess, secret) for secret in secrets])
    assert [session.among_guesses for session in boards.sessions] == [True, False]
    for _ in range(6):
        hint = boards.hint()
        if hint.solved:
            break
        boards.add_guess(hint.guess, [answer(WORD_GAME, hint.guess, s) for s in secrets])
    assert [session.rows[-1].guess for session in boards.sessions] == secrets


def test_code_games_have_no_codes_beyond_their_list() -> None:
    session = gb.Session("mastermind-3x4")
    for call in (lambda: session.add_guess("RYX", "1,1"), lambda: session.rate("RYX")):
        with pytest.raises(gb.InvalidCodeError):
            call()
    contradictory = gb.Session("mastermind-3x4", "RRR=0,0 YYY=0,0 GGG=0,0 BBB=0,0")
    assert not contradictory.candidates()
    assert not contradictory.among_guesses
