"""How a request may be written: what the parser, the headers and the address refuse, each as a problem."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

CHECK = "/api/v1/check"
BODY = b'{"game": "epic", "format": "designed-deck", "text": ""}'
pytestmark = pytest.mark.usefixtures("packs", "db")


def problem(response, status: int) -> dict[str, object]:
    assert response.status_code == status, response.content[:500]
    assert response["Content-Type"].startswith("application/problem+json")
    body = json.loads(response.content)
    assert body["status"] == status
    assert {"type", "code", "detail", "context"} <= set(body)
    assert "Traceback" not in body["detail"]
    return body


def send(body: bytes, content_type: str = "application/json", **headers: str):
    return Client().generic("POST", CHECK, body, content_type=content_type, headers=headers)


def test_the_body_of_these_tests_is_accepted_as_it_stands() -> None:
    assert send(BODY).status_code == 200
    assert send(BODY, "application/json; charset=utf-8").status_code == 200
    assert send(BODY, 'application/json; charset="UTF-8"').status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"[1]",
        b'"text"',
        b"1",
        b"true",
        b"null",
        b"{",
        b"not json",
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf" + BODY,
        b'{"game": "\xed\xa0\x80"}',
        b'{"game": "\xc3\x28"}',
        b'{"game": "\\ud800"}',
        b'{"\\ud800": 1}',
        b'{"game": {"a": ["\\udfff"]}}',
        b'{"game": "a\\u0000b"}',
        b'{"a\\u0000b": 1}',
        b'{"game": "epic", "game": "epic"}',
        b'{"game": {"a": 1, "a": 1}}',
        b'{"game": NaN}',
        b'{"game": Infinity}',
        b'{"game": -Infinity}',
        b'{"game": 1e999}',
        b'{"game": -1e999}',
        b'{"game": ' + b"9" * 5000 + b"}",
        b'{"game": -' + b"1" + b"0" * 400 + b"}",
        b'{"game": 1' + b"0" * 400 + b".5}",
        b'{"game": ' + b"[" * 30 + b"]" * 30 + b"}",
        b'{"game": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a":' * 40_000 + b"1" + b"}" * 40_000,
    ],
    ids=lambda body: repr(body[:30]),
)
def test_a_body_that_is_no_plain_object_is_refused(body: bytes) -> None:
    problem(send(body), 400)


def test_an_empty_body_lacks_its_fields() -> None:
    assert set(problem(send(b""), 400)["fields"]) == {"game", "format", "text"}


@pytest.mark.parametrize("size", [256 * 1024 + 1, 10_000_000])
def test_a_body_over_the_limit_is_too_large(size: int) -> None:
    assert problem(send(b" " * size), 413)["code"] == "request.too_large"


def test_a_body_at_the_limit_is_read() -> None:
    assert send(BODY + b" " * (256 * 1024 - len(BODY))).status_code == 200


@pytest.mark.parametrize(
    "content_type",
    [
        "text/xml",
        "text/plain",
        "application/xml; charset=utf-8",
        "application/json; charset=bogus",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
        "application/json; charset=hex",
        "application/json; charset=rot13",
        "application/json;charset=idna",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=hex",
        "nonsense",
        "application/json, application/json",
    ],
)
@pytest.mark.parametrize("body", [BODY, b"a=%41&b=%ff"])
def test_another_type_or_charset_is_refused(content_type: str, body: bytes) -> None:
    assert problem(send(body, content_type), 415)["code"] == "request.media_type"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "nonsense"])
def test_a_compressed_body_is_refused(encoding: str) -> None:
    problem(send(BODY, **{"Content-Encoding": encoding}), 415)


@pytest.mark.parametrize("accept", ["application/xml", "text/html", "image/png", "nonsense/"])
def test_an_answer_that_is_not_json_can_not_be_had(accept: str) -> None:
    response = Client().get("/api/v1/events", headers={"Accept": accept})
    problem(response, 406)


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "CONNECT", "BREW"])
@pytest.mark.parametrize("path", ["/api/v1/events", "/api/v1/check", "/api/v1/me", "/api/v1/nothing"])
def test_a_method_that_nothing_has(method: str, path: str) -> None:
    response = Client().generic(method, path)
    problem(response, 405)
    assert "GET" in response["Allow"]
    assert Client().generic(method, "/").status_code == 405


def test_a_method_that_one_address_does_not_have() -> None:
    problem(Client().put("/api/v1/check"), 405)


def test_a_stranger_is_asked_to_sign_in() -> None:
    response = Client().get("/api/v1/me")
    assert problem(response, 401)["code"] == "request.not_signed_in"
    assert response["WWW-Authenticate"].startswith("Session ")


@pytest.mark.parametrize(
    "path",
    ["/api/v1/", "/api/v1/nothing", "/api/v1/events/nothing/at/all", "/api/v1/schema", "/api/v1/games/epic/cards/"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_an_address_that_there_is_not(path: str, method: str) -> None:
    problem(Client().generic(method, path), 404)


@pytest.mark.parametrize("host", ["a b", "evil.example", "localhost:port", "", "[::1", "local_host!"])
def test_a_host_that_is_not_ours(host: str) -> None:
    problem(Client().get("/api/v1/events", headers={"Host": host}), 400)
    assert Client().get("/", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("cookie", [r'"aaaaaaaaaaaa\000b"', "x" * 8000, r'"\377\376"', "\ud800", "a" * 32])
@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "messages"])
def test_a_cookie_that_we_never_set(name: str, cookie: str) -> None:
    for path in ("/api/v1/events", "/"):
        response = Client().get(path, HTTP_COOKIE=f"{name}={cookie}".encode("utf-8", "surrogatepass").decode("latin-1"))
        assert response.status_code == (400 if "\\000" in cookie else 200)


@pytest.mark.parametrize("query", ["a=%00", "%00=a", "limit=%00", "limit=%ff", "limit=1&limit=abc", "a=%ed%a0%80"])
def test_a_query_that_can_not_be_read(query: str) -> None:
    response = Client().get(f"/api/v1/events?{query}")
    assert response.status_code in (200, 400)
    if "%00" in query or "limit" in query:
        problem(response, 400)


@pytest.mark.parametrize("path", ["/api/v1/events/%00", "/api/v1/events/a%00b/rounds"])
def test_an_address_with_nul(path: str) -> None:
    problem(Client().get(path), 400)


@pytest.mark.parametrize("number", ["9" * 23, "9" * 5000, str(2**31), str(2**63), "0", "-1", "1.5", "abc", "%EF%BC%91"])
@pytest.mark.parametrize("path", ["rounds/{}", "rounds/{}/matches", "rounds/{}/standings", "players/{}/decklist"])
def test_an_id_of_nothing(path: str, number: str, make_event) -> None:
    code = make_event(players=2).event.code
    problem(Client().get(f"/api/v1/events/{code}/{path.format(number)}"), 404)


def test_the_document_of_the_api_is_complete_and_valid() -> None:
    """In a process of its own: components are collected once for each."""
    done = subprocess.run(
        [sys.executable, "manage.py", "spectacular", "--fail-on-warn", "--validate", "--format", "openapi-json"],
        cwd=Path(settings.BASE_DIR),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            problems = {status for status in operation["responses"] if status >= "400"}
            assert {"400", "406"} <= problems, (method, path)
            if path.startswith("/api/v1/events"):
                assert operation["description"], (method, path)
            for status in problems:
                assert set(operation["responses"][status]["content"]) == {"application/problem+json"}


def test_the_document_is_served() -> None:
    response = Client().get("/api/v1/schema/")
    assert response.status_code == 200
    assert b"Idempotency-Key" in response.content
