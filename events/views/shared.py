"""Pages that are the same for every guest are made once for all of them, by one process for the others.

When a round of 2,000 ends, hundreds of guests a second look at lists of a thousand rows that change thirty times a
second. A page of theirs is made again only when the event has changed, and after a change of a single table not before
forty times as long has passed as making it took: no page takes more than a fortieth of a core. What takes long is
made by the worker, so that nobody who reports a result stands behind it; meanwhile guests are shown the page of before.
What concerns more than a table, such as a posting, is never late. Whoever is signed in gets a page of their own, and in
it, where it is long, the part that guests are shown.
"""

from __future__ import annotations

import gzip
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from time import thread_time, time
from typing import Any
from urllib.parse import unquote_to_bytes

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError
from redis import RedisError

from events.queries.public_pages import Stamp, stamp_of

Respond = Callable[[HttpRequest], HttpResponse]
Key = tuple[Any, ...]
SHARE = 40  # of a core's time that a page takes to make, the time for which it stands
LONGEST_SECONDS = 15.0  # doors that close by the clock and not by a change
LONGEST_OF_ROUNDS = 60.0
LARGE_BYTES = 200_000  # what is longer takes a tenth of a second and more: it is the worker's
LATEST_SECONDS = 2 * LONGEST_OF_ROUNDS  # by then the worker has had its time
OF_ROUNDS = "Tiltyard-Of-Rounds"  # said by a view to us, and to nobody else
MAKING_SECONDS = 30  # no longer is a process waited for that died while it made a page
MOST_BYTES = 64 << 20
OF_A_PERSON = (settings.SESSION_COOKIE_NAME, "messages")
SHARED = re.compile(r"/e/(?P<code>[-\w]+)/(?:(?P<version>version)|(?:(?:pairings|standings|bracket|players|info)/)?)")
KNOWN_QUERY = re.compile(r"(?:round=[0-9]{1,3})?(?:&?by=(?:name|table))?")  # as in our links: so many pages, no more
PART = re.compile(r'data-version="(?P<version>[0-9]+)".*?<!--part-->(?P<part>.*)<!--/part-->', re.DOTALL)
FOR_THE_SHELF = "tiltyard.for_the_shelf"  # in the META of a request: no client can put it there
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Copy:
    """A page as it was made, packed."""

    stamp: Stamp
    made_at: float
    seconds: float
    headers: dict[str, str]
    size: int
    packed: bytes
    is_of_rounds: bool

    def holds(self, stamp: Stamp) -> bool:
        """Whether the page may still be shown when the event is at ``stamp``."""
        if not self.knows_rounds_of(stamp):
            return False
        age = time() - self.made_at
        if self.is_of_rounds:
            return age <= LONGEST_OF_ROUNDS
        is_newest = self.stamp == stamp and age <= LONGEST_SECONDS
        return is_newest or age < min(SHARE * self.seconds, LONGEST_OF_ROUNDS)

    @property
    def is_for_the_worker(self) -> bool:
        """Whether it takes too long for a request, and may still be shown for a while."""
        return self.size > LARGE_BYTES and time() - self.made_at < LATEST_SECONDS

    def knows_rounds_of(self, stamp: Stamp) -> bool:
        """Whether no more than a few tables have changed since."""
        return self.stamp.wide_version == stamp.wide_version

    def response(self, request: HttpRequest) -> HttpResponse:
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        body = self.packed if packs else gzip.decompress(self.packed)
        response = HttpResponse(body, headers={**self.headers, "Content-Length": str(len(body))})
        if packs:
            response["Content-Encoding"] = "gzip"
        patch_vary_headers(response, ["Accept-Encoding"])
        return response


