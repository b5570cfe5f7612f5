"""The session: what it notes, what it suggests, and what it says about a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import (
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    Mastermind,
    UsageError,
    WordGame,
    open_book,
)
from guessbook.book.tree import entropy
from guessbook.builder import build_book
from guessbook.builder.policy import POLICIES
from guessbook.builder.sliced import Choice
from guessbook.lookup import Session
from guessbook.lookup.boards import SeveralBoards, boards_turns
from guessbook.lookup.explain import equivalent, inequivalent
from guessbook.lookup.hide import MAX_PLAYED, Adversary
from guessbook.lookup.run import sample, simulate, turns
from guessbook.lookup.shuffle import random_shuffle
from tests.plain import plain_book

if TYPE_CHECKING:
    from guessbook.book import Book, Game
    from guessbook.book.game import History

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger", "eerie"]
WORD_GAME = WordGame(WORDS[:8], WORDS)
SMALL = Mastermind(3, 4)
KINDS: dict[str, Game] = {
    "codes": SMALL,
    "without repeats": Mastermind(3, 5, repeats=False),
    "words": WORD_GAME,
}
POLICIES_OF_BOARDS: list[str | dict[str, object]] = [
    "entropy",
    "minimax",
    {"name": "entropy", "first_guess": "the last code"},
]


@pytest.fixture(scope="module")
def book() -> Book:
    """The shipped book of 4 pegs and 6 colours."""
    return open_book("mastermind-4x6")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("with_book", [True, False])
def test_every_secret_is_found(kind: str, with_book: bool) -> None:
    """Following the suggestions finds every secret, with a book and without one."""
    game = KINDS[kind]
    source = plain_book(game) if with_book else game
    for secret in game.secrets:
        session = Session(source)
        for _ in range(10):
            if session.solved:
                break
            guess = session.suggest().guess
            session.answer(game.format_feedback(game.feedback(guess, secret)))
        assert session.solved
        assert session.rows[-1].guess == secret
        assert session.candidates() == [secret]


def test_undo_edit_and_set_aside(book: Book) -> None:
    """Any row can be taken back, corrected, or set aside and believed again."""
    session = Session(book, "RYGB=1,1 RGOP=0,2")
    assert session.remaining == 57
    assert session.set_aside(1).aside
    assert session.remaining == 252
    assert session.history == [("RYGB", "1,1")]
    session.set_aside(1)
    session.edit(1, "4,0", "RROO")
    assert session.history[1] == ("RROO", "4,0")
    assert session.undo().guess == "RROO"
    session.undo()
    with pytest.raises(UsageError, match="nothing has been answered"):
        session.undo()
    with pytest.raises(UsageError, match="row 1"):
        session.edit(0, "1,1")


def test_a_contradiction_names_the_rows_to_re_check(book: Book) -> None:
    """The suspects are positions among all rows, those that are set aside included."""
    session = Session(book, "BBBB=0,0 RRRR=1,0 YYYY=1,0 RRYY=0,0")
    session.set_aside(0)
    with pytest.raises(InconsistentFeedbackError) as caught:
        session.suggest()
    assert caught.value.suspects == (3,)
    assert session.remaining == 0
    assert not session.solved
    for call in (session.explain, session.review, lambda: session.rate("RYGB")):
        with pytest.raises(InconsistentFeedbackError):
            call()
    session.edit(3, "1,1")
    assert session.remaining > 0


def test_nothing_wrong_is_noted(book: Book) -> None:
    """What the game does not know is refused and leaves the session as it was."""
    session = Session(book, "RYGB=1,1")
    with pytest.raises(InvalidCodeError):
        session.answer("1,1", "RYGX")
    with pytest.raises(InvalidFeedbackError):
        session.answer("3,1")
    with pytest.raises(InvalidFeedbackError):
        session.edit(0, "9,9")
    assert session.history == [("RYGB", "1,1")]
    with pytest.raises(UsageError, match="a book has its own"):
        Session(book, policy="minimax")


@pytest.mark.parametrize("kind", KINDS)
def test_explanation_adds_up(kind: str) -> None:
    """Cells add up to the candidates, probabilities to 1, and their bits to the entropy."""
    session = Session(KINDS[kind])
    why = session.explain()
    assert sum(cell.size for cell in why.partition) == why.remaining == len(KINDS[kind].secrets)
    assert sum(cell.probability for cell in why.partition) == pytest.approx(1)
    assert why.partition[-1].sum == pytest.approx(why.bits)
    assert why.bits == pytest.approx(entropy(cell.size for cell in why.partition))
    assert why.alternatives[0].guess == why.guess == session.suggest().guess
    bits = [alternative.bits for alternative in why.alternatives]
    assert bits == sorted(bits, reverse=True)
    assert why.best_by["minimax"].worst == min(a.worst for a in why.best_by.values())
    assert why.best_by["parts"].cells == max(a.cells for a in why.best_by.values())


def test_guesses_equal_by_symmetry_are_listed_once(book: Book) -> None:
    """At the start of 4 pegs and 6 colours there are five different first guesses."""
    listed = [a.guess for a in Session(book).explain().alternatives]
    assert listed == ["RYGB", "RRYG", "RRYY", "RRRY", "RRRR"]


def test_ratings(book: Book) -> None:
    """The suggestion of an entropy book scores 100 and ranks first; a poor guess does not."""
    session = Session(book, "RYGB=1,1 RGOP=0,2")
    best = session.rate("PYYG")
    assert (best.score, best.rank, best.best, best.cells) == (100, 1, "PYYG", 14)
    assert best.chance == pytest.approx(1 / 57)
    poor = session.rate("YYYY")
    assert poor.score == round(100 * poor.bits / (best.bits + 1 / 57))
    assert poor.rank > 1000
    assert poor.chance == 0
    certain = Session(book, "RRYY=0,4")
    assert (certain.rate("YYRR").score, certain.rate("RRRR").score) == (100, 0)


def test_pair_rating(book: Book) -> None:
    """Two guesses tell at least as much as one, and their order changes nothing."""
    session = Session(book)
    both, again = session.rate_pair("RRYG", "BBOP"), session.rate_pair("BBOP", "RRYG")
    assert both.bits == pytest.approx(again.bits)
    assert both.bits > session.split("RRYG").bits
    assert session.rate_pair("RRYG", "RRYG").bits == pytest.approx(session.split("RRYG").bits)


def test_review(book: Book) -> None:
    """Following the book is full skill; the bits of a solved game add up to what there was."""
    session = Session(book, turns_as_history(book, "GYYO"))
    review = session.review()
    assert review.solved
    assert review.skill == 100
    assert all(guess.skill == 100 for guess in review.guesses)
    assert 2 ** sum(guess.actual_bits for guess in review.guesses) == pytest.approx(1296)
    assert review.line == session.history
    assert review.secret == "GYYO"
    with pytest.raises(UsageError, match="no guess to review"):
        Session(book).review()
    unfinished = Session(book, "RYGB=1,1")
    assert unfinished.review().line == []
    assert unfinished.review("RRRY").line[-1] == ("RRRY", "4,0")
    with pytest.raises(UsageError, match="does not fit"):
        unfinished.review("RYGB")


def test_a_repeated_guess_is_two_rows(book: Book) -> None:
    """A history gives the rows that its answers give one by one, also if a guess is made twice."""
    given = Session(book, "RYGB=1,1 RYGB=1,1 RGOP=0,2")
    typed = Session(book)
    for guess, feedback in (("RYGB", "1,1"), ("RYGB", "1,1"), ("RGOP", "0,2")):
        typed.answer(feedback, guess)
    assert given.rows == typed.rows
    assert len(given.rows) == 3
    assert given.suggest() == typed.suggest() == Session(book, "RYGB=1,1 RGOP=0,2").suggest()
    assert given.review() == typed.review()
    assert [guess.skill for guess in given.review().guesses] == [100, 0, 100]
    assert given.share() == typed.share()
    assert "3 guesses" in given.share()
    for wrong in (5, ["RYGB"], [("RYGB",)]):
        with pytest.raises(UsageError):
            Session(book, wrong)


def test_nothing_comes_after_the_solution(book: Book) -> None:
    """A guess after the one that solved the game is refused wherever the order of rows counts."""
    session = Session(book, "GYYO=4,0 RYGB=1,1")
    assert session.solved
    for call in (session.review, session.share, lambda: session.answer("1,1", "RYGB")):
        with pytest.raises(UsageError, match="solved"):
            call()
    assert Session(book, "RYGB=1,1 GYYO=4,0").review().solved


def test_the_explained_guess_is_in_its_own_ranking(book: Book) -> None:
    """Of guesses that are equal by symmetry the explained one is listed, whichever is suggested."""
    for history in ("GBYR=1,1", "GGBB=0,1", "OPOP=1,0"):
        session = Session(book, history)
        why = session.explain(count=5)
        assert why.guess == session.suggest().guess
        assert why.alternatives[0].guess == why.guess
        assert len({a.guess for a in why.alternatives}) == 5
    shuffled = Session(book, shuffle=random_shuffle(book.game, 3))
    assert shuffled.explain().alternatives[0].guess == shuffled.suggest().guess


@pytest.mark.parametrize("history", ["", "GBYR=1,1", "RRYY=0,0", "RGGY=1,0 BBRR=0,0"])
def test_every_guess_has_one_representative(book: Book, history: str) -> None:
    """Each guess is equivalent to exactly one of those that are ranked."""
    analysis = Session(book, history).analysis()
    ranked = inequivalent(analysis, None)
    assert ranked is not None
    for index in range(0, 1296, 37):
        assert sum(equivalent(analysis, index, other) for other in ranked) == 1


def test_share(book: Book) -> None:
    """The grid shows the feedbacks and none of the codes."""
    session = Session(book, "RYGB=1,1 RGOP=4,0")
    assert session.share().splitlines() == [
        "Guessbook mastermind-4x6 2 guesses",
        "",
        "●○··",
        "●●●●",
    ]
    assert session.share(ascii_only=True).splitlines()[2:] == ["BW..", "BBBB"]
    words = Session(WORD_GAME, [("light", "02222")])
    assert words.share().splitlines()[2:] == ["⬛🟩🟩🟩🟩"]
    assert "not solved" in words.share()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_a_shuffle_keeps_the_strength(random_seed: int) -> None:
    """Through any symmetry all secrets together take exactly as many guesses, all from the book."""
    book = plain_book(SMALL)
    shuffle = random_shuffle(SMALL, random_seed)
    played = [turns(Session(book, shuffle=shuffle), secret) for secret in SMALL.secrets]
    assert sum(map(len, played)) == book.metadata.total_guesses
    assert {turn.source for game in played for turn in game} == {"book"}


@given(st.integers(0, 1000), st.data())
def test_a_shuffle_changes_no_feedback(random_seed: int, data: st.DataObject) -> None:
    """The images of two codes answer each other as the codes do, and come back."""
    game = Mastermind(4, 6)
    shuffle = random_shuffle(game, random_seed)
    a, b = (game.guesses[data.draw(st.integers(0, 1295))] for _ in range(2))
    assert game.feedback(shuffle.there(a), shuffle.there(b)) == game.feedback(a, b)
    assert shuffle.back(shuffle.there(a)) == a


def test_shuffles_vary_and_repeat() -> None:
    """A seed gives the same shuffle again, different seeds different openings; words have none."""
    game = Mastermind(4, 6)
    assert random_shuffle(game, 5) == random_shuffle(game, 5)
    assert len({random_shuffle(game, seed).there("RYGB") for seed in range(20)}) > 10
    with pytest.raises(UsageError, match="words cannot be shuffled"):
        random_shuffle(WORD_GAME)


def test_a_shuffled_contradiction_names_what_was_typed(book: Book) -> None:
    """The message has the player's codes, not their images."""
    session = Session(book, "RRRR=1,0 YYYY=1,0 RRYY=0,0", shuffle=random_shuffle(book.game, 1))
    with pytest.raises(InconsistentFeedbackError, match="re-check RRYY=0,0"):
        session.suggest()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", POLICIES_OF_BOARDS)
