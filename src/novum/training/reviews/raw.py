"""Papers and reviews as readers return them: cleaned texts with their original ratings, without scales and splits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from novum.literature.importing.cleaning import clean_text
from novum.literature.importing.record import UnusableRecord

LONGEST_REVIEW = 200_000
"""Characters of a review; longer texts are cut."""
MOST_REVIEWS = 100
"""Reviews of one paper."""
_LONGEST_MARK = 300
_MOST_MARKS = 40
_DROPPED = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), 0x7F])
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


@dataclass(slots=True)
class RawReview:
    """Text and marks of one reviewer. `rating` and `confidence` are in the original form, empty if not given."""

    text: str = ""
    rating: str = ""
    confidence: str = ""
    marks: dict[str, str] = field(default_factory=dict)
    reviewer: str = ""
    unfit: str = ""


@dataclass(slots=True)
class RawPaper:
    """One submission. `date`: ISO date or empty; `decided`: decision in the words of the venue; `ids`: by registry."""

    title: str
    abstract: str
    venue: str = ""
    year: int | None = None
    date: str = ""
    decided: str = ""
    keywords: list[str] = field(default_factory=list)
    reviews: list[RawReview] = field(default_factory=list)
    meta_review: str = ""
    ids: dict[str, str] = field(default_factory=dict)
    key: str = ""
    source: str = ""
    other_replies: int = 0
    """Number of replies that are not reviews: comments and answers of the authors."""


def long_text(value: object) -> str:
    """The text of a string or a list of strings with its line breaks; empty for other values."""
    if isinstance(value, list):
        return "\n".join(filter(None, (long_text(member) for member in value[:200] if isinstance(member, str))))
    if not isinstance(value, str):
        return ""
    text = value.replace("\r\n", "\n")
    clean = text.translate(_DROPPED) if text.isascii() else _CONTROL.sub("", text)  # the former is much faster
    return clean.strip()[:LONGEST_REVIEW]


def parse_mark(value: object) -> str:
    """A mark as one line of text; empty for other values."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if abs(value) < 1e9 else ""
    return clean_text(value)[:_LONGEST_MARK]


def parse_marks(record: Mapping[str, object], names: Iterable[str]) -> dict[str, str]:
    """The marks of `names` that are given, by lower-case name."""
    marks = ((name, parse_mark(record.get(name))) for name in names)
    return dict([(name.lower(), text) for name, text in marks if text][:_MOST_MARKS])


def text_with_headings(parts: Iterable[tuple[str, object]]) -> str:
    """Join the parts of a form into one text with their names as headings."""
    texts = ((clean_text(name)[:100], long_text(value)) for name, value in parts)
    return "\n\n".join(f"{name.replace('_', ' ').strip().capitalize()}:\n{text}" for name, text in texts if text)[
        :LONGEST_REVIEW
    ]


def required_title(record: Mapping[str, object]) -> str:
    """The title of a record, at most 2,000 characters. Raises UnusableRecord without one."""
    title = clean_text(record.get("title"))[:2000]
    if not title:
        raise UnusableRecord("no title")
    return title


def json_objects(value: object, most: int) -> list[Mapping[str, object]]:
    """The JSON objects of a list, at most `most` values of which are examined."""
    return [member for member in value[:most] if isinstance(member, Mapping)] if isinstance(value, list) else []
