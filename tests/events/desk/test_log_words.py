"""What the desk does to an event as a whole, as the log tells it."""

from __future__ import annotations

import pytest

from events.sentences import log_sentence


@pytest.mark.parametrize(
    ("kind", "payload", "words"),
    [
        ("event.cancelled", {"reason": "The hall is flooded."}, "The event was called off: The hall is flooded."),
        ("event.changed", {"name": "New"}, "Settings changed: name"),
        (
            "event.changed",
            {"starts_at": "2027-03-05T09:30:00+00:00", "capacity": 8, "decklist_deadline": None},
            "Settings changed: number of places, decklist deadline and start",
        ),
        ("event.archived", {}, "The event was put into the archive"),
        ("event.restored", {}, "The event was taken out of the archive"),
        (
            "prizes.set",
            {"prizes": [[1, 1, "a trophy"], [5, 8, "2 packs"]]},
            "Prizes were set: 1: a trophy and 5-8: 2 packs",
        ),
        ("prizes.set", {"prizes": []}, "The prizes were taken out"),
        (
            "prize.handed_over",
            {"player": 7, "prize": "a trophy", "note": "Split with Bela."},
            "Ada got the prize: a trophy (Split with Bela.)",
        ),
        ("prize.taken_back", {"player": 7}, "Ada has not got the prize after all"),
        ("staff.removed", {"user": 1, "name": "Jun", "role": "head_judge"}, "Jun is no longer head judge"),
        ("staff.left", {"user": 1, "name": "Jun", "role": "judge"}, "Jun laid down the role of judge"),
        (
            "staff.invited",
            {"invite": 1, "role": "deck_checker", "mailed": True},
            "Somebody was invited by mail to be deck checker",
        ),
        (
            "staff.invited",
            {"invite": 1, "role": "judge", "mailed": False},
            "Somebody was invited by a link to be judge",
        ),
        ("staff.invite_revoked", {"invite": 1, "role": "judge"}, "An invite to be judge was revoked"),
        (
            "staff.extended",
            {"user": 1, "name": "Jun", "role": "judge", "until": "2027-03-24T12:00:00+00:00"},
            "Jun is judge until 2027-03-24",
        ),
        ("staff.extended", {"user": 1, "name": "Jun", "role": "judge", "until": None}, "Jun is judge without an end"),
        ("deck.checked", {"player": 7, "decklist": 3, "found": "in_order"}, "The deck of Ada was checked: in order"),
        (
            "deck.checked",
            {"player": 7, "decklist": 3, "found": "problem", "reason": "One card short."},
            "The deck of Ada was checked: not in order",
        ),
        ("player.waitlisted", {"player": 7, "place": 3}, "Ada registered and waits for a place, as number 3"),
        ("player.paid", {"player": 7, "paid": True}, "Ada has paid"),
        ("player.paid", {"player": 7, "paid": False}, "Ada has not paid after all"),
        ("player.byes", {"player": 7, "byes": 1}, "Ada has 1 assigned bye"),
        (
            "player.table",
            {"player": 7, "table": 3, "kind": "accessibility"},
            "Ada sits at table 3, who needs it",
        ),
        ("player.table", {"player": 7, "table": 3, "kind": "feature"}, "Ada sits at table 3, as a feature match"),
        ("player.table", {"player": 7, "table": None, "kind": ""}, "Ada has no fixed table"),
        ("player.team", {"player": 7, "team": "Foxes"}, "Ada plays for Foxes"),
        ("player.team", {"player": 7, "team": None}, "Ada plays for no team"),
        (
            "avoidance.added",
            {"players": [7, 8], "is_strict": True, "reason": "Twins."},
            "Ada and Bela are kept apart, strictly",
        ),
        ("avoidance.removed", {"players": [7, 8]}, "Ada and Bela may meet"),
        ("player.public_name", {"player": 7}, "Ada chose the name that others read"),
        ("player.registered", {"player": 7, "guest": False}, "Ada registered"),
        ("round.unposted", {"round": 2}, "Round 2 was taken back into a draft"),
        ("round.time_taken_back", {"round": 2}, "Time in round 2 was taken back"),
        (
            "result.taken_back",
            {
                "match": 5,
                "table": 3,
                "scores": [
                    {"player": 7, "wins": 2, "losses": 1, "draws": 0, "outcome": "win"},
                    {"player": 8, "wins": 1, "losses": 2, "draws": 0, "outcome": "loss"},
                ],
            },
            "Table 3: Ada 2-1 Bela was taken back",
        ),
        ("round.reopened", {"round": 2}, "Round 2 was opened again"),
        (
            "round.seats_changed",
            {"round": 2, "ended": [[7, 9]], "made": [[7, 8], [9]], "reason": "Sisters."},
            "The draft of round 2 was changed: Ada against Bela and player 9 has the bye (Sisters.)",
        ),
        (
            "event.tie_breakers",
            {"metrics": ["match_points", "omw"]},
            "Standings are ordered by match points and opponents' match-win percentage, then by lots",
        ),
        ("round.drafted_by_hand", {"round": 2, "reason": "Sisters."}, "Round 2 was paired by hand: Sisters."),
        (
            "round.mended",
            {"round": 2, "mended_round": 2, "player": 7, "returns": True, "made": [[7, 8]], "reason": "A slip."},
            "Round 2 was mended: Ada is back; now in round 2: Ada against Bela (A slip.)",
        ),
        (
            "result.corrected",
            {
                "round": 1,
                "table": 3,
                "reason": "A slip.",
                "after": [
                    {"player": 7, "wins": 2, "losses": 1, "draws": 0},
                    {"player": 8, "wins": 1, "losses": 2, "draws": 0},
                ],
            },
            "Round 1, table 3: Ada 2-1 Bela, is the corrected result (A slip.)",
        ),
        (
            "decklists.rules",
            {"mode": "required", "without": "drop"},
            "Decklists are needed; of players without a legal one: they are dropped",
        ),
        ("decklists.rules", {"mode": "none", "without": "wait"}, "Decklists are not asked for"),
        (
            "decklists.dropped",
            {"players": [7, 8]},
            "Ada and Bela were dropped: no decklist that may be played was in",
        ),
        ("decklists.reminded", {"players": [7]}, "1 player was reminded of the decklist"),
        ("players.imported", {"list": "a", "players": [7, 8], "waiting": 0}, "2 players came in with a list"),
        (
            "players.imported",
            {"list": "a", "players": [7], "waiting": 1},
            "1 player came in with a list, 1 of them on the waitlist",
        ),
        (
            "players.import_undone",
            {"list": "a", "removed": 1, "kept": [8]},
            "1 player of a list was taken out again; 1 had begun to take part and stays",
        ),
        ("deliveries.retried", {"number": 1}, "1 message that did not arrive will be tried again"),
        ("webhook.added", {"webhook": 1, "url": "https://a.example/"}, "https://a.example/ is told what is new"),
        ("webhook.removed", {"webhook": 1, "url": "https://a.example/"}, "https://a.example/ is told nothing any more"),
        (
            "player.entered_late",
            {"player": 7, "round": 3, "missed": [1, 2], "returns": False},
            "Ada comes in late, from round 3 on; rounds 1 and 2 missed",
        ),
        (
            "player.entered_late",
            {"player": 7, "round": 3, "missed": [2], "returns": True},
            "Ada comes back, from round 3 on; round 2 missed",
        ),
        ("player.late_entry_undone", {"player": 7, "round": 3}, "Ada does not come in at round 3 after all"),
        ("match.absent", {"match": 1, "round": 2, "table": 4, "player": 7}, "Table 4: Ada is not there"),
        ("match.arrived", {"match": 1, "round": 2, "table": 4, "player": 7}, "Table 4: Ada has come"),
        (
            "match.no_show",
            {"match": 1, "round": 2, "table": 4, "players": [7, 8], "minutes": 10, "dropped": [8]},
            "Table 4: Ada and Bela were not there after 10 minutes; Bela dropped",
        ),
        (
            "match.no_show_taken_back",
            {"match": 1, "round": 2, "table": 4, "back": [8]},
            "Table 4 plays after all; Bela back in the event",
        ),
        (
            "event.no_show_rule",
            {"minutes": 10, "drops": True},
            "Who is not there after 10 minutes loses the match and is dropped",
        ),
        ("event.no_show_rule", {"minutes": None, "drops": False}, "Nobody loses by not being there; staff decide"),
        ("players.not_there", {"players": [7, 8]}, "Not there at the start, and dropped: Ada and Bela"),
        (
            "game.recorded",
            {"table": 3, "game": 2, "ending": "won", "winner": 7, "first": 8},
            "Table 3, game 2: Ada won",
        ),
        (
            "game.recorded",
            {"table": 3, "game": 2, "ending": "drawn", "winner": None, "first": None},
            "Table 3, game 2: drawn",
        ),
        ("game.taken_back", {"table": 3, "game": 2}, "Table 3, game 2 was taken back"),
        ("game.first_chosen", {"table": 3, "game": 2, "first": 8}, "Table 3, game 2: Bela begins, by choice"),
        ("match.extra_turns", {"table": 3, "turns": 0}, "Table 3: the turn is finished, the extra turns begin"),
        ("match.extra_turns", {"table": 3, "turns": 2}, "Table 3: extra turn 2"),
        ("match.extra_turns", {"table": 3, "turns": None}, "Table 3: the count of extra turns was taken back"),
        ("result.draw_offered", {"table": 3, "player": 7}, "Table 3: Ada says that both agree to draw"),
        (
            "result.confirmed",
            {
                "table": 3,
                "how": "concession",
                "scores": [
                    {"player": 7, "wins": 2, "losses": 1, "draws": 0},
                    {"player": 8, "wins": 1, "losses": 2, "draws": 0},
                ],
            },
            "Table 3: Ada 2-1 Bela, by concession",
        ),
        (
            "clock.adjusted",
            {"round": 2, "minutes": -5, "seconds": 2700, "reason": "The hall closes."},
            "Round 2 was made 5 minutes shorter: The hall closes.",
        ),
        (
            "match.extended",
            {"match": 1, "round": 2, "table": 4, "seconds": 360, "reason": "Deck check."},
            "Table 4 was given 6 minutes more: Deck check.",
        ),
        (
            "match.extension_taken_back",
            {"match": 1, "round": 2, "table": 4, "seconds": 60},
            "Table 4 does not get its last 1 minute after all",
        ),
        ("player.promoted", {"player": 7}, "Ada got a place from the waitlist"),
        ("player.checked_in", {"player": 7, "waits": True}, "Ada checked in, on the waitlist"),
        ("player.reinstated", {"player": 7, "waits": True}, "Ada is back in the event, on the waitlist"),
    ],
)
def test_the_log_says_it_in_words(kind, payload, words):
    assert log_sentence(kind, payload, {7: "Ada", 8: "Bela"}) == words
