"""The topic of a request."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import StringConstraints

from novum.core.record import Record

TOPIC_LIMIT = 2000
"""Maximal length in characters: a topic is a phrase or a paragraph; a longer text belongs into the library."""


class Topic(Record):
    """A research topic in the user's words, 1 to `TOPIC_LIMIT` characters."""

    id_prefix: ClassVar[str] = "topic"
    id_fields: ClassVar[tuple[str, ...]] = ("text",)

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TOPIC_LIMIT)]
