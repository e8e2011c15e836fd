"""Parsers of records, by name, so that any process can run them. No I/O."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import orjson

from novum.core import Paper
from novum.literature.entry import Entry, Reference, Reject
from novum.literature.importing.cleaning import clean_text, without_markup
from novum.literature.importing.dblp import dblp_entry
from novum.literature.importing.lenient_json import EDGES, LONGEST_LINE, read_leniently
from novum.literature.importing.record import MOST_REFERENCES, UnusableRecord, checked_abstract, entry_of
from novum.literature.library import Library
from novum.literature.sources.openalex import work_entry
from novum.literature.sources.semantic_scholar import paper_entry


@dataclass(frozen=True, slots=True)
class Addition(Entry):
    """An addition to the paper with the key `key`; `paper` has no title."""


def abstract_of(record: Mapping[str, object], scope: str = "", line: int = 0) -> Entry:
    """Parses a record of the data set `abstracts`. Raises UnusableRecord."""
    abstract = checked_abstract(without_markup(clean_text(html.unescape(clean_text(record.get("abstract"))))))
    if not abstract:
        raise UnusableRecord("no abstract")
    return Addition(Paper(title="", abstract=abstract), key=_key(record.get("corpusid")), line=line)


def citation_of(record: Mapping[str, object], scope: str = "", line: int = 0) -> Entry:
    """Parses a record of the data set `citations`. Raises UnusableRecord."""
    cited = Reference("key", _key(record.get("citedcorpusid")))
    return Addition(Paper(title=""), key=_key(record.get("citingcorpusid")), references=(cited,), line=line)


def _key(number: object) -> str:
    """The key of a paper of the data set."""
    if type(number) is not int:
        raise UnusableRecord("it names no paper")
    return f"corpusid:{number}"


def with_addition(library: Library, found: Iterable[Entry | Reject], file: str) -> Iterator[Entry | Reject]:
    """Additions as entries of their papers; everything else unchanged."""
    read = list(found)
    papers = library.by_names(("key", one.key) for one in read if isinstance(one, Addition))
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


Record = Mapping[str, object]
Reader = Callable[[Record, str, int], Entry]
"""Parses (record, scope, line). `scope`: within which plain keys are valid. Raises UnusableRecord."""


class Repaired(Reject):
    """A record that was added although it had errors; it is not counted as rejected."""


def _without_scope(read: Callable[[Record, int], Entry], record: Record, scope: str, line: int) -> Entry:
    """Keys of a service are valid everywhere."""
    return read(record, line)


READERS: Mapping[str, Reader] = {
    "plain": entry_of,
    "dblp": dblp_entry,
    "openalex": partial(_without_scope, work_entry),
    "semantic-scholar": partial(_without_scope, paper_entry),
    "semantic-scholar-abstracts": abstract_of,
    "semantic-scholar-citations": citation_of,
}
ADDITIONS = frozenset({"semantic-scholar-abstracts", "semantic-scholar-citations"})
"""Parsers of additions to papers that have to exist."""


def entries_of(
    lines: Sequence[bytes], reader: str, scope: str, first_line: int, file: str = ""
) -> list[Entry | Reject]:
    """An entry or a reject for every record, in order, and `Repaired` beside an entry with ignored errors. `reader`: a
    name of `READERS`; `first_line`: the number of the first line."""
    read = READERS[reader]
    loads = orjson.loads
    found: list[Entry | Reject] = []
    for number, line in enumerate(lines, first_line):
        if not (bare := line.strip(EDGES)):
            continue
        try:
            record = loads(bare if len(bare) <= LONGEST_LINE else b"")
        except orjson.JSONDecodeError:
            found += _from_odd_line(line, read, scope, number, file)
        else:
            _take(record, read, scope, number, file, found)
    return found


def _take(record: object, read: Reader, scope: str, line: int, file: str, found: list[Entry | Reject]) -> None:
    """Parses a record and appends the result."""
    try:
        if not isinstance(record, dict):
            raise UnusableRecord("not a JSON object")
        entry = read(record, scope, line)
    except ValueError as reason:  # Unusable, or a value that no check foresaw
        found.append(Reject(file=file, line=line, reason=(str(reason).splitlines() or ["unusable"])[0]))
        return
    if len(entry.references) < MOST_REFERENCES:
        found.append(entry)
        return
    found.append(replace(entry, references=entry.references[:MOST_REFERENCES]))
    found.append(Repaired(file=file, line=line, reason=f"only the first {MOST_REFERENCES:,} references were kept"))


def _from_odd_line(line: bytes, read: Reader, scope: str, number: int, file: str) -> list[Entry | Reject]:
    """Parses a line that is not one record in strict JSON."""
    try:
        values, overlooked = read_leniently(line)
    except ValueError as reason:
        return [Reject(file=file, line=number, reason=str(reason))]
    found: list[Entry | Reject] = []
    for value in values:
        _take(value, read, scope, number, file, found)
    if overlooked:
        found.append(Repaired(file=file, line=number, reason=f"no strict JSON ({overlooked}); read leniently"))
    return found
