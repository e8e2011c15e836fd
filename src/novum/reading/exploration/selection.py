"""Which passages a round reads: some of papers that were opened, then what is nearest to each query in turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from novum.core import Paper
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.passage_index import Near
from novum.reading.exploration.passages import Key

_SMOOTHING = 10
"""How slowly the weight of a rank falls: the first and the tenth differ by half."""


@dataclass(frozen=True)
class Chosen:
    """A passage to be read. `query`: the one it is nearest for; empty when its paper is read on."""

    near: Near
    query: str


def in_order(nearest: Sequence[Near], papers: Sequence[Paper]) -> list[Near]:
    """Passages by their cosine to a query and by the place that the search gave their paper, as reciprocal ranks.

    `nearest`: best first; `papers`: those that the search for this query found, best first. The search goes by words
    too: a cosine alone overlooks the passage that names the very thing.
    """
    place = {paper.id: rank for rank, paper in enumerate(papers, 1)}

    def weight(rank: int, near: Near) -> float:
        of_paper = place.get(near.passage.paper.id)
        return 1 / (_SMOOTHING + rank) + (1 / (_SMOOTHING + of_paper) if of_paper else 0)

    ranked = sorted(enumerate(nearest, 1), key=lambda each: -weight(*each))
    return [near for _, near in ranked]


def choose(
    on: Sequence[Near], by_query: Sequence[Sequence[Chosen]], seen: Collection[Key], options: ExploreOptions
) -> list[Chosen]:
    """At most a third of the round from `on`, passages of opened papers; the rest from the queries, best first.

    What was read already for this question is passed over, and no paper fills more than its share: coverage wants
    several.
    """
    share = -(-options.passages // options.coverage)
    read_on = _within([Chosen(near, "") for near in on], (), seen, (options.passages + 1) // 3, share)
    in_turn = (one for turn in zip_longest(*by_query) for one in turn if one is not None)
    return _within(in_turn, read_on, seen, options.passages, share)


def _within(
    candidates: Iterable[Chosen], before: Sequence[Chosen], seen: Collection[Key], most: int, share: int
) -> list[Chosen]:
    """`before`, and after it candidates that are new, up to `most` in all and `share` of one paper."""
    chosen = {each.near.passage.key: each for each in before}
    of_paper: dict[str, int] = {}
    for each in before:
        of_paper[each.near.passage.paper.id] = of_paper.get(each.near.passage.paper.id, 0) + 1
    for each in candidates:
        passage = each.near.passage
        if len(chosen) >= most:
            break
        if passage.key in seen or passage.key in chosen or of_paper.get(passage.paper.id, 0) >= share:
            continue
        chosen[passage.key] = each
        of_paper[passage.paper.id] = of_paper.get(passage.paper.id, 0) + 1
    return list(chosen.values())
