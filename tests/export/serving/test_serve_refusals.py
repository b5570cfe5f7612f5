"""Requests that make no sense: each gets its 4xx, and one line of JSON that says why."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.serve.question import QUESTIONS, answer
from guessbook.serve.site import answer_at_once
from guessbook.lookup import Book
from tests.helpers.client import PAGE, Client, running
from tests.helpers.plain import plain_book
from tests.helpers.tables import NUMBERS

REFUSED: list[tuple[str, str, Any, int]] = [
    ("GET", "/hint?XXXX=1,1", None, 400),
    ("GET", "/hint?RYGB=3,1", None, 400),
    ("GET", "/hint?RYGB", None, 400),
    ("GET", "/hint?%ff=1,1", None, 400),
    ("GET", "/hint?" + "&".join(["RYGB=1,1"] * 101), None, 400),
    ("GET", "/hint?RYGB=1,1&RYGB=0,1", None, 422),
    ("POST", "/hint", None, 400),
    ("POST", "/hint", [], 400),
    ("POST", "/hint", {}, 400),
    ("POST", "/hint", {"history": "RYGB=1,1 RYGB"}, 400),
    ("POST", "/hint", {"history": [1]}, 400),
    ("POST", "/hint", {"history": [["RYGB"]]}, 400),
    ("POST", "/hint", {"history": [["RYGB", [1, True]]]}, 400),
    ("POST", "/hint", {"history": [["RYGB", [1, 10**4000]]]}, 400),
    ("POST", "/hint", {"history": [["RYGB", [1, -1]]]}, 400),
    ("POST", "/hint", {"history": ["\ud800=1,1"]}, 400),
    ("POST", "/hint", {"history": [], "book": "/etc/passwd"}, 400),
    ("POST", "/hint", {"history": [], "guess": "RYGB"}, 400),
    ("POST", "/rate", {"history": []}, 400),
    ("POST", "/rate", {"history": [], "guess": "XXXX"}, 400),
    ("POST", "/rate", {"history": [], "guess": {"a": 1}}, 400),
    ("POST", "/rate", {"history": ["RYGB=1,1", "RYGB=0,1"], "guess": "RYGB"}, 422),
    ("GET", "/rate?RYGB=1,1", None, 400),
    ("GET", "/candidates?RYGB=1,1&RYGB", None, 400),
    ("GET", "/candidates?RYGB=1,1&RYGB=0,1", None, 422),
    ("GET", "/explain?RYGB=1,1&RYGB=0,1", None, 422),
    ("GET", "/explain?XXXX", None, 400),
    ("GET", "/hint?guess=RYGB", None, 400),
    ("GET", "/hint?history=[", None, 400),
    ("GET", "/candidates?count=0", None, 400),
    ("GET", "/candidates?count=many", None, 400),
    ("POST", "/candidates", {"history": [], "count": "3"}, 400),
    ("GET", "/score?RYGB", None, 400),
    ("GET", "/score?RYGB=1,1", None, 400),
    ("GET", "/score?RYGB=1,1&RYGB&PYRO", None, 400),
    ("GET", "/score?guess=RYGB&secret=XXXX", None, 400),
    ("DELETE", "/hint", None, 405),
    ("POST", "/", None, 405),
    ("OPTIONS", "/hint", None, 405),
    ("GET", "/etc/passwd", None, 404),
    ("GET", "/../../../../etc/passwd", None, 404),
    ("GET", "/%2e%2e/%2e%2e/etc/passwd", None, 404),
    ("GET", "//etc/passwd", None, 404),
    ("GET", "/hint/../info", None, 404),
    ("GET", "/hint%00", None, 404),
    ("GET", "http://127.0.0.1/hint", None, 404),
    ("GET", "file:///etc/passwd", None, 404),
    ("GET", "*", None, 404),
]  # fmt: skip


@pytest.mark.parametrize(("method", "target", "content", "status"), REFUSED)
def test_what_is_refused(
    client: Client, method: str, target: str, content: Any, status: int
) -> None:
    """A request that makes no sense gets its 4xx and one line of JSON that says why."""
    body = json.dumps(content).encode() if content is not None else None
    found, answer = client.ask(target, method, body)
    assert found == status
    assert set(answer) == {"error", "exit_code", "suspects"}
    assert answer["error"]
    assert "\n" not in answer["error"]
    assert "root:" not in answer["error"]


def test_an_inconsistent_history_names_its_suspects(client: Client) -> None:
    """The 422 says which entries to re-check, as the exception does."""
    status, answer = client.ask("/hint?RYGB=0,0&OOOO=1,0&RRRR=1,0")
    assert status == 422
    assert answer["suspects"] == [0, 2]


BODIES = [
    (b"", "found '', expected a JSON object"),
    (b"{", "found '{', expected a JSON object"),
    (b"\xff", "found a body that is not UTF-8"),
    (b'{"history": ["\xc3"]}', "found a body that is not UTF-8"),
    (b"1e999", "found inf, expected a JSON object"),
    (b"null", "found null, expected a JSON object"),
    (b'{"history": null}', "found null, expected guesses and feedbacks as text"),
    (b'{"history": [["RYGB", true]]}', "found true, expected guesses and feedbacks as text"),
    (b"[" * 16000, "found lists nested more than 8 deep"),
    (b'{"a":' * 2500 + b"1" + b"}" * 2500, "found lists nested more than 8 deep"),
    (b'{"history": [' + b"[" * 900 + b"]" * 900 + b"]}", "found lists nested more than 8 deep"),
    (b'{"history": [[["R", [[[[]]]]], 1]]}', "found code ['R', [[[[]]]]]"),
    (b'{"history": [9' + b"9" * 5000, "found a number with too many digits"),
    (b'{"history": [' + b"9" * 4000 + b"]}", "found 9999"),
    (b'{"history": ["' + b"=" * 16000 + b'"]}', "of 16,000 characters, expected GUESS=FEEDBACK of"),
    (b'{"history": [["RYGB", "1' + b" " * 16000 + b'x"]]}', "found feedback '1  "),
    (b'{"history": {}}', "found the history {}, expected a list of (guess, feedback) pairs"),
    (b'{"history": [], "history": 1}', "found the history 1, expected"),
    (b"{}", "found no history, expected one, such as"),
]


@pytest.mark.parametrize(("body", "said"), BODIES)
def test_bodies_that_make_no_sense(client: Client, body: bytes, said: str) -> None:
    """Broken, endless or endlessly nested JSON, and other types, are a 400 that says what it is."""
    status, answer = client.ask("/hint", "POST", body)
    assert status == 400
    assert said in answer["error"]
    assert len(answer["error"]) < 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("/hint?histroy=RYGB=1,1", "'histroy' for hint, which takes history; did you mean"),
        ("/hint?histroy=1", "'histroy' for hint, which takes history; did you mean history?"),
        ("/hint?guess=RYGB", "'guess' for hint, which takes history; ask explain or rate or"),
        ("/candidates?cout=3", "'cout' for candidates, which takes history, count; did you mean"),
        ("/rate?gues=YYYY", "'gues' for rate, which takes history, guess; did you mean guess?"),
        ("/score?guess=RYGB&secert=PYRO", "'secert' for score, which takes guess, secret; did you"),
        (f"/hint?{'=' * 9000}", "'' for hint, which takes history"),
        ("/hint?RYGB=1", "found feedback '1', which may be 1,0"),
        ("/hint?XYGB=1,1", "found 'X' in code 'XYGB'"),
    ],
)
def test_an_unknown_field_lists_those_there_are(client: Client, query: str, said: str) -> None:
    """What is neither a field of the question nor a guess is a 400 that names the fields."""
    status, answer = client.ask(query)
    assert (status, said in answer["error"]) == (400, True), answer


def test_a_rating_without_a_guess_says_where_to_put_it(client: Client) -> None:
    """A request of a query or of a body that names no guess to rate is told how to name one."""
    body = json.dumps({"history": ["RYGB=1,1"]}).encode()
    for asked in (("/rate",), ("/rate?RYGB=1,1",), ("/rate", "POST", body)):
        status, answer = client.ask(*asked)
        assert status == 400
        wanted = 'such as "guess": "RRRR" in JSON or /rate?guess=RRRR over HTTP'
        assert answer["error"] == f"found no guess, expected one, {wanted}"


def test_words_that_the_list_lacks() -> None:
    """A word that only the list lacks gets a hint, and what else is wrong with a history a 400."""
    words = ["crane", "slate", "trace", "geese", "light", "eight"]
    with running(plain_book(WordGame(words[3:], words))) as client:
        assert client.ask("/hint?zzzzz=00000")[0] == 200
        for wrong, said in {
            "zzzzz=0": "found feedback '0' for 1 letters",
            "hist=crane=00000": "found the field 'hist' for hint, which takes history",
            "zzzzz=00000&crane=3": "found feedback '3'",
            "zzzzzs=00000": "expected a word of 5 letters",
            "zzzzé=00000": "found 'é' in the guess 'zzzzé'",
        }.items():
            status, answer = client.ask(f"/hint?{quote(wrong, safe='=&')}")
            assert (status, said in answer["error"]) == (400, True), answer
        body = b'{"history": [["zzzzz", "00000"], 1]}'
        assert client.ask("/hint", "POST", body)[0] == 400
        assert client.ask("/rate?crane=00000&zzzzz")[0] == 200
        assert client.ask("/rate?crane=00000&zzzzzz")[0] == 400


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil", "10.0.0.1:80", ""]
)
def test_other_hosts(client: Client, host: str) -> None:
    """A name that only leads here (DNS rebinding) is refused."""
    error = f"found host {host!r}, expected localhost, 127.0.0.1 or [::1]"
    for path in ("/", "/hint", "/info"):
        answer = client.ask(path, host=host)
        assert answer == (400, {"error": error, "exit_code": 2, "suspects": []})


PATHS = "/, /info, /hint, /candidates, /explain, /rate, /score"
OF_HTTP = [
    ("GET", "/hint/", 404, f"found '/hint/', expected one of {PATHS}"),
    ("GET", "/info/", 404, f"found '/info/', expected one of {PATHS}"),
    ("GET", "/hint%0A", 404, rf"found '/hint\n', expected one of {PATHS}"),
    ("POST", "/info%0A", 404, rf"found '/info\n', expected one of {PATHS}"),
    ("GET", "/hints?RYGB=1,1", 404, f"found '/hints', expected one of {PATHS}"),
    ("GET", "/" + "x" * 9000, 404, f"found '/{'x' * 34}..., expected one of {PATHS}"),
    ("DELETE", "/hint", 405, "found 'DELETE' /hint, expected one of GET, HEAD, POST"),
    ("POST", "/info", 405, "found 'POST' /info, expected one of GET, HEAD"),
    ("X" * 99, "/", 405, f"found '{'X' * 35}... /, expected one of GET, HEAD"),
]


@pytest.mark.parametrize(("method", "target", "status", "said"), OF_HTTP)
def test_other_paths_and_methods(
    client: Client, method: str, target: str, status: int, said: str
) -> None:
    """Another path, one with a slash at its end too, and another method are told what there is."""
    assert client.ask(target, method) == (status, {"error": said, "exit_code": 2, "suspects": []})


def test_own_names(client: Client) -> None:
    """Every name of this machine's loopback is served, whatever the port (it may be forwarded)."""
    for host in ("localhost", "LOCALHOST:9", "127.0.0.1:8000", "[::1]:1"):
        assert client.ask("/info", host=host)[0] == 200


