"""Ideas from plain texts and from rows of tables with any of the usual columns."""

from __future__ import annotations

import json
import re
from typing import Any

from novum.core import Subject
from novum.files.tables import Row, text_of

LONGEST = 1_000_000
"""Largest number of characters of an idea."""
_TITLE = 200
"""Longest first line, in characters, that is taken for a title."""
_TEXTS = ("summary", "abstract", "text", "idea", "description")
_LONGER = ("motivation", "novelty", "method")
TEXT_COLUMNS = (*_TEXTS, *_LONGER)
"""Columns that may hold the text of an idea."""
_HEADING = re.compile(r"^(?:#+\s+|\*\*)?(?:title:\s*(?:\*\*\s*)?)?|(?:\*\*|\s#+)$", re.IGNORECASE)


def subject_of_text(text: str, topic: str = "") -> Subject | None:
    """A text as an idea: its first line is the title where it is short and more follows. None where it is blank."""
    first, _, rest = text.strip().partition("\n")
    head = _HEADING.sub("", first.strip()).strip()
    if not text.strip():
        return None
    if rest.strip() and head and len(head) <= _TITLE:
        return Subject(title=head, text=rest.strip(), topic=topic)
    return Subject(title="", text=text.strip(), topic=topic)


def subject_of_row(row: Row, topic: str = "") -> Subject | None:
    """A row of a table as an idea, from those of the known columns that it has. None where it holds no words.

    Raises ValueError for a cell that cannot be read.
    """
    text = text_of(row, *_TEXTS) or " ".join(part for name in _LONGER if (part := text_of(row, name).strip()))
    title = " ".join(text_of(row, "title", "name").split())
    if len(title) + len(text) > LONGEST:
        raise ValueError(f"longer than the {LONGEST:,} characters that an idea may have")
    if not title and not text.strip():
        return None
    return Subject(
        title=title,
        text=text,
        topic=" ".join(text_of(row, "topic").split()) or topic,
        keywords=_listed(row, "keywords"),
        year=_year(row),
        venue=text_of(row, "venue"),
        fields=_listed(row, "fields"),
        references=_listed(row, "references") or _cited(row),
        authors=_listed(row, "authors"),
        token_probability=_probability(row),
        samples=_listed(row, "samples"),
    )


def _listed(row: Row, column: str) -> tuple[str, ...]:
    """A list of texts; in a CSV as JSON, or separated by semicolons."""
    value: Any = row.get(column)
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.lstrip().startswith("[") else value.split(";")
        except (ValueError, RecursionError):
            raise ValueError(f"{column} is no list") from None
    if not isinstance(value, list | None):
        raise ValueError(f"{column} is no list")
    return tuple(text for each in value or () if isinstance(each, str) and (text := each.strip()))


def _cited(row: Row) -> tuple[str, ...]:
    """Ids of the library's papers among the citations of a row that Novum wrote."""
    value: Any = row.get("citations")
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    result = (each.get("paper_id") for each in value if isinstance(each, dict)) if isinstance(value, list) else ()
    return tuple(dict.fromkeys(each for each in result if isinstance(each, str) and each))


def _year(row: Row) -> int | None:
    value = text_of(row, "year").strip().removesuffix(".0")
    return int(value) if re.fullmatch(r"[12][0-9]{3}", value) else None


def _probability(row: Row) -> float | None:
    value = text_of(row, "token_probability").strip()
    try:
        return float(value) if value else None
    except ValueError:
        raise ValueError(f"token_probability {value[:40]!r} is no number") from None
