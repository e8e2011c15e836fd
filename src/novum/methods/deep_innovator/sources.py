"""The papers of a context for a topic: those nearest to it, and what they cite, in place of a target's references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import Chain, Insight, Link, Paper, Topic
from novum.core.research_context import ResearchContext
from novum.lab import Lab
from novum.literature import Filters


@dataclass(frozen=True)
class ContextPapers:
    """`nearest`: papers nearest to the topic; `cited`: what they cite, those that several of them cite first."""

    nearest: tuple[Paper, ...]
    cited: tuple[Paper, ...]

    @property
    def all(self) -> tuple[Paper, ...]:
        return (*self.nearest, *self.cited)


async def context_papers(lab: Lab, topic: Topic, most: int, nearest: int, filters: Filters) -> ContextPapers:
    """At most `most` papers, of which `nearest` are found by a search and the rest among their references. Where these
    have too few, more of the search results take their places."""
    hits = await lab.library.search(topic.text, most, filters)
    found = [hit.paper for hit in hits]
    anchors = found[: min(nearest, most)]
    for paper in anchors:
        await lab.library.expand(paper, topic.text, filters)
    chosen = {paper.id for paper in anchors}
    references = [each for paper in anchors for each in lab.library.references(paper.id, filters)]
    times = Counter(each.id for each in references)
    candidates = {each.id: each for each in references if each.gist and each.id not in chosen}
    ranked = [hit.paper for hit in await lab.library.rank(topic.text, list(candidates.values()))]
    ranked.sort(key=lambda paper: -times[paper.id])  # stable: among equally often cited ones, the nearest first
    cited = ranked[: most - len(anchors)]
    chosen |= {paper.id for paper in cited}
    more = [paper for paper in found[len(anchors) :] if paper.id not in chosen][: most - len(anchors) - len(cited)]
    return ContextPapers((*anchors, *more), tuple(cited))


def context_chain(topic: Topic, papers: ContextPapers, context: ResearchContext) -> Chain:
    """The papers of a context from early to late, with what was extracted from each, for reports."""
    cited = {paper.id for paper in papers.cited}
    ordered: Sequence[Paper] = sorted(papers.all, key=lambda paper: (paper.year or 0, paper.id))
    links = tuple(
        Link(
            paper=paper,
            direction="backward" if paper.id in cited else "anchor",
            reason="cited by papers nearest to the topic" if paper.id in cited else "near the topic",
            insight=_insight(context, paper.id),
        )
        for paper in ordered
    )
    return Chain(topic=topic.text, query=topic.text, links=links)


def _insight(context: ResearchContext, paper_id: str) -> Insight | None:
    idea = context.idea(paper_id)
    if idea is None:
        return None
    return Insight(
        background=idea.problem,
        novelty=idea.contribution,
        contribution=idea.approach,
        rationale="",
        limitation=idea.limitation,
        experiment="",
    )
