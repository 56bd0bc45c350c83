"""Every address of the site, and who may read it. An address that is not in the table fails a test."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

# The groups of django.contrib.admin and allauth have one row each: they are theirs to test, ours to keep closed.
GROUPS = ("admin/", "account/")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


def routes(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """As Django writes them: "e/<slug:code>/pairings/"."""
    for pattern in (resolver or get_resolver()).url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield here
        else:
            yield from routes(pattern, here)


def filled(route: str, values: dict[str, object]) -> str:
    """The route as an address. KeyError for a parameter that ``values`` has no value for."""
    path = PARAMETER.sub(lambda found: str(values[found[1] or found[2]]), route)
    return "/" + path.replace("^", "").replace("$", "")


def parameters(route: str) -> list[str]:
    return [found[1] or found[2] for found in PARAMETER.finditer(route)]


def own(route: str) -> bool:
    """Whether the table has a row for it, and not only for its group."""
    return not route.startswith(GROUPS)


# What a GET answers to nobody, to a player of the event and to its organiser, while round 1 is posted. IN is the way
# to the login: 302 on a page, 401 in the API.
IN = 0
OPEN = (200, 200, 200)
ACCOUNT = (IN, 200, 200)
OWNER = (IN, 200, 404)
PRIVATE = (404, 200, 200)
PLAYER = (IN, 200, 403)
STAFF = (IN, 404, 200)
STAFF_CHANGE = (IN, 404, 405)
CHANGE = (IN, 405, 405)
BACK = (IN, 302, 302)
NOT_YET = (404, 404, 404)
NO_DRAFT = (IN, 404, 404)

EVENT = "e/<slug:code>/"
API = "api/v1/"
API_EVENT = API + "events/<slug:code>"

ADDRESSES: dict[str, tuple[int, int, int]] = {
    "": OPEN,
    "healthz": OPEN,
    "sw.js": OPEN,
    "manifest.webmanifest": OPEN,
    "offline/": OPEN,
    "offline/sender": OPEN,
    "design": BACK,
    "cards/": OPEN,
    "cards/<slug:game>/": OPEN,
    "cards/<slug:game>/<slug:card>": OPEN,
    "rules/": OPEN,
    "rules/search": OPEN,
    "rules/<slug:game>/<slug:document>@<str:version>/": OPEN,
    "rules/<slug:game>/<slug:document>@<str:version>/<str:number>": OPEN,
    "rulings/<slug:game>/": OPEN,
    "rulings/<slug:game>/<str:ruling>": OPEN,
    "formats/<slug:game>/<slug:format>": OPEN,
    "formats/<slug:game>/<slug:format>/changes": OPEN,
    "games/<slug:game>/publish": (IN, 403, 403),
    "games/<slug:game>/publications": OPEN,
    "games/<slug:game>/publications/<int:publication>": OPEN,
    "games/<slug:game>/cards/import": (IN, 403, 403),
    "games/<slug:game>/cards/import/<str:token>": (IN, 403, 403),
    "games/<slug:game>/cards/import/<str:token>/undo.json": (IN, 403, 403),
    "check/": OPEN,
    "decks/": ACCOUNT,
    "decks/new": ACCOUNT,
    "decks/<int:deck_id>/": OWNER,
    "decks/<int:deck_id>/delete": CHANGE,
    "decks/<int:deck_id>/share": CHANGE,
    "decks/<int:deck_id>/unshare": CHANGE,
    "decks/<int:deck_id>/export/<slug:kind>": OWNER,
    "decks/<int:deck_id>/history": OWNER,
    "decks/<int:deck_id>/history/<int:number>": OWNER,
    "decks/<int:deck_id>/history/<int:number>/restore": CHANGE,
    "decks/compare": OPEN,
    "decks/shared/<str:token>/": OPEN,
    "decks/shared/<str:token>/export/<slug:kind>": OPEN,
    "series/": OPEN,
    "series/new": ACCOUNT,
    "series/<slug:slug>/": OPEN,
    "series/<slug:slug>/change": STAFF,
    "series/<slug:slug>/join": CHANGE,
    "series/<slug:slug>/leave/<slug:code>": CHANGE,
    "series/<slug:slug>/standings.csv": OPEN,
    "series/<slug:slug>/standings.json": OPEN,
    "e/": OPEN,
    "e/new": ACCOUNT,
    "e/archived": ACCOUNT,
    "e/new/custom": ACCOUNT,
    EVENT: OPEN,
    EVENT + "pairings/": OPEN,
    EVENT + "standings/": OPEN,
    EVENT + "standings/<int:player_id>/": NOT_YET,
    EVENT + "bracket/": OPEN,
    EVENT + "players/": OPEN,
    EVENT + "info/": OPEN,
    EVENT + "log/": OPEN,
    EVENT + "report.json": OPEN,
    EVENT + "report/<slug:table>.csv": OPEN,
    EVENT + "desk/report.json": STAFF,
    EVENT + "desk/report/<slug:table>.csv": STAFF,
    EVENT + "wall/": OPEN,
    EVENT + "decklists/<int:player_id>/": PRIVATE,
    EVENT + "decklists/<int:player_id>/sheet.pdf": PRIVATE,
    EVENT + "ticket": OPEN,
    EVENT + "version": OPEN,
    EVENT + "qr.svg": OPEN,
    EVENT + "event.ics": OPEN,
    EVENT + "calendar/<str:token>.ics": NOT_YET,  # nobody's token
    EVENT + "register": BACK,
    EVENT + "claim/<str:token>/": NOT_YET,
    EVENT + "me/": (IN, 200, 302),
    EVENT + "me/code.svg": PLAYER,
    EVENT + "me/name": BACK,
    EVENT + "me/check-in": BACK,
    EVENT + "me/drop": PLAYER,
    EVENT + "me/report": BACK,
    EVENT + "me/withdraw": BACK,
    EVENT + "me/game": BACK,
    EVENT + "me/game/undo": BACK,
    EVENT + "me/first": BACK,
    EVENT + "me/turn": BACK,
    EVENT + "me/turn/undo": BACK,
    EVENT + "me/draw": BACK,
    EVENT + "me/match/<int:match_id>/concede": PLAYER,
    EVENT + "me/decklist": PLAYER,
    EVENT + "me/decklist/check": CHANGE,
    EVENT + "me/decklist/withdraw": BACK,
    EVENT + "me/decklist/consent": BACK,
    EVENT + "me/match/<int:match_id>/game/<int:game_number>/": (IN, 404, 404),  # no decklist here has a sideboard
    EVENT + "match/<int:match_id>/": BACK,
    EVENT + "draft/": NO_DRAFT,
    EVENT + "draft/<int:number>/": NO_DRAFT,
    EVENT + "draft/pick": BACK,
    EVENT + "pool/": NO_DRAFT,
    EVENT + "desk/": STAFF,
    EVENT + "desk/do/<slug:step>": STAFF_CHANGE,
    EVENT + "desk/settings/": STAFF,
    EVENT + "desk/tie-breakers/": STAFF,
    EVENT + "desk/cancel": STAFF_CHANGE,
    EVENT + "desk/clone/": STAFF,
    EVENT + "desk/closing/": STAFF,
    EVENT + "desk/closing/prizes": STAFF_CHANGE,
    EVENT + "desk/closing/archive": STAFF_CHANGE,
    EVENT + "desk/closing/restore": STAFF_CHANGE,
    EVENT + "desk/closing/<int:player_id>/hand-over": STAFF_CHANGE,
    EVENT + "desk/closing/<int:player_id>/take-back": STAFF_CHANGE,
    EVENT + "desk/staff/": STAFF,
    EVENT + "desk/staff/add": STAFF_CHANGE,
    EVENT + "desk/staff/<int:role_id>/remove": STAFF_CHANGE,
    EVENT + "desk/deliveries/": STAFF,
    EVENT + "desk/deliveries/retry": STAFF_CHANGE,
    EVENT + "desk/webhooks/add": STAFF_CHANGE,
    EVENT + "desk/webhooks/<int:webhook_id>/remove": STAFF_CHANGE,
    EVENT + "desk/webhooks/<int:webhook_id>/test": STAFF_CHANGE,
    EVENT + "desk/check-in/": STAFF,
    EVENT + "desk/check-in/<str:token>/": NO_DRAFT,  # nobody has this code
    EVENT + "desk/players/": STAFF,
    EVENT + "desk/players/add": STAFF_CHANGE,
    EVENT + "desk/decklists/": STAFF,
    EVENT + "desk/decklists/remind": STAFF_CHANGE,
    EVENT + "desk/decklists/rules": STAFF_CHANGE,
    EVENT + "desk/players/import/": STAFF,
    EVENT + "desk/players/import/<slug:token>/undo": STAFF_CHANGE,
    EVENT + "desk/players/<int:player_id>/decklist": STAFF,
    EVENT + "desk/players/<int:player_id>/": STAFF,
    EVENT + "desk/players/<int:player_id>/set/<slug:fact>": STAFF_CHANGE,
    EVENT + "desk/players/<int:player_id>/keep-apart": STAFF_CHANGE,
    EVENT + "desk/players/<int:player_id>/let-meet/<int:avoidance_id>": STAFF_CHANGE,
    EVENT + "desk/players/<int:player_id>/<slug:action>": STAFF_CHANGE,
    EVENT + "desk/papers/": STAFF,
    EVENT + "desk/papers/print": STAFF_CHANGE,
    EVENT + "desk/papers/sheets": STAFF_CHANGE,
    EVENT + "desk/papers/<int:job_id>.pdf": STAFF,
    EVENT + "desk/pair-by-hand/": (IN, 404, 409),  # the round is posted
    EVENT + "desk/round/<int:number>/": STAFF,
    EVENT + "desk/round/<int:number>/enter": STAFF_CHANGE,
    EVENT + "desk/round/<int:number>/<slug:step>": STAFF_CHANGE,
    EVENT + "desk/round/<int:number>/swap/": (IN, 404, 409),  # it is no draft
    EVENT + "desk/round/<int:number>/mend/<int:player_id>/": (IN, 404, 409),  # nobody dropped
    EVENT + "desk/correct/<int:match_id>/": (IN, 404, 409),  # the round is open
    EVENT + "floor/": STAFF,
    EVENT + "floor/<int:match_id>/": STAFF,
    EVENT + "floor/<int:match_id>/player/<int:player_id>/game/<int:game_number>/": (IN, 404, 404),
    EVENT + "floor/<int:match_id>/decide": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/placed": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/turns": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/game": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/game/undo": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/first": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/turn": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/turn/undo": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/concede": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/draw": STAFF_CHANGE,
    EVENT + "floor/<int:match_id>/winner": STAFF_CHANGE,
    API: NOT_YET,
    API + "schema/": OPEN,
    API + "schemas": OPEN,
    API + "schemas/<slug:name>": OPEN,
    API + "me": ACCOUNT,
    API + "me/notices": ACCOUNT,
    API + "me/push-subscriptions": CHANGE,
    API + "check": (405, 405, 405),
    API + "decks": ACCOUNT,
    API + "decks/<int:deck_id>": OWNER,
    API + "decks/<int:deck_id>/history": OWNER,
    API + "decks/<int:deck_id>/history/<int:number>": OWNER,
    API + "decks/<int:deck_id>/history/<int:number>/restore": CHANGE,
    API + "decks/<int:deck_id>/share": OWNER,
    API + "decks/<int:deck_id>/statistics": OWNER,
    API + "decks/<int:deck_id>/export/<slug:kind>": OWNER,
    API + "decks/compare": (405, 405, 405),
    API + "decks/shared/<str:token>": OPEN,
    API + "decks/shared/<str:token>/export/<slug:kind>": OPEN,
    API + "games": OPEN,
    API + "games/<slug:game>": OPEN,
    API + "games/<slug:game>/cards": OPEN,
    API + "games/<slug:game>/cards/import": CHANGE,
    API + "games/<slug:game>/cards/<slug:card>": OPEN,
    API + "games/<slug:game>/publications": OPEN,
    API + "games/<slug:game>/publications/<int:publication>": OPEN,
    API + "games/<slug:game>/formats": OPEN,
    API + "games/<slug:game>/formats/<slug:slug>": OPEN,
    API + "games/<slug:game>/formats/<slug:slug>/lists": OPEN,
    API + "games/<slug:game>/formats/<slug:slug>/changes": OPEN,
    API + "games/<slug:game>/formats/<slug:slug>/timeline": OPEN,
    API + "games/<slug:game>/rulings": OPEN,
    API + "games/<slug:game>/rulings/<str:ruling>": OPEN,
    API + "formats": OPEN,
    API + "rules/documents": OPEN,
    API + "rules/search": (400, 400, 400),
    API + "rules/<slug:game>/<slug:document>@<str:version>/<str:number>": OPEN,
    API + "templates": OPEN,
    API + "claim": CHANGE,
    API + "series": OPEN,
    API + "series/<slug:slug>": OPEN,
    API + "series/<slug:slug>/join": CHANGE,
    API + "series/<slug:slug>/leave": CHANGE,
    API + "events": OPEN,
    API_EVENT: OPEN,
    API_EVENT + "/log": OPEN,
    API_EVENT + "/start": CHANGE,
    API_EVENT + "/finish": CHANGE,
    API_EVENT + "/stages/next": CHANGE,
    API_EVENT + "/check-in": CHANGE,
    API_EVENT + "/players": OPEN,
    API_EVENT + "/players/register": CHANGE,
    API_EVENT + "/decklists": (IN, 403, 200),
    API_EVENT + "/decklists/remind": CHANGE,
    API_EVENT + "/decklists/rules": CHANGE,
    API_EVENT + "/players/import": CHANGE,
    API_EVENT + "/players/import/<slug:token>/undo": CHANGE,
    API_EVENT + "/players/<int:player_id>": OPEN,
    API_EVENT + "/players/<int:player_id>/public-name": CHANGE,
    API_EVENT + "/players/<int:player_id>/facts": CHANGE,
    API_EVENT + "/avoidances": (IN, 403, 200),
    API_EVENT + "/avoidances/<int:avoidance_id>": CHANGE,
    API_EVENT + "/players/<int:player_id>/check-in": CHANGE,
    API_EVENT + "/players/<int:player_id>/undo-check-in": CHANGE,
    API_EVENT + "/players/<int:player_id>/drop": CHANGE,
    API_EVENT + "/players/<int:player_id>/reinstate": CHANGE,
    API_EVENT + "/players/<int:player_id>/decklist": PRIVATE,
    API_EVENT + "/players/<int:player_id>/decklist-consent": CHANGE,
    API_EVENT + "/report": OPEN,
    API_EVENT + "/report/full": (IN, 403, 200),
    API_EVENT + "/prizes": OPEN,
    API_EVENT + "/places": NOT_YET,
    API_EVENT + "/players/<int:player_id>/prize": CHANGE,
    API_EVENT + "/archived": CHANGE,
    API_EVENT + "/clone": CHANGE,
    API_EVENT + "/outlook": NOT_YET,
    API_EVENT + "/tie-breakers": (IN, 403, 200),
    API_EVENT + "/rounds": OPEN,
    API_EVENT + "/rounds/<int:number>": OPEN,
    API_EVENT + "/rounds/<int:number>/matches": OPEN,
    API_EVENT + "/rounds/<int:number>/standings": NOT_YET,
    API_EVENT + "/rounds/<int:number>/standings/<int:player_id>": NOT_YET,
    API_EVENT + "/rounds/<int:number>/post": CHANGE,
    API_EVENT + "/rounds/<int:number>/discard": CHANGE,
    API_EVENT + "/rounds/<int:number>/start-clock": CHANGE,
    API_EVENT + "/rounds/<int:number>/pause-clock": CHANGE,
    API_EVENT + "/rounds/<int:number>/call-time": CHANGE,
    API_EVENT + "/rounds/<int:number>/complete": CHANGE,
    API_EVENT + "/rounds/<int:number>/swap": CHANGE,
    API_EVENT + "/rounds/by-hand": (IN, 403, 409),  # the round is posted
    API_EVENT + "/rounds/by-hand/grade": CHANGE,
    API_EVENT + "/rounds/<int:number>/mend": CHANGE,
    API_EVENT + "/rounds/<int:number>/unpost": CHANGE,
    API_EVENT + "/rounds/<int:number>/take-time-back": CHANGE,
    API_EVENT + "/rounds/<int:number>/reopen": CHANGE,
    API_EVENT + "/matches/<int:match_id>/correct": CHANGE,
    API_EVENT + "/matches/<int:match_id>/reports": CHANGE,
    API_EVENT + "/matches/<int:match_id>/result": CHANGE,
    API_EVENT + "/matches/<int:match_id>/extra-turns": CHANGE,
    API_EVENT + "/matches/<int:match_id>/games": (IN, 200, 200),
    API_EVENT + "/matches/<int:match_id>/games/<int:number>": CHANGE,
    API_EVENT + "/matches/<int:match_id>/games/<int:number>/first": CHANGE,
    API_EVENT + "/matches/<int:match_id>/turns": CHANGE,
    API_EVENT + "/matches/<int:match_id>/turns/<int:number>": CHANGE,
    API_EVENT + "/matches/<int:match_id>/concession": CHANGE,
    API_EVENT + "/matches/<int:match_id>/agreed-draw": CHANGE,
    API_EVENT + "/matches/<int:match_id>/places": CHANGE,
    API_EVENT + "/matches/<int:match_id>/sheets": CHANGE,
    API_EVENT + "/matches/<int:match_id>/sides": CHANGE,
    API_EVENT + "/matches/<int:match_id>/configurations": ACCOUNT,
    API_EVENT + "/muted": CHANGE,
    API_EVENT + "/deliveries": (IN, 403, 200),
    API_EVENT + "/deliveries/retry": CHANGE,
    API_EVENT + "/webhooks": (IN, 403, 200),
    API_EVENT + "/webhooks/<int:webhook_id>/remove": CHANGE,
    API_EVENT + "/webhooks/<int:webhook_id>/test": CHANGE,
    API_EVENT + "/draft/me": (IN, 404, 403),
    API_EVENT + "/draft/picks": CHANGE,
}
