"""JSON Schemas of an event's file and its report, and of the history file with what is answered to it."""

from __future__ import annotations

from typing import Any

from events.engine.event_file import EventFile
from events.engine.history_answers import PairingAnswer, StandingsAnswer
from events.engine.history_file import HistoryFile
from events.engine.report_file import ReportFile
from rules.schemas import schema_of


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by name."""
    return {
        "event": schema_of("event", EventFile, mode="validation"),
        "history": schema_of("history", HistoryFile, mode="validation"),
        "pairing": schema_of("pairing", PairingAnswer, mode="serialization"),
        "report": schema_of("report", ReportFile, mode="serialization"),
        "standings": schema_of("standings", StandingsAnswer, mode="serialization"),
    }
