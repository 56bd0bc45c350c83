"""Which pages a device may keep for when it has no network: the service worker keeps what says so, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse

HEADER, COMPANIONS = "Tiltyard-Keep", "Tiltyard-Keep-With"


def kept(response: HttpResponse, kind: str, *, companions: Sequence[str] = ()) -> HttpResponse:
    """Mark a page as one to keep until its address answers otherwise, it changes hands, or newer ones push it out.
    ``companions`` are addresses to keep with it, that mark themselves too. Whoever marks a page makes sure that it is
    for who asked: their own, or everybody's.
    """
    if response.status_code == 200:
        response[HEADER] = kind
        if companions:
            response[COMPANIONS] = " ".join(companions)
    return response
