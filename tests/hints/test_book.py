"""Books: opened and built in every way, their nodes, and their answers to questions."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.hints.definitions import SMALL, patient, tree_histories

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HISTORY = "RYGB=1,1 RGOP=0,2"
BOOK = gb.build(SMALL)


def test_opened_and_built_books_are_equal(book: gb.Book, tmp_path: Path) -> None:
    path = tmp_path / "test.book"
    assert book.save(path) == len(book.to_bytes())
    for other in (
        gb.open(),
        gb.open(path),
        gb.open(str(path)),
        gb.open(book.to_bytes()),
        gb.open(book),
        gb.build(book.game),
        gb.build("mastermind-4x6", book.policy),
        copy.deepcopy(book),
        pickle.loads(pickle.dumps(book)),
    ):
        assert type(other) is gb.Book
        assert other.to_bytes() == book.to_bytes()
        assert other.hint(HISTORY) == book.hint(HISTORY)


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("bagels", gb.Mastermind(3, 10, False)),
        ("mastermind-3x4", gb.Mastermind(3, 4)),
        ("bulls-and-cows-3x5", gb.Mastermind(3, 5, False)),
    ],
)
def test_name_of_a_game_stands_for_the_game(name: str, game: gb.Mastermind) -> None:
    built = gb.build(name, "parts")
    assert built.to_bytes() == gb.build(game, "parts").to_bytes()
    assert gb.Session(name, policy="parts").hint().guess == built.hint().guess
    assert gb.Boards(name, 2).game == gb.Adversary(name).game == gb.Codemaker(name).game == game
    assert gb.compare([built], name).game == game


@pytest.mark.slow
def test_name_of_a_preset_without_words_stands_for_its_game() -> None:
    for preset in gb.presets():
        # The table of black-peg takes seconds.
        if 0 < preset.secrets < 6000 and preset.name != "black-peg":
            game = gb.Session(preset.name).game
            assert len(game.secrets) == preset.secrets
            assert game == preset.game()


@patient
@given(st.data())
def test_history_of_a_node_leads_to_the_node(data: st.DataObject) -> None:
    node, history = data.draw(tree_histories(BOOK))
    repeated = history + data.draw(st.lists(st.sampled_from(history))) if history else []
    given = data.draw(st.permutations(repeated))
    assert BOOK.find(given) == BOOK.get(given) == node
    assert list(BOOK.nodes)[node.index] == node
    cursor = BOOK.root
    for guess, feedback in history:
        assert cursor.guess == guess
        black, white = map(int, feedback.split(","))
        below = cursor.child((black, white))
        assert below == cursor.child(feedback) == cursor.children[feedback]
        assert below is not None
        cursor = below
    assert cursor == node
    assert node.child("3,0") is None
    assert BOOK.get([*given, (node.guess, "3,0")]) is None


def test_history_outside_the_tree_has_no_node(book: gb.Book) -> None:
    for history in ("BBBB=0,1", "RYGB=0,1 RYGB=0,2", "RYGB=4,0"):
        assert book.get(history) is None
        with pytest.raises(gb.NotInBookError):
            book.find(history)


def test_children_are_found_by_any_form_of_a_feedback(book: gb.Book) -> None:
    children = book.root.children
    assert next(iter(children)) == book.game.feedback("RYGB", "OOOO")
    assert len(children) == len(dict(children)) == 13
    for key in ("1,1", (1, 1), [1, 1, 2], "BW.."):
        assert children[key] == book.root.child("1,1")
        assert key in children
    for wrong in ("4,0", "9,9", "red", 11, None):
        assert wrong not in children
        assert children.get(wrong) is None
    with pytest.raises(TypeError):
        children["1,1"] = book.root  # type: ignore[index]


def test_book_answers_as_its_session(book: gb.Book) -> None:
    session = gb.Session(book, HISTORY)
    assert book.hint(HISTORY) == session.hint()
    assert book.candidates(HISTORY) == session.candidates()
    assert len(book.candidates()) == book.stats.secrets
    assert book.explain(HISTORY) == session.explain()
    assert book.explain(HISTORY, "YYYY", 3) == session.explain("YYYY", 3)
    assert book.rate(HISTORY, "YYYY") == session.rate("YYYY")
    for ask in (book.hint, book.candidates, book.explain):
        with pytest.raises(gb.InconsistentFeedbackError) as caught:
            ask("RRRR=4,0 YYYY=4,0")
        assert caught.value.suspects == (0, 1)


def test_book_is_verified_and_exported() -> None:
    book = gb.build("mastermind-3x3")
    found = book.verify(policy=True)
    assert found.passed
    checks = ["secrets", "candidates", "statistics", "policy"]
    assert [check.name for check in found.checks] == checks
    assert str(found).splitlines()[0] == "ok      secrets: 27 of 27 solved"
    assert book.export("svg", depth=2).startswith("<svg")
    assert book.export("python", compress=False) != book.export("python")


def test_shared_objects_are_immutable(book: gb.Book) -> None:
    options: Any
    for options in (gb.presets()[0].options, book.stats.options):
        with pytest.raises(AttributeError):
            options.update(pegs=2)
    book.policy["name"] = "parts"
    assert book.policy == {"name": "entropy"}
    shared: list[tuple[Any, str]] = [
        (book, "game"),
        (book, "tree"),
        (book, "stats"),
        (book, "policy"),
        (book.root, "index"),
        (book.root, "guess"),
        (book.game, "solved"),
        (gb.WordGame(["ab", "cd"]), "length"),
        (gb.TableGame(["a"], ["b"], lambda *_: "yes"), "answers"),
    ]
    for value, name in shared:
        for change in (lambda v, n: setattr(v, n, 3), delattr):
            with pytest.raises(AttributeError):
                change(value, name)


def test_options_of_a_policy_in_any_form_build_the_same_book() -> None:
    game = "mastermind-3x4"
    wanted = gb.build(game, {"name": "rollout", "width": 3, "base": "parts"}).to_bytes()
    made = gb.make_policy("rollout", width=3, base="parts")
    for policy, options in (
        ("rollout", {"width": 3, "base": "parts", "jobs": 2}),
        ("rollout:width=3", {"base": "parts", "memory": None, "gap": None}),
        ("rollout:width=3,base=parts", {"width": None}),
        ({"name": "rollout", "width": 3}, {"base": "parts"}),
        (made, {}),
    ):
        assert gb.build(game, policy, **options).to_bytes() == wanted
    opened = gb.build(game, "rollout", width=3, first_guess="RYG")
    assert opened.root.guess == "RYG"
    assert gb.build(game, opened.policy).to_bytes() == opened.to_bytes()


class Last(gb.Policy):
    """Guess the last candidate."""

    name = "last"

    def choose(
        self, game: gb.Game, history: list[tuple[int, int]], candidates: Sequence[str]
    ) -> int:
        """Return the index of the guess."""
        return game.guesses.index(candidates[-1])


@pytest.mark.parametrize("first_guess", [None, "RR"])
def test_policy_of_the_caller_works_in_builds_hints_and_comparisons(
    first_guess: str | None,
) -> None:
    book = gb.build("mastermind-2x3", Last(), first_guess=first_guess)
    history = ["RG=0,1"]
    assert book.get(history) is None
    found = book.hint(history)
    assert (found.source, found.guess) == ("live", book.candidates(history)[-1])
    assert book.verify(policy=True).passed
    assert gb.build(book.game, book.policy).to_bytes() == book.to_bytes()
    assert gb.Session(book, history).hint() == found
    assert gb.compare([book, Last()], book.game).books[1].label == "last"
    # The file has only the name of the policy, not its class.
    opened = gb.open(book.to_bytes())
    assert opened.policy == book.policy
    assert opened.hint().source == "book"
    with pytest.raises(gb.UsageError):
        opened.hint(history)
