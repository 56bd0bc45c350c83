"""Pages that are the same for every guest are made once for all of them.

When a round of 2,000 ends, hundreds of guests a second look at lists of a thousand rows that change thirty times a
second. A page of theirs is made again only when the event has changed, and after a change of a single table not before
forty times as long has passed as making it took: no page takes more than a fortieth of a process, and while one guest's
request makes it the others are shown the page of before. What concerns more than a table, such as a posting, is never
late. Whoever is signed in gets a page of their own.
"""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from time import monotonic, perf_counter
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from events.queries.public_pages import Stamp, stamp_of

View = Callable[..., HttpResponse]
SHARE = 40  # of the time that a page takes to make, the time for which it stands
LONGEST_SECONDS = 15.0  # doors that close by the clock and not by a change
MOST_BYTES = 64 << 20
OF_A_PERSON = (settings.SESSION_COOKIE_NAME, "messages")
KEPT_HEADERS = ("Content-Type", "Cache-Control", "Vary", "Tiltyard-Keep", "Tiltyard-Keep-With")


@dataclass(frozen=True)
class Copy:
    """A page as it was made, plain and packed."""

    stamp: Stamp
    made_at: float
    seconds: float
    headers: dict[str, str]
    body: bytes
    packed: bytes

    def holds(self, stamp: Stamp) -> bool:
        """Whether the page may still be shown when the event is at ``stamp``."""
        age = monotonic() - self.made_at
        if age > LONGEST_SECONDS or not self.knows_rounds_of(stamp):
            return False
        return self.stamp == stamp or age < SHARE * self.seconds

    def knows_rounds_of(self, stamp: Stamp) -> bool:
        """Whether no more than a few tables have changed since."""
        return self.stamp.wide_version == stamp.wide_version

    def response(self, request: HttpRequest) -> HttpResponse:
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(self.packed if packs else self.body, headers=self.headers)
        if packs:
            response["Content-Encoding"] = "gzip"
        patch_vary_headers(response, ["Accept-Encoding"])
        return response


@dataclass
class Shelf:
    """The copies of this process, those last asked for last; the first leave when there are too many bytes."""

    copies: OrderedDict[tuple[Any, ...], Copy] = field(default_factory=OrderedDict)
    size: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    makers: dict[tuple[Any, ...], threading.Lock] = field(default_factory=dict)

    def get(self, key: tuple[Any, ...]) -> Copy | None:
        with self.lock:
            if key in self.copies:
                self.copies.move_to_end(key)
            return self.copies.get(key)

    def put(self, key: tuple[Any, ...], copy: Copy) -> None:
        with self.lock:
            self._remove(key)
            self.copies[key] = copy
            self.size += len(copy.body) + len(copy.packed)
            while self.size > MOST_BYTES:
                self._remove(next(iter(self.copies)))

    def maker(self, key: tuple[Any, ...]) -> threading.Lock:
        """Held by the one who makes the page that the others wait for."""
        with self.lock:
            return self.makers.setdefault(key, threading.Lock())

    def clear(self) -> None:
        with self.lock:
            self.copies.clear()
            self.makers.clear()
            self.size = 0

    def _remove(self, key: tuple[Any, ...]) -> None:
        if (old := self.copies.pop(key, None)) is not None:
            self.size -= len(old.body) + len(old.packed)
            self.makers.pop(key, None)


SHELF = Shelf()


def shared_by_guests(view: View) -> View:
    """For a page of an event that says the same to everybody who is not signed in. One query where a copy holds."""

    @wraps(view)
    def shared(request: HttpRequest, code: str) -> HttpResponse:
        if request.method != "GET" or any(cookie in request.COOKIES for cookie in OF_A_PERSON):
            return view(request, code)
        stamp = stamp_of(code)
        if stamp is None:
            raise Http404
        key = (code, request.get_host(), request.is_secure(), request.get_full_path(), "HX-Request" in request.headers)
        copy = SHELF.get(key)
        if copy is None or not copy.holds(stamp):
            maker = SHELF.maker(key)
            must_wait = copy is None or not copy.knows_rounds_of(stamp)
            if maker.acquire(blocking=must_wait):
                try:
                    copy = SHELF.get(key)  # somebody else may have made it meanwhile
                    if copy is None or not copy.holds(stamp):
                        began = perf_counter()
                        response = view(request, code)
                        if not _is_for_everybody(request, response):
                            return response
                        copy = _copy(response, stamp, perf_counter() - began)
                        SHELF.put(key, copy)
                finally:
                    maker.release()
        assert copy is not None  # who did not wait has one
        return copy.response(request)

    return shared


def _is_for_everybody(request: HttpRequest, response: HttpResponse) -> bool:
    is_token_in_it = "CSRF_COOKIE" in request.META
    return response.status_code == 200 and not response.streaming and not response.cookies and not is_token_in_it


def _copy(response: HttpResponse, stamp: Stamp, seconds: float) -> Copy:
    headers = {name: response[name] for name in KEPT_HEADERS if name in response}
    return Copy(stamp, monotonic(), seconds, headers, response.content, gzip.compress(response.content, 5))
