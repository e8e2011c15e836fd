"""What a reader makes of one record, before scales and splits are known: cleaned, but with marks as they were told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from novum.literature.importing.cleaning import clean_text

LONGEST_REVIEW = 200_000
"""Characters of a review; anything longer is something else."""
MOST_REVIEWS = 100
"""Of one paper."""
_LONGEST_MARK = 300
_MOST_MARKS = 40
_DROPPED = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), 0x7F])
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


@dataclass(slots=True)
class RawReview:
    """One reviewer's text and marks. `rating`, `confidence`: as told, empty where nothing was."""

    text: str = ""
    rating: str = ""
    confidence: str = ""
    marks: dict[str, str] = field(default_factory=dict)
    reviewer: str = ""
    unfit: str = ""


@dataclass(slots=True)
class RawPaper:
    """One submission. `date`: ISO day or empty; `decided`: the venue's words; `ids`: by registry."""

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
    put_by: int = 0
    """Replies that were no reviews: comments, answers of the authors."""


def long_text(value: object) -> str:
    """Text with its line breaks, of a string or a list of strings; empty for anything else."""
    if isinstance(value, list):
        return "\n".join(filter(None, (long_text(member) for member in value[:200] if isinstance(member, str))))
    if not isinstance(value, str):
        return ""
    text = value.replace("\r\n", "\n")
    kept = text.translate(_DROPPED) if text.isascii() else _CONTROL.sub("", text)  # the former is faster by far
    return kept.strip()[:LONGEST_REVIEW]


def parse_mark(value: object) -> str:
    """A mark as one line of text; empty for what is none."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if abs(value) < 1e9 else ""
    return clean_text(value)[:_LONGEST_MARK]


def parse_marks(found: Mapping[str, object], names: Iterable[str]) -> dict[str, str]:
    """Those of `names` that were told, under their names."""
    told = ((name, parse_mark(found.get(name))) for name in names)
    return dict([(name.lower(), text) for name, text in told if text][:_MOST_MARKS])


def text_with_headings(parts: Iterable[tuple[str, object]]) -> str:
    """Parts of a form as one text, each under its name."""
    texts = ((clean_text(name)[:100], long_text(value)) for name, value in parts)
    return "\n\n".join(f"{name.replace('_', ' ').strip().capitalize()}:\n{text}" for name, text in texts if text)[
        :LONGEST_REVIEW
    ]


def json_objects(value: object, most: int) -> list[Mapping[str, object]]:
    """The JSON objects of a list."""
    return [member for member in value[:most] if isinstance(member, Mapping)] if isinstance(value, list) else []
