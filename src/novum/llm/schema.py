"""From an answer's type to the JSON schema that is sent with the question."""

from __future__ import annotations

import functools
import json
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from novum.llm.providers import Dialect

_FEW = "few"
"""Our own keyword in a schema; never sent."""


class Answer(BaseModel):
    """Base of every typed answer. What a model adds unasked is dropped; field descriptions are part of the prompt."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


class Numbered(Protocol):
    """An entry of a list about something that the question numbers."""

    @property
    def number(self) -> int: ...


Entry = TypeVar("Entry", bound=Numbered)


def one_each(entries: list[Entry]) -> list[Entry]:
    """For a validator of a list of numbered entries: the same list. Raises ValueError where two entries with the same
    number differ, as one of them may be quoted from what is judged."""
    by_number: dict[int, Entry] = {}
    for each in entries:
        if by_number.setdefault(each.number, each) != each:
            raise ValueError(f"number {each.number} has two entries that differ: give it one")
    return entries


def prose(longest: int, description: str) -> Any:
    """A text field of about `longest` characters at most. The length is asked for, not enforced: a model cannot count,
    and a good answer a little too long is not worth asking for again."""
    return Field(description=description, json_schema_extra={"maxLength": longest})


_LABEL = "^P[0-9]{1,2}$"


def label(description: str, *, or_none: bool = False) -> Any:
    """A field that names one of the labelled papers of the question, such as P2."""
    pattern = "^(P[0-9]{1,2}|none)$" if or_none else _LABEL
    return Field(description=description, json_schema_extra={"pattern": pattern})


def labels(most: int, description: str, *, few: int = 2) -> Any:
    """A list field that names at most `most` of the labelled papers of the question. `few`: as for `listed`."""
    items: dict[str, Any] = {"type": "string", "pattern": _LABEL}
    return Field(description=description, json_schema_extra={"maxItems": most, _FEW: few, "items": items})


def listed(most: int, description: str, *, longest: int | None = None, least: int = 0, few: int = 3) -> Any:
    """A list field of `most` items at most, each text of about `longest` characters; asked for, not enforced.

    `few`: how many a very small model is held to; 0 where it would only invent.
    """
    extra: dict[str, Any] = {"maxItems": most, _FEW: few}
    if longest is not None:
        extra["items"] = {"type": "string", "maxLength": longest}
    return Field(description=description, min_length=least, json_schema_extra=extra)


_CHARACTERS_PER_WORD = 8
"""Generous, so that the words asked for stay within the characters allowed."""

_ALWAYS_DROPS = ("title", "default", _FEW)
_STRICT_DROPS = (
    *_ALWAYS_DROPS,
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "pattern",
    "format",
)


@functools.lru_cache(maxsize=256)
def schema_text(form: type[BaseModel], dialect: Dialect = "full") -> str:
    """The JSON schema of `form` as text; references resolved, titles dropped, all fields required, nothing else
    allowed.
    """
    raw = form.model_json_schema()
    shaped = _shape(_resolve(raw, raw.get("$defs", {})), dialect)
    return json.dumps(shaped, ensure_ascii=False)


def _resolve(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            return _resolve(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
        return {key: _resolve(value, definitions) for key, value in node.items() if key != "$defs"}
    if isinstance(node, list):
        return [_resolve(item, definitions) for item in node]
    return node


def _shape(node: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """One schema node in a dialect. `properties` holds field names, not keywords, hence the own branch."""
    drops = _STRICT_DROPS if dialect == "strict" else _ALWAYS_DROPS
    out = {key: value for key, value in _worded(node).items() if key not in drops}
    if "properties" in out:
        children = out["properties"]
        names = sorted(children, key=lambda name: name != "title") if dialect == "small" else list(children)
        out["properties"] = {name: _shape(children[name], dialect) for name in names}
        out["required"] = names
        out["additionalProperties"] = False
    if isinstance(out.get("items"), dict):
        out["items"] = _shape(out["items"], dialect)
    if "anyOf" in out:
        out["anyOf"] = [_shape(child, dialect) for child in out["anyOf"]]
    if dialect == "small" and node.get("type") == "array":
        count = min(node.get(_FEW, 3), node.get("maxItems", 3))
        out |= {"minItems": count, "maxItems": count}
    return out


def _worded(node: dict[str, Any]) -> dict[str, Any]:
    """A length in characters said in words too: models count words better, and strict schemas have no lengths."""
    if "maxLength" not in node or "description" not in node:
        return node
    words = node["maxLength"] // _CHARACTERS_PER_WORD
    return node | {"description": f"{node['description']} (at most {words} words)"}
