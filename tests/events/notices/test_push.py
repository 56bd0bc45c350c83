"""Push notices by the standards' own examples."""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.core.management import call_command

from config.errors import DomainError
from events.channels import push
from events.channels.answers import Refused
from tests.events.notices.browsers import Browser, decoded

# RFC 8291, section 5 and appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SENT = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), ec.SECP256R1())


def test_the_published_example_is_encrypted_to_the_letter():
    browser = Browser(private(RECEIVER), decoded(SECRET))
    body = push.encrypt(TEXT, browser.point, browser.secret, salt=decoded(SALT), sender=private(SENDER))

    assert body == decoded(SENT)
    assert browser.opens(body) == TEXT


def test_the_push_service_can_tell_who_sends(receiver, settings):
    settings.VAPID_SUBJECT = "mailto:desk@example.org"
    browser = Browser()
    push.send(
        endpoint=f"{receiver.url}/p/1", p256dh=browser.p256dh, auth=browser.auth, message={"a": 1}, topic="the-key"
    )

    (got,) = receiver.received
    words = dict(part.split("=", 1) for part in got.headers["Authorization"].removeprefix("vapid ").split(", "))
    assert words["k"] == push.public_key()
    head, claims, signed = words["t"].split(".")
    number = decoded(signed)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(words["k"]))
    der = encode_dss_signature(int.from_bytes(number[:32], "big"), int.from_bytes(number[32:], "big"))
    point.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    said = json.loads(decoded(claims))
    assert (said["aud"], said["sub"]) == (receiver.url, "mailto:desk@example.org")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    assert len(got.headers["Topic"]) <= 32


def test_a_drawn_key_is_one_that_the_setting_takes(settings, capsys):
    call_command("make_push_key")
    name, _, value = capsys.readouterr().out.strip().partition("=")
    settings.VAPID_PRIVATE_KEY = value

    assert (name, len(decoded(push.public_key()))) == ("VAPID_PRIVATE_KEY", 65)


def test_without_a_key_nothing_is_pushed(settings):
    settings.EMBEDDED, settings.VAPID_PRIVATE_KEY = False, ""

    assert push.public_key() == ""
    with pytest.raises(Refused, match="VAPID_PRIVATE_KEY"):
        push.send(endpoint="https://push.example/1", p256dh="", auth="", message={}, topic="")


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [("", ""), ("BTBZMqHH6r4Tts7J_aSIgg", SECRET), ("ä", SECRET), (Browser().p256dh, "short"), ("A" * 87, SECRET)],
    ids=["none", "short key", "no letters of base64", "short secret", "off the curve"],
)
def test_keys_that_are_none_are_refused(p256dh, auth):
    with pytest.raises(DomainError, match="not the keys"):
        push.check_keys(p256dh, auth)
