"""A notice as an e-mail in plain text, with a way to have no more of them."""

from __future__ import annotations

import contextlib
import smtplib
from collections.abc import Mapping

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from events.channels.answers import Refused, Undelivered, Unreachable


def send(
    *, connection: BaseEmailBackend, to: str, subject: str, text: str, key: str, headers: Mapping[str, str]
) -> None:
    """Hand the mail to the mail server. A repeat has the same Message-ID, by ``key``.

    Raises Refused, Unreachable, Undelivered.
    """
    _, _, host = settings.DEFAULT_FROM_EMAIL.rstrip(">").rpartition("@")
    message = EmailMessage(
        subject=" ".join(subject.split()),
        body=text,
        to=[to],
        connection=connection,
        headers={"Message-ID": f"<{key.replace(':', '.')}@{host}>", "Auto-Submitted": "auto-generated", **headers},
    )
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise Unreachable("The mail server can't be reached, or does not let us in.") from error
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        kind = Refused if code >= 500 else Undelivered
        raise kind(f"The mail server refused the address: {code} {_words(said)}.") from error
    except smtplib.SMTPResponseException as error:
        raise Undelivered(f"The mail server answered {error.smtp_code} {_words(error.smtp_error)}.") from error
    except TimeoutError as error:
        raise Unreachable("The mail server did not answer in time.") from error
    except (OSError, smtplib.SMTPException) as error:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            connection.close()  # the next mail opens a new one
        raise Undelivered("The mail server broke off.") from error
    except ValueError as error:
        raise Refused("The address can't be written to.") from error


def _words(said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:200].rstrip(".")
