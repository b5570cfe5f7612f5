"""Presets, and the options of `build-book` that choose the policy and the opening."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind
from guessbook.book.games.presets import PRESETS
from guessbook.builder import build_strategy
from guessbook.lookup import open_book
from tests.helpers.command import Run, one_line

if TYPE_CHECKING:
    from pathlib import Path


def test_presets(run: Run) -> None:
    """Every preset is listed with its size, and no measure of one machine, in text and JSON."""
    listed = json.loads(run("presets", "--json").out)
    assert [row["name"] for row in listed] == list(PRESETS)
    text = run("presets").out
    assert text.splitlines()[0].split() == ["game", "secrets", "guess", "limit"]
    for row in listed:
        assert row["name"] in text
        (known,) = [
            line.split()[1:] for line in text.splitlines() if line.startswith(row["name"] + " ")
        ]
        limit = [str(row["allowed_guesses"])] if row["allowed_guesses"] else []
        assert known == [f"{row['secrets']:,}" if row["secrets"] else "words", *limit]
        assert row.keys() == {"name", "title", "secrets", "allowed_guesses"}
    assert "they share; needs --answers FILE\n" in text


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.secrets])
def test_a_preset_has_as_many_secrets_as_it_says(name: str) -> None:
    """The list of presets makes none of them, and is right."""
    assert len(PRESETS[name].game().secrets) == PRESETS[name].secrets


def test_a_preset_of_words(run: Run, tmp_path: Path) -> None:
    """Jotto needs words, and takes those of the usual options; other presets take none."""
    words = tmp_path / "words.txt"
    words.write_text("geese\neagle\ntable\nbleat\n")
    known = json.loads(run("build-book", "--preset", "jotto", "--answers", words, "--json").out)
    assert (known["game"], known["total_guesses"]) == ("table-4x4", 7)
    assert "add --answers FILE" in one_line(run("build-book", "--preset", "jotto"))
    assert "needs no words" in one_line(run("build-book", "--preset", "bagels", "--answers", words))
    assert "without --answers; add" in one_line(
        run("build-book", "--preset", "jotto", "--guesses", words)
    )
    assert "build-book --preset jotto --answers FILE" in one_line(run("info", "jotto"))


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("mastermind", Mastermind(4, 6)),
        ("super-mastermind", Mastermind(5, 8)),
        ("bulls-and-cows", Mastermind(4, 10, repeats=False)),
        ("bagels", Mastermind(3, 10, repeats=False)),
        ("nethack", Mastermind(5, 7, symbols="ABCDEFG")),
    ],
)
def test_known_games(name: str, game: Mastermind) -> None:
    """The presets are the games that people know by these names."""
    assert PRESETS[name].game() == game


def test_build_a_preset(run: Run) -> None:
    """`--preset` builds the book of that game, and goes with no other game."""
    known = json.loads(run("build-book", "--preset", "bagels", "--json").out)
    assert (known["game"], known["total_guesses"]) == ("bulls-and-cows-3x10", 3616)
    result = run("build-book", "--preset", "bagels", "--colors", "9")
    assert result.code == 2
    assert "leave out one of the games" in one_line(result)


def test_policy_options(run: Run, tmp_path: Path) -> None:
    """Options reach the header, and the file's name says what is unusual."""
    small = ("build-book", "--pegs", "2", "--colors", "3", "--json")
    cases = {
        "rollout-width-3": ["--policy", "rollout", "--width", "3"],
        "lookahead-base-parts-depth-3": ["--policy", "lookahead:base=parts", "--depth", "3"],
        "consistent-random-seed-9": ["--policy", "consistent", "--random-seed", "9"],
        "minimax-consistent-only": ["--policy", "minimax", "--consistent-only"],
        "rollout-endgame-5": ["--policy", "rollout", "--endgame", "5"],
        "rollout-width-4": ["--policy", "rollout:width=4"],
        "parts-RY": ["--policy", "parts:first-guess=ry"],
    }
    for name, options in cases.items():
        result = run(*small, *options)
        assert result.code == 0
        path = tmp_path / f"mastermind-2x3-{name}.book"
        policy = open_book(path).policy
        assert open_book(path).to_bytes() == build_strategy(Mastermind(2, 3), policy).to_bytes()
        assert run("verify", path.name, "--policy").code == 0
    assert one_line(run(*small, "--width", "3")).startswith("Error: found option 'width'")


