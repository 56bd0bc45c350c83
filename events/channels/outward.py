"""HTTP to addresses that strangers gave us: never into our own network, never for long, never further than asked.

The name is resolved once, every address that it has must be public, and the connection goes to the address that was
looked at; resolving again at the connection would let a name change its mind in between.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from config.errors import DomainError
from events.channels.answers import Refused, Unreachable

SECONDS = 5.0
LONGEST_ANSWER = 2_000
LONGEST_URL = 500


@dataclass(frozen=True)
class Answer:
    """``text`` is the beginning of the body, for people to read."""

    status: int
    text: str


def check_url(url: str, *, longest: int = LONGEST_URL) -> str:
    """``url``, if it is an address that we may send to as far as its text says. No network.

    Raises DomainError "address.form", "address.private".
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, SplitResult("", "", "", "", "")
    schemes = ("https", "http") if settings.ALLOW_PRIVATE_TARGETS else ("https",)
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= longest
    if (
        not plain
        or not host
        or port == 0
        or parts.scheme not in schemes
        or parts.username is not None
        or parts.fragment
    ):
        raise DomainError("address.form", "Write a whole address that begins with https://, without a login in it.")
    with contextlib.suppress(ValueError):
        if not _may_reach(ipaddress.ip_address(host)):
            raise DomainError("address.private", "This address lies in a private network: nothing is sent there.")
    if not settings.ALLOW_PRIVATE_TARGETS and (host == "localhost" or "." not in host.strip(".") and ":" not in host):
        raise DomainError("address.private", "This name means something in a private network only.")
    return url


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send ``body`` and read the beginning of the answer, within five seconds. Redirects are answers like others.

    Raises Refused (the address lies in a private network), Unreachable.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = _Pinned(host, port, _public_address(host, port), encrypted=parts.scheme == "https")
    try:
        with _cut_off_in_time(connection):
            connection.request("POST", path, body, {"User-Agent": "Tiltyard", **headers})
            response = connection.getresponse()
            text = response.read(LONGEST_ANSWER).decode("utf-8", "replace")
            return Answer(response.status, text)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(_why(host, error)) from error
    finally:
        connection.close()


def _may_reach(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if settings.ALLOW_PRIVATE_TARGETS:
        return True
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    if inner is None and isinstance(address, ipaddress.IPv6Address) and address in _NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return _may_reach(inner)
    return address.is_global and not address.is_multicast


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _public_address(host: str, port: int) -> str:
    """Raises Refused where any address of the host is not public, Unreachable where it has none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"The name {host} is not known.") from error
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(_may_reach(ipaddress.ip_address(word.partition("%")[0])) for word in addresses):
        raise Refused(f"{host} lies in a private network: nothing is sent there.")
    return addresses[0]


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was looked at, which still greets the host by its name."""

    def __init__(self, host: str, port: int, address: str, *, encrypted: bool) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self.default_port = 443 if encrypted else 80
        self.opened: socket.socket | None = None  # http.client forgets it once the body is all that is left
        self._address = address
        self._context = ssl.create_default_context() if encrypted else None

    def connect(self) -> None:
        self.sock = self.opened = socket.create_connection((self._address, self.port), SECONDS)
        if self._context is not None:
            self.sock = self.opened = self._context.wrap_socket(self.sock, server_hostname=self.host)


@contextlib.contextmanager
def _cut_off_in_time(connection: _Pinned) -> Iterator[None]:
    """The timeout of a socket is for each read; a server that sends a letter now and then would hold us for hours."""

    def cut() -> None:
        if connection.opened is not None:
            with contextlib.suppress(OSError):
                connection.opened.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(SECONDS, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _why(host: str, error: Exception) -> str:
    match error:
        case ssl.SSLError():
            return f"The encryption of {host} is not right: {error.reason or 'no certificate that we trust'}."
        case TimeoutError():
            return f"{host} did not answer within {SECONDS:.0f} seconds."
        case ConnectionRefusedError():
            return f"{host} takes no connections."
        case _:
            return f"{host} broke the connection off, or did not answer within {SECONDS:.0f} seconds."
