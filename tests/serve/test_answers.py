"""Answers of `serve` and `bot`: the results of the library, or errors."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import guessbook as gb
from guessbook.serve.server import answer_at_once
from tests.export.samples import histories_of
from tests.helpers.client import Client, serving
from tests.helpers.content import changed

if TYPE_CHECKING:
    from tests.helpers.command import Run

KEYS = {"error", "exit_code", "suspects"}
HISTORY = ["RYGB=1,1", "RGOP=0,2", "PYYG=2,1"]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a server for mastermind-4x6."""
    with serving("mastermind-4x6", gb.open("mastermind-4x6")) as made:
        yield made


@pytest.fixture
def serve(tmp_path: Path) -> Any:
    """A function that serves a book."""

    def served(book: gb.Book) -> Any:
        book.save(tmp_path / "a.book")
        return serving(str(tmp_path / "a.book"), book)

    return served


def printed(run: Run, *arguments: object) -> Any:
    """Return the JSON that a command prints."""
    return json.loads(run(*arguments, "--json").out)


def test_concurrent_clients_get_hints_of_book(client: Client) -> None:
    """Eight clients together ask for every node."""
    book = client.book
    histories = histories_of(book)

    def play(part: int) -> list[dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
        found = []
        for history in histories[part::8]:
            connection.request("GET", "/hint?" + "&".join(f"{g}={f}" for g, f in history))
            found.append(json.loads(connection.getresponse().read()))
        connection.close()
        return found

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(play, range(8)))
    nodes = [*book.nodes]
    for part in range(8):
        for node, found in zip(nodes[part::8], answers[part], strict=True):
            assert found == {
                "guess": node.guess,
                "source": "book",
                "remaining": node.remaining,
                "entropy": node.entropy,
                "candidate": node.candidate,
                "solved": False,
                "chance": node.chance,
            }


@pytest.mark.parametrize(
    "history",
    [["POGB=1,1"], ["RRYG=1,1", "BBOO=0,1"], ["RYGB=1,1", "RGOP=4,0"], ["RYGB=4,0"]],
    ids=["symmetry", "live", "solved", "solved at once"],
)
def test_off_book_hints_match_command(history: list[str], client: Client, run: Run) -> None:
    body = json.dumps({"history": [entry.split("=") for entry in history]}).encode()
    wanted = 200, printed(run, "hint", *history)
    assert client.ask("/hint?" + "&".join(history)) == wanted
    assert client.ask("/hint", "POST", body) == wanted


def test_endpoints_answer_like_the_commands_of_their_names(client: Client, run: Run) -> None:
    listed = run("candidates", *HISTORY).out.split()
    wanted = {
        "/candidates": {"remaining": 3, "among_guesses": False, "candidates": listed},
        "/explain": printed(run, "explain", *HISTORY),
        "/rate": printed(run, "rate", *HISTORY, "YYYY"),
        "/review": printed(run, "review", *HISTORY, "--secret", "GYYO"),
        "/share": printed(run, "share", *HISTORY),
        "/score": printed(run, "score", "RYGB", "PYRO"),
    }
    for path, value in wanted.items():
        asked: dict[str, Any] = {"history": HISTORY} if path != "/score" else {}
        asked |= {"/rate": {"guess": "YYYY"}}.get(path, {})
        asked |= {"/score": {"guess": "RYGB", "secret": "PYRO"}}.get(path, {})
        asked |= {"/review": {"secret": "GYYO"}}.get(path, {})
        query = "&".join(
            [*asked.get("history", []), asked.get("guess", ""), asked.get("secret", "")]
        )
        body = json.dumps(asked).encode()
        assert client.ask(f"{path}?{query}") == client.ask(path, "POST", body) == (200, value)
    why = client.ask("/explain?RYGB=1,1&YYYY")
    assert (why[1]["guess"], why[1]["remaining"]) == ("YYYY", 252)
    known = printed(run, "info", "mastermind-4x6")
    assert client.ask("/info") == (200, {k: known[k] for k in known if k not in ("path", "bytes")})


