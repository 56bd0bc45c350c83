"""Web push: a notice for one browser, encrypted for it alone (RFC 8291, RFC 8188), signed with our key (RFC 8292)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import time
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from config.errors import DomainError
from events.channels.answers import Gone, Refused, Undelivered, Unreachable
from events.channels.outward import post

KEPT_SECONDS = 1800  # by the push service, for a browser that is not there; a pairing is of no use after that
TOKEN_SECONDS = 12 * 3600
RECORD_SIZE = 4096
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Raises ValueError."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("not base64url") from error


def new_key() -> str:
    """A private key for the setting VAPID_PRIVATE_KEY."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64url(number.to_bytes(32, "big"))


def own_key() -> ec.EllipticCurvePrivateKey | None:
    """None where push is not set up. A private machine has a key that follows from its secret."""
    if settings.VAPID_PRIVATE_KEY:
        number = int.from_bytes(from_base64url(settings.VAPID_PRIVATE_KEY), "big")
    elif settings.EMBEDDED:
        digest = hashlib.sha256(b"push:" + settings.SECRET_KEY.encode()).digest()
        number = int.from_bytes(digest, "big") % (CURVE_ORDER - 1) + 1
    else:
        return None
    return ec.derive_private_key(number, ec.SECP256R1())


def public_key() -> str:
    """What a browser needs to subscribe, base64url; empty where push is not set up."""
    key = own_key()
    return "" if key is None else base64url(key.public_key().public_bytes(*POINT))


def check_keys(p256dh: str, auth: str) -> None:
    """Raises DomainError "push.keys" unless these are a point of the curve and a secret of 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(p256dh))
        right = len(from_base64url(auth)) == 16 and len(p256dh) <= 88 and len(auth) <= 24
    except ValueError:
        right = False
    if not right:
        raise DomainError("push.keys", "These are not the keys of a browser's subscription.")


def send(*, endpoint: str, p256dh: str, auth: str, message: dict[str, Any], topic: str) -> None:
    """Hand a notice to the browser's push service. One with the same ``topic`` that still waits there is replaced.

    Raises Gone (the browser has ended the subscription), Refused, Unreachable, Undelivered.
    """
    key = own_key()
    if key is None:
        raise Refused("Push is not set up here: it needs the setting VAPID_PRIVATE_KEY.")
    text = json.dumps(message, ensure_ascii=False).encode()
    headers = {
        "Authorization": f"vapid t={_token(key, endpoint)}, k={public_key()}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT_SECONDS),
        "Topic": base64url(hashlib.sha256(topic.encode()).digest())[:32],
        "Urgency": "high",
    }
    answer = post(endpoint, encrypt(text, from_base64url(p256dh), from_base64url(auth)), headers)
    if 200 <= answer.status < 300:
        return
    said = f"The push service answered {answer.status}."
    match answer.status:
        case 404 | 410:
            raise Gone("The browser takes no notices any more.")
        case 429:
            raise Unreachable(said)
        case 400 | 401 | 403 | 413:
            raise Refused(said)
        case _:
            raise Undelivered(said)


def encrypt(text: bytes, receiver: bytes, secret: bytes, *, salt: bytes | None = None, sender: Any = None) -> bytes:
    """One record of aes128gcm for the browser with public point ``receiver`` and ``secret``. ``salt`` and ``sender``
    (a private key) are drawn anew for each message; only the published example names them."""
    salt = os.urandom(16) if salt is None else salt
    own = ec.generate_private_key(ec.SECP256R1()) if sender is None else sender
    point = own.public_key().public_bytes(*POINT)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    seed = _derive(shared, secret, b"WebPush: info\0" + receiver + point, 32)
    key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(point)]) + point
    return header + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def _derive(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def _token(key: ec.EllipticCurvePrivateKey, endpoint: str) -> str:
    """Says to the push service who we are, for half a day and for it alone."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + TOKEN_SECONDS,
        "sub": settings.VAPID_SUBJECT,
    }
    head, body = ({"typ": "JWT", "alg": "ES256"}, claims)
    signed = ".".join(base64url(json.dumps(part, separators=(",", ":")).encode()) for part in (head, body))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{signed}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
