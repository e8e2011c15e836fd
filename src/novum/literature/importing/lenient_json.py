"""Parses lines that are almost JSON, after the strict parser refused them."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import orjson

LONGEST_LINE = 16_000_000
"""Bytes; longer records are not parsed."""
EDGES = b" \t\r\n,[]"
"""Characters around a record when the file is an array."""
_SHELL = re.compile(
    rb'\b(?:NumberInt|NumberLong|NumberDecimal|ObjectId|ISODate)\(\s*("[^"\\]{0,100}"|-?[\d.]{1,40})\s*\)'
)


class LenientRecords(NamedTuple):
    """The values of a line, and which errors were ignored; empty for none."""

    values: list[object]
    overlooked: str


def read_leniently(line: bytes) -> LenientRecords:
    """The values of a line that is not one strict JSON value. Raises ValueError with the reason.

    Understood: brackets and commas of an array around one or more records, and the numbers of the MongoDB shell
    (`NumberInt(3)`), as some dumps have them. Overlooked: invalid UTF-8, NaN and Infinity (read as null), half
    characters, and control characters inside strings.
    """
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a record of over {LONGEST_LINE:,} bytes")
    bare = line.strip(EDGES)
    if not bare:
        return LenientRecords([], "")
    text = _SHELL.sub(rb"\1", b"[" + (bare if bare.startswith(b"{") else line) + b"]")
    try:
        return LenientRecords(orjson.loads(text), "")
    except orjson.JSONDecodeError as error:
        return LenientRecords(_leniently(text, error.msg), error.msg)


def _leniently(text: bytes, trouble: str) -> list[object]:
    try:
        values: list[object] = json.loads(text.decode("utf-8", "replace"), strict=False, parse_constant=_nothing)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {trouble}") from error
    return values


def _nothing(_: str) -> None:
    """NaN and Infinity are no numbers."""
