"""Splits BibTeX text into blocks. After a broken block, reading continues at the next line that begins with `@`.

No full parser of the language: macros (`@string`) and `#` are understood, `@preamble` and `@comment` are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_START = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_NAME = re.compile(r"\s*([^\s={}(),\"#%']+)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}\"()=]+")
_MONTHS = {
    name: str(number)
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}


@dataclass(frozen=True)
class BibtexBlock:
    """An entry: kind and field names in lower case, values without delimiters."""

    kind: str
    key: str
    fields: dict[str, str]
    line: int


@dataclass(frozen=True)
class BrokenBlock:
    """An entry that cannot be read, and why."""

    line: int
    reason: str


class _Broken(ValueError):
    """Why this entry cannot be read."""


def blocks(text: str) -> Iterator[BibtexBlock | BrokenBlock]:
    """All entries in order; line numbers count from 1."""
    macros = dict(_MONTHS)
    place, line, counted = 0, 1, 0
    while start := _START.search(text, place):
        line += text.count("\n", counted, start.start())
        counted = start.start()
        kind = start.group(1).lower()
        limit = _next_start(text, start.end())
        try:
            end = _end_of_block(text, start, limit)
            if kind == "string":
                macros |= dict(_fields(text[start.end() : end], macros))
            elif kind not in {"comment", "preamble"}:
                yield _block(kind, text[start.end() : end], macros, line)
            place = end
        except _Broken as reason:
            yield BrokenBlock(line, f"@{kind}: {reason}")
            place = limit


def _next_start(text: str, place: int) -> int:
    """The place of the next line that begins like an entry."""
    match = _LINE_START.search(text, place)
    return match.start() if match else len(text)


_LINE_START = re.compile(r"^[ \t]*@\s*(?:[A-Za-z]+)\s*[{(]", re.MULTILINE)


def _end_of_block(text: str, start: re.Match[str], limit: int) -> int:
    """The place of the closing delimiter of the block. Raises _Broken when it is not before `limit`."""
    closing = "}" if start.group(2) == "{" else ")"
    depth, place = 0, start.end()
    while place < limit:
        char = text[place]
        if char == "\\":
            place += 1
        elif char == closing and depth == 0:
            return place
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        place += 1
    raise _Broken("its braces do not balance before the next entry")


def _block(kind: str, body: str, macros: dict[str, str], line: int) -> BibtexBlock:
    key, comma, rest = body.partition(",")
    if "=" in key:
        raise _Broken("no citation key")
    fields: dict[str, str] = {}
    for name, value in _fields(rest if comma else "", macros):
        fields.setdefault(name, value)
    return BibtexBlock(kind, key.strip(), fields, line)


def _fields(body: str, macros: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(name, value) pairs of `name = value, …`."""
    place = _behind(_BETWEEN, body, 0)
    while place < len(body):
        match = _NAME.match(body, place)
        if not match:
            raise _Broken(f"no field where {body[place : place + 20].splitlines()[0]!r} stands")
        value, place = _value(body, match.end(), macros)
        yield match.group(1).lower(), value
        place = _behind(_BETWEEN, body, place)


_BETWEEN = re.compile(r"[, \t\r\n]*")
_BLANKS = re.compile(r"\s*")


def _behind(pattern: re.Pattern[str], body: str, place: int) -> int:
    """The end of a match of `pattern`, which matches everywhere."""
    match = pattern.match(body, place)
    return match.end() if match else place


def _value(body: str, place: int, macros: dict[str, str]) -> tuple[str, int]:
    """The value that begins at `place`, with `#` resolved, and its end."""
    parts: list[str] = []
    while True:
        part, place = _part(body, place, macros)
        parts.append(part)
        place = _behind(_BLANKS, body, place)
        if not body.startswith("#", place):
            break
        place = _behind(_BLANKS, body, place + 1)
    if place < len(body) and body[place] != ",":
        raise _Broken(f"no comma before {body[place : place + 20].splitlines()[0]!r}")
    if sum(map(len, parts)) > _LONGEST_VALUE:
        raise _Broken("a value that its macros make too long")
    return "".join(parts), place


_LONGEST_VALUE = 1_000_000
"""Characters: nested macros could fill the memory."""


def _part(body: str, place: int, macros: dict[str, str]) -> tuple[str, int]:
    if body[place : place + 1] == "{":
        end = _closing(body, place + 1, "}")
        return body[place + 1 : end], end + 1
    if body[place : place + 1] == '"':
        end = _closing(body, place + 1, '"')
        return body[place + 1 : end], end + 1
    match = _BARE.match(body, place)
    if not match:
        raise _Broken("a field without value")
    word = match.group()
    return macros.get(word.lower(), word), match.end()


def _closing(body: str, place: int, delimiter: str) -> int:
    """The place of the delimiter outside all braces."""
    depth = 0
    while place < len(body):
        char = body[place]
        if char == "\\":
            place += 1
        elif char == delimiter and depth == 0:
            return place
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        place += 1
    raise _Broken("a value that does not end")