def test_other_pages(client: Client) -> None:
    """A page of another site can link to the page, but not make the server compute."""
    own = f"http://127.0.0.1:{client.port}"
    others = ("http://evil.example", "null", f"{own}.evil.example", "http://127.0.0.1:1")
    for path in ("/hint", "/candidates", "/explain"):
        assert client.ask(path, sec_fetch_site="cross-site")[0] == 403
        for origin in others:
            assert client.ask(path, "POST", b'{"history": []}', origin=origin)[0] == 403
        assert client.ask(path, sec_fetch_site="same-origin", origin=own)[0] == 200
    assert client.ask("/", sec_fetch_site="cross-site", origin="null") == (200, PAGE)


BOOKS = [plain_book(game) for game in (Mastermind(2, 3), WordGame(["ab", "ba"]), NUMBERS)]
texts = st.text("RYG12,=<>ab 0\ud800\0", max_size=8)
numbers = st.none() | st.booleans() | st.integers() | st.floats()
content = st.recursive(
    texts | numbers,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=12,
)
history = content | st.lists(st.tuples(texts, content), max_size=3)
bodies = content | st.fixed_dictionaries(
    {"history": history}, optional={"guess": content, "count": content}
)


@given(st.sampled_from(BOOKS), st.sampled_from(sorted(QUESTIONS)), bodies)
def test_any_body_is_read_or_refused(book: Book, name: str, body: object) -> None:
    """Whatever JSON a body holds, it is a question, or refused by the error that is a 400."""
    said = ""
    try:
        asked, _ = answer_at_once(book, name, json.dumps(body).encode(), True, 100)
    except UsageError as error:
        said = str(error)
    else:
        assert answer(book, name, asked).status in (200, 400, 422)
    assert len(said) < 300
