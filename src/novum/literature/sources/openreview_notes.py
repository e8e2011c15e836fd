"""OpenReview's notes, of which submissions, reviews and decisions are made, taken apart without trusting their shape.

The second version of the API wraps every value as `{"value": …}`, the first does not; both are understood. What is not
for everyone to read is never read: with a key, one may see more than the public does.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from novum.literature.importing.cleaning import clean_text
from novum.literature.sources.json_responses import nested_object

Note = Mapping[str, object]

EVERYONE = "everyone"
_YEARS = range(1990, 2200)


def field(note: Note, *names: str) -> object:
    """The public value of the first of these fields that has one; None when there is none."""
    content = nested_object(note, "content")
    return next((value for name in names if (value := bare(content.get(name))) not in (None, "", [])), None)


def bare(value: object) -> object:
    """A value without its wrapping; None when it is not public."""
    if not isinstance(value, Mapping):
        return value
    return value.get("value") if is_public(value) else None


def is_public(note: Note) -> bool:
    """Whether everyone may read it; what does not say who may is as public as what it belongs to."""
    readers = note.get("readers")
    return readers is None or (isinstance(readers, list) and EVERYONE in readers)


def invitations(note: Note) -> Iterator[str]:
    """What the note answers to, such as `ICLR.cc/2024/Conference/-/Submission`."""
    listed = note.get("invitations")
    for value in (*(listed if isinstance(listed, list) else ()), note.get("invitation")):
        if isinstance(value, str):
            yield value


def kinds(note: Note) -> set[str]:
    """The last parts of its invitations, in lower case without underscores: `officialreview`."""
    return {name.rpartition("/")[2].replace("_", "").lower() for name in invitations(note)}


def taken_back(note: Note) -> str:
    """`withdrawn`, `rejected without review` or `deleted`, by the group that it ended in, what it answers to, or the
    venue's words; otherwise empty."""
    where = {clean_text(field(note, "venueid")).rpartition("/")[2].replace("_", "").lower()} | kinds(note)
    venue, withdrawal = (clean_text(field(note, name)).lower() for name in ("venue", "withdrawal"))
    if any(name.startswith("withdrawn") for name in where) or "withdrawn" in venue or withdrawal == "confirmed":
        return "withdrawn"
    if any(name.startswith("deskreject") for name in where) or "desk reject" in venue:
        return "rejected without review"
    return "deleted" if note.get("ddate") else ""


def note_id(note: Note, name: str = "id") -> str:
    """One of its ids, empty when it is none."""
    found = clean_text(note.get(name))
    return found if found and len(found) <= 64 and " " not in found else ""


def moment(note: Note, *names: str) -> dt.datetime | None:
    """The first of these times, which OpenReview counts in milliseconds since 1970, in UTC."""
    for name in names:
        value = note.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e13:
            continue
        found = dt.datetime.fromtimestamp(value / 1000, dt.UTC)
        if found.year in _YEARS:
            return found
    return None


def texts(value: object) -> Sequence[str]:
    """The texts of a list; one text alone, divided at semicolons or else commas."""
    if isinstance(value, str):
        value = value.split(";" if ";" in value else ",")
    return [text for member in value if (text := clean_text(member))] if isinstance(value, list) else []
