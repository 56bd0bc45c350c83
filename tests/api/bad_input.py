"""Bad input of every kind, and a digest that sees whether any of it changed something."""

from __future__ import annotations

import itertools
import json
import logging
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlencode

from django.db import connection
from django.test import Client

from tests.api.addresses import filled, own, routes
from tests.api.conftest import Site

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
T = TypeVar("T")
KEYS = itertools.count()

# Every name that some form, body or query of the site has; and names that none has.
WORDS = """
text q name page limit offset on day date version v game format policy template place capacity starts_at time_zone
legality_date decklist_deadline decklist_publication reason score wins losses draws wins_a wins_b turns match
match_version table round show by before from mend next pack pick card player token email role user display_name login
password password1 password2 remember action object_id id pk order sort re is_staff secret state points __proto__
shows game moves number ending winner first finished_by for_prizes permitted ended decided_by games
"""
NAMES = WORDS.split()
VALUES = [
    "",
    "abc",
    "-1",
    "0",
    "1.9",
    "9" * 23,
    "9" * 5000,
    "1e999",
    "NaN",
    "null",
    "true",
    "[]",
    "2026-02-30",
    "%s{{7*7}}",
]
VALUES += [
    "\u202e",
    "\u200b",
    "\uff11",
    "a" * 300,
    "((",
    "<script>",
    "../..",
    "=1+1",
    "-data__a__b",
    "0000-00-00T00:00",
]
WRONG = [None, True, 1.5, -1, 2**31, 10**17, "", "abc", "9" * 30, [], [1], {}, {"a": {"b": []}}, "2026-02-30T00:00:00Z"]


@dataclass(frozen=True)
class Row:
    """One bad request: what it says, apart from its address."""

    name: str
    method: str = "POST"
    body: bytes = b""
    content_type: str = FORM
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def _form(value: str, *, version: str) -> bytes:
    names = {name: value for name in NAMES if name != "version"}
    return urlencode({**names, "version": version, "idempotency_key": "KEY"}).encode()


def _json(value: object) -> bytes:
    return json.dumps({name: value for name in NAMES if name != "version"} | {"version": 10**14}).encode()


def rows() -> Iterator[Row]:
    for value in VALUES:
        yield Row(f"query {value[:20]!r}", "GET", query=urlencode(dict.fromkeys(NAMES, value))[:7_900])
    yield Row("query NUL", "GET", query="q=a%00b")
    yield Row("query Latin-1", "GET", query="q=%ff%fe&page=%ff")
    yield Row("query surrogate", "GET", query="q=%ed%a0%80")
    yield Row("query of 64 kB", "GET", query="q=" + "x" * 65_000)
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"):
        yield Row(method, method, body=b'{"id": 99}', content_type=JSON)
        yield Row(f"{method} of a form", method, body=b"id=99")
    for value in VALUES:
        yield Row(f"form of {value[:20]!r}", body=_form(value, version="9" * 15))
    yield Row("form with a wrong version", body=_form("1", version="abc"))
    yield Row("form with an empty version", body=b"version=&idempotency_key=")
    yield Row("empty form")
    yield Row("form with NUL", body=b"text=a%00b&name=%00&idempotency_key=KEY")
    yield Row("form in Latin-1", body=b"text=%ff&name=\xff&idempotency_key=KEY&version=%ff")
    yield Row("form with surrogate", body=b"text=%ed%a0%80&name=%ed%a0%80&version=%ed%a0%80")
    yield Row("form in a bogus charset", body=b"a=%41", content_type=FORM + "; charset=bogus")
    yield Row("form in hex", body=b"a=%41", content_type=FORM + "; charset=hex")
    yield Row("form of 1,001 fields", body=b"&".join(b"f%d=1" % number for number in range(1001)))
    yield Row("form of 3 MB", body=b"text=" + b"x" * 3_000_000)
    yield Row("multipart without boundary", body=b"--x\r\n", content_type="multipart/form-data")
    yield Row("multipart cut off", body=b'--x\r\nContent-Disposition: form-data; name="te', content_type=MULTIPART)
    yield Row(
        "multipart with a file",
        body=b'--x\r\nContent-Disposition: form-data; name="text"; filename="../../x\\0"\r\n\r\nPK\x03\r\n--x--\r\n',
        content_type=MULTIPART,
    )
    for wrong in WRONG:
        yield Row(f"JSON of {str(wrong)[:20]}", body=_json(wrong), content_type=JSON)
    for raw in (b"", b"[]", b'"x"', b"{", b"\xff", b'{"text": "\\u0000"}', b'{"name": "\\ud800"}', b'{"a": 1, "a": 2}'):
        yield Row(f"JSON {raw!r}", body=raw, content_type=JSON)
    yield Row("JSON nested 100,000 deep", body=b"[" * 100_000 + b"]" * 100_000, content_type=JSON)
    yield Row("JSON number of 5,000 digits", body=b'{"version": ' + b"9" * 5000 + b"}", content_type=JSON)
    yield Row("JSON NaN", body=b'{"version": NaN}', content_type=JSON)
    yield Row("JSON of 10 MB", body=b'{"text": "' + b"x" * 10_000_000 + b'"}', content_type=JSON)
    yield Row("JSON in a bogus charset", body=b"{}", content_type=JSON + "; charset=bogus")
    yield Row("JSON in gzip", body=b"\x1f\x8b", content_type=JSON, headers={"Content-Encoding": "gzip"})
    yield Row("XML", body=b"<a/>", content_type="text/xml")
    yield Row("Accept XML", "GET", headers={"Accept": "application/xml"})
    yield Row("Host", "GET", headers={"Host": "a b"})
    yield Row("method override", body=b'{"id": 99}', content_type=JSON, headers={"X-HTTP-Method-Override": "DELETE"})
    yield Row("cookie", "GET", headers={"Cookie": r'sessionid="aaaaaaaaaaaa\000b"; csrftoken="\000"'})


