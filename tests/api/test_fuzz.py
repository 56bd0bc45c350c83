"""JSON made by chance, for every POST that the API's own document describes: it is answered, never an error of ours."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.addresses import filled
from tests.api.conftest import Site

KEYS = itertools.count()
EXAMPLES = 8
TEXT = st.text(max_size=12) | st.sampled_from(["", "epic", "designed-deck", "UTC", "never", "2027-03-05T10:00:00Z"])
NUMBERS = st.integers(-3, 9) | st.integers() | st.floats()
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def _document() -> dict[str, Any]:
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document


def _shaped(schema: dict[str, Any], document: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that mostly fit the schema, so that services are reached and not only the first check."""
    if "$ref" in schema:
        return _shaped(document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], document)
    if "allOf" in schema:
        return _shaped(schema["allOf"][0], document)
    if "oneOf" in schema:
        return st.one_of([_shaped(part, document) for part in schema["oneOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            fields = {name: _shaped(part, document) | ANYTHING for name, part in schema.get("properties", {}).items()}
            required = {name: fields.pop(name) for name in schema.get("required", ())}
            return st.fixed_dictionaries(required, optional=fields)
        case "array":
            return st.lists(_shaped(schema["items"], document), max_size=3)
        case "integer":
            return st.integers(schema.get("minimum", -5), min(schema.get("maximum", 5), 5))
        case "boolean":
            return st.booleans()
        case _:
            return TEXT


def _operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method.upper(), path, operation["requestBody"]["content"]["application/json"]["schema"])
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation
    ]


def _address(path: str, site: Site) -> str:
    return filled(path.replace("{", "<").replace("}", ">"), site.values)[1:]


def _by_chance(schema: dict[str, Any], document: dict[str, Any], send: Callable[[Any], None]) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(_shaped(schema, document) | ANYTHING)
    def fuzz(body: Any) -> None:
        send(body)

    fuzz()


def test_no_json_is_an_error_of_ours(site: Site) -> None:
    document = _document()
    operations = _operations(document)
    assert len(operations) > 20
    statuses: dict[int, int] = {}

    def send(client: Client, method: str, path: str, body: Any) -> None:
        response = client.generic(
            method,
            path,
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": f"by-chance-{next(KEYS)}"},
        )
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
        assert response.status_code < 500, (method, path, body, response.content[:300])
        if response.status_code >= 400:
            assert response["Content-Type"].startswith("application/problem+json")

    for method, path, schema in operations:
        _by_chance(schema, document, partial(send, site.clients["organiser"], method, _address(path, site)))
        _by_chance(schema, document, partial(send, site.clients["player"], method, _address(path, site)))
    assert statuses.get(400, 0) > 0
    assert sum(count for status, count in statuses.items() if status < 300) > 0