@dataclass
class Shelf:
    """The copies of this process, those last asked for last; the first leave when there are too many bytes."""

    copies: OrderedDict[Key, Copy] = field(default_factory=OrderedDict)
    size: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    makers: dict[Key, threading.Lock] = field(default_factory=dict)

    def get(self, key: Key) -> Copy | None:
        with self.lock:
            if key in self.copies:
                self.copies.move_to_end(key)
            return self.copies.get(key)

    def put(self, key: Key, copy: Copy) -> None:
        with self.lock:
            self._remove(key)
            self.copies[key] = copy
            self.size += len(copy.packed)
            while self.size > MOST_BYTES:
                self._remove(next(iter(self.copies)))

    def maker(self, key: Key) -> threading.Lock:
        """Held by the one who makes the page that the others wait for."""
        with self.lock:
            return self.makers.setdefault(key, threading.Lock())

    def clear(self) -> None:
        with self.lock:
            self.copies.clear()
            self.makers.clear()
            self.size = 0

    def _remove(self, key: Key) -> None:
        if (old := self.copies.pop(key, None)) is not None:
            self.size -= len(old.packed)
            self.makers.pop(key, None)


SHELF = Shelf()


class ShareWithGuests:
    """One query for a page that is there. Stands before everything that asks who somebody is: nothing of it matters."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        found = SHARED.fullmatch(request.path_info)
        if found is None or not _is_of_a_guest(request):
            return _as_made(self.get_response(request))
        if found["version"]:
            return version(request, found["code"])
        stamp = stamp_of(found["code"])
        if stamp is None:
            return self.get_response(request)
        key = (request.get_host(), request.is_secure(), request.get_full_path(), "HX-Request" in request.headers)
        if FOR_THE_SHELF in request.META:
            return self._made(key, request, stamp)[0]
        copy = SHELF.get(key)
        if copy is not None and copy.holds(stamp):
            return copy.response(request)
        return self._newest(key, request, stamp, copy if copy is not None and copy.knows_rounds_of(stamp) else None)

    def _newest(self, key: Key, request: HttpRequest, stamp: Stamp, late: Copy | None) -> HttpResponse:
        """The page as somebody else has made it meanwhile, or as it is made now; ``late`` while somebody makes it."""
        maker, copy = SHELF.maker(key), None
        if maker.acquire(blocking=late is None):
            try:
                copy = _made_meanwhile(key, stamp)
                if copy is None:
                    with _makes_it(key, late) as is_ours:
                        if is_ours:
                            response, copy = self._made(key, request, stamp)
                            if copy is None:
                                return response
            finally:
                maker.release()
        newest = copy or late
        assert newest is not None  # who has none makes it
        return newest.response(request)

    def _made(self, key: Key, request: HttpRequest, stamp: Stamp) -> tuple[HttpResponse, Copy | None]:
        """The page, and the copy that is kept of it if it is for everybody."""
        began = thread_time()
        response = self.get_response(request)
        if not _is_for_everybody(request, response):
            return _as_made(response), None
        copy = _copy(response, stamp, thread_time() - began)
        SHELF.put(key, copy)
        with _without_the_cache():
            cache.set(_name(key), copy, LONGEST_OF_ROUNDS)
        return _as_made(response), copy


@require_safe
def version(request: HttpRequest, code: str) -> HttpResponse:
    """What pages ask while the live feed is away. One query."""
    stamp = stamp_of(code)
    if stamp is None:
        raise Http404
    etag = f'"{stamp.version}"'
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")]
    response: HttpResponse = HttpResponseNotModified() if etag in known else JsonResponse({"version": stamp.version})
    response["Content-Length"] = str(len(response.content))
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    return response


def as_guests_see(request: HttpRequest, *, own_row: str) -> dict[str, Any]:
    """What a page of somebody who is signed in shows instead of a long part of its own: that of guests, with the row of
    that id marked as theirs. Empty where guests would be shown something else."""
    if KNOWN_QUERY.fullmatch(request.META.get("QUERY_STRING", "")) is None:
        return {}
    guests = _guest_request(request.get_host(), request.is_secure(), request.get_full_path(), True)
    made = _site().get_response(guests)
    found = PART.search(made.content.decode()) if isinstance(made, HttpResponse) and made.status_code == 200 else None
    if found is None:
        return {}
    part = found["part"]
    if own_row:
        part = part.replace(f'id="{own_row}" class="', f'id="{own_row}" class="is-you ', 1)
    # It comes out of our own template, which has escaped what others wrote.
    shown = {"part": mark_safe(part), "version_shown": int(found["version"])}  # noqa: S308
    return {**shown, "fragment": "events/_as_guests_see.html"}


def make_for_guests(key: Key) -> None:
    """Make a page anew, in the worker, as the site answers somebody who is not signed in."""
    try:
        request = _guest_request(*key)
        request.META[FOR_THE_SHELF] = True
        _site().get_response(request)
    finally:
        with _without_the_cache():
            cache.delete(f"{_name(key)}:making")


@lru_cache(maxsize=1)
def _site() -> WSGIHandler:
    return WSGIHandler()


def _guest_request(host: str, is_secure: bool, path: str, is_part: bool) -> HttpRequest:
    address, _, query = path.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": unquote_to_bytes(address).decode("latin-1"),  # as WSGI has it
        "QUERY_STRING": query,
        "HTTP_HOST": host,
        "SERVER_NAME": host,
        "SERVER_PORT": "443" if is_secure else "80",
        "wsgi.url_scheme": "https" if is_secure else "http",
        "wsgi.input": BytesIO(),
    }
    if settings.SECURE_PROXY_SSL_HEADER is not None and is_secure:
        header, value = settings.SECURE_PROXY_SSL_HEADER
        environ[header] = value
    if is_part:
        environ["HTTP_HX_REQUEST"] = "true"
    return WSGIRequest(environ)


def _is_of_a_guest(request: HttpRequest) -> bool:
    """Whether somebody who is not signed in reads what our links lead to."""
    is_guest = request.method == "GET" and not any(cookie in request.COOKIES for cookie in OF_A_PERSON)
    return is_guest and KNOWN_QUERY.fullmatch(request.META.get("QUERY_STRING", "")) is not None


def _as_made(response: HttpResponse) -> HttpResponse:
    """What a view said to us alone is taken off."""
    if OF_ROUNDS in response:
        del response[OF_ROUNDS]
    return response


def _made_meanwhile(key: Key, stamp: Stamp) -> Copy | None:
    """What holds and was made since the request looked, here or by another process."""
    copy = SHELF.get(key)
    if copy is not None and copy.holds(stamp):
        return copy
    with _without_the_cache():
        copy = cache.get(_name(key))
        if copy is not None and copy.holds(stamp):
            SHELF.put(key, copy)
            return copy
    return None


@contextmanager
def _makes_it(key: Key, late: Copy | None) -> Iterator[bool]:
    """Whether this request makes the page. While another or the worker does, ``late`` is shown, where there is one."""
    making, is_ours = f"{_name(key)}:making", True
    if late is not None:
        with _without_the_cache():
            is_ours = bool(cache.add(making, 1, MAKING_SECONDS))
        if is_ours and late.is_for_the_worker and _is_asked_for(key):
            is_ours = False
    try:
        yield is_ours
    finally:
        if is_ours:
            with _without_the_cache():
                cache.delete(making)


def _is_asked_for(key: Key) -> bool:
    """Whether the worker has been asked to make the page: not where the queue is away."""
    try:
        current_app.send_task("events.tasks.make_page_for_guests", [list(key)], retry=False)
    except OperationalError:
        return False
    return True


def _name(key: Key) -> str:
    return f"page:{sha256(repr(key).encode()).hexdigest()}"


@contextmanager
def _without_the_cache() -> Iterator[None]:
    """Every process makes its own pages then."""
    try:
        yield
    except RedisError:
        log.warning("Pages are not shared between processes: the cache is away.", exc_info=True)


def of_rounds(response: HttpResponse) -> HttpResponse:
    """Say of a page that a single table changes nothing on it, nor the clock."""
    response[OF_ROUNDS] = "1"
    return response


def _is_for_everybody(request: HttpRequest, response: HttpResponse) -> bool:
    is_token_in_it = "CSRF_COOKIE" in request.META
    return response.status_code == 200 and not response.streaming and not response.cookies and not is_token_in_it


def _copy(response: HttpResponse, stamp: Stamp, seconds: float) -> Copy:
    kept = {name: value for name, value in response.items() if name not in ("Content-Length", OF_ROUNDS)}
    body = response.content
    return Copy(stamp, time(), seconds, kept, len(body), gzip.compress(body, 5), OF_ROUNDS in response)