# What people change of their own without a version: "abc" is a fine display name, and a fine name of a deck.
OWN = ("django_session", "accounts_user", "account_emailaddress", "decks_deck", "decks_deckrevision")
ROWS = list(rows())
# Each address gets every STRIDE-th row, beginning elsewhere for each address and person, so that every row meets every
# kind of address. BAD_INPUT_STRIDE=1 sends them all, which takes minutes.
STRIDE = int(os.environ.get("BAD_INPUT_STRIDE", "8"))
BAD_VALUES = [
    "0",
    "-1",
    "9" * 23,
    "9" * 5000,
    str(2**31),
    str(2**63),
    "abc",
    "%00",
    "%ED%A0%80",
    "%EF%BC%91",
    "a" * 300,
]


def send(client: Client, address: str, row: Row) -> int:
    key = f"bad-input-{next(KEYS)}"
    response = client.generic(
        row.method,
        address + (f"?{row.query}" if row.query else ""),
        row.body.replace(b"KEY", key.encode()),
        content_type=row.content_type,
        headers={"Idempotency-Key": key, **row.headers},
    )
    text = b"" if response.streaming else response.content
    assert b"Traceback (most recent call last)" not in text
    return response.status_code


def state_of_everything() -> dict[str, str]:
    """A digest of every row of every table but OWN."""
    tables = [name for name in connection.introspection.table_names() if name not in OWN]
    digests = ", ".join(f"(SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {name} t)" for name in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {digests}")
        return dict(zip(tables, cursor.fetchone(), strict=True))


def stay_awake() -> None:
    """Services bound how long a transaction may be idle, and this test is one transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def some(rows: Sequence[T], route: str, who: str) -> Sequence[T]:
    return rows[zlib.crc32(f"{route} {who}".encode()) % STRIDE :: STRIDE]


def ours() -> list[str]:
    return [route for route in routes() if own(route) or route.startswith("account/")]


def send_everything(site: Site, who: str) -> tuple[list[tuple[int, str, str]], set[str]]:
    """Every row to every address of ours: what was answered with 500 or more, and the tables that changed."""
    client = site.clients[who]
    before = state_of_everything()
    errors = []
    logging.disable()  # or every refused request is kept with its body, to be shown if the test fails
    for route in ours():
        if route == "account/logout/":
            continue  # what it is for takes no input
        address = filled(route, site.values)
        stay_awake()
        for row in some(ROWS, route, who):
            if (status := send(client, address, row)) >= 500:
                errors.append((status, route, row.name))
    logging.disable(logging.NOTSET)
    return errors, {name for name, digest in state_of_everything().items() if before[name] != digest}
