"""What an account wants to be told, and which of its browsers show it."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from config.errors import Conflict, DomainError, NotFound
from events.channels.outward import check_url
from events.channels.push import check_keys, public_key
from events.models import Channel, Delivery, Event, MutedEvent, Notice, NoticeChoice, PushSubscription
from events.queries.notices import DEFAULTS, WAYS

LONGEST_ENDPOINT = 1000
MOST_BROWSERS = 20


def choose_notices(*, user_id: int, wanted: Collection[tuple[str, str]]) -> None:
    """Want exactly these pairs of kind and channel, by e-mail and push. What still waits and is not wanted any more is
    not sent. Raises DomainError "notice.unknown"."""
    known = {(str(kind), str(channel)) for kind in Notice for channel in WAYS}
    if unknown := sorted(set(wanted) - known):
        raise DomainError("notice.unknown", "There is no such notice.", {"unknown": [list(pair) for pair in unknown]})
    otherwise = [
        NoticeChoice(user_id=user_id, kind=kind, channel=channel, wanted=(kind, channel) in wanted)
        for kind, channel in sorted(known)
        if ((kind, channel) in wanted) != (Notice(kind) in DEFAULTS[Channel(channel)])
    ]
    with transaction.atomic():
        NoticeChoice.objects.filter(user=user_id).delete()
        NoticeChoice.objects.bulk_create(otherwise, ignore_conflicts=True)
        waiting = Delivery.objects.filter(player__user=user_id, state__in=Delivery.UNSENT)
        for channel in WAYS:
            unwanted = [kind for kind, way in known - set(wanted) if way == channel]
            waiting.filter(channel=channel, kind__in=unwanted).delete()


def stop_mail(*, user_id: int) -> None:
    """No more e-mails of any kind; other ways stay as they are."""
    with transaction.atomic():
        for kind in Notice.values:
            NoticeChoice.objects.update_or_create(
                user_id=user_id, kind=kind, channel=Channel.EMAIL, defaults={"wanted": False}
            )
        waiting = Delivery.objects.filter(player__user=user_id, state__in=Delivery.UNSENT)
        waiting.filter(channel=Channel.EMAIL).delete()


def mute_event(*, user_id: int, code: str, muted: bool) -> None:
    """Be told nothing of an event that one plays in, or be told again. Raises NotFound "event.unknown"."""
    event = Event.objects.filter(code=code, players__user=user_id).first()
    if event is None:
        raise NotFound("event.unknown", "You are in no such event.")
    with transaction.atomic():
        if muted:
            MutedEvent.objects.get_or_create(user_id=user_id, event=event)
            Delivery.objects.filter(event=event, player__user=user_id, state__in=Delivery.UNSENT).delete()
        else:
            MutedEvent.objects.filter(user=user_id, event=event).delete()


def subscribe_browser(*, user_id: int, endpoint: str, p256dh: str, auth: str) -> None:
    """Show notices in a browser, by what it says of itself. A browser that somebody else used shows theirs no longer;
    the same one once more changes nothing.

    Raises DomainError "address.form", "address.private", "push.keys", Conflict "push.off", "push.too_many".
    """
    if not public_key():
        raise Conflict("push.off", "Notices in the browser are not set up on this site.")
    check_url(endpoint, longest=LONGEST_ENDPOINT)
    check_keys(p256dh, auth)
    others = PushSubscription.objects.filter(user=user_id).exclude(endpoint=endpoint)
    if others.count() >= MOST_BROWSERS:
        raise Conflict("push.too_many", f"{MOST_BROWSERS} browsers show your notices. End it in one that is not used.")
    PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults={"user_id": user_id, "p256dh": p256dh, "auth": auth}
    )


def unsubscribe_browser(*, user_id: int, endpoint: str) -> None:
    """Show nothing there any more. One that is not known, or another's, is left as it is."""
    PushSubscription.objects.filter(user=user_id, endpoint=endpoint).delete()


def unsubscribe_all_browsers(*, user_id: int) -> int:
    """How many showed notices."""
    number, _ = PushSubscription.objects.filter(user=user_id).delete()
    return number
