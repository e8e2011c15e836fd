"""Text that every database can store: without NUL characters and lone surrogates. What is stored of papers holds no
key or password of this process either."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from novum.core import Identifiers
from novum.credentials.redaction import redact
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


def storable_data(text: str) -> str:
    """The text as from `storable`, and without the known keys and passwords of this process."""
    return storable(redact(text))


def storable_entry(entry: Entry) -> Entry:
    """The entry itself if all its text is storable and holds no known key or password, otherwise a copy with such
    text."""
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
    whole = "\n".join(texts)
    if is_storable(whole) and redact(whole) is whole:
        return entry
    clean = paper.but(
        title=storable_data(paper.title),
        venue=storable_data(paper.venue),
        abstract=storable_data(paper.abstract),
        summary=storable_data(paper.summary),
        authors=tuple(map(storable_data, paper.authors)),
        fields=tuple(map(storable_data, paper.fields)),
        references=tuple(map(storable_data, paper.references)),
        ids=Identifiers(**{scheme: storable_data(value) for scheme, value in ids}),
    )
    return replace(
        entry,
        paper=clean,
        key=storable_data(entry.key),
        other_keys=tuple(map(storable_data, entry.other_keys)),
        full_text=None if entry.full_text is None else storable_data(entry.full_text),
        references=tuple(Reference(scheme, storable_data(value)) for scheme, value in entry.references),
    )