def test_several_boards_guess_what_tells_most_in_sum(
    kind: str, policy: str | dict[str, object]
) -> None:
    """Whatever the policy, no guess has more bits over the open boards; the tie rule holds."""
    game = KINDS[kind]
    if isinstance(policy, dict) and "first_guess" in policy:
        policy = {**policy, "first_guess": game.guesses[-1]}
    boards = SeveralBoards(Session(game, policy=policy), 3)
    secrets = [game.secrets[k] for k in (0, len(game.secrets) // 2, len(game.secrets) - 1)]
    for _ in range(12):
        hint = boards.suggest()
        if hint.solved:
            break
        sessions = [boards.sessions[k] for k in boards.open]
        if hint.certain:
            assert hint.remaining[hint.certain[0]] == 1
        else:
            sums = [sum(s.split(guess).bits for s in sessions) for guess in game.guesses]
            assert hint.bits == pytest.approx(max(sums))
            # Sums that differ by rounding only tie: one that may be a secret, the lowest.
            tied = [g for g, s in zip(game.guesses, sums, strict=True) if s > max(sums) - 1e-9]
            may = [g for g in tied if any(g in session.candidates() for session in sessions)]
            assert hint.guess == [*may, *tied][0]
        answers = [game.format_feedback(game.feedback(hint.guess, s)) for s in secrets]
        boards.answer(hint.guess, answers)
    assert [session.rows[-1].guess for session in boards.sessions] == secrets


def test_several_boards_with_a_pinned_book() -> None:
    """Neither the opening nor the policy of a book matters to the sum; an error names its board."""
    pinned = build_book(SMALL, policy={"name": "entropy", "first_guess": "RRR"})
    assert Session(pinned).suggest().guess == "RRR"
    by_entropy = SeveralBoards(Session(SMALL), 2).suggest()
    assert SeveralBoards(Session(pinned), 2).suggest() == by_entropy
    assert SeveralBoards(Session(plain_book(SMALL, "minimax")), 2).suggest() == by_entropy
    boards = SeveralBoards(Session(SMALL), 2)
    boards.answer("RRR", ["1,0", "0,0"])
    boards.answer("RRR", ["1,0", "1,0"])
    with pytest.raises(InconsistentFeedbackError, match="board 2: "):
        boards.suggest()


def test_several_boards_can_be_taken_back() -> None:
    """Undo takes the last guess back where it was made: not on boards that were solved before."""
    boards = SeveralBoards(Session(SMALL), 2)
    boards.answer("RRY", ["3,0", "1,0"])
    boards.answer("RGG", ["", "0,0"])
    assert [len(session.rows) for session in boards.sessions] == [1, 2]
    assert boards.undo() == "RGG"
    assert boards.undo() == "RRY"
    with pytest.raises(UsageError):
        boards.undo()
    with pytest.raises(UsageError, match="found 33 boards"):
        SeveralBoards(Session(SMALL), 33)


def test_boards_at_once_and_a_first_guess() -> None:
    """Every board ends with its secret, and the game opens as asked."""
    played = boards_turns(Session(SMALL), ["RRY", "BGY", "BBB"], "GGG")
    assert played[0].guess == "GGG"
    guessed = [turn.guess for turn in played]
    assert {"RRY", "BGY", "BBB"} <= set(guessed)
    assert turns(Session(SMALL), "BGY", "GGG")[0].source == "first guess"


def test_simulation_is_the_statistics_of_the_book(book: Book) -> None:
    """All secrets played give the header's numbers; a sample is drawn again by its seed."""
    found = simulate(book, book.game.secrets)
    assert found.distribution == book.metadata.distribution
    assert found.total_guesses == book.metadata.total_guesses
    some = sample(book.game.secrets, 0.1, 7)
    assert len(some) == 130
    assert some == sorted(some, key=book.game.guesses.index) == sample(book.game.secrets, 0.1, 7)
    assert some != sample(book.game.secrets, 0.1, 8)
    with pytest.raises(UsageError, match="fraction"):
        sample(book.game.secrets, 0, 7)


@pytest.mark.parametrize("kind", KINDS)
def test_the_adversary_keeps_the_most(kind: str) -> None:
    """Each answer leaves a largest cell, "solved" only if nothing else can; the order is fixed."""
    game = KINDS[kind]
    adversary, twin = Adversary(game), Adversary(game)
    for _ in range(20):
        before = list(adversary.candidates)
        guess = (
            Session(
                game, [(game.guesses[g], game.format_feedback(f)) for g, f in adversary.history]
            )
            .suggest()
            .guess
        )
        cells: dict[int, int] = {}
        for secret in before:
            cells[game.feedback(guess, secret)] = cells.get(game.feedback(guess, secret), 0) + 1
        answer = adversary.answer(guess)
        assert answer == twin.answer(guess)
        assert len(adversary.candidates) == max(cells.values())
        if adversary.solved:
            assert set(cells) == {game.solved}
            break
    assert adversary.solved


def test_the_adversary_breaks_ties_by_its_rules() -> None:
    """Rules 1 to 4 one after the other, worked out anew from the cells, guess by guess."""
    game = Mastermind(3, 4)
    ties = 0
    for first in game.guesses[::5]:
        for second in game.guesses[::7]:
            adversary = Adversary(game)
            for guess in (first, second):
                before, history = adversary.candidates, list(adversary.history)
                cells: dict[int, list[str]] = {}
                for secret in before:
                    cells.setdefault(game.feedback(guess, secret), []).append(secret)
                most = max(map(len, cells.values()))
                tied = [f for f, cell in cells.items() if len(cell) == most]
                ties += len(tied) > 1
                wanted = min(tied, key=lambda f: tie_key(game, history, guess, f, most))
                assert game.parse_feedback(adversary.answer(guess)) == wanted
    assert ties > 20


def tie_key(game: Game, history: History, guess: str, f: int, size: int) -> tuple[object, ...]:
    """The key of a feedback of the adversary by its rules; the lowest comes first."""
    if f == game.solved:
        return (1, 0, f)
    now = [*history, (game.parse_code(guess), f)]
    typed = [(game.guesses[g], game.format_feedback(answer)) for g, answer in now]
    session = Session(game, typed)
    if size <= MAX_PLAYED:
        return (0, -sum(guesses_left(game, typed, s) for s in session.candidates()), f)
    # Bits rounded: sums of the same cells in another order differ in their last digits.
    return (0, round(session.split(session.suggest().guess).bits, 9), f)


def guesses_left(game: Game, history: list[tuple[str, str]], secret: str) -> int:
    """How many guesses more the policy `entropy` takes for a secret."""
    session = Session(game, history)
    count = 0
    while not session.solved:
        guess = session.suggest().guess
        session.answer(game.format_feedback(game.feedback(guess, secret)), guess)
        count += 1
    return count


def test_the_adversary_compares_exactly() -> None:
    """Cells 10,1,1,1,1,1,1 and 5,5,4,2 tell equally much: they tie whatever rounding says."""
    policy = POLICIES["entropy"]
    weights = policy.weights(16)
    assert policy.score([10, 1, 1, 1, 1, 1, 1], weights) == policy.score([5, 5, 4, 2], weights)
    adversary = Adversary(Mastermind(4, 6))
    chosen = {}
    for sizes in ([10, 1, 1, 1, 1, 1, 1], [5, 5, 4, 2]):
        choice = Choice(0, 16, sizes, True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("guessbook.lookup.live.choose", lambda *_, c=choice: c)
            chosen[len(sizes)] = adversary._hardness([])
    assert chosen[7] == chosen[4]


def turns_as_history(book: Book, secret: str) -> list[tuple[str, str]]:
    """The game that a book plays against a secret."""
    return [(turn.guess, turn.feedback) for turn in turns(Session(book), secret)]
