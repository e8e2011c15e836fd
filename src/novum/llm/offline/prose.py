"""Limits the strings of a JSON schema to plain prose, for very small models.

Without limits inside a string, the smallest model writes time stamps, brackets and its own instructions. If only
letters and a few marks are allowed, from a capital to a full stop, it writes sentences, mostly about the question.
"""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

LONGEST = 240
"""Characters of a string: room for one long sentence, about 45 tokens."""
_PHRASE = 120
"""A string that may not be longer than this is a name or a phrase, without a full stop."""
_WORD = " [A-Za-z][a-z]{0,14}(-[A-Za-z][a-z]{0,14})?"
_FEWEST = 6
_SETTLED = ("enum", "const", "pattern", "format")
"""Keywords by which a schema already limits a string."""


def plain_prose(schema: dict[str, Json], longest: int = LONGEST) -> dict[str, Json]:
    """A copy of `schema`, every free string limited to prose of its own `maxLength`, at most `longest` characters."""
    return {key: _plain(value, longest) for key, value in _bound(schema, longest).items()}


def _plain(node: Json, longest: int) -> Json:
    if isinstance(node, dict):
        return plain_prose(node, longest)
    return [_plain(item, longest) for item in node] if isinstance(node, list) else node


def _bound(node: dict[str, Json], longest: int) -> dict[str, Json]:
    if node.get("type") != "string" or any(keyword in node for keyword in _SETTLED):
        return node
    allowed = node.get("maxLength")
    most = min(allowed, longest) if isinstance(allowed, int) else longest
    rest = {key: value for key, value in node.items() if key not in ("minLength", "maxLength")}
    return {**rest, "pattern": _phrase(most) if most <= _PHRASE else _sentence(most)}


def _sentence(most: int) -> str:
    # A word and the space before it take seven characters on average.
    return f"^[A-Z][a-z]{{0,14}}({_WORD},?){{{_FEWEST},{max(_FEWEST, most // 7)}}}\\.$"


def _phrase(most: int) -> str:
    return f"^[A-Z][a-z]{{1,14}}({_WORD}){{1,{max(1, most // 10)}}}$"
