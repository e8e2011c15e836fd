"""Reading papers, citations and full texts."""

from __future__ import annotations

import datetime as dt
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from sqlalchemy import Column, ColumnElement, Connection, Select, bindparam, func, select

from novum.core import Paper
from novum.literature.filters import Filters
from novum.literature.store import lookup
from novum.literature.store.database import Database
from novum.literature.store.schema import citations, names, papers, waiting

_PAGE = 1000
_NUMBERS = 10_000
"""Row numbers fetched at once."""


def by_number(
    connection: Connection, numbers: Iterable[int], at_hand: lookup.IdsOf = lambda rows: {}
) -> dict[int, Paper]:
    """Papers of these rows with their references; ids of references that are `at_hand` are not read."""
    wanted = list(numbers)
    cited = lookup.references_of(connection, wanted, at_hand)
    return {
        number: paper.model_copy(update={"references": tuple(cited[number])}) if number in cited else paper
        for number, paper in lookup.papers_by_number(connection, wanted).items()
    }


def by_names(connection: Connection, wanted: Iterable[lookup.Name]) -> list[Paper]:
    """Papers by any of their identifiers, in the given order, each once; unknown ones are left out."""
    names = list(wanted)
    numbers = lookup.numbers_by_name(connection, names)
    order = list(dict.fromkeys(numbers[name] for name in names if name in numbers))
    found = by_number(connection, order)
    return [found[number] for number in order if number in found]


def by_titles(connection: Connection, titles: Iterable[str]) -> list[Paper]:
    """Papers with exactly one of these titles, spacing and punctuation aside, oldest row first."""
    numbers = {number for each in lookup.numbers_by_title(connection, titles).values() for number in each}
    found = by_number(connection, numbers)
    return [found[number] for number in sorted(numbers)]


Neighbours = Callable[[Connection, int, Filters], Sequence[int]]
"""A function that returns the rows next to a paper in the citation graph, filtered by the database."""


def citing(connection: Connection, number: int, filters: Filters) -> Sequence[int]:
    """Rows of the papers that cite this one."""
    return _neighbours(connection, number, citations.c.citing, citations.c.cited, filters)


def missing_references(connection: Connection, number: int) -> list[lookup.Name]:
    """What this paper cites and the library does not have, in a fixed order."""
    rows = connection.execute(select(waiting.c.scheme, waiting.c.value).where(waiting.c.citing == number))
    return sorted((scheme, value) for scheme, value in rows)


def cited_by(connection: Connection, number: int, filters: Filters) -> Sequence[int]:
    """Rows of the papers that this one cites."""
    return _neighbours(connection, number, citations.c.cited, citations.c.citing, filters)


def _neighbours(
    connection: Connection, number: int, wanted: Column[int], given: Column[int], filters: Filters
) -> Sequence[int]:
    query = select(wanted).where(given == number)
    if passing := conditions(filters):
        query = query.join(papers, papers.c.number == wanted).where(*passing)
    return connection.execute(query).scalars().all()


LEAST_CO_CITATIONS = 2
"""Papers that must cite two papers together for these to be co-cited: one may be a chance, or a list of everything."""
LEAST_SHARED_REFERENCES = 3
"""References that two papers must share to be coupled. More than for co-citation: most papers of a field cite its two
or three best-known works."""
_CITING_COUNTED = 2000
_MOST_RELATED = 100


def co_cited(connection: Connection, number: int, filters: Filters) -> Sequence[int]:
    """Rows of the papers that are cited together with this one by `LEAST_CO_CITATIONS` papers or more, most often
    first, at most 100. Only citations by papers public before the day of `filters` count, and of a paper that is cited
    by more than 2,000 the first 2,000."""
    citing = select(citations.c.citing).where(citations.c.cited == number)
    if filters.before is not None:
        known = papers.c.public_by < filters.before.toordinal()
        citing = citing.join(papers, papers.c.number == citations.c.citing).where(known)
    beside = citations.alias()
    chosen = beside.c.citing.in_(citing.order_by(citations.c.citing).limit(_CITING_COUNTED))
    return _most_shared(connection, beside.c.cited, chosen, number, LEAST_CO_CITATIONS, filters)


def sharing_references(connection: Connection, number: int, filters: Filters) -> Sequence[int]:
    """Rows of the papers that share `LEAST_SHARED_REFERENCES` references or more with this one (bibliographic
    coupling), the most first, at most 100."""
    cited = select(citations.c.cited).where(citations.c.citing == number)
    beside = citations.alias()
    chosen = beside.c.cited.in_(cited)
    return _most_shared(connection, beside.c.citing, chosen, number, LEAST_SHARED_REFERENCES, filters)


