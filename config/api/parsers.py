"""One way to read a JSON body, so that every endpoint refuses the same bad input with a clear 4xx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser

from config.text import unstorable_character

MAX_DEPTH = 20
MAX_DIGITS = 18


class StrictJSONParser(BaseParser):
    """UTF-8 JSON objects only: no duplicate keys, no NaN, no text that PostgreSQL can't store, no deep nesting."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        request = (parser_context or {}).get("request")
        if request is not None:
            _refuse_other_encodings(request.META)
        try:
            # HttpRequest.body is what enforces DATA_UPLOAD_MAX_MEMORY_SIZE.
            raw = request._request.body if request is not None else stream.read()
            data = json.loads(
                raw.decode("utf-8"),
                object_pairs_hook=_no_duplicates,
                parse_constant=_refuse_constant,
                parse_int=_small_int,
                parse_float=_finite_float,
            )
        except RequestDataTooBig:
            raise
        except UnicodeDecodeError as error:
            raise ParseError("The body is not UTF-8.") from error
        except RecursionError as error:
            raise ParseError("The body is nested too deeply.") from error
        except ValueError as error:
            raise ParseError(f"The body is not JSON that can be used: {error}") from error
        if not isinstance(data, dict):
            raise ParseError("The body has to be a JSON object.")
        _check(data, MAX_DEPTH)
        return data


def _refuse_other_encodings(meta: Mapping[str, Any]) -> None:
    content_type = str(meta.get("CONTENT_TYPE", "")).lower()
    charset = content_type.partition("charset=")[2].split(";")[0].strip(" \"'")
    if charset not in ("", "utf-8", "utf8"):
        raise UnsupportedMediaType(content_type, "Send UTF-8.")
    if meta.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise UnsupportedMediaType(content_type, "Send the body uncompressed.")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return data


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


def _small_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("a whole number is too large")
    return int(digits)


def _finite_float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return value


def _check(value: Any, depth: int) -> None:
    if depth == 0:
        raise ParseError("The body is nested too deeply.")
    if isinstance(value, str):
        if (found := unstorable_character(value)) is not None:
            raise ParseError(f"A text holds {found}, which can't be stored.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check(key, depth)
            _check(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth - 1)
