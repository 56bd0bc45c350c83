"""JSON Schemas (2020-12) of what people write and programs read: the files of a pack, publications, verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import TypeAdapter

from rules.engine.formatschema import FormatDefinition
from rules.engine.packschema import FrontMatter, GameFile, ListsFile, ProductsFile, ReadingsFile, RulingsFile
from rules.engine.policyschema import PolicyDefinition
from rules.engine.publication import PublicationFile
from rules.engine.verdict import VerdictResult

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WRITTEN: Mapping[str, Any] = {
    "game": GameFile,
    "lists": ListsFile,
    "format": FormatDefinition,
    "policy": PolicyDefinition,
    "products": ProductsFile,
    "document": FrontMatter,
    "readings": ReadingsFile,
    "rulings": RulingsFile,
    "publication": PublicationFile,
}
"""What people write, by name of its schema; ``document`` is the front matter of a rules document."""
READ: Mapping[str, Any] = {"verdict": VerdictResult}
"""What programs read. ``verdict`` is as the engine gives it and a decklist keeps it."""


def schema_of(name: str, shape: Any, *, mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    """The JSON Schema of a model or dataclass. Nothing that it doesn't name may stand there."""
    schema = TypeAdapter(shape).json_schema(by_alias=True, mode=mode)
    return {"$schema": DIALECT, "$id": f"urn:tiltyard:schema:{name}", **_closed(schema)}


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by name."""
    return {
        **{name: schema_of(name, shape, mode="validation") for name, shape in WRITTEN.items()},
        **{name: schema_of(name, shape, mode="serialization") for name, shape in READ.items()},
    }


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(part) for key, part in schema.items()}
    return {**closed, "additionalProperties": False} if _is_open(schema) else closed


def _is_open(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and "properties" in schema and "additionalProperties" not in schema
