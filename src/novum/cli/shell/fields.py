"""Descriptions of settings and options from their declarations: name, type, default, description."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined


@dataclass(frozen=True)
class FieldLine:
    """The description of one field."""

    name: str
    type: str
    default: str
    description: str


def fields_of(model: type[BaseModel]) -> Iterator[FieldLine]:
    """Every field of a settings or options record, in the order of declaration."""
    for name, field in model.model_fields.items():
        yield FieldLine(name, _type_name(field.annotation), _default(field), field.description or "")


def shown(value: object) -> str:
    """A value as text: empty for None, lists with commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {each}" for name, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _default(field: FieldInfo) -> str:
    return shown(None if field.default is PydanticUndefined else field.default)


def _type_name(annotation: object) -> str:
    """The type in words, such as `whole number`, `date`, `text or nothing`."""
    origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in {typing.Union, types.UnionType}:
        return " or ".join(_type_name(each) for each in inside)
    if origin is typing.Annotated:
        return _type_name(inside[0])
    if origin is typing.Literal:
        return " | ".join(map(str, inside))
    if origin in {tuple, list}:
        return f"list of {_type_name(inside[0])}" if inside else "list"
    return _PLAIN.get(getattr(annotation, "__name__", ""), getattr(annotation, "__name__", str(annotation)))


_PLAIN = {
    "int": "whole number",
    "float": "number",
    "str": "text",
    "bool": "yes/no",
    "NoneType": "nothing",
    "Path": "path",
    "dict": "table",
}