def test_candidates_are_listed_up_to_a_limit(client: Client) -> None:
    status, answer = client.ask("/candidates")
    assert (status, answer["remaining"]) == (200, 1296)
    assert answer["candidates"] == [*client.book.game.secrets[:1000]]


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("/hint?history=RYGB=1,1&history=RGOP=0,2", {"history": HISTORY[:2]}),
        ("/hint?history=RYGB=1,1%20RGOP=0,2", {"history": "RYGB=1,1 RGOP=0,2"}),
        ("/hint?history=RYGB%201,1+RGOP=0,2", {"history": "RYGB 1,1 RGOP=0,2"}),
        ('/hint?history=["RYGB=1,1",["RGOP",[0,2]]]', {"history": HISTORY[:2]}),
        ("/hint?RYGB=1,1&history=RGOP=0,2", {"history": HISTORY[:2]}),
        ("/candidates?count=3&RYGB=1,1", {"history": HISTORY[:1], "count": 3}),
        ("/rate?guess=YYYY&RYGB=1,1", {"history": HISTORY[:1], "guess": "YYYY"}),
        ("/explain?guess=YYYY&count=1", {"history": [], "guess": "YYYY", "count": 1}),
        ("/score?secret=PYRO&guess=RYGB", {"guess": "RYGB", "secret": "PYRO"}),
    ],
)
def test_query_accepts_named_parameters(query: str, body: dict[str, Any], client: Client) -> None:
    found = client.ask(quote(query, safe="/?=&%,+"))
    assert found == client.ask(query.partition("?")[0], "POST", json.dumps(body).encode())
    assert found[0] == 200
    if "count" in body:
        listed = found[1].get("candidates") or found[1]["alternatives"]
        assert len(listed) == body["count"]


def test_refused_words_are_not_suggested(serve: Any, run: Run, tmp_path: Path) -> None:
    book = gb.build(gb.WordGame(["light", "night", "might", "sight"]))
    with serve(book) as client:
        first = client.ask("/hint")[1]["guess"]
        other = client.ask(f"/hint?refused={first}")[1]
        assert (other["remaining"], other["guess"] != first) == (3, True)
        both = {"history": [], "refused": [first, other["guess"]]}
        found = client.ask(f"/hint?refused={first}&refused={other['guess']}")
        assert found == client.ask("/hint", "POST", json.dumps(both).encode())
        assert found[1]["remaining"] == 2
        for path in ("candidates", "explain"):
            assert client.ask(f"/{path}?refused={first}")[1]["remaining"] == 3
        wrong: Any
        for wrong in ("light", [1], {}):
            body = json.dumps({"history": [], "refused": wrong}).encode()
            assert client.ask("/hint", "POST", body)[0] == 400
        every = "&".join(f"refused={word}" for word in book.game.guesses)
        assert client.ask(f"/hint?{every}")[0] >= 400
    typed = json.dumps({"history": [], "refused": [first]})
    answer = run("bot", tmp_path / "a.book", lines=f"{typed}\n").out
    assert json.loads(answer)["guess"] == other["guess"]


def test_symbols_with_special_meaning_in_urls_work(serve: Any) -> None:
    """A plus sign that is a symbol is not read as a space."""
    with serve(gb.build(gb.Mastermind(2, 6, symbols="&+%#é🐄"))) as client:
        for node, history in zip(client.book.nodes, histories_of(client.book), strict=True):
            query = "&".join(quote(f"{g}={f}", safe="+=,") for g, f in history)
            assert client.ask(f"/hint?{query}")[1]["guess"] == node.guess


def test_words_may_equal_parameter_names_or_be_unlisted(serve: Any) -> None:
    words = ["crane", "slate", "trace", "geese", "light", "eight", "guess", "count"]
    with serve(gb.build(gb.WordGame(words[3:], words))) as client:
        assert client.ask("/explain?guess=00020")[0] in (200, 422)
        assert client.ask("/candidates?count=00000")[0] in (200, 422)
        assert client.ask("/explain?guess=count")[1]["guess"] == "count"
        assert client.ask("/hint?zzzzz=00000")[0] == 200
        assert client.ask("/rate?crane=00000&zzzzz")[0] == 200
        for wrong in ("zzzzz=0", "hist=crane=00000", "zzzzz=00000&crane=3", "zzzzzs=00000"):
            assert client.ask(f"/hint?{wrong}")[0] == 400
        assert client.ask(f"/hint?{quote('zzzzé=00000', safe='=')}")[0] == 400
        assert client.ask("/rate?crane=00000&zzzzzz")[0] == 400
        body = b'{"history": [["zzzzz", "00000"], 1]}'
        assert client.ask("/hint", "POST", body)[0] == 400


