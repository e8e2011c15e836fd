"""Sample topics from the library: fields of research with papers before the first cut-off and after the last one.

A topic made from one future paper would reveal what that paper found. The name of a field reveals only that the field
still exists, which helps all methods alike.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from novum.benchmarks.foresight.records import Cutoff
from novum.benchmarks.foresight.task import future_span
from novum.core import Paper, content_id
from novum.core.comparison import ArenaTopic
from novum.errors import BadInput
from novum.literature import Filters, Library
from novum.literature.search.ranking.growth import standing_alone
from novum.literature.search.ranking.keywords import keywords

MIN_BEFORE, MIN_AFTER = 5, 3
"""Papers that a field needs before the first cut-off, and after each cut-off."""
MAX_PAPERS = 60_000
"""Papers that are sampled evenly from the library."""


def draw_topics(
    library: Library, cutoffs: Sequence[Cutoff], horizon: int, number: int, seed: int
) -> tuple[ArenaTopic, ...]:
    """`number` random fields, or word groups of titles where there are fewer fields.

    With the same seed, a smaller sample is the beginning of a larger one. Raises BadInput where no field lasts.
    """
    first, end = future_span(cutoffs, horizon)
    papers = list(library.sample(MAX_PAPERS, Filters(before=end)))
    before = [paper for paper in papers if paper.is_before(first)]
    known = _counted(before)
    lasting = set(known)
    for cutoff in cutoffs:
        future = Filters(since=cutoff.day, before=future_span([cutoff], horizon)[1])
        after = _counted(paper for paper in papers if future.admits(paper))
        lasting &= {name for name, papers_with in after.items() if papers_with >= MIN_AFTER}
    names = [name for name in standing_alone(known, MIN_BEFORE) if name in lasting]
    if not names:
        raise BadInput(
            f"No field of the library has {MIN_BEFORE} papers before {first} and {MIN_AFTER} after each cut-off. "
            "Name topics (--topics FILE, --topic TEXT) or an earlier cut-off, or add more papers."
        )
    fields = {name for paper in before for name in _fields(paper)}

    def random_order(name: str) -> tuple[bool, str]:
        return name not in fields, content_id("seed", [seed, "foresight", name])

    return tuple(ArenaTopic(topic=name) for name in heapq.nsmallest(number, names, key=random_order))


def _counted(papers: Iterable[Paper]) -> Counter[str]:
    return Counter(name for paper in papers for name in _names(paper))


def _names(paper: Paper) -> Iterator[str]:
    """The paper's fields, and groups of two or more words of its title."""
    fields = _fields(paper)
    yield from fields
    yield from (name for name in keywords(paper, abstract=False) if " " in name and name not in fields)


def _fields(paper: Paper) -> set[str]:
    return {" ".join(field.lower().split()) for field in paper.fields if field.strip()}
