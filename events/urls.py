"""Addresses below /e/: for everybody, for players, and those of staff."""

from __future__ import annotations

from django.urls import include, path

from events.views import (
    calendars,
    check_in,
    decklist,
    draft,
    places,
    player,
    printing,
    public,
    report,
    sideboarding,
    wall,
)

app_name = "events"
urlpatterns = [
    path("", public.event_list, name="list"),
    path("<slug:code>/", public.overview, name="overview"),
    path("<slug:code>/pairings/", public.pairings, name="pairings"),
    path("<slug:code>/standings/", public.standings, name="standings"),
    path("<slug:code>/standings/<int:player_id>/", places.place, name="place"),
    path("<slug:code>/bracket/", public.bracket, name="bracket"),
    path("<slug:code>/players/", public.players, name="players"),
    path("<slug:code>/info/", public.info, name="info"),
    path("<slug:code>/log/", public.log, name="log"),
    path("<slug:code>/report.json", report.public_report, name="report"),
    path("<slug:code>/report/<slug:table>.csv", report.public_report, name="report_table"),
    path("<slug:code>/wall/", wall.wall, name="wall"),
    path("<slug:code>/decklists/<int:player_id>/sheet.pdf", printing.sheet, name="sheet"),
    path("<slug:code>/decklists/<int:player_id>/", public.decklist, name="decklist_of"),
    path("<slug:code>/event.ics", calendars.calendar, name="calendar"),
    path("<slug:code>/calendar/<str:token>.ics", calendars.own_calendar, name="own_calendar"),
    path("<slug:code>/qr.svg", check_in.event_qr, name="event_qr"),
    path("<slug:code>/ticket", public.ticket, name="ticket"),
    path("<slug:code>/version", public.version, name="version"),
    path("<slug:code>/register", player.register, name="register"),
    path("<slug:code>/claim/<str:token>/", player.claim, name="claim"),
    path("<slug:code>/me/", player.me, name="me"),
    path("<slug:code>/me/code.svg", check_in.my_qr, name="my_qr"),
    path("<slug:code>/me/name", player.public_name, name="public_name"),
    path("<slug:code>/me/check-in", player.check_in, name="check_in"),
    path("<slug:code>/me/drop", player.drop, name="drop"),
    path("<slug:code>/me/report", player.report, name="report"),
    path("<slug:code>/me/withdraw", player.withdraw, name="withdraw"),
    path("<slug:code>/me/decklist", decklist.decklist, name="decklist"),
    path("<slug:code>/me/decklist/check", decklist.check, name="decklist_check"),
    path("<slug:code>/me/decklist/withdraw", decklist.withdraw, name="withdraw_decklist"),
    path("<slug:code>/me/decklist/consent", decklist.consent, name="decklist_consent"),
    path("<slug:code>/me/match/<int:match_id>/game/<int:game_number>/", sideboarding.sideboard, name="sideboard"),
    path("<slug:code>/draft/", draft.draft, name="draft"),
    path("<slug:code>/draft/<int:number>/", draft.draft, name="draft_seat"),
    path("<slug:code>/draft/pick", draft.pick, name="pick"),
    path("<slug:code>/pool/", draft.pool, name="pool"),
    path("", include("events.urls_desk")),
]
