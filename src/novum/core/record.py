"""The base of all records: immutable, typed, readable and writable as JSON, with an id derived from the content."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError, computed_field, model_validator


def content_id(prefix: str, content: Any) -> str:
    """`prefix`, a dash, and 16 hex digits of a BLAKE2b hash of `content`, which may be any JSON value."""
    canonical = _CANONICAL.encode(content)
    return f"{prefix}-{hashlib.blake2b(canonical.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"


_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


class Value(BaseModel):
    """A frozen value inside a record, without an id."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Record(Value):
    """A record with an id: two records with the same `id_fields` have the same `id`.

    The id is part of the JSON form, for readers of exported files; it is computed again on loading.
    """

    id_prefix: ClassVar[str] = "record"
    id_fields: ClassVar[tuple[str, ...]] = ()

    def identity(self) -> Any:
        """The values that the id is derived from: those of `id_fields`."""
        return self.model_dump(mode="json", include=set(self.id_fields))

    @computed_field  # type: ignore[prop-decorator]  # pydantic's documented form; mypy has no name for it
    @functools.cached_property
    def id(self) -> str:
        return content_id(self.id_prefix, self.identity())

    @model_validator(mode="before")
    @classmethod
    def _id_is_derived(cls, data: Any) -> Any:
        if isinstance(data, dict) and "id" in data:
            return {name: value for name, value in data.items() if name != "id"}
        return data

    def but(self, **changes: Any) -> Self:
        """A validated copy with some fields changed."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate(fields | changes)


def first_error(error: ValueError) -> str:
    """The first error of a validation in one line, as `field: message`."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    field = ".".join(map(str, first["loc"]))
    return f"{field}: {message}" if field else message
