"""Real servers on this machine that take what the project sends: mail by SMTP, everything else by HTTP."""

from __future__ import annotations

import email
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class MailServer:
    """``answers`` decides by the receiver's address what RCPT is answered; "250 OK" without it."""

    port: int = 0
    mails: list[Message] = field(default_factory=list)
    connections: int = 0
    answers: Callable[[str], str] = lambda address: "250 OK"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    box = MailServer()

    class Handler(socketserver.StreamRequestHandler):
        def say(self, words: str) -> None:
            self.wfile.write(words.encode() + b"\r\n")

        def handle(self) -> None:
            box.connections += 1
            self.say("220 here")
            while line := self.rfile.readline():
                word = line.decode().strip()
                match word.upper().split(" ")[0].split(":")[0]:
                    case "EHLO" | "HELO" | "NOOP" | "RSET" | "MAIL":
                        self.say("250 OK")
                    case "RCPT":
                        self.say(box.answers(word.partition("<")[2].rstrip(">")))
                    case "DATA":
                        self.say("354 go on")
                        text = b""
                        while (part := self.rfile.readline()) not in (b".\r\n", b""):
                            text += part[1:] if part.startswith(b"..") else part
                        box.mails.append(email.message_from_bytes(text))
                        self.say("250 kept")
                    case "QUIT":
                        return self.say("221 bye")
                    case _:
                        self.say("500 what?")
            return None

    with _running(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as server:
        box.port = server.server_address[1]
        yield box


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class HttpServer:
    """``answer`` gives the status, headers and body for the n-th request from 0."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answer: Callable[[int], tuple[int, dict[str, str], bytes]] = lambda number: (200, {}, b"thanks")


@contextmanager
def http_server() -> Iterator[HttpServer]:
    box = HttpServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            box.received.append(Received(self.path, dict(self.headers.items()), body))
            status, headers, text = box.answer(len(box.received) - 1)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *words: Any) -> None:
            pass

    with _running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as server:
        box.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield box


@contextmanager
def _running(server: Any) -> Iterator[Any]:
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
