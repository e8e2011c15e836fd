"""JSON, and what was meant to be JSON, in the text of a model. Pure functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import orjson

_OBJECT_START = re.compile(r"\{\s*(?:[\"'“‘}]|\w+\s*:)")
"""Also of what is JSON only nearly: with other quotation marks around its names, or none."""
_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}]', re.DOTALL)
_LAST_COMMA = re.compile(r'(?P<string>"(?:[^"\\]|\\.)*")|,(?P<end>\s*[}\]])', re.DOTALL)


def json_objects(text: str) -> list[str]:
    """The outermost objects of a text in their order, JSON or what was meant to be JSON, the last perhaps cut off.

    Other braces, as in formulas, are passed over. What stands in a string or within an object is part of it.
    """
    return [text[span] for span in object_spans(text)]


def object_spans(text: str) -> list[slice]:
    """Where these objects stand."""
    spans, position = [], 0
    while start := _OBJECT_START.search(text, position):
        position = _closing_brace(text, start.start()) + 1
        spans.append(slice(start.start(), position))
    return spans


def text_around(text: str, spans: Sequence[slice]) -> str:
    """The text around these passages."""
    starts, ends = [*(span.start for span in spans), len(text)], [0, *(span.stop for span in spans)]
    return "{}".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def braces(text: str) -> Iterator[str]:
    """From each outermost opening brace to the one that closes it, or to the end."""
    position = 0
    while (start := text.find("{", position)) >= 0:
        position = _closing_brace(text, start) + 1
        yield text[start:position]


def json_value(text: str) -> Any:
    """The value of a JSON text; a comma before a closing bracket does no harm. Raises orjson.JSONDecodeError when it is
    malformed or cut off, ValueError when a field has two values."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        text = _LAST_COMMA.sub(lambda found: found["string"] or found["end"], text)
        value = orjson.loads(text)
    try:
        json.loads(text, object_pairs_hook=_check_repetitions)
    except RecursionError as error:
        raise ValueError("The JSON object is nested too deeply.") from error
    return value


def _check_repetitions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    for name, each in pairs:
        if value[name] != each:
            raise ValueError(f"The field {name!r} has two different values. Give it one.")
    return value


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in a JSON value, also in texts that are JSON again."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str) and each.lstrip()[:1] in {"{", "["}:
            with suppress(orjson.JSONDecodeError):
                waiting.append(orjson.loads(each))
        if isinstance(each, dict):
            yield each
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)


def _closing_brace(text: str, start: int) -> int:
    """Index of the brace that closes the one at `start`, none in strings counted; the last character without one."""
    depth = 0
    for token in _STRING_OR_BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return len(text) - 1
