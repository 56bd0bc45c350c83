"""People choose what they are told, and by which way; a link in a mail ends them without a login."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from events.models import Delivery, MutedEvent, Notice, NoticeChoice, PushSubscription
from events.services import notice_settings, notices
from tests.events.desk.conftest import said
from tests.events.factories import make_user, user_of
from tests.events.notices.browsers import Browser

pytestmark = pytest.mark.django_db
PAGE = "/account/notifications/"
PUSH = "/api/v1/me/push-subscriptions"


def channels(made, number: int, kind: str = "round_posted") -> list[str]:
    rows = Delivery.objects.filter(player=made.players[number], kind=kind)
    return sorted(rows.values_list("channel", flat=True))


@pytest.fixture
def started(make_event):
    made = make_event(started=True)
    notices.fan_out()
    return made


def test_the_page_shows_what_is_on_by_default_and_keeps_what_is_chosen(as_user):
    client = as_user(make_user("Ada Brook"))
    page = client.get(PAGE).content.decode()
    boxes = dict(re.findall(r'name="([a-z_]+-(?:email|push))"[^>]*?(checked)?>', page))
    assert [name for name, on in boxes.items() if not on] == [
        "time_called-email",
        "time_called-push",
        "event_started-email",
    ]

    client.post(PAGE, {"do": "choose", "round_posted-push": "on", "time_called-push": "on"})
    page = client.get(PAGE).content.decode()
    boxes = dict(re.findall(r'name="([a-z_]+-(?:email|push))"[^>]*?(checked)?>', page))
    assert [name for name, on in boxes.items() if on] == ["round_posted-push", "time_called-push"]


def test_only_what_is_wanted_is_sent(started, subscribe):
    subscribe(started, 0)
    subscribe(started, 1)
    ada, bela = (user_of(player).pk for player in started.players[:2])
    notice_settings.choose_notices(user_id=ada, wanted={("round_posted", "push")})
    notice_settings.mute_event(user_id=bela, code=started.event.code, muted=True)
    started.post_round()
    notices.fan_out()

    assert [channels(started, number) for number in range(4)] == [["push"], [], ["email"], ["email"]]


def test_what_still_waits_is_not_sent_once_it_is_not_wanted(started):
    started.post_round()
    notices.fan_out()
    ada, bela, cleo = (user_of(player).pk for player in started.players[:3])
    notice_settings.choose_notices(user_id=ada, wanted={("round_posted", "push")})
    notice_settings.mute_event(user_id=bela, code=started.event.code, muted=True)
    notice_settings.stop_mail(user_id=cleo)

    assert [channels(started, number) for number in range(4)] == [[], [], [], ["email"]]


def test_the_link_in_a_mail_ends_them_without_a_login(started, work, mails):
    started.post_round()
    work()
    mail = next(mail for mail in mails.mails if mail["To"] == user_of(started.players[0]).email)
    link = mail["List-Unsubscribe"].strip().strip("<>")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in mail.get_payload()
    path = re.sub(r"^https?://[^/]+", "", link)
    client = Client(enforce_csrf_checks=True)

    assert client.get(path).status_code == 200
    assert NoticeChoice.objects.count() == 0  # looking at a link ends nothing
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    chosen = NoticeChoice.objects.values_list("user", "channel", "wanted")
    assert list(chosen) == [(started.players[0].user_id, "email", False)] * len(Notice)


@pytest.mark.parametrize("token", ["1", "1:abc", "x:y:z"])
def test_a_link_that_somebody_made_up_ends_nothing(token):
    user = make_user("Ada Brook")
    for made_up in (token, f"{user.pk}:{token}"):
        assert Client().post(f"{PAGE}stop/{made_up}").status_code == 404
    assert NoticeChoice.objects.count() == 0


def test_nobody_is_written_to_at_an_address_that_was_to_be_confirmed(started):
    user = user_of(started.players[0])
    user.emailaddress_set.create(email=user.email, primary=True, verified=False)
    started.post_round()
    notices.fan_out()

    assert [channels(started, number) for number in range(2)] == [[], ["email"]]


def test_the_page_mutes_an_event_and_tells_of_it_again(started, as_user):
    client = as_user(started.players[0])
    client.post(f"{PAGE}mute/{started.event.code}", {"do": "mute"})
    assert "tells you nothing" in said(client.get(PAGE))
    client.post(f"{PAGE}mute/{started.event.code}", {"do": "unmute"})

    assert MutedEvent.objects.count() == 0
    outsider = as_user(make_user("Out Sider"))
    assert outsider.post(f"{PAGE}mute/{started.event.code}", {"do": "mute"}).status_code == 404


def test_a_form_that_was_lost_on_the_way_chooses_and_mutes_nothing(started, as_user):
    client = as_user(started.players[0])
    for path in (PAGE, f"{PAGE}mute/{started.event.code}"):
        assert [client.post(path, sent).status_code for sent in ({}, {"do": "1"})] == [400, 400]
    assert (NoticeChoice.objects.count(), MutedEvent.objects.count()) == (0, 0)


def test_the_page_is_for_whoever_is_logged_in():
    for method, path in (("get", PAGE), ("post", PAGE), ("post", f"{PAGE}browsers/end"), ("post", f"{PAGE}mute/x")):
        response = getattr(Client(), method)(path)
        assert (response.status_code, response.url.split("?")[0]) == (302, "/account/login/")


def test_a_browser_subscribes_once_and_leaves(as_user, receiver):
    client, browser = as_user(make_user("Ada Brook")), Browser()
    body = {"endpoint": f"{receiver.url}/1", "p256dh": browser.p256dh, "auth": browser.auth}
    for _ in range(2):
        assert client.post(PUSH, body, content_type="application/json").status_code == 204
    assert PushSubscription.objects.count() == 1
    assert "1 browser of yours shows them" in said(client.get(PAGE))
    end = {"endpoint": body["endpoint"]}
    assert client.delete(PUSH, end, content_type="application/json").status_code == 204

    assert PushSubscription.objects.count() == 0


def test_a_browser_that_another_logs_in_with_shows_theirs(as_user, receiver):
    one, other, browser = make_user("Ada Brook"), make_user("Bela Quist"), Browser()
    body = {"endpoint": f"{receiver.url}/1", "p256dh": browser.p256dh, "auth": browser.auth}
    for person in (one, other):
        as_user(person).post(PUSH, body, content_type="application/json")
    assert list(PushSubscription.objects.values_list("user", flat=True)) == [other.pk]

    as_user(one).delete(PUSH, {"endpoint": body["endpoint"]}, content_type="application/json")
    assert PushSubscription.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"endpoint": "http://push.example.org/1"}, 400, "address.form"),
        ({"endpoint": "https://192.168.0.1/1"}, 400, "address.private"),
        ({"endpoint": "https://[::1]/1"}, 400, "address.private"),
        ({"p256dh": "nonsense"}, 400, "push.keys"),
        ({"auth": "c2hvcnQ"}, 400, "push.keys"),
        ({"endpoint": 7}, 400, "request.fields"),
        ({"more": "x"}, 400, "request.fields"),
    ],
)
def test_a_subscription_that_we_may_not_send_to_is_refused(as_user, fields, status, code):
    browser = Browser()
    body = {"endpoint": "https://push.example.org/1", "p256dh": browser.p256dh, "auth": browser.auth, **fields}
    answer = as_user(make_user("Ada Brook")).post(PUSH, body, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert PushSubscription.objects.count() == 0


def test_a_change_of_the_subscription_needs_the_token_of_the_page(receiver):
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("Ada Brook"), backend="accounts.backends.AccountBackend")
    for method in (client.post, client.delete):
        assert method(PUSH, {"endpoint": receiver.url}, content_type="application/json").status_code == 403


def test_programs_choose_too(as_user):
    client = as_user(make_user("Ada Brook"))
    before = client.get("/api/v1/me/notices").json()
    assert {"kind": "round_posted", "channel": "email"} in before["wanted"]
    wanted = [{"kind": "round_posted", "channel": "push"}]
    after = client.put("/api/v1/me/notices", {"wanted": wanted}, content_type="application/json").json()

    assert after == {"wanted": wanted, "push_key": before["push_key"], "browsers": 0}
    bad = {"wanted": [{"kind": "round_posted", "channel": "webhook"}]}
    assert client.put("/api/v1/me/notices", bad, content_type="application/json").status_code == 400


def test_an_account_that_goes_takes_its_choices_along(receiver):
    user, browser = make_user("Ada Brook"), Browser()
    notice_settings.stop_mail(user_id=user.pk)
    notice_settings.subscribe_browser(
        user_id=user.pk, endpoint=f"{receiver.url}/1", p256dh=browser.p256dh, auth=browser.auth
    )
    User.objects.filter(pk=user.pk).delete()

    assert (PushSubscription.objects.count(), NoticeChoice.objects.count()) == (0, 0)
