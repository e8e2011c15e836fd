"""The protocol carried out: for each model and keyword ideas are had, judged as soon as they are there, and compared.

Everything that need not wait for something else is asked at once, within the limits of each model. Who judges what
follows from the seed and the names alone, so a run that died asks the same again and finds the answers in the ledger.
Where the budget ends the work goes on with what is known already, and what is then missing is a smaller measurement,
not a wrong one.
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
from novum.benchmarks.liveidea.judging import IdeaPair, grade_pair, judge_idea, pairs_of, unjudged
from novum.benchmarks.liveidea.panel import NoEligibleJudge, draw_fluency_judge, draw_judges
from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS, IdeaRecord, JudgementRecord, Keyword
from novum.benchmarks.liveidea.task import LiveIdeaTask, short_names
from novum.concurrency import run_concurrently
from novum.ledger import Run
from novum.llm import ModelName, Models

UNITS_AT_ONCE = 256
"""Keywords of one model in progress: enough to keep its server busy, few enough to hold them all in memory."""
_TOLD_EVERY = 0.5
"""Seconds between two words on the progress."""


@dataclass
class Measurement:
    """One session of work on one run. Its lists hold what is known at its end, in a fixed order.

    `showing`: the papers that judges are shown when they are asked for the second time; None where nobody is.
    """

    assignment: LiveIdeaTask
    models: Mapping[str, ModelName]
    """By the names that records show, as are the judges."""
    judges: Mapping[str, ModelName]
    hearing: ModelClient
    run: Run
    seed: int
    showing: ContextPaperLog | None = None
    ideas: list[IdeaRecord] = field(default_factory=list)
    judgements: list[JudgementRecord] = field(default_factory=list)
    anchor_judgements: list[JudgementRecord] = field(default_factory=list)
    informed: list[JudgementRecord] = field(default_factory=list)
    units_done: int = 0
    _told: float = 0.0

    @classmethod
    def of(
        cls, assignment: LiveIdeaTask, asking: Models, run: Run, seed: int, find: PaperSearch | None = None
    ) -> Measurement:
        """`find`: looks for the papers beside an idea. Raises BadInput when two models cannot be told apart."""
        models = short_names([ModelName.parse(name) for name in assignment.models])
        judges = short_names([ModelName.parse(name) for name in assignment.judges])
        showing = ContextPaperLog(run, find) if assignment.protocol.papers else None
        return cls(assignment, models, judges, ModelClient(asking), run, seed, showing)

    async def carry_out(self) -> None:
        """Works until everything is known, or nothing more may be asked."""
        with self.run.step("ideas and judgements"):
            await run_concurrently(self._all_of(model) for model in self.models.values())
        await self._beyond_the_protocol()
        self._put_in_order()

    async def look_back(self, noted: SessionFailures) -> None:
        """The same from what the ledger holds alone, `noted` being what failed in the run's last session."""
        self.hearing.noted = noted
        await self.carry_out()
        self.hearing.lost |= noted.models

    async def _beyond_the_protocol(self) -> None:
        protocol = self.assignment.protocol
        if self.assignment.anchors is not None:
            with self.run.step("anchor ideas"):
                self.anchor_judgements += await judge_anchors(
                    self.assignment.anchors, self.judges.values(), self.hearing, protocol
                )
        if self.showing is not None:
            with self.run.step("judgements with papers"):
                ideas = with_judges(self.ideas, self.judgements, self.judges)
                self.informed += await judge_ideas_with_papers(ideas, self.showing, self.hearing, protocol)

    async def _all_of(self, model: ModelName) -> None:
        """All keywords of one model, in their order, so that a run that is stopped has the same of each model."""
        keywords = iter(self.assignment.keywords)
        width = min(UNITS_AT_ONCE, len(self.assignment.keywords))
        await run_concurrently(self._one_by_one(model, keywords) for _ in range(width))

    async def _one_by_one(self, model: ModelName, keywords: Iterator[Keyword]) -> None:
        for keyword in keywords:
            await self._unit(model, keyword)
            self.units_done += 1
            self._tell()

    async def _unit(self, model: ModelName, keyword: Keyword) -> None:
        """Everything about one keyword and one model."""
        new = asyncio.get_running_loop().create_future
        wanted = [IdeaRequest(model, keyword, number) for number in range(self.assignment.protocol.ideas)]
        coming: list[asyncio.Future[IdeaRecord | None]] = [new() for _ in wanted]
        jobs = [self._idea(each, future) for each, future in zip(wanted, coming, strict=True)]
        await run_concurrently([*jobs, self._pairs(coming)])

    async def _idea(self, wanted: IdeaRequest, coming: asyncio.Future[IdeaRecord | None]) -> None:
        idea = await self.hearing.carry_out(generate_idea(wanted, self.assignment.protocol))
        coming.set_result(idea)
        if idea is None:
            return
        self.ideas.append(idea)
        if idea.fate == "judged":
            await self._judge(idea)

    async def _judge(self, idea: IdeaRecord) -> None:
        protocol = self.assignment.protocol
        drawn = draw_judges(
            self.assignment.panel,
            self.seed,
            model=idea.model,
            keyword=idea.keyword,
            idea=idea.number,
            count=protocol.judges,
        )
        if isinstance(drawn, NoEligibleJudge):
            self._keep(unjudged(idea, (idea.number,), idea.number, IDEA_DIMENSIONS, drawn.reason))
            return

        async def by(judge: str) -> None:
            self._keep(await self.hearing.carry_out(judge_idea(idea, self.judges[judge], protocol)))

        await run_concurrently(by(judge) for judge in drawn.judges)

    async def _pairs(self, coming: list[asyncio.Future[IdeaRecord | None]]) -> None:
        """Grades the pairs as soon as all ideas are there, judged or not."""
        ideas = [idea for idea in await asyncio.gather(*coming) if idea is not None]
        if len(ideas) == len(coming):
            await run_concurrently(self._grade(pair) for pair in pairs_of(ideas, self.assignment.protocol))

    async def _grade(self, pair: IdeaPair) -> None:
        protocol = self.assignment.protocol
        drawn = draw_fluency_judge(
            self.assignment.panel,
            self.seed,
            model=pair.first.model,
            keyword=pair.first.keyword,
            pair=pair.number,
            own_too=protocol.as_released,
        )
        if isinstance(drawn, NoEligibleJudge):
            ideas = (pair.first.number, pair.second.number)
            self._keep(unjudged(pair.first, ideas, pair.number, (FLUENCY,), drawn.reason))
            return
        judge = self.judges[drawn.judges[0]]
        self._keep(await self.hearing.carry_out(grade_pair(pair, judge, protocol)))

    def _keep(self, record: JudgementRecord | None) -> None:
        if record is not None:
            self.judgements.append(record)

    def _put_in_order(self) -> None:
        """The order of models and keywords, whatever was finished first."""
        model = {name: place for place, name in enumerate(self.models)}
        keyword = {each.keyword: place for place, each in enumerate(self.assignment.keywords)}
        judge = {name: place for place, name in enumerate(self.judges)}
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

    def _tell(self) -> None:
        """A word to whoever follows the run, now and then."""
        now, units = time.monotonic(), len(self.models) * len(self.assignment.keywords)
        if now - self._told < _TOLD_EVERY and self.units_done < units:
            return
        self._told = now
        text = f"{self.units_done:,} of {units:,} pairs of model and keyword"
        self.run.say(text)
