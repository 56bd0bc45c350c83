"""JSON Schemas of the history file and what ``manage.py pair`` and ``standings`` answer to it, and of an event's
report."""

from __future__ import annotations

from typing import Any

from events.engine.history_answers import PairingAnswer, StandingsAnswer
from events.engine.history_file import HistoryFile
from events.engine.report_file import ReportFile
from rules.schemas import schema_of


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by name."""
    return {
        "history": schema_of("history", HistoryFile, mode="validation"),
        "pairing": schema_of("pairing", PairingAnswer, mode="serialization"),
        "report": schema_of("report", ReportFile, mode="serialization"),
        "standings": schema_of("standings", StandingsAnswer, mode="serialization"),
    }
