"""What Semantic Scholar's data sets keep in files of their own: abstracts, and citations, of papers given by number."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from novum.core import Paper
from novum.literature.entry import Entry, Reference, Reject
from novum.literature.importing.cleaning import clean_text, without_markup
from novum.literature.importing.record import Unusable, checked_abstract
from novum.literature.library import Library


@dataclass(frozen=True, slots=True)
class Addition(Entry):
    """More about a paper that is known by `key`; `paper` has no title and stands for what is added."""


def abstract_of(record: Mapping[str, object], scope: str = "", line: int = 0) -> Entry:
    """From a line of the data set `abstracts`. Raises Unusable."""
    abstract = checked_abstract(without_markup(clean_text(html.unescape(clean_text(record.get("abstract"))))))
    if not abstract:
        raise Unusable("no abstract")
    return Addition(Paper(title="", abstract=abstract), key=_key(record.get("corpusid")), line=line)


def citation_of(record: Mapping[str, object], scope: str = "", line: int = 0) -> Entry:
    """From a line of the data set `citations`. Raises Unusable."""
    cited = Reference("key", _key(record.get("citedcorpusid")))
    return Addition(Paper(title=""), key=_key(record.get("citingcorpusid")), references=(cited,), line=line)


def _key(number: object) -> str:
    """As the papers of the data set are called."""
    if type(number) is not int:
        raise Unusable("it names no paper")
    return f"corpusid:{number}"


def completed(library: Library, found: Iterable[Entry | Reject], file: str) -> Iterator[Entry | Reject]:
    """Additions as entries of the papers that they belong to; everything else as it is."""
    read = list(found)
    papers = library.named(("key", one.key) for one in read if isinstance(one, Addition))
    for one in read:
        if not isinstance(one, Addition):
            yield one
        elif known := papers.get(("key", one.key)):
            added = Paper(
                title=known.title,
                authors=known.authors,
                year=known.year,
                date=known.date,
                ids=known.ids,
                abstract=one.paper.abstract,
            )
            yield Entry(added, key=one.key, references=one.references, line=one.line)
        else:
            reason = f"the library has no paper {one.key}: import the data set `papers` first"
            yield Reject(file=file, line=one.line, reason=reason)
