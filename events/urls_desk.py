"""Addresses of staff, below /e/. No public page ends without a slash right behind a code, so /e/new is free."""

from __future__ import annotations

from django.urls import path

from events.views import (
    check_in,
    desk,
    desk_placed,
    desk_player,
    desk_players,
    desk_results,
    desk_rounds,
    desk_setup,
    importing,
    printing,
    repairs,
    sideboarding,
    swapping,
)

urlpatterns = [
    path("new", desk_setup.new, name="new"),
    path("<slug:code>/desk/", desk.overview, name="desk"),
    path("<slug:code>/desk/do/<slug:step>", desk.do_step, name="desk_step"),
    path("<slug:code>/desk/settings/", desk_setup.settings, name="desk_settings"),
    path("<slug:code>/desk/cancel", desk_setup.cancel, name="cancel"),
    path("<slug:code>/desk/staff/", desk_setup.staff, name="desk_staff"),
    path("<slug:code>/desk/staff/add", desk_setup.add_staff, name="add_staff"),
    path("<slug:code>/desk/staff/<int:role_id>/remove", desk_setup.remove_staff, name="remove_staff"),
    path("<slug:code>/desk/check-in/", check_in.desk, name="desk_check_in"),
    path("<slug:code>/desk/check-in/<str:token>/", check_in.scanned, name="desk_check_in_player"),
    path("<slug:code>/desk/players/", desk_players.players, name="desk_players"),
    path("<slug:code>/desk/players/add", desk_players.add, name="add_player"),
    path("<slug:code>/desk/players/import/", importing.import_players, name="import_players"),
    path("<slug:code>/desk/players/import/<slug:token>/undo", importing.undo_import, name="undo_import"),
    path("<slug:code>/desk/players/<int:player_id>/decklist", desk_players.decklist, name="desk_decklist"),
    path("<slug:code>/desk/players/<int:player_id>/", desk_player.player, name="desk_player"),
    path("<slug:code>/desk/players/<int:player_id>/set/<slug:fact>", desk_player.set_fact, name="set_player_fact"),
    path("<slug:code>/desk/players/<int:player_id>/keep-apart", desk_player.keep_apart, name="keep_apart"),
    path("<slug:code>/desk/players/<int:player_id>/let-meet/<int:avoidance_id>", desk_player.let_meet, name="let_meet"),
    path("<slug:code>/desk/players/<int:player_id>/<slug:action>", desk_players.act, name="player_action"),
    path("<slug:code>/desk/papers/", printing.papers, name="papers"),
    path("<slug:code>/desk/papers/print", printing.ask_for_paper, name="ask_for_paper"),
    path("<slug:code>/desk/papers/sheets", printing.ask_for_sheets, name="ask_for_sheets"),
    path("<slug:code>/desk/papers/<int:job_id>.pdf", printing.paper, name="paper"),
    path("<slug:code>/desk/round/<int:number>/", desk_rounds.round_page, name="desk_round"),
    path("<slug:code>/desk/round/<int:number>/enter", desk_rounds.enter_result, name="enter_result"),
    path("<slug:code>/desk/round/<int:number>/swap/", swapping.swap_players, name="swap_players"),
    path("<slug:code>/desk/round/<int:number>/<slug:step>", desk_rounds.round_step, name="round_step"),
    path("<slug:code>/desk/round/<int:number>/mend/<int:player_id>/", repairs.mend_round, name="mend_round"),
    path("<slug:code>/desk/correct/<int:match_id>/", repairs.correct_result, name="correct_result"),
    path("<slug:code>/floor/", desk_results.floor, name="floor"),
    path("<slug:code>/floor/<int:match_id>/", desk_results.match_page, name="floor_match"),
    path(
        "<slug:code>/floor/<int:match_id>/player/<int:player_id>/game/<int:game_number>/",
        sideboarding.sideboard_for,
        name="sideboard_for",
    ),
    path("<slug:code>/floor/<int:match_id>/decide", desk_results.decide, name="decide"),
    path("<slug:code>/floor/<int:match_id>/placed", desk_placed.decide_placed, name="decide_placed"),
    path("<slug:code>/floor/<int:match_id>/turns", desk_results.extra_turns, name="extra_turns"),
]