def test_wrong_book_gives_status_500(serve: Any) -> None:
    true = gb.build(gb.Mastermind(2, 2))
    book = changed(true, guess={3: true.game.parse_code("RY")})
    with serve(book) as client:
        for question in ("/hint?RR=1,0&RY=0,2", "/explain?RR=1,0&RY=0,2", "/hint?RY=0,2&YY=1,0"):
            status, answer = client.ask(question)
            assert (status, answer.keys()) == (500, KEYS)
            assert (answer["exit_code"], answer["suspects"]) == (3, [])
        assert client.ask("/hint?RR=1,0")[0] == 200


def test_curl_examples_get_documented_answers(client: Client, root: Path) -> None:
    text = (root / "docs" / "how-to" / "embed" / "serve.md").read_text("utf-8")
    pattern = r"^\$ curl 'http://127\.0\.0\.1:8000(/.*?)'(?: -d '(.*)')?\n(.*)$"
    shown = re.findall(pattern, text, re.MULTILINE)
    assert len(shown) >= 5
    for target, body, answer in shown:
        method = "POST" if body else "GET"
        assert client.ask(target, method, body.encode() or None)[1] == json.loads(answer)


def test_hint_body_equals_command_output(client: Client, run: Run) -> None:
    head = b"GET /hint?RYGB=1,1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    body = client.raw(head).partition(b"\r\n\r\n")[2]
    assert body.decode() == run("hint", "RYGB=1,1", "--json").out


# Invalid requests


REFUSED: list[tuple[int, str, Any]] = [
    (400, "/hint?XXXX=1,1", None),
    (400, "/hint?RYGB=3,1", None),
    (400, "/hint?RYGB", None),
    (400, "/hint?%ff=1,1", None),
    (400, "/hint?" + "&".join(["RYGB=1,1"] * 101), None),
    (422, "/hint?RYGB=1,1&RYGB=0,1", None),
    (400, "/hint", []),
    (400, "/hint", {"history": None}),
    (400, "/hint", {"history": {}}),
    (400, "/hint", {"history": "RYGB=1,1 RYGB"}),
    (400, "/hint", {"history": [1]}),
    (400, "/hint", {"history": [["RYGB"]]}),
    (400, "/hint", {"history": [["RYGB", True]]}),
    (400, "/hint", {"history": [["RYGB", [1, True]]]}),
    (400, "/hint", {"history": [["RYGB", [1, -1]]]}),
    (400, "/hint", {"history": [["RYGB", [1, 10**4000]]]}),
    (400, "/hint", {"history": [[["R", [[[[]]]]], 1]]}),
    (400, "/hint", {"history": ["\ud800=1,1"]}),
    (400, "/hint", {"history": ["=" * 16_000]}),
    (400, "/hint", {"history": [], "book": "/etc/passwd"}),
    (400, "/hint", {"history": [], "guess": "RYGB"}),
    (400, "/rate", {"history": []}),
    (400, "/rate", {"history": [], "guess": "XXXX"}),
    (400, "/rate", {"history": [], "guess": {"a": 1}}),
    (422, "/rate", {"history": ["RYGB=1,1", "RYGB=0,1"], "guess": "RYGB"}),
    (400, "/rate?RYGB=1,1", None),
    (400, "/candidates?RYGB=1,1&RYGB", None),
    (422, "/candidates?RYGB=1,1&RYGB=0,1", None),
    (422, "/explain?RYGB=1,1&RYGB=0,1", None),
    (400, "/explain?XXXX", None),
    (400, "/hint?guess=RYGB", None),
    (400, "/hint?refused=RYGB", None),
    (400, "/share", None),
    (422, "/review?RYGB=2,1&PYRO", None),
    (400, "/info?RYGB", None),
    (400, "/hint?histroy=1", None),
    (400, f"/hint?{'=' * 9000}", None),
    (400, "/hint?history=[", None),
    (400, "/candidates?count=0", None),
    (400, "/candidates?count=1001", None),
    (400, "/candidates?count=many", None),
    (400, "/candidates", {"history": [], "count": "3"}),
    (400, "/score?RYGB", None),
    (400, "/score?RYGB=1,1", None),
    (400, "/score?RYGB=1,1&RYGB&PYRO", None),
    (400, "/score?RYGB&PYRO&YYYY", None),
    (400, "/score?guess=RYGB&secret=XXXX", None),
]
BODIES = [
    *(b"", b"{", b"\xff", b'{"history": ["\xc3"]}', b"1e999", b"null", b"[" * 16_000),
    *(b'{"a":' * 2500 + b"1" + b"}" * 2500, b'{"history": [' + b"[" * 900 + b"]" * 900 + b"]}"),
    *(b'{"history": [9' + b"9" * 5000, b'{"history": [' + b"9" * 4000 + b"]}"),
    *(b'{"history": [["RYGB", "1' + b" " * 16_000 + b'x"]]}', b'{"history": [], "history": 1}'),
]


