"""Cleans values from files and responses. An invalid value becomes None or empty, never a guess."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from novum.core import Identifiers
from novum.literature.entry import REGISTRIES, clean_identifier

LONGEST_TEXT = 100_000
"""Characters; longer text is no abstract."""
LONGEST_NAME = 500
"""Characters of the name of a venue or field."""
_FIRST_YEAR, _LAST_YEAR = 1400, 2200
_ISO_DAY = len("2020-01-31")
_MONTHS = range(1, 13)
_CONTROL = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
"""Dropped from text; tabs and line ends become spaces."""
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,100}>")
_ARXIV_NEW = re.compile(r"(\d\d)(\d\d)\.\d{4,5}")


def clean_text(value: object) -> str:
    """The text on one line: without control characters and lone surrogates, each run of white space as one space."""
    if not isinstance(value, str):
        return ""
    if value.isprintable() and "  " not in value:  # nearly all are; of white space, only the plain space is printable
        return value.strip()
    return " ".join(value.encode("utf-8", "ignore").translate(None, _CONTROL).decode().split())


def clean_texts(values: Sequence[object]) -> list[str]:
    """The texts among `values`, each as from `clean_text`, empty ones left out."""
    try:
        whole = "".join(values)  # type: ignore[arg-type]  # what is no text ends in the other branch
    except TypeError:
        return [text for value in values if (text := clean_text(value))]
    if whole.isprintable() and "  " not in whole:
        return [text for value in values if (text := value.strip())]  # type: ignore[attr-defined]
    return [text for value in values if (text := clean_text(value))]


def without_markup(text: str) -> str:
    """The text without HTML or JATS tags."""
    return clean_text(_TAG.sub(" ", text)) if "<" in text else text


def clean_year(value: object) -> int | None:
    """A year from a number or a text that holds one."""
    if isinstance(value, str):
        match = _YEAR.search(value)
        value = int(match.group(1)) if match else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if _FIRST_YEAR <= value <= _LAST_YEAR else None


def clean_date(value: object) -> dt.date | None:
    """A day from ISO 8601 text."""
    try:
        return dt.date.fromisoformat(value[:_ISO_DAY]) if isinstance(value, str) else None
    except ValueError:
        return None


def clean_count(value: object) -> int | None:
    """A citation count."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 10**9:
        return None
    return int(value)


def clean_identifiers(found: dict[str, object]) -> Identifiers:
    """The identifiers of known registries in `found`, without prefixes."""
    cleaned = {
        scheme: clean_identifier(scheme, clean_text(value))
        for scheme, value in found.items()
        if scheme in REGISTRIES and isinstance(value, str)
    }
    return Identifiers(**{scheme: value for scheme, value in cleaned.items() if value})


def arxiv_day(arxiv: str | None) -> dt.date | None:
    """The last day of the month that an arXiv id of the form YYMM.number names: by then it was certainly public."""
    match = _ARXIV_NEW.fullmatch(arxiv or "")
    if not match or int(match.group(2)) not in _MONTHS:
        return None
    year, month = 2000 + int(match.group(1)), int(match.group(2))
    following = dt.date(year + month // 12, month % 12 + 1, 1)
    return following - dt.timedelta(days=1)
