"""JSON answers of services, taken apart without trusting their shape, and what several services' records share."""

from __future__ import annotations

import calendar
import datetime as dt
import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import orjson

from novum.credentials.redaction import redact
from novum.literature.entry import Entry, Reject
from novum.literature.importing.cleaning import LONGEST_NAME, clean_date, clean_text, without_markup
from novum.literature.importing.record import UnusableRecord, checked_title
from novum.literature.sources.source import NotDataError

MOST_REFERENCES = 20_000
"""More than any real paper has."""
MOST_AUTHORS = 10_000
_LONGEST_MESSAGE = 200
_LONGEST_NAME = 200
_NESTED_ENTITIES = 3
_ADDRESS = re.compile(r"\S*://|www\.|doi\.org/|\S+\.\S+/\S*$", re.IGNORECASE)
_WITHDRAWN = re.compile(r"\W*(retracted|withdrawn)(\s+(article|paper|chapter))?\s*[:\]]", re.IGNORECASE)

_NOTICE = re.compile(
    r"\W*(((author|publisher)('s)?\s+correction|corrections?|erratum|errata|corrigend(um|a)|addendum|retraction(\s+not(e|ice))?|"
    r"expression\s+of\s+concern)(\s+(to|for|on))?\s*[:\u201c\"]|(erratum|errata|corrigend(um|a))\s+(to|for)\b|"
    r"(decision\s+letter|author\s+response|editor['\u2019]s\s+evaluation|elife\s+assessment)\s*:|"
    r"(peer\s+)?review(er)?\s+#\s?\d)",
    re.IGNORECASE,
)
"""A correction of another paper, or its review."""
_FRONT_MATTER = re.compile(
    r"\W*((guest\s+)?editorial|editorial\s+board|erratum|errata|corrigend(um|a)|corrections?|addendum|retraction(\s+note)?|"
    r"(table\s+of\s+)?contents|(author|subject|keyword)?\s*index|index\s+to\s+(volume\s+\w+|advertisers)|"
    r"(front|back)\s?(matter|cover)|(inside\s+)?(front|back)?\s*cover|masthead|title\s+page|copyright(\s+page)?|"
    r"issue\s+information|book\s+reviews?(\(s\))?|letters?\s+to\s+the\s+editors?|(list\s+of\s+)?contributors|"
    r"acknowledge?ments?|publisher['\u2019]?s?\s+note|announcements?|in\s+this\s+issue|preface|foreword)\W*",
    re.IGNORECASE,
)
"""The whole title of what is in every issue of a journal."""


def json_object(answer: bytes) -> Mapping[str, object]:
    """The object that an answer is. Raises ValueError when it is none."""
    value = json_value(answer)
    if not isinstance(value, Mapping):
        raise ValueError("not a JSON object")
    return value


def json_value(answer: bytes) -> object:
    """Whatever JSON an answer is. Raises NotDataError when it is none, as when it was cut off."""
    try:
        value: object = orjson.loads(answer)
    except orjson.JSONDecodeError as error:
        raise NotDataError(f"not JSON: {error.msg}") from error
    return value


def objects(value: object) -> Iterator[Mapping[str, object]]:
    """Those members of a list that are objects; of anything else nothing."""
    for member in value if isinstance(value, list) else ():
        if isinstance(member, Mapping):
            yield member


def nested_object(record: Mapping[str, object], *names: str) -> Mapping[str, object]:
    """The object at the end of this path, empty when there is none."""
    for name in names:
        value = record.get(name)
        record = value if isinstance(value, Mapping) else {}
    return record


def entries_of(
    records: Iterable[tuple[int, Mapping[str, object]]],
    entry_of: Callable[[Mapping[str, object], int], Entry],
    source: str,
) -> tuple[list[Entry], list[Reject]]:
    """What became of numbered records: entries, and rejects that name the source and the number."""
    entries: list[Entry] = []
    rejects: list[Reject] = []
    for number, record in records:
        try:
            entries.append(entry_of(record, number))
        except UnusableRecord as reason:
            rejects.append(Reject(file=source, line=number, reason=str(reason)))
    return entries, rejects


def clean_title(value: object) -> str:
    """A title without markup. Raises Unusable for none, one too long, or one that says that its paper was withdrawn or
    that it is no paper, such as `Erratum to …` or `Table of Contents`."""
    title = checked_title(plain_text(value))
    if _WITHDRAWN.match(title):
        raise UnusableRecord(f"withdrawn: {title[:80]!r}")
    if _NOTICE.match(title) or _FRONT_MATTER.fullmatch(title):
        raise UnusableRecord(f"no paper, by its title: {title[:80]!r}")
    return title


def plain_text(value: object) -> str:
    """Text without tags and with its entities (`&amp;`) resolved, also those of entities (`&amp;lt;`)."""
    text = clean_text(value)
    for _ in range(_NESTED_ENTITIES):
        resolved = clean_text(html.unescape(text)) if "&" in text else text
        if resolved == text:
            break
        text = resolved
    return without_markup(text)


def venue_name(*values: object) -> str:
    """The first of several texts that names a venue: an address of the web does not."""
    names = (plain_text(value) for value in values)
    return next((name[:LONGEST_NAME] for name in names if name and not _ADDRESS.match(name)), "")


def author_names(names: Iterable[object]) -> tuple[str, ...]:
    """Authors' names, in order, those that are no names left out."""
    read = (clean_text(name)[:_LONGEST_NAME] for _, name in zip(range(MOST_AUTHORS), names, strict=False))
    return tuple(filter(None, read))


def certain_day(value: object) -> dt.date | None:
    """The day by which a paper was certainly public.

    Services write the first of January or of a month where they know no more than the year or the month: these become
    None, which leaves it to the year, and the month's last day.
    """
    day = clean_date(value)
    if day is None or day.day != 1:
        return day
    return None if day.month == 1 else day.replace(day=calendar.monthrange(day.year, day.month)[1])


def service_message(value: object) -> str:
    """The beginning of what a service says, without keys: they are taken out first, as half of one would not be
    recognised."""
    return redact(clean_text(value))[:_LONGEST_MESSAGE]


def in_chunks(values: Sequence[str], size: int) -> Iterator[list[str]]:
    """`values` once each, in lists of at most `size`."""
    unique = list(dict.fromkeys(values))
    for start in range(0, len(unique), size):
        yield unique[start : start + size]