def test_invalid_requests_are_rejected(client: Client) -> None:
    for status, target, content in [*REFUSED, *((400, "/hint", body) for body in BODIES)]:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        posted = content is not None
        found, answer = client.ask(target, "POST" if posted else "GET", body if posted else None)
        assert (found, answer.keys()) == (status, KEYS), (target, content)
        assert answer["exit_code"] == {400: 2, 422: 4}[status]
        assert answer["error"].isprintable()
        assert 0 < len(answer["error"]) < 300


def test_contradiction_names_suspect_entries(client: Client) -> None:
    status, answer = client.ask("/hint?RYGB=0,0&OOOO=1,0&RRRR=1,0")
    assert (status, answer["suspects"]) == (422, [0, 2])
    status, answer = client.ask("/review?RYGB=1,1&RGOP=2,0&PYRO")
    assert (status, answer["suspects"]) == (422, [1])


def test_lone_code_in_score_is_the_guess(client: Client) -> None:
    for query in ("RYGB", "guess=RYGB"):
        assert client.ask(f"/score?{query}")[1]["error"].startswith("secret is missing")
    assert client.ask("/score?RYGB&secret=PYRO") == client.ask("/score?RYGB&PYRO")


def test_tables_with_outcomes_take_things_and_unknown_answers(serve: Any, run: Run) -> None:
    """Questions that need guesses get the status 400, because another attempt cannot succeed."""
    rows = [["on", "on", "off"], ["a", "b", "c"]]
    book = gb.build(gb.TableGame(["look", "open it"], ["the disk", "fan", "power"], rows))
    with serve(book) as client:
        score = {"guess": "look", "secret": "the disk", "feedback": "on", "solved": False}
        for query in ("guess=look&secret=the+disk", "look&the+disk"):
            assert client.ask(f"/score?{query}") == (200, score)
        for query in ("/share?look=on", "/review?look=on", "/hint?refused=look", "/rate?look"):
            assert client.ask(query)[0] == 400
        status, said = client.ask("/info?look")
        assert (status, said["error"].split(",")[0]) == (400, "info takes no fields")
        first = client.ask("/hint")[1]
        assert (first["guess"], first["cost"], first["answers"]) == ("open it", 1, ["a", "b", "c"])
        end = client.ask("/hint?look=?&open+it=?")[1]
        assert (end["solved"], len(end["outcomes"])) == (False, 3)
        said = client.ask("/score?look")[1]["error"]
        assert '"secret": "the disk"' in said
        assert "secret=the%20disk" in said
    lines = '"open it=a"\n["open it=a"]\n"open it=a" "look=on"\n'
    quoted, listed, wrong = run("bot", "a.book", lines=lines).out.splitlines()
    assert quoted == listed
    assert json.loads(listed)["outcomes"] == {"the disk": 1.0}
    assert json.loads(wrong)["exit_code"] == 2


def test_unknown_test_of_a_table_is_rejected_without_the_worker_process() -> None:
    book = gb.build(gb.TableGame(["look"], ["x", "y"], ["12"]))
    with pytest.raises(gb.InvalidCodeError, match="'zz' is not one of"):
        answer_at_once(book, "explain", b"zz", None)


texts = st.text("RYGBOP12,=<> 0\ud800\0", max_size=8)
content = st.recursive(
    texts | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=12,
)
entries = content | st.lists(st.tuples(texts, content), max_size=3)
questions = content | st.fixed_dictionaries(
    {"history": entries}, optional={"guess": content, "count": content}
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(["hint", "candidates", "explain", "rate", "score"]), body=questions)
def test_any_json_is_answered_or_rejected(path: str, body: object, client: Client) -> None:
    status, answer = client.ask(f"/{path}", "POST", json.dumps(body).encode())
    assert status in (200, 400, 422)
    assert status == 200 or len(answer["error"]) < 300


# The bot


