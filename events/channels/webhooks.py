"""What is new in an event, for a program of the organiser's: JSON, signed so that the program knows who sends it."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Any

from events.channels.answers import Undelivered
from events.channels.outward import Answer, post

SHORTEST_SECRET, LONGEST_SECRET = 16, 64
SIGNATURE = "Tiltyard-Signature"


def signature(secret: str, moment: int, body: bytes) -> str:
    """ "t=1764561600,v1=<hex>": HMAC-SHA256 over "<t>." and the body. A receiver refuses a ``t`` that is long past."""
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={signed}"


def send(*, url: str, secret: str, key: str, message: dict[str, Any]) -> Answer:
    """Post the message; the answer, which is 2xx.

    Raises Refused, Unreachable, and Undelivered for every other answer, a redirect too.
    """
    body = json.dumps(message, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        SIGNATURE: signature(secret, int(time.time()), body),
    }
    answer = post(url, body, headers)
    if not 200 <= answer.status < 300:
        raise Undelivered(answer_words(answer))
    return answer


def answer_words(answer: Answer) -> str:
    """For the organiser: status and the beginning of what was said."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in answer.text).split())
    return f"Answered {answer.status}: {text}"[:300] if text else f"Answered {answer.status}."
