"""The receiving side of web push, written from RFC 8188 and RFC 8291 and not from our sender."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


class Browser:
    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None, secret: bytes | None = None) -> None:
        self.private = private or ec.generate_private_key(ec.SECP256R1())
        self.secret = secret or os.urandom(16)
        form = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.point = self.private.public_key().public_bytes(*form)

    @property
    def p256dh(self) -> str:
        return encoded(self.point)

    @property
    def auth(self) -> str:
        return encoded(self.secret)

    def opens(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        sender = body[21 : 21 + length]
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        agreed = _mac(_mac(self.secret, shared), b"WebPush: info\x00" + self.point + sender + b"\x01")
        material = _mac(salt, agreed)
        key = _mac(material, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = _mac(material, b"Content-Encoding: nonce\x00\x01")[:12]
        text = AESGCM(key).decrypt(nonce, body[21 + length :], None)
        return text.rstrip(b"\x00").removesuffix(b"\x02")

    def reads(self, body: bytes) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.opens(body))
        return read
