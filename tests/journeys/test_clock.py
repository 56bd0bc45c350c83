"""The countdown on a phone whose own clock is wrong, behind a slow network."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from events.models import Round
from events.services import clocks
from tests.events.clocking import clocked, minutes
from tests.events.factories import make_event, user_of
from tests.journeys.conftest import Cast, session_of

pytestmark = pytest.mark.browser

FAST = 90_000
WRONG_CLOCK = f"""
const RightDate = Date;
window.Date = class extends RightDate {{
  constructor(...given) {{ given.length ? super(...given) : super(RightDate.now() + {FAST}); }}
  static now() {{ return RightDate.now() + {FAST}; }}
}};
"""
CHANGES = """async (seconds) => {
  const clock = document.querySelector("time[data-clock]");
  const seen = [];
  const watcher = new MutationObserver(() => seen.push([Date.now() - FAST, clock.textContent]));
  watcher.observe(clock, { childList: true, characterData: true, subtree: true });
  await new Promise((done) => setTimeout(done, seconds * 1000));
  return seen;
}""".replace("FAST", str(FAST))


def late(page: Page, address: str, seconds: float) -> None:
    def hold(route: Route) -> None:
        answer = route.fetch()
        page.wait_for_timeout(seconds * 1000)
        route.fulfill(response=answer)

    page.route(address, hold)


def errors(page: Page, deadline: datetime) -> list[float]:
    """By how many seconds each figure came too early or late, by the machine's own clock, which is the server's."""
    found = []
    for at, text in page.evaluate(CHANGES, 3.2):
        figure = [int(part) for part in text.split(":")]
        left = timedelta(minutes=figure[0], seconds=figure[1])
        found.append(((deadline - left) - datetime.fromtimestamp(at / 1000, UTC)).total_seconds())
    return found


@pytest.fixture
def phone(site: str) -> tuple[str, datetime]:
    """T31 at 10:45, at table 4 with its six minutes more: a session of who sits there, and when the table ends."""
    made = make_event(code="open", players=8, started=True)
    round_ = made.post_round()
    Round.objects.filter(pk=round_.pk).update(seconds=3000)
    start = clocked(round_, since=minutes(45), runs=[(minutes(0), minutes(20)), (minutes(27.5), None)])
    match = round_.matches.get(table=4)
    clocks.extend_table(
        event_id=made.event.pk, actor=made.by_organiser, match_id=match.pk, minutes=6, reason="Deck check"
    )
    return session_of(user_of(match.seats.all()[0].player)), start + minutes(63.5)


def test_a_phone_ninety_seconds_fast_is_right_to_half_a_second_also_after_a_reload(
    phone: tuple[str, datetime], cast: Cast
) -> None:
    session, deadline = phone
    page = cast.sign_in(cast.person(), session)
    page.add_init_script(WRONG_CLOCK)
    late(page, "**/e/open/me/", 2.0)
    late(page, "**/e/now", 0.3)

    page.goto("/e/open/me/")
    for _ in range(2):
        expect(page.get_by_text(f"ends {deadline:%H:%M:%S} (+6:00)")).to_be_visible()
        page.wait_for_timeout(1500)
        found = errors(page, deadline)
        assert (len(found) >= 3, [error for error in found if abs(error) > 0.5]) == (True, [])
        page.reload()


def test_the_sound_is_off_until_somebody_turns_it_on_and_stays_on_on_this_device(
    phone: tuple[str, datetime], cast: Cast
) -> None:
    page = cast.sign_in(cast.person(), phone[0])
    page.goto("/e/open/me/")
    button = page.get_by_role("button", name="Sound at 10, 5 and 0 minutes")
    expect(button).to_have_text("Sound at 10, 5 and 0 minutes: off")

    button.click()
    expect(button).to_have_text("Sound at 10, 5 and 0 minutes: on")
    page.reload()

    expect(button).to_have_text("Sound at 10, 5 and 0 minutes: on, once you have touched the page")
    page.locator("body").press("Shift")
    expect(button).to_have_text("Sound at 10, 5 and 0 minutes: on")
