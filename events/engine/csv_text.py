"""Tables as CSV that a spreadsheet shows and never runs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""How a cell begins that some spreadsheet takes for a formula."""


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """RFC 4180. A text that a spreadsheet would run has an apostrophe in front; numbers stay as they are."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.lstrip(" ").startswith(RUN_BY_SPREADSHEETS):
        return f"'{value}"
    return "" if value is None else value