ASKED: dict[str, dict[str, Any]] = {
    "hint": {"history": HISTORY[:2]},
    "candidates": {"history": ["RYGB=1,1", ["RGOP", "0,2"]], "count": 3},
    "explain": {"history": HISTORY[:2], "guess": "YYYY"},
    "rate": {"history": HISTORY[:2], "guess": "YYYY"},
    "review": {"history": HISTORY},
    "share": {"history": HISTORY},
    "score": {"guess": "RYGB", "secret": "PYRO"},
    "info": {},
}


def test_bot_and_server_give_same_answers(client: Client, run: Run) -> None:
    lines = [{"question": name, "id": name, **asked} for name, asked in ASKED.items()]
    result = run("bot", lines="".join(json.dumps(line) + "\n" for line in lines))
    found = [json.loads(line) for line in result.out.splitlines()]
    for given_, (name, asked) in zip(found, ASKED.items(), strict=True):
        answer = client.ask(f"/{name}", "POST", json.dumps(asked).encode())[1]
        assert given_ == {"id": name, **answer}
    # The default question is a hint; a history may be text or a list.
    lines_of_text = '\ufeff{"history": []}\n\n[]\n{}\nRYGB=1,1\n["RYGB=1,1"]\n"RYGB=1,1"\n'
    first, *others = run("bot", lines=lines_of_text).out.splitlines()
    assert others[:3] == [first] * 3
    assert others[3] == others[4] == others[5] != first
    assert "id" not in json.loads(first)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            {"history": [], "question": "nonsense"},
            "hint, candidates, explain, rate, review, share, score, info",
        ),
        ({"history": [], "question": None}, "null"),
        ({"history": [], "guess": "YYYY"}, '"question": "explain"'),
        ({"history": [], "count": 3}, "candidates or explain"),
        ({"guess": "RYGB", "secret": "PYRO"}, "/score"),
        ({"histroy": []}, "did you mean history"),
        ({"history": [], "question": "rate"}, "/rate?guess=RRRR"),
        ({"guess": "RYGB", "question": "score"}, '"secret": "RRRR"'),
        ({"history": ["RYGX=1,1"]}, "'X'"),
        ({"history": [], "question": "candidates", "count": True}, "true"),
        ({"history": [], "question": "info"}, "info takes no fields"),
    ],
)
def test_bot_reports_error_and_continues(line: dict[str, Any], said: str, run: Run) -> None:
    asked = json.dumps({"id": 1, **line})
    wrong, right = run("bot", lines=f"{asked}\n\n").out.splitlines()
    found = json.loads(wrong)
    assert list(found) == ["id", "error", "exit_code", "suspects"]
    assert (found["id"], found["exit_code"]) == (1, 2)
    assert said in found["error"]
    assert json.loads(right)["guess"] == "RYGB"


def test_bot_rejects_overlong_line(run: Run) -> None:
    long, short = run("bot", lines=f"{' ' * 65_537}RYGB=1,1\n\n").out.splitlines()
    assert json.loads(long)["exit_code"] == 2
    assert json.loads(short)["guess"] == "RYGB"
    assert json.loads(run("bot", lines=" " * 65_536).out)["guess"] == "RYGB"


def test_score_prints_feedback_for_any_game(run: Run, words: str, tmp_path: Path) -> None:
    (tmp_path / "lamp.csv").write_text("test,bulb,fuse\nswap,on,dark\nlook,black,dark\n")
    for arguments, said in {
        ("rygb", "PYRO"): "1,1",
        ("123", "132", "--preset", "bagels"): "1,2",
        ("bagels", "123", "132"): "1,2",
        ("0123", "3210", "--book", "bulls-and-cows-4x10"): "0,4",
        ("geese", "eight", "--book", words): "11000",
        (words, "geese", "eight"): "11000",
        ("swap", "fuse", "--table", "lamp.csv", "--goal", "name"): "dark",
    }.items():
        assert run("score", *arguments).out == f"{said}\n"
    found = json.loads(run("score", "PYRO", "PYRO", "--json").out)
    assert found == {"guess": "PYRO", "secret": "PYRO", "feedback": "4,0", "solved": True}
    for wrong in (
        ("RYGX", "PYRO"),
        ("crane", "slate"),
        ("RYGB",),
        ("a", "b", "c", "d"),
        ("RYG", "GYR", "--book", "mastermind-4x6", "--pegs", 3),
        ("swap", "look", "--table", "lamp.csv", "--goal", "name"),
    ):
        assert run("score", *wrong).code == 2
