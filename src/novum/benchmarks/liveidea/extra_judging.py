"""Judging beyond the published protocol: every judge scores the anchor ideas, and the judges of each idea score it a
second time with the nearest papers.

It comes last, so that a budget that ends leaves the published leaderboard as complete as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from novum.benchmarks.liveidea.client import ModelClient
from novum.benchmarks.liveidea.context_papers import ContextPaperLog
from novum.benchmarks.liveidea.judging import judge_idea, judge_with_papers
from novum.benchmarks.liveidea.records import Anchor, AnchorSet, IdeaRecord, JudgementRecord, LiveIdeaProtocol
from novum.core.concurrency import run_concurrently
from novum.llm import ModelName
from novum.reading import Bibliography

IDEAS_AT_ONCE = 256
NOT_SEARCHED = "The papers of some ideas were not searched yet."


async def judge_anchors(
    anchors: AnchorSet, judges: Iterable[ModelName], client: ModelClient, protocol: LiveIdeaProtocol
) -> list[JudgementRecord]:
    """Every judge's scores of every anchor, as far as they are available."""
    requests = [judge_idea(as_idea(anchor), judge, protocol) for judge in judges for anchor in anchors.anchors]
    records = await run_concurrently(client.carry_out(each) for each in requests)
    return [record for record in records if record is not None]


async def judge_ideas_with_papers(
    ideas: Sequence[tuple[IdeaRecord, Sequence[ModelName]]],
    papers: ContextPaperLog,
    client: ModelClient,
    protocol: LiveIdeaProtocol,
) -> list[JudgementRecord]:
    """The scores that the judges of each idea give when its nearest papers are shown; ideas without papers get none."""
    queue, records = iter(ideas), list[JudgementRecord]()

    async def work() -> None:
        for idea, judges in queue:
            nearest = await papers.of(idea)
            if nearest is None:
                client.stopped = client.stopped or NOT_SEARCHED
            elif nearest:
                bibliography = Bibliography(nearest)
                requests = [judge_with_papers(idea, bibliography, judge, protocol) for judge in judges]
                judged = await run_concurrently(client.carry_out(each) for each in requests)
                records.extend(record for record in judged if record is not None)

    await run_concurrently(work() for _ in range(min(IDEAS_AT_ONCE, len(ideas))))
    return records


def with_judges(
    ideas: Iterable[IdeaRecord], judgements: Iterable[JudgementRecord], judges: Mapping[str, ModelName]
) -> list[tuple[IdeaRecord, list[ModelName]]]:
    """Each judged idea with its judges."""
    by_idea: dict[tuple[str, str, int], list[ModelName]] = {}
    for each in judgements:
        if each.judge and not each.of_pair:
            by_idea.setdefault((each.model, each.keyword, each.number), []).append(judges[each.judge])
    return [(idea, by_idea[idea.key]) for idea in ideas if idea.key in by_idea]


def as_idea(anchor: Anchor) -> IdeaRecord:
    """An anchor as an idea to judge; it belongs to no model."""
    return IdeaRecord(model="", keyword=anchor.keyword, number=anchor.number, idea=anchor.idea, fate="judged")
