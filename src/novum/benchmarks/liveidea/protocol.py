"""One session of work on a measurement: models generate ideas for each keyword, and judges score and compare them.

All requests that do not depend on each other are sent at once, within the limits of each model. The judges of an idea
follow from the seed and the names alone, so a resumed run sends the same requests and finds the stored answers. When
the budget ends, the session finishes with what is known: the measurement is then smaller, not wrong.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from novum.benchmarks.liveidea.client import ModelClient, SessionFailures
from novum.benchmarks.liveidea.context_papers import ContextPaperLog, PaperSearch
from novum.benchmarks.liveidea.extra_judging import judge_anchors, judge_ideas_with_papers, with_judges
from novum.benchmarks.liveidea.generation import IdeaRequest, generate_idea
from novum.benchmarks.liveidea.judging import FluencyPair, grade_pair, judge_idea, pairs_of, unjudged
from novum.benchmarks.liveidea.panel import NoEligibleJudge, draw_fluency_judge, draw_judges
from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS, IdeaRecord, JudgementRecord, Keyword
from novum.benchmarks.liveidea.task import LiveIdeaTask, short_names
from novum.core.concurrency import run_concurrently
from novum.ledger import Run
from novum.llm import ModelName, Models

KEYWORDS_AT_ONCE = 256
"""Keywords of one model in progress: enough to keep its server busy, few enough to hold them all in memory."""
_PROGRESS_INTERVAL = 0.5
"""Seconds between two progress messages."""


@dataclass
class Measurement:
    """One session of work on one run. Its lists hold what is known at its end, in a fixed order.

    `papers`: those shown in a second judgement; None when there is no second judgement.
    """

    task: LiveIdeaTask
    models: Mapping[str, ModelName]
    """By the names that records show, as are `judges`."""
    judges: Mapping[str, ModelName]
    client: ModelClient
    run: Run
    seed: int
    papers: ContextPaperLog | None = None
    ideas: list[IdeaRecord] = field(default_factory=list)
    judgements: list[JudgementRecord] = field(default_factory=list)
    anchor_judgements: list[JudgementRecord] = field(default_factory=list)
    informed: list[JudgementRecord] = field(default_factory=list)
    _done: int = 0
    """Pairs of model and keyword."""
    _last_progress: float = 0.0

    @classmethod
    def of(
        cls, task: LiveIdeaTask, models: Models, run: Run, seed: int, search: PaperSearch | None = None
    ) -> Measurement:
        """A session. `search`: finds the papers to show. Raises BadInput when two models have the same name."""
        by_name = short_names([ModelName.parse(name) for name in task.models])
        judges = short_names([ModelName.parse(name) for name in task.judges])
        papers = ContextPaperLog(run, search) if task.protocol.papers else None
        return cls(task, by_name, judges, ModelClient(models), run, seed, papers)

    async def carry_out(self) -> None:
        """Works until everything is known or no more requests may be sent."""
        with self.run.step("ideas and judgements"):
            await run_concurrently(self._measure(model) for model in self.models.values())
        await self._judge_beyond_protocol()
        self._sort()

    async def replay(self, failures: SessionFailures) -> None:
        """The same from the ledger alone. `failures`: those of the run's last session."""
        self.client.recorded = failures
        await self.carry_out()
        self.client.lost |= failures.models

    async def _judge_beyond_protocol(self) -> None:
        protocol = self.task.protocol
        if self.task.anchors is not None:
            with self.run.step("anchor ideas"):
                self.anchor_judgements += await judge_anchors(
                    self.task.anchors, self.judges.values(), self.client, protocol
                )
        if self.papers is not None:
            with self.run.step("judgements with papers"):
                ideas = with_judges(self.ideas, self.judgements, self.judges)
                self.informed += await judge_ideas_with_papers(ideas, self.papers, self.client, protocol)

    async def _measure(self, model: ModelName) -> None:
        """All keywords of one model in their order, so that a stopped run has the same keywords of each model."""
        keywords = iter(self.task.keywords)
        width = min(KEYWORDS_AT_ONCE, len(self.task.keywords))
        await run_concurrently(self._next_keywords(model, keywords) for _ in range(width))

    async def _next_keywords(self, model: ModelName, keywords: Iterator[Keyword]) -> None:
        for keyword in keywords:
            await self._keyword(model, keyword)
            self._done += 1
            self._report_progress()

    async def _keyword(self, model: ModelName, keyword: Keyword) -> None:
        new = asyncio.get_running_loop().create_future
        requests = [IdeaRequest(model, keyword, number) for number in range(self.task.protocol.ideas)]
        ideas: list[asyncio.Future[IdeaRecord | None]] = [new() for _ in requests]
        jobs = [self._idea(each, future) for each, future in zip(requests, ideas, strict=True)]
        await run_concurrently([*jobs, self._grade_pairs(ideas)])

    async def _idea(self, request: IdeaRequest, future: asyncio.Future[IdeaRecord | None]) -> None:
        idea = await self.client.carry_out(generate_idea(request, self.task.protocol))
        future.set_result(idea)
        if idea is None:
            return
        self.ideas.append(idea)
        if idea.fate == "judged":
            await self._judge(idea)

    async def _judge(self, idea: IdeaRecord) -> None:
        protocol = self.task.protocol
        panel = draw_judges(
            self.task.panel,
            self.seed,
            model=idea.model,
            keyword=idea.keyword,
            idea=idea.number,
            count=protocol.judges,
        )
        if isinstance(panel, NoEligibleJudge):
            self._add(unjudged(idea, (idea.number,), idea.number, IDEA_DIMENSIONS, panel.reason))
            return

        async def by(judge: str) -> None:
            self._add(await self.client.carry_out(judge_idea(idea, self.judges[judge], protocol)))

        await run_concurrently(by(judge) for judge in panel.judges)

    async def _grade_pairs(self, futures: list[asyncio.Future[IdeaRecord | None]]) -> None:
        """Grades the pairs as soon as all ideas exist, judged or not."""
        ideas = [idea for idea in await asyncio.gather(*futures) if idea is not None]
        if len(ideas) == len(futures):
            await run_concurrently(self._grade(pair) for pair in pairs_of(ideas, self.task.protocol))

    async def _grade(self, pair: FluencyPair) -> None:
        protocol = self.task.protocol
        panel = draw_fluency_judge(
            self.task.panel,
            self.seed,
            model=pair.first.model,
            keyword=pair.first.keyword,
            pair=pair.number,
            own_too=protocol.as_released,
        )
        if isinstance(panel, NoEligibleJudge):
            ideas = (pair.first.number, pair.second.number)
            self._add(unjudged(pair.first, ideas, pair.number, (FLUENCY,), panel.reason))
            return
        judge = self.judges[panel.judges[0]]
        self._add(await self.client.carry_out(grade_pair(pair, judge, protocol)))

    def _add(self, record: JudgementRecord | None) -> None:
        if record is not None:
            self.judgements.append(record)

    def _sort(self) -> None:
        """By models and keywords, independently of what was finished first."""
        model = {name: position for position, name in enumerate(self.models)}
        keyword = {each.keyword: position for position, each in enumerate(self.task.keywords)}
        judge = {name: position for position, name in enumerate(self.judges)}
        self.ideas.sort(key=lambda each: (model[each.model], keyword[each.keyword], each.number))
        for records in (self.judgements, self.informed):
            records.sort(
                key=lambda each: (
                    model[each.model],
                    keyword[each.keyword],
                    each.of_pair,
                    each.number,
                    judge.get(each.judge, -1),
                )
            )
        self.anchor_judgements.sort(key=lambda each: (each.number, judge[each.judge]))

    def _report_progress(self) -> None:
        now, units = time.monotonic(), len(self.models) * len(self.task.keywords)
        if now - self._last_progress < _PROGRESS_INTERVAL and self._done < units:
            return
        self._last_progress = now
        self.run.note(f"{self._done:,} of {units:,} pairs of model and keyword")
