"""Nothing is sent into a private network, whatever a stranger wrote, and nobody keeps us waiting."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest

from config.errors import DomainError
from events.channels import outward
from events.channels.answers import Refused, Unreachable


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",  # in the clear
        "ftp://hooks.example.org/",
        "file:///etc/passwd",
        "//hooks.example.org/",
        "hooks.example.org",
        "",
        "https://",
        "https://me:secret@hooks.example.org/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org/ x",
        "https://hooks.example.org/\r\nX: y",
        "https://hooks.example.org/é",
        "https://[::1/",
        "https://hooks.example.org/#part",
        "https://hooks.example.org/" + "a" * 500,
    ],
)
def test_an_address_that_is_not_whole_is_refused(url):
    with pytest.raises(DomainError) as refusal:
        outward.check_url(url)
    assert refusal.value.code == "address.form"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fc00::1]",
        "[::ffff:10.0.0.1]",
        "[2002:0a00:0001::]",
        "[64:ff9b::10.0.0.1]",
        "localhost",
        "intranet",
    ],
)
def test_an_address_in_a_private_network_is_refused(host):
    with pytest.raises(DomainError) as refusal:
        outward.check_url(f"https://{host}/hook")
    assert refusal.value.code == "address.private"


@pytest.mark.parametrize(
    "url", ["https://hooks.example.org/a?b=c", "https://8.8.8.8/", "https://[2606:4700::1111]:8443/"]
)
def test_a_public_address_is_taken(url):
    assert outward.check_url(url) == url


@pytest.mark.parametrize("written", ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"])
def test_a_name_that_means_a_private_address_is_not_sent_to(written):
    with pytest.raises(Refused, match="private network"):
        outward.post(f"https://{written}/", b"", {})


def test_a_name_with_one_private_address_among_public_ones_is_not_sent_to(monkeypatch):
    def both(host, port, **options):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (word, port)) for word in ("8.8.8.8", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(Refused, match="private network"):
        outward.post("https://hooks.example.org/", b"", {})


def test_a_redirect_is_not_followed(receiver):
    receiver.answer = lambda number: (302, {"Location": f"{receiver.url}/inside"}, b"")

    assert outward.post(receiver.url + "/hook", b"x", {}).status == 302
    assert [got.path for got in receiver.received] == ["/hook"]


def test_only_the_beginning_of_an_answer_is_read(receiver):
    receiver.answer = lambda number: (200, {}, b"a" * 100_000)

    assert outward.post(receiver.url, b"", {}).text == "a" * outward.LONGEST_ANSWER


def test_a_server_that_sends_a_letter_now_and_then_is_left_in_time(settings, monkeypatch):
    settings.ALLOW_PRIVATE_TARGETS = True
    monkeypatch.setattr(outward, "SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            client, _ = server.accept()
            with client:
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                try:
                    while True:
                        client.sendall(b"a")
                        time.sleep(0.1)
                except OSError:
                    return

        threading.Thread(target=drip, daemon=True).start()
        began = time.monotonic()
        # What came until then is an answer, or there is none: either way nobody waits for the rest.
        with contextlib.suppress(Unreachable):
            outward.post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", {})
        assert time.monotonic() - began < 3


def test_a_server_that_is_not_there_is_unreachable(settings):
    settings.ALLOW_PRIVATE_TARGETS = True
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(Unreachable, match="takes no connections"):
            outward.post(f"http://127.0.0.1:{unused.getsockname()[1]}/", b"", {})
