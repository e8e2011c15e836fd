"""The papers that are cited most often by the papers nearest to a question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from novum.core import Paper, Value
from novum.literature.filters import Filters
from novum.literature.store.dated_links import Link


class CitedNearby(Value):
    """A paper, and the papers of the neighbourhood that cite it."""

    paper: Paper
    cited_by: tuple[str, ...]
    """Ids of the neighbours that cite it, nearest first."""
    share: float
    """The share of the neighbours with references in the library that cite it, 0 to 1."""


def most_cited(near: Iterable[int], links: Iterable[Link]) -> dict[int, list[int]]:
    """The rows among `near` that cite each row, nearest first; most cited rows first, ties by the nearness of the
    citing rows."""
    place = {row: rank for rank, row in enumerate(near)}
    citing: dict[int, list[int]] = {}
    for source, target in sorted(links, key=lambda link: place[link[0]]):
        citing.setdefault(target, []).append(source)
    return dict(sorted(citing.items(), key=lambda one: (-len(one[1]), sum(place[row] for row in one[1]), one[0])))


def with_citing_papers(
    cited: Mapping[int, Sequence[int]], papers: Mapping[int, Paper], filters: Filters
) -> Iterator[CitedNearby]:
    """`cited` as records, in its order, of the papers that pass. `papers`: the papers of all rows that still exist."""
    citing = len({row for by in cited.values() for row in by})
    for row, by in cited.items():
        if row in papers and filters.admits(papers[row]):
            ids = tuple(papers[one].id for one in by if one in papers)
            yield CitedNearby(paper=papers[row], cited_by=ids, share=len(by) / citing)
