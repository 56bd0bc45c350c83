"""What every operation of the API has in common, added to the OpenAPI document in one place."""

from __future__ import annotations

from typing import Any

KEY_HEADER = "Idempotency-Key"

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457. `code` is stable and for programs, `detail` is a sentence for people.",
    "required": ["type", "status", "code", "detail", "context"],
    "properties": {
        "type": {"type": "string", "enum": ["about:blank"]},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "code": {"type": "string", "example": "event.stale"},
        "detail": {"type": "string"},
        "context": {
            "type": "object",
            "additionalProperties": True,
            "description": "The facts behind it. `event.stale` has version, state and round.",
        },
        "fields": {
            "type": "object",
            "additionalProperties": True,
            "description": "With `request.fields`: what is wrong, by field of the body or of the query.",
        },
    },
}
MEANING = {
    "400": "The request can't be read, or its values can't be meant.",
    "401": "Nobody is signed in.",
    "403": "Signed in, and not allowed; or the CSRF token is missing.",
    "404": "There is no such thing, or none that may be known of.",
    "406": "The answer is JSON only.",
    "409": "Out of order, too late, or decided on a state that has since changed.",
    "413": "The body is over 256 kB.",
    "415": "The body is not application/json in UTF-8, uncompressed.",
    "422": "The Idempotency-Key was used for another request.",
    "428": "The version of the event that the change was decided on is missing.",
    "503": "Busy. Nothing was changed: send the same request again, as Retry-After says.",
}


def describe_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A post-processing hook of drf-spectacular: every way in which each operation can refuse."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for path, operations in result["paths"].items():
        for operation in operations.values():
            for status in _statuses(path, operation):
                operation["responses"].setdefault(status, _answer(status))
    return result


def _statuses(path: str, operation: dict[str, Any]) -> list[str]:
    found = ["400", "406"]
    if "{" in path or "requestBody" in operation:
        found.append("404")
    if {} not in operation.get("security", [{}]):
        found += ["401", "403"]
    if "requestBody" in operation:
        found += ["413", "415"]
    headers = {parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "header"}
    if KEY_HEADER in headers:
        found += ["409", "422", "503"]
        if "requestBody" in operation:
            found.append("428")
    return sorted(found)


def _answer(status: str) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answer: dict[str, Any] = {"description": MEANING[status], "content": content}
    if status == "503":
        answer["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return answer