def _most_shared(
    connection: Connection, wanted: Column[int], chosen: ColumnElement[bool], number: int, least: int, filters: Filters
) -> Sequence[int]:
    """Rows in `wanted` that stand in at least `least` of the citations `chosen`, apart from `number` itself."""
    query = select(wanted).where(chosen, wanted != number)
    if passing := conditions(filters):
        query = query.join(papers, papers.c.number == wanted).where(*passing)
    shared = func.count()
    query = query.group_by(wanted).having(shared >= least).order_by(shared.desc(), wanted).limit(_MOST_RELATED)
    return connection.execute(query).scalars().all()


def citations_before(connection: Connection, paper_id: str, day: dt.date) -> int:
    """How many papers of the library that cite this one were public before `day`."""
    number = number_of(connection, paper_id)
    query = (
        select(func.count())
        .select_from(citations.join(papers, papers.c.number == citations.c.citing))
        .where(citations.c.cited == number, papers.c.public_by < day.toordinal())
    )
    return connection.execute(query).scalar_one()


def number_of(connection: Connection, paper_id: str) -> int | None:
    """The row of a paper, also by a former id."""
    return connection.execute(_NUMBER_OF, {"paper_id": paper_id}).scalar()


_NUMBER_OF = select(names.c.number).where(names.c.scheme == "paper", names.c.value == bindparam("paper_id"))


def conditions(filters: Filters) -> list[ColumnElement[bool]]:
    """The part of `filters` that the database can check; `Filters.admits` checks all of it."""
    checks: list[ColumnElement[bool]] = []
    if filters.before is not None:
        checks.append(papers.c.public_by < filters.before.toordinal())
    if filters.since is not None:
        checks.append(papers.c.public_by >= filters.since.toordinal())
    if filters.min_citations:
        checks.append(papers.c.citation_count >= filters.min_citations)
    return checks


def stream(database: Database, filters: Filters, *, references: bool = True) -> Iterator[Paper]:
    """All papers that pass, in order of arrival, a page at a time: memory does not grow with the library. Without
    their references where nobody needs these."""
    read = by_number if references else lookup.papers_by_number
    last = 0
    while True:
        with database.snapshot() as connection:
            query = _page_after(last).where(*conditions(filters))
            numbers = connection.execute(query).scalars().all()
            page = read(connection, numbers)
        for number in numbers:
            if filters.admits(page[number]):
                yield page[number]
        if len(numbers) < _PAGE:
            return
        last = numbers[-1]


def sample(database: Database, filters: Filters, most: int) -> Iterator[Paper]:
    """At most `most` of the papers that pass, spread evenly over the order of arrival; no other is read. Needs eight
    bytes of memory for each paper that passes."""
    with database.snapshot() as connection:
        query = select(papers.c.number).where(*conditions(filters)).order_by(papers.c.number)
        passing = array("q", connection.execute(query.execution_options(yield_per=_NUMBERS)).scalars())
    count = min(most, len(passing))
    wanted = [passing[place * len(passing) // count] for place in range(count)]
    for start in range(0, count, _PAGE):
        with database.snapshot() as connection:
            page = by_number(connection, wanted[start : start + _PAGE])
        yield from (page[number] for number in sorted(page) if filters.admits(page[number]))


def _page_after(number: int) -> Select[int]:
    return select(papers.c.number).where(papers.c.number > number).order_by(papers.c.number).limit(_PAGE)


_CACHED = 20_000
"""Papers kept in memory between searches."""


class PaperCache:
    """A cache of papers and row numbers. `ids_at`: returns the ids of given rows as of a change number, as far as they
    are in memory."""

    def __init__(self, database: Database, ids_at: Callable[[Collection[int], int], Mapping[int, str]]) -> None:
        self._database = database
        self._ids_at = ids_at
        self._papers: dict[int, Paper] = {}
        self._papers_as_of = -1
        self._numbers: dict[str, int] = {}
        self._numbers_as_of = -1

    def numbers(self, ids: Iterable[str], change: int) -> dict[str, int]:
        """Row numbers by paper id; cached ones are used until the library changes (`change`: its last change)."""
        wanted = set(ids)
        if change != self._numbers_as_of or len(self._numbers) > _CACHED:
            self._numbers, self._numbers_as_of = {}, change
        if missing := wanted - self._numbers.keys():
            with self._database.read() as connection:
                names = lookup.numbers_by_name(connection, (("paper", paper_id) for paper_id in missing))
            self._numbers |= {paper_id: number for (_, paper_id), number in names.items()}
        return {paper_id: self._numbers[paper_id] for paper_id in wanted if paper_id in self._numbers}

    def papers(self, numbers: Iterable[int], change: int) -> dict[int, Paper]:
        """Papers of these rows in order; cached ones are used until the library changes. Deleted rows are left out."""
        wanted = list(numbers)
        if change != self._papers_as_of or len(self._papers) > _CACHED:
            self._papers, self._papers_as_of = {}, change
        if missing := [number for number in wanted if number not in self._papers]:
            with self._database.snapshot() as connection:
                self._papers |= by_number(connection, missing, lambda rows: self._ids_at(rows, change))
        return {number: self._papers[number] for number in wanted if number in self._papers}
