"""The types of a table's columns as data-set hubs read them at the head of a card.

Without them the types are guessed from the rows, split by split: where no paper of training has a field or a count of
citations, and one of the test set has, a set could not be loaded.
"""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool"}
TURNS: dict[str, Any] = {"list": [{"name": "role", "dtype": "string"}, {"name": "content", "dtype": "string"}]}
"""A conversation."""


def features_of(record: type[BaseModel]) -> list[dict[str, Any]]:
    """A column for each field of a record of numbers, texts, lists of texts, and other such records.

    Raises KeyError for a field of another type.
    """
    hints = get_type_hints(record)
    return [{"name": name, **_kind(hints[name])} for name in record.model_fields]


def _kind(hint: Any) -> dict[str, Any]:
    origin, inside = get_origin(hint), [each for each in get_args(hint) if each is not NoneType]
    if origin in {Union, UnionType}:
        return _kind(inside[0])
    if origin is tuple:
        return {"list": _kind(inside[0])["dtype"]}
    if origin is Literal:
        return {"dtype": "string"}
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return {"struct": features_of(hint)}
    return {"dtype": _TYPES[hint]}
