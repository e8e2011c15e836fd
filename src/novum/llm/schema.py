"""From an answer's type to the JSON schema that is sent with the question."""

from __future__ import annotations

import functools
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """Base of every typed answer. What a model adds unasked is dropped; field descriptions are part of the prompt."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


def prose(longest: int, description: str) -> Any:
    """A text field of about `longest` characters at most. The length is asked for, not enforced: a model cannot count,
    and a good answer a little too long is not worth asking for again."""
    return Field(description=description, json_schema_extra={"maxLength": longest})


def listed(most: int, description: str, *, longest: int | None = None, least: int = 0) -> Any:
    """A list field of `most` items at most, each text of about `longest` characters; asked for, not enforced."""
    extra: dict[str, Any] = {"maxItems": most}
    if longest is not None:
        extra["items"] = {"type": "string", "maxLength": longest}
    return Field(description=description, min_length=least, json_schema_extra=extra)


_CHARACTERS_PER_WORD = 8
"""Generous, so that the words asked for stay within the characters allowed."""

_STRICT_DROPS = (
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "pattern",
    "default",
    "title",
    "format",
)


@functools.lru_cache(maxsize=256)
def schema_text(form: type[BaseModel], strict: bool = False, longest: int | None = None) -> str:
    """The JSON schema of `form` as text; references resolved, titles dropped, all fields required, nothing else allowed.

    `strict`: without the keywords that OpenAI's strict mode refuses. `longest`: caps every string's `maxLength`, so
    that a small model finishes its answer (characters).
    """
    raw = form.model_json_schema()
    resolved = _resolve(raw, raw.get("$defs", {}))
    return json.dumps(_shape(resolved, strict, longest), ensure_ascii=False)


def _resolve(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            return _resolve(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
        return {key: _resolve(value, definitions) for key, value in node.items() if key != "$defs"}
    if isinstance(node, list):
        return [_resolve(item, definitions) for item in node]
    return node


def _shape(node: dict[str, Any], strict: bool, longest: int | None) -> dict[str, Any]:
    """One schema node in the dialect asked for. `properties` holds field names, not keywords, hence the own branch."""
    if "maxLength" in node and "description" in node:
        words = min(node["maxLength"], longest or node["maxLength"]) // _CHARACTERS_PER_WORD
        node = node | {"description": f"{node['description']} (at most {words} words)"}
    drops = _STRICT_DROPS if strict else ("title", "default")
    out = {key: value for key, value in node.items() if key not in drops}
    if "properties" in out:
        out["properties"] = {name: _shape(child, strict, longest) for name, child in out["properties"].items()}
        out["required"] = list(out["properties"])
        out["additionalProperties"] = False
    if isinstance(out.get("items"), dict):
        out["items"] = _shape(out["items"], strict, longest)
    if "anyOf" in out:
        out["anyOf"] = [_shape(child, strict, longest) for child in out["anyOf"]]
    if longest is not None and out.get("type") == "string" and "enum" not in out and "const" not in out:
        out["maxLength"] = min(out.get("maxLength", longest), longest)
        out.setdefault("minLength", 1 if node.get("minLength") else 0)
    return out
