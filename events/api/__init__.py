"""Events, for programs: the services of the pages behind JSON."""

from __future__ import annotations

from events.api import (
    closing,
    decklists,
    drafts,
    events,
    games,
    hand_pairing,
    importing,
    log,
    matches,
    notices,
    outlook,
    placed,
    players,
    publishing,
    repairs,
    report,
    rounds,
    series,
    staffing,
    tie_breakers,
)

urlpatterns = [
    *events.urlpatterns,
    *log.urlpatterns,
    *players.urlpatterns,
    *importing.urlpatterns,
    *decklists.urlpatterns,
    *rounds.urlpatterns,
    *repairs.urlpatterns,
    *hand_pairing.urlpatterns,
    *outlook.urlpatterns,
    *matches.urlpatterns,
    *games.urlpatterns,
    *placed.urlpatterns,
    *drafts.urlpatterns,
    *notices.urlpatterns,
    *closing.urlpatterns,
    *publishing.urlpatterns,
    *report.urlpatterns,
    *series.urlpatterns,
    *tie_breakers.urlpatterns,
    *staffing.urlpatterns,
]
