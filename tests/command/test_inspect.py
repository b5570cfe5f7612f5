"""The commands that inspect a book or a history: hint, candidates, bot, info, tree and verify."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.helpers.command import KEYS, Run, call
from tests.helpers.content import Document, document, pack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HINT_KEYS = ["guess", "source", "remaining", "entropy", "candidate", "solved", "chance"]


def test_hint_prints_the_hint_of_the_book(run: Run, small: gb.Book) -> None:
    history = ["RRY=0,1", "GBR=1,0"]
    for asked in ([], history[:1], history, history[::-1]):
        hint = small.hint(asked)
        said = json.loads(run("hint", "small.book", *asked, "--json").out)
        assert list(said) == HINT_KEYS
        assert said == {key: getattr(hint, key) for key in HINT_KEYS}
        text = run("hint", "small.book", *asked).out
        note = "may" if hint.candidate else "cannot"
        assert text.splitlines() == [
            f"guess       {hint.guess}, {note} be the secret",
            f"candidates  {hint.remaining} of 64",
            f"entropy     {hint.entropy:.4f} bits",
            f"source      {hint.source}",
        ]


def test_hint_says_when_the_secret_is_certain_and_when_it_is_found(
    run: Run, small: gb.Book
) -> None:
    node, history = small.root, list[str]()
    while node.children:
        feedback, child = max(node.children.items(), key=lambda pair: pair[1].remaining)
        history.append(f"{node.guess}={feedback}")
        node = child
    assert node.remaining == 1
    assert f"{node.guess}, certain" in run("hint", "small.book", *history).out
    solved = run("hint", "small.book", *history, f"{node.guess}=3,0").out
    assert solved == f"guess       {node.guess}\nsolved: this is the secret\n"


def test_hint_says_that_only_a_guess_outside_the_secrets_fits(run: Run, small: gb.Book) -> None:
    text = run("hint", "words.book", "light=02201").out
    assert text.startswith("guess       tiger, the only guess")
    assert "candidates  1 of 10" in text
    assert "source      guesses: no secret fits, but other guesses do" in text


def test_hint_shows_the_chances_of_the_guess_and_of_winning(run: Run, tmp_path: Path) -> None:
    game = gb.WordGame(["light", "night", "might", "sight"], weights=[5, 1, 1, 3])
    book = gb.build(game, "win:within=2")
    book.save(tmp_path / "win.book")
    hint = book.hint()
    text = run("hint", "win.book").out
    assert f"{hint.guess}, may be the secret: {hint.chance:.2%}\n" in text
    assert text.endswith(f"win         {hint.win:.2%} within the guesses that are left\n")


def test_candidates_are_printed_as_text_json_and_csv(run: Run, small: gb.Book) -> None:
    ask = ["candidates", "small.book", "RRY=0,1"]
    codes = small.candidates(["RRY=0,1"])
    assert len(codes) > 2
    assert run(*ask).out.split() == codes
    assert run(*ask, "--count", 2).out.split() == codes[:2]
    assert run(*ask, "--csv").out.split() == ["candidate", *codes]
    found = json.loads(run(*ask, "--json").out)
    assert found == {"remaining": len(codes), "among_guesses": False, "candidates": codes}


def test_bot_answers_every_line_with_a_hint_or_an_error(run: Run, small: gb.Book) -> None:
    lines = ["", "RRY=0,1 GBR=1,0", '["RRY=0,1"]', '["RRY 0,1"]', "RRX=1,0", "RRR=1,0 RRR=2,0"]
    result = run("bot", "small.book", lines="\n".join(lines))
    assert (result.code, result.err) == (0, "")
    asked = [[], lines[1].split(), ["RRY=0,1"], ["RRY=0,1"], ["RRX=1,0"], lines[5].split()]
    for answer, history in zip(result.out.splitlines(), asked, strict=True):
        assert f"{answer}\n" == run("hint", "small.book", *history, "--json").out
    errors = [json.loads(line) for line in result.out.splitlines()[-2:]]
    assert [error["exit_code"] for error in errors] == [2, 4]
    assert errors[1]["suspects"] == [0, 1]


BAD_LINES = {
    "no end": "[",
    "nested 3,000 deep": "[" * 3000 + "]" * 3000,
    "nested 900 deep": '["RRY=0,1", ' + "[" * 900 + "]" * 900 + "]",
    "nested 9 deep": "[" * 9 + "]" * 9,
    "a number of 5,000 digits": "[" + "9" * 5000 + "]",
    "a number of 4,000 digits": f'[["RRY", [{"9" * 4000}, 0]]]',
    "infinity": '[["RRY", [1e999, NaN]]]',
    "other types": '[{"RRY": "0,1"}, null, true]',
    "half a letter": r'["\ud800=0,1"]',
    "no characters": "\0\x1b\ufffd",
    "60,000 equals signs": "=" * 60_000,
    "a line too long": "RRY=0,1 " * 9000,
    "a list too long": "[" * 200_000,
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
def test_bot_answers_a_bad_line_with_one_error_and_continues(
    run: Run, small: gb.Book, line: str
) -> None:
    result = run("bot", "small.book", lines=f"{line}\nRRY=0,1\n{line}")
    assert (result.code, result.err) == (0, "")
    wrong, right, last = map(json.loads, result.out.splitlines())
    assert right["remaining"] == small.hint("RRY=0,1").remaining
    assert wrong == last
    assert (list(wrong), wrong["exit_code"]) == (["error", "exit_code", "suspects"], 2)
    assert 0 < len(wrong["error"]) < 300
    assert wrong["error"].isprintable()


def test_bot_reads_a_line_of_65536_characters(run: Run, small: gb.Book) -> None:
    line = "RRY=0,1".ljust(1 << 16)
    answers = run("bot", "small.book", lines=f"{line}\n{line}\n{line} ").out.splitlines()
    assert ["error" in json.loads(answer) for answer in answers] == [False, False, True]


def test_info_describes_the_book(run: Run, small: gb.Book, tmp_path: Path) -> None:
    data = json.loads(run("info", "small.book", "--json").out)
    assert list(data) == KEYS
    known = small.stats
    assert data["path"] == "small.book"
    assert data["bytes"] == (tmp_path / "small.book").stat().st_size
    assert data["nodes"] == known.nodes
    assert data["mean_guesses"] == data["total_guesses"] / data["secrets"] == known.mean_guesses
    assert list(data["distribution"].values()) == list(known.distribution)
    text = run("info", "small.book").out
    for words in ("mastermind-3x4", "entropy", f"{known.nodes}", f"{known.mean_guesses:.4f}"):
        assert words in text


def test_citation_of_a_book_names_game_policy_and_total(run: Run) -> None:
    book = "game mastermind-4x6, policy optimal (base entropy), 5,625 guesses in total"
    cited = run("info", "mastermind-4x6-optimal", "--cite").out
    assert cited == run("info", "--cite").out + f"The book: {book}.\n"


def test_options_of_a_policy_are_shown_as_they_are_typed(run: Run) -> None:
    game = ("--pegs", 2, "--colors", 3, "-o", "a.book")
    limits = ("--policy", "optimal", "--max-guesses", 5, "--consistent-only")
    assert run("build-book", *game, *limits).code == 0
    for command in (["info", "a.book"], ["verify", "a.book", "--policy"]):
        assert "optimal (base entropy, max-guesses 5, consistent-only)" in run(*command).out


def outline(node: gb.Node, before: str = "", below: str = "", feedback: str = "") -> Iterator[str]:
    """The lines for a node and all nodes below it, without blanks."""
    bits = f"{node.entropy:.2f}bits" if node.remaining > 1 else ""
    yield f"{before}{feedback}{node.guess}{node.remaining:,}{bits}"
    for number, (found, child) in enumerate(node.children.items(), 1):
        last = number == len(node.children)
        yield from outline(
            child, below + "├└"[last] + "─", below + ("" if last else "│"), str(found)
        )


def test_tree_draws_every_node(run: Run, small: gb.Book) -> None:
    lines = run("tree", "small.book", "--depth", 99).out.splitlines()
    assert lines[0] == "mastermind-3x4, entropy: 64 secrets"
    assert lines[-1] == f"all {small.stats.nodes} nodes"
    assert [line.replace(" ", "") for line in lines[1:-1]] == list(outline(small.root))


def test_tree_without_a_depth_says_how_many_nodes_it_leaves_out(run: Run) -> None:
    *lines, last = run("tree").out.splitlines()[2:]
    nodes = gb.open().stats.nodes
    assert last == f"14 of {nodes:,} nodes; --depth 3 shows more"
    below = [int(line.split("+")[1].split()[0].replace(",", "")) for line in lines]
    assert sum(below) == nodes - 14


def test_tree_starts_at_a_history_in_any_order(run: Run) -> None:
    node = gb.open().find("RYGB=1,1")
    feedback, child = next(iter(node.children.items()))
    entries = ["RYGB=1,1", f"{node.guess}={feedback}"]
    drawn = run("tree", *entries).out
    assert drawn.splitlines()[1].split("  ")[0].replace(" ", "") == child.guess
    assert run("tree", *entries[::-1]).out == drawn
    below = json.loads(run("tree", "RYGB=1,1", "--json").out)
    assert below["tree"]["guess"] == node.guess
    count = len(list(outline(node)))
    assert f" of {count} nodes" in run("tree", "RYGB=1,1").out


def test_tree_and_export_print_the_same_json(run: Run) -> None:
    for depth, deep in ((3, 3), (99, 6)):
        known = json.loads(run("tree", "--depth", depth, "--json").out)
        assert list(known) == ["game", "policy", "depth", "tree"]
        assert (known["game"], known["policy"], known["depth"]) == (
            "mastermind-4x6",
            "entropy",
            deep,
        )
        assert known["tree"] == json.loads(gb.open().export("json", depth=depth))["tree"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("width", [24, 40, 60, 80])
@pytest.mark.parametrize("name", ["small.book", "words.book"])
@pytest.mark.usefixtures("small")
def test_tree_fits_the_terminal(tmp_path: Path, width: int, encoding: str, name: str) -> None:
    result = call(*("tree", name, "--depth", 9), folder=tmp_path, columns=width, encoding=encoding)
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= width
    nodes = gb.open(tmp_path / name).stats.nodes
    assert lines[-nodes - 2].endswith("secrets"), "what is too wide is cut, not wrapped"
    assert result.out.isascii() == (encoding == "ascii")
    assert "\\u" not in result.out


def checks(run: Run, content: Document, *options: str) -> tuple[int, dict[str, Any]]:
    """Run `verify` on a book; return the exit code, and whether each check passed."""
    gb.open(pack(content)).save("a.book")
    result = run("verify", "a.book", *options, "--json")
    found = json.loads(result.out)
    named = {check["name"]: check["passed"] for check in found["checks"]}
    assert found["passed"] == all(passed is not False for passed in named.values())
    assert found["passed"] == (result.code == 0)
    text = run("verify", "a.book", *options).out
    assert text.count("FAILED") == list(named.values()).count(False)
    return result.code, named


def test_verify_passes_correct_books(run: Run, small_books: dict[str, gb.Book]) -> None:
    names = ["secrets", "candidates", "statistics", "policy"]
    for book in small_books.values():
        assert checks(run, document(book), "--policy") == (0, dict.fromkeys(names, True))


def test_verify_finds_a_wrong_guess(run: Run, small: gb.Book) -> None:
    content = document(small)
    guesses = bytearray(content["tree"]["guess"])
    missed = small.game.guesses[guesses[-1]]
    guesses[-1] = (guesses[-1] + 1) % 64
    content["tree"]["guess"] = bytes(guesses)
    code, found = checks(run, content)
    assert (code, found["secrets"]) == (1, False)
    said = run("verify", "a.book").out
    assert "FAILED  secrets: 63 of 64 solved" in said
    assert missed in said


def test_verify_finds_a_wrong_feedback(run: Run, small: gb.Book) -> None:
    content = document(small)
    true = content["tree"]["feedback"]
    for node in range(1, len(true)):
        content["tree"]["feedback"] = true[:node] + bytes([true[node] + 1]) + true[node + 1 :]
        with suppress(gb.InvalidBookError):  # a sibling has this feedback, or no guess gives it
            gb.open(pack(content))
            break
    code, found = checks(run, content)
    assert code == 1
    assert found == {"secrets": False, "candidates": False, "statistics": False}


def test_verify_policy_rejects_a_header_with_another_policy(run: Run, small: gb.Book) -> None:
    content = {**document(small), "policy": {"name": "positional"}}
    assert checks(run, content)[0] == 0
    code, found = checks(run, content, "--policy")
    assert (code, found["policy"]) == (1, False)
    assert "the policy guesses" in run("verify", "a.book", "--policy").out


def test_verify_policy_reads_the_first_guess_of_the_header(run: Run, small: gb.Book) -> None:
    policy = {"name": "entropy", "first_guess": small.root.guess.lower()}
    assert checks(run, {**document(small), "policy": policy}, "--policy")[0] == 0


@pytest.mark.parametrize("policy", [{"name": "minimax", "mood": 1}, {"name": "luck"}])
def test_verify_policy_rejects_a_policy_of_a_later_version(
    run: Run, small: gb.Book, policy: dict[str, Any]
) -> None:
    assert checks(run, {**document(small), "policy": policy})[0] == 0
    result = run("verify", "a.book", "--policy")
    assert result.code == 2
    assert "policy: " not in result.out


@pytest.mark.parametrize("command", ["info", "verify", "hint --book"])
def test_truncated_book_gives_exit_code_3(
    run: Run, small: gb.Book, tmp_path: Path, command: str
) -> None:
    (tmp_path / "cut.book").write_bytes(small.to_bytes()[:-9])
    result = run(*command.split(), "cut.book")
    assert (result.code, result.err.count("\n")) == (3, 1)
