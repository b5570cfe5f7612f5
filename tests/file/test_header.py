"""Headers of book files: values that contradict the tree, the game or FORMAT.md are rejected."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.file.samples import sample_book
from tests.helpers.content import codes_header, document, pack, words_header, write

if TYPE_CHECKING:
    from tests.helpers.content import Document

ONE_NODE = {"guess": [0], "feedback": [0], "children": [0], "surplus": [1]}

# Policies in the header of a book of 3 pegs and 4 colours: 64 secrets, first guess RYG, at most 4
# guesses.
READ: list[Document] = [
    {"name": "x" * 200, "y" * 200: 2**63, "z": "z" * 200, "": ""},
    {"name": "x", "mood": "good", "number": -3},
    {"name": "x", "proven": 0},
    {"name": "x", "max_guesses": 4, "first_guess": "ryg", "hard_mode": False},
    {"name": "x", "max_guesses": 2**64 - 1, "first_guess": "RYG", "consistent_only": True},
    {"name": "x", "found_at_most": 1, "within": 1},
    {"name": "x", "found_at_most": 64, "within": 39},
    {"name": "x", "within": "anything"},
    {"name": "win", "within": 1},
    {"name": "win", "within": 39},
    {"name": "win", "within": 4, "max_guesses": 5},
]
REFUSED: list[object] = [
    *(None, "entropy", ["name"], {}, {"name": 3}, {"name": None}, {"name": b"entropy"}),
    *({"name": "x" * 201}, {"name": "\x1b[2J"}, {"name": "x", "y" * 201: 1}),
    *({"name": "x", "y": "z" * 201}, {"name": "x", "y": "\n"}, {"name": "x", "\u202e": 1}),
    *({"name": "x", "y": 1.5}, {"name": "x", "y": None}, {"name": "x", "y": []}),
    *({"name": "x", "first_guess": b"RYG"}, {"name": "x", "first_guess": "RRR"}),
    *({"name": "x", "first_guess": "RYG, as Knuth"}, {"name": "x", "first_guess": 1}),
    *({"name": "x", "max_guesses": 3}, {"name": "x", "max_guesses": "9 (verified)"}),
    *({"name": "x", "max_guesses": True}, {"name": "x", "hard_mode": True}),
    *({"name": "x", "hard_mode": "verified"}, {"name": "x", "consistent_only": 1}),
    *({"name": "x", "proven": -1}, {"name": "x", "proven": "1"}, {"name": "x", "proven": True}),
    *({"name": "win"}, {"name": "win", "within": 0}, {"name": "win", "within": 40}),
    *({"name": "win", "within": True}, {"name": "x", "found_at_most": 9}),
    *({"name": "win", "within": 4, "max_guesses": most} for most in (4, 3, "5")),
    *({"name": "x", "found_at_most": 9, "within": "3"},),
    *({"name": "x", "found_at_most": 63, "within": 4},),
    *({"name": "x", "found_at_most": 65, "within": 4},),
    *({"name": "x", "found_at_most": 0, "within": 1},),
    *({"name": "x", "found_at_most": True, "within": 1},),
]


def test_policy_that_fits_the_tree_is_read() -> None:
    content = document(sample_book("3x4"))
    for policy in READ:
        assert gb.open(pack({**content, "policy": policy})).policy == policy


def test_policy_that_contradicts_the_tree_is_rejected() -> None:
    content = document(sample_book("3x4"))
    for policy in REFUSED:
        with pytest.raises(gb.InvalidBookError) as error:
            gb.open(pack({**content, "policy": policy}))
        assert str(error.value).isprintable(), policy


@pytest.mark.parametrize("name", ["3x4", "weighted words"])
def test_claims_are_checked_against_the_weights_of_the_tree(name: str) -> None:
    book = sample_book(name)
    content, stats = document(book), book.stats
    found = stats.weight_distribution[0] + stats.weight_distribution[1]
    for claim, least, most in (
        ("proven", 0, stats.weighted_guesses),
        ("found_at_most", found, stats.weight),
    ):
        for value in (least - 1, least, most, most + 1):
            policy = {"name": "optimal", "within": 2, claim: value}
            blob = pack({**content, "policy": policy})
            if least <= value <= most:
                again = gb.open(blob).stats
                assert value in (again.at_least, again.found_at_most)
                assert again.within == (2 if claim == "found_at_most" else None)
                assert again.found_within == (found if claim == "found_at_most" else None)
                assert again.options == {"within": 2}
            else:
                with pytest.raises(gb.InvalidBookError):
                    gb.open(blob)


HUGE = codes_header(15, "RYGBOPWKACDEFHIJLMNQSTUVXZ0123456789")
WRONG: list[Document] = [
    *({"game": value} for value in (codes_header(2, "RYGB"), codes_header(3, "RYGBO"), HUGE)),
    *({"secrets": value} for value in (63, 65, 64.0, "64", -64)),
    *({"total_guesses": value} for value in (0, 1.0, "1")),
    *({"distribution": value} for value in ([1], [True], [64], 64, {"1": 64})),
    *({"nodes": value} for value in (0, -1, True, "69", 68, 70, 2**63)),
    *({"tree": value} for value in (b"", [b"\0"] * 4, 5)),
]


@pytest.mark.parametrize("changes", WRONG)
def test_wrong_header_is_rejected(changes: Document) -> None:
    known = document(sample_book("3x4"))
    assert known["nodes"] == 69
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack({**known, **changes}))


def test_wrong_statistics_are_rejected() -> None:
    known = document(sample_book("3x4"))
    total, solved = known["total_guesses"], known["distribution"]
    for key, values in {
        "total_guesses": (total - 1, total + 1, float(total)),
        "distribution": ([*solved, 0], solved[:-1], [*map(float, solved)], [True, *solved[1:]]),
    }.items():
        for value in values:
            with pytest.raises(gb.InvalidBookError):
                gb.open(pack({**known, key: value}))


def test_every_key_but_ties_is_required() -> None:
    known = document(sample_book("3x4"))
    for key in known:
        blob = pack({name: value for name, value in known.items() if name != key})
        if key == "ties":
            assert gb.open(blob).to_bytes() == sample_book("3x4").to_bytes()
        else:
            with pytest.raises(gb.InvalidBookError):
                gb.open(blob)
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack([*known.values()]))


def test_true_is_not_accepted_as_the_number_1() -> None:
    """In Python, True == 1, so a book with one secret needs a check of types."""
    content = document(sample_book("1 code"))
    gb.open(pack(content))
    for key in ("nodes", "secrets", "total_guesses"):
        with pytest.raises(gb.InvalidBookError):
            gb.open(pack({**content, key: True}))


@pytest.mark.parametrize("name", ["weighted words", "weighted table"])
def test_weights_that_contradict_the_tree_are_rejected(name: str) -> None:
    content = document(sample_book(name))
    game, heavy = content["game"], content["weight_distribution"]
    weights = game["weights"]
    games = [weights[4:] + weights[:4], weights[:-4] + b"\7\0\0\0", weights[:-4], weights + weights]
    games += [b"\1\0\0\0" * (len(weights) // 4), b"\0" * len(weights), "text", 5]
    lies = [{**content, "game": {**game, "weights": value}} for value in games]
    for value in (content["distribution"], heavy[:-1], None):
        lies.append({**content, "weight_distribution": value})
    for lie in lies:
        with pytest.raises(gb.InvalidBookError):
            gb.open(pack(lie))


def test_tree_that_does_not_fit_the_secrets_is_rejected() -> None:
    content = document(sample_book("words"))
    for secrets in (["elder"], ["elder", "erase", "sleep", "green", "crepe", "geese"]):
        words = content["game"]["guesses"].split("\n")
        with pytest.raises(gb.InvalidBookError):
            gb.open(pack({**content, "game": words_header(words, secrets)}))


# Games with words. `tests/games` has the headers of other games.

LIST = "crane\nslate\neerie\ngeese\nspeed\nabbey\nrobot\nllama"
BROKEN: dict[str, Document] = {
    "no guesses": {"guesses": None},
    "empty": {"guesses": ""},
    "bytes": {"guesses": b"crane"},
    "capitals": {"guesses": LIST.replace("crane", "Crane")},
    "control characters": {"guesses": LIST.replace("crane", "\x1b[31m")},
    "longer word": {"guesses": LIST.replace("crane", "cranes")},
    "lengths that add up": {"guesses": LIST.replace("crane\nslate", "cranes\nlate")},
    "newline at the end": {"guesses": LIST + "\n"},
    "newline at the start": {"guesses": "\n" + LIST},
    "decomposed letter": {"guesses": LIST.replace("crane", "cran\u0301")},
    "repeated word": {"guesses": LIST.replace("crane", "slate")},
    "wrong length": {"length": 6},
    "length true": {"length": True},
    "no secrets": {"secrets": bytes(1)},
    "a byte too many": {"secrets": b"\x01\0"},
    "a bit too many": {"guesses": LIST[:-6], "secrets": b"\x81"},
    "no byte": {"secrets": b""},
    "list of secrets": {"secrets": [0, 1]},
    "unknown scoring": {"scoring": "strict"},
    "no scoring": {"scoring": None},
}


@pytest.mark.parametrize("name", BROKEN)
def test_invalid_word_game_is_rejected(name: str) -> None:
    game = words_header(LIST.split("\n"), ["crane"])
    assert gb.open(pack(write(game, ONE_NODE))).game.secrets == ("crane",)
    with pytest.raises(gb.InvalidBookError):
        gb.open(pack(write({**game, **BROKEN[name]}, ONE_NODE)))


def test_words_of_13_letters_are_rejected() -> None:
    for length in (12, 13):
        blob = pack(write(words_header(["a" * length], ["a" * length]), ONE_NODE))
        if length == 12:
            assert gb.open(blob).root.guess == "a" * 12
        else:
            with pytest.raises(gb.InvalidBookError):
                gb.open(blob)


@given(
    st.fixed_dictionaries(
        {"secrets": st.sampled_from([b"\1", b"\2", b"\x10", b"\1\0"]) | st.none()},
        optional={
            "length": st.integers(0, 3) | st.none(),
            "guesses": st.text("ab\n", max_size=8)
            | st.text("aé\u0301\nA 1", max_size=8)
            | st.just(b"aa"),
            "scoring": st.sampled_from(["standard", "loose", "", 3]),
        },
    )
)
def test_any_word_game_is_rejected_or_kept_unchanged(changes: Document) -> None:
    game = {**words_header(["aa", "ab", "ba", "bb", "ac"], ["aa"]), **changes}
    tree = {**ONE_NODE, "guess": [(changes["secrets"] or b"\1")[0].bit_length() - 1]}
    try:
        book = gb.open(pack(write(game, tree)))
    except gb.InvalidBookError:
        return
    again = document(book)["game"]
    for key in ("length", "guesses", "secrets", "scoring"):
        assert again[key] == game[key]
    assert [book.root.guess] == list(book.game.secrets)


@pytest.mark.slow
def test_repeated_word_of_a_long_list_is_rejected() -> None:
    """Lists of more than 262,144 words are checked in parts."""
    words = ["".join(letters) for letters in product("abcdefghi", repeat=6)][:270_000]
    game = words_header(words, words[:1])
    assert len(gb.open(pack(write(game, ONE_NODE))).game.guesses) == len(words)
    for place in (1, len(words) - 1):
        repeated = "\n".join([*words[:place], words[0], *words[place + 1 :]])
        with pytest.raises(gb.InvalidBookError, match="twice"):
            gb.open(pack(write({**game, "guesses": repeated}, ONE_NODE)))