def test_openings_all(run: Run, tmp_path: Path) -> None:
    """`--openings all` writes a book for each first guess that is not equivalent to another."""
    result = run("build-book", "--pegs", "3", "--colors", "4", "--openings", "all", "--json")
    known = json.loads(result.out)
    names = [f"mastermind-3x4-entropy-{code}.book" for code in ("RRR", "RRY", "RYG")]
    assert [row["path"] for row in known] == names
    assert [open_book(tmp_path / name).root.guess for name in names] == ["RRR", "RRY", "RYG"]
    # Any first guess is now on-book by symmetry.
    book = open_book(tmp_path / names[1])
    assert book.hint(["GBG=0,1"]).source == "symmetry"
    again = run("build-book", "--pegs", "3", "--colors", "4", "--openings", "all")
    assert again.code == 1
    assert "exists already" in one_line(again)


def test_openings_of_words(run: Run, tmp_path: Path) -> None:
    """Of a short list every word is an opening, and the best of their books is kept."""
    (tmp_path / "words.txt").write_text("light\nnight\nsight\neight\nthing\n")
    result = run("build-book", "--answers", "words.txt", "--openings", "all", "--json")
    known = json.loads(result.out)
    assert [row["first_guess"] for row in known] == ["light", "night", "sight", "eight", "thing"]
    result = run("build-book", "--answers", "words.txt", "--first-guess", "best", "--json")
    assert json.loads(result.out)["total_guesses"] == min(row["total_guesses"] for row in known)
    assert "create a folder" in one_line(run("build-book", "--openings", "all", "-o", "none"))


def test_first_guess_best(run: Run, tmp_path: Path) -> None:
    """`--first-guess best` keeps the best of these books."""
    small = ("build-book", "--pegs", "3", "--colors", "5", "--policy", "minimax", "--json")
    books = json.loads(run(*small, "--openings", "all").out)
    best = json.loads(run(*small, "--first-guess", "best").out)
    assert best["path"] == "mastermind-3x5-minimax-best.book"
    key = min((b["total_guesses"], b["max_guesses"]) for b in books)
    assert (best["total_guesses"], best["max_guesses"]) == key
    assert best["options"] == {"first_guess": best["first_guess"]}
    assert sorted(p.name for p in tmp_path.glob(".*.guessbook-parts")) == []


@pytest.mark.parametrize(
    "options",
    [
        ("--openings", "some"),
        ("--openings", "all", "--first-guess", "RRYY"),
        ("--openings", "all", "-o", "file.book"),
        ("--hard-mode",),
        ("--policy", "rollout", "--depth", "2"),
        ("--policy", "rollout:width=4194305"),
        ("--policy", "rollout:width=3", "--width", "3"),
        ("--policy", "parts:name=entropy"),
        ("--policy", "parts:first-guess=RRYY", "--first-guess", "RRYY"),
        ("--policy", "parts:first-guess=RRYY", "--openings", "all"),
        ("--preset", "mastermind", "--pegs", "4"),
        ("--preset", "mastermind", "--scoring", "standard"),
        ("--preset", "mastermind", "--guesses", "words.txt"),
        ("--answers", "words.txt", "--pegs", "4"),
    ],
    ids=str,
)
def test_refused(run: Run, options: tuple[str, ...]) -> None:
    """Options that contradict each other are refused in one line, before anything is built."""
    result = run("build-book", *options)
    assert result.code == 2
    one_line(result)


@pytest.mark.parametrize(
    ("name", "option", "most"),
    [
        ("rollout", "width", 1 << 22),
        ("lookahead", "depth", 20),
        ("consistent", "random-seed", (1 << 64) - 1),
    ],
)
def test_largest_values(run: Run, tmp_path: Path, name: str, option: str, most: int) -> None:
    """An option refuses what is too large before anything is built, and builds what is not."""
    small = ("build-book", "--pegs", "1", "--colors", "2", "--policy", name, "-o", "x.book")
    result = run(*small, f"--{option}", str(most + 1))
    assert (result.code, result.out) == (2, "")
    assert f"'--{option}'" in result.err
    assert str(most) in result.err
    assert not (tmp_path / "x.book").exists()
    assert run(*small, f"--{option}", str(most)).code == 0
    assert open_book(tmp_path / "x.book").policy[option.replace("-", "_")] == most
