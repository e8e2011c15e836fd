"""Topics drawn from the library itself: fields of research that had papers before the first cut-off and go on after
the last one.

A topic made out of one paper of the future would tell what that paper found. The name of a field tells only that it
goes on, which is known to everybody who compares the fields of two years, and helps no method more than another.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from novum.benchmarks.foresight.records import Cutoff
from novum.benchmarks.foresight.task import span_of
from novum.core import Paper, content_id
from novum.core.comparison import ArenaTopic
from novum.errors import BadInput
from novum.literature import Filters, Library
from novum.literature.search.ranking.growth import standing_alone
from novum.literature.search.ranking.keywords import keywords

FEWEST_BEFORE, FEWEST_AFTER = 5, 3
"""Papers of a field before the first cut-off, and after each cut-off."""
MOST_READ = 60_000
"""Papers that are looked at, spread evenly over the library."""


def draw_topics(
    library: Library, cutoffs: Sequence[Cutoff], horizon: int, number: int, seed: int
) -> tuple[ArenaTopic, ...]:
    """`number` fields, or word groups of titles where there are not so many, drawn by lot; fewer of the same seed are
    the first of more. Raises BadInput where none goes on.
    """
    first, end = span_of(cutoffs, horizon)
    papers = list(library.spread(MOST_READ, Filters(before=end)))
    before = [paper for paper in papers if paper.is_before(first)]
    known = _counted(before)
    lasting = set(known)
    for cutoff in cutoffs:
        future = Filters(since=cutoff.day, before=span_of([cutoff], horizon)[1])
        after = _counted(paper for paper in papers if future.admits(paper))
        lasting &= {name for name, papers_with in after.items() if papers_with >= FEWEST_AFTER}
    names = [name for name in standing_alone(known, FEWEST_BEFORE) if name in lasting]
    if not names:
        raise BadInput(
            f"No field of the library has {FEWEST_BEFORE} papers before {first} and {FEWEST_AFTER} after each cut-off. "
            "Name topics (--topics FILE, --topic TEXT), an earlier cut-off, or bring in more papers."
        )
    fields = {name for paper in before for name in _fields(paper)}

    def by_lot(name: str) -> tuple[bool, str]:
        return name not in fields, content_id("seed", [seed, "foresight", name])

    return tuple(ArenaTopic(topic=name) for name in heapq.nsmallest(number, names, key=by_lot))


def _counted(papers: Iterable[Paper]) -> Counter[str]:
    return Counter(name for paper in papers for name in _names(paper))


def _names(paper: Paper) -> Iterator[str]:
    """Its fields, and groups of two words and more of its title."""
    fields = _fields(paper)
    yield from fields
    yield from (name for name in keywords(paper, abstract=False) if " " in name and name not in fields)


def _fields(paper: Paper) -> set[str]:
    return {" ".join(field.lower().split()) for field in paper.fields if field.strip()}
