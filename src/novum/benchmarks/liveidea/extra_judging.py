"""What a run asks beyond the published protocol: every judge about the anchor ideas, and the judges of each idea once
more, the nearest papers before them.

It comes last, so that a budget that ends leaves the published leaderboard as whole as it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from novum.benchmarks.liveidea.client import ModelClient
from novum.benchmarks.liveidea.context_papers import ContextPaperLog
from novum.benchmarks.liveidea.judging import judge_idea, judge_with_papers
from novum.benchmarks.liveidea.records import Anchor, AnchorSet, IdeaRecord, JudgementRecord, LiveIdeaProtocol
from novum.concurrency import run_concurrently
from novum.llm import ModelName
from novum.reading import Bibliography

IDEAS_AT_ONCE = 256
NOT_SEARCHED = "Its papers have not been looked for yet."


async def judge_anchors(
    anchors: AnchorSet, judges: Iterable[ModelName], hearing: ModelClient, protocol: LiveIdeaProtocol
) -> list[JudgementRecord]:
    """Every judge's scores of every anchor, as far as they could be had."""
    asked = [judge_idea(as_idea(anchor), judge, protocol) for judge in judges for anchor in anchors.anchors]
    records = await run_concurrently(hearing.carry_out(each) for each in asked)
    return [record for record in records if record is not None]


async def judge_ideas_with_papers(
    ideas: Sequence[tuple[IdeaRecord, Sequence[ModelName]]],
    showing: ContextPaperLog,
    hearing: ModelClient,
    protocol: LiveIdeaProtocol,
) -> list[JudgementRecord]:
    """The scores that the judges of each idea give with its nearest papers before them. An idea without any is not
    judged again.
    """
    waiting, found = iter(ideas), list[JudgementRecord]()

    async def one_by_one() -> None:
        for idea, judges in waiting:
            papers = await showing.beside(idea)
            if papers is None:
                hearing.stopped = hearing.stopped or NOT_SEARCHED
            elif papers:
                shelf = Bibliography(papers)
                asked = [judge_with_papers(idea, shelf, judge, protocol) for judge in judges]
                records = await run_concurrently(hearing.carry_out(each) for each in asked)
                found.extend(record for record in records if record is not None)

    await run_concurrently(one_by_one() for _ in range(min(IDEAS_AT_ONCE, len(ideas))))
    return found


def with_judges(
    ideas: Iterable[IdeaRecord], judgements: Iterable[JudgementRecord], judges: Mapping[str, ModelName]
) -> list[tuple[IdeaRecord, list[ModelName]]]:
    """Each idea that was judged, with the judges that were asked about it."""
    asked: dict[tuple[str, str, int], list[ModelName]] = {}
    for each in judgements:
        if each.judge and not each.of_pair:
            asked.setdefault((each.model, each.keyword, each.number), []).append(judges[each.judge])
    return [(idea, asked[idea.key]) for idea in ideas if idea.key in asked]


def as_idea(anchor: Anchor) -> IdeaRecord:
    """An anchor as judges know ideas; it is nobody's."""
    return IdeaRecord(model="", keyword=anchor.keyword, number=anchor.number, idea=anchor.idea, fate="judged")
