"""Selects the passages of a round: some of papers already opened, then the best for each query in turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from novum.core import Paper
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.passage_index import NearPassage
from novum.reading.exploration.passages import Key

_SMOOTHING = 10
"""Smoothing of reciprocal ranks: the weight of the tenth is about half that of the first."""


@dataclass(frozen=True)
class SelectedPassage:
    """A passage to be read. `query`: the query that it was selected for; empty for further reading in its paper."""

    near: NearPassage
    query: str


def rank_passages(nearest: Sequence[NearPassage], papers: Sequence[Paper]) -> list[NearPassage]:
    """Passages ranked by reciprocal rank fusion of their similarity to a query and of the rank of their paper.

    `nearest`: best first; `papers`: results of the search for this query, best first. The search also uses words: the
    cosine alone misses passages that name the exact term.
    """
    place = {paper.id: rank for rank, paper in enumerate(papers, 1)}

    def weight(rank: int, near: NearPassage) -> float:
        of_paper = place.get(near.passage.paper.id)
        return 1 / (_SMOOTHING + rank) + (1 / (_SMOOTHING + of_paper) if of_paper else 0)

    ranked = sorted(enumerate(nearest, 1), key=lambda each: -weight(*each))
    return [near for _, near in ranked]


def select_passages(
    on: Sequence[NearPassage],
    by_query: Sequence[Sequence[SelectedPassage]],
    seen: Collection[Key],
    options: ExploreOptions,
) -> list[SelectedPassage]:
    """At most a third of the round from `on` (further reading in opened papers), the rest from the queries, best first.

    Passages that were read for this question are skipped, and no paper gets more than its share, since evidence must
    come from several papers.
    """
    share = -(-options.passages // options.coverage)
    read_on = _within([SelectedPassage(near, "") for near in on], (), seen, (options.passages + 1) // 3, share)
    in_turn = (one for turn in zip_longest(*by_query) for one in turn if one is not None)
    return _within(in_turn, read_on, seen, options.passages, share)


def _within(
    candidates: Iterable[SelectedPassage],
    before: Sequence[SelectedPassage],
    seen: Collection[Key],
    most: int,
    share: int,
) -> list[SelectedPassage]:
    """`before` and then new candidates, at most `most` in all and `share` of each paper."""
    selected = {each.near.passage.key: each for each in before}
    of_paper: dict[str, int] = {}
    for each in before:
        of_paper[each.near.passage.paper.id] = of_paper.get(each.near.passage.paper.id, 0) + 1
    for each in candidates:
        passage = each.near.passage
        if len(selected) >= most:
            break
        if passage.key in seen or passage.key in selected or of_paper.get(passage.paper.id, 0) >= share:
            continue
        selected[passage.key] = each
        of_paper[passage.paper.id] = of_paper.get(passage.paper.id, 0) + 1
    return list(selected.values())
