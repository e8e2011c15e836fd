"""Text that every database can store: without NUL characters and lone surrogates."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from novum.core import Identifiers
from novum.literature.entry import Entry, Reference


def is_storable(text: str) -> bool:
    """Whether a database can store the text unchanged."""
    if "\x00" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def storable(text: str) -> str:
    """The text without NULs, with lone surrogates as question marks."""
    return text if is_storable(text) else text.replace("\x00", "").encode("utf-8", "replace").decode()


def storable_entry(entry: Entry) -> Entry:
    """The entry itself if all its text is storable, otherwise a copy with storable text."""
    paper = entry.paper
    ids = paper.ids.items()
    texts = chain(
        (paper.title, paper.venue, paper.abstract, paper.summary, entry.key, entry.full_text or ""),
        entry.other_keys,
        paper.references,
        paper.authors,
        paper.fields,
        (value for _, value in ids),
        (reference.value for reference in entry.references),
    )
    if is_storable("\n".join(texts)):
        return entry
    clean = paper.but(
        title=storable(paper.title),
        venue=storable(paper.venue),
        abstract=storable(paper.abstract),
        summary=storable(paper.summary),
        authors=tuple(map(storable, paper.authors)),
        fields=tuple(map(storable, paper.fields)),
        references=tuple(map(storable, paper.references)),
        ids=Identifiers(**{scheme: storable(value) for scheme, value in ids}),
    )
    return replace(
        entry,
        paper=clean,
        key=storable(entry.key),
        other_keys=tuple(map(storable, entry.other_keys)),
        full_text=None if entry.full_text is None else storable(entry.full_text),
        references=tuple(Reference(scheme, storable(value)) for scheme, value in entry.references),
    )
