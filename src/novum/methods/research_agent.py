"""ResearchAgent: from a core paper, the papers around it and things from elsewhere in the library to a problem, a
method and an experiment, each written, reviewed by several reviewers with one criterion each, and revised."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from novum.core import Candidate, Ideation, Paper, Topic, content_id
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.literature.search.ranking.cooccurrence import CooccurringEntity
from novum.llm import Question
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.research_agent_stages import EXPERIMENT, METHOD, PROBLEM, Remark, Stage
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.reading import Bibliography, Guide, Labelled, LibraryGuide, ReaderGuide, RelevanceQuery

NAME = "research-agent"
_CORE_CANDIDATES = 5
_CONTENT = 4
"""Mark, of 1 to 5, from which on a reviewer asks for nothing more."""
_MINED = "entities"
"""The event that stores the extracted entities of a run that imports papers, so that a resumed run uses the same."""


class ResearchAgentOptions(ConcludingOptions):
    """Options of the papers and entities in prompts, and of the rounds of review."""

    related: int = Field(7, ge=0, le=12, description="Papers around the core paper, by citations in both directions")
    entities: int = Field(10, ge=0, le=30, description="Entities from other parts of the library; 0: none")
    mined: int = Field(20_000, ge=1, description="Most papers of the library from which entities are extracted")
    rounds: int = Field(3, ge=0, le=10, description="Most rounds of review and revision of each step")


@dataclass(frozen=True)
class CriterionReview:
    """The review by one criterion."""

    criterion: str
    feedback: str
    mark: int


@dataclass(frozen=True)
class RelatedEntity:
    """An entity from elsewhere as shown to the writer. `entry`: a paper that names it."""

    name: str
    papers: int
    beside: Sequence[str]
    entry: Labelled | None


@dataclass(frozen=True)
class ResearchGround:
    """What everything rests on, under labels that stay the same: the core paper, `around` papers beside it, and
    examples of things from elsewhere."""

    shelf: Bibliography
    around: int
    entities: Sequence[RelatedEntity]

    @property
    def needs(self) -> dict[str, object]:
        return {"core": self.read[0], "related": self.read[1:], "entities": list(self.entities)}

    @property
    def read(self) -> list[Labelled]:
        """Core paper and those around it."""
        return self.shelf.entries[: 1 + self.around]


@dataclass(frozen=True)
class WorkResult:
    """The result of the work. `plan`: its experiment with citations spelled out; empty without one."""

    candidate: Candidate
    plan: str


@method(NAME, ResearchAgentOptions)
async def research_agent(lab: Lab, topic: Topic, options: ResearchAgentOptions) -> Ideation:
    """Problem, method and experiment from a core paper, its neighbours and related entities from elsewhere.

    Source: ResearchAgent (Baek et al. 2024), a baseline of Chain of Ideas (section 4.3). From the source: a core paper
    with the papers that it cites and that cite it; an entity store built from co-occurrence over the literature, which
    adds entities that none of these papers names; problem, method and experiment in this order, each based on those
    before; reviewing agents for each, one agent for each of five criteria, in parallel; revision in rounds. Changed:
    the core paper is found from the topic; entities are fields and word groups of titles, not entries of an
    encyclopedia, ranked by mutual information with the neighbourhood of the core paper, not by their probability; a
    step ends before its last round when no reviewer marks it below 4 of 5; the criteria are written by hand, not
    induced from human marks. Its experiment is part of the write-up, and the first plan for the step that all methods
    share. Left out: the requirement that a core paper be highly cited.
    """
    work = _ResearchSession(lab, topic, options)
    with lab.run.step("literature"):
        ground = await work.grounded()
    result = await work.worked_out(ground) if ground else None
    candidates = [result.candidate] if result else []
    plan = result.plan if result else ""
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, candidates, notes=work.notes, plan=plan))


@dataclass(frozen=True)
class _ResearchSession:
    """One topic at work. `notes`: what is missing."""

    lab: Lab
    topic: Topic
    options: ResearchAgentOptions
    notes: list[str] = field(default_factory=list)

    @property
    def filters(self) -> Filters:
        return Filters(before=self.options.before)

    # Literature

    async def grounded(self) -> ResearchGround | None:
        """None when the library has nothing to start from."""
        wanted = max(_CORE_CANDIDATES, self.options.related + 1)
        near = [hit.paper for hit in await self.lab.library.search(self.topic.text, wanted, self.filters)]
        if not near:
            self.notes.append("The library holds no paper on this topic that the run may read.")
            return None
        core = await self._core(near[:_CORE_CANDIDATES])
        self.lab.run.emit("note", text=f"core paper: {core.title}")
        read = [core, *await self._around(core, near)]
        with self.lab.run.step("entities"):
            companions = await self._companions(read)
        shelf = Bibliography([*read, *self.lab.library.get_many(each.example for each in companions)])
        entry = {each.paper.id: each for each in shelf.entries}
        met = [RelatedEntity(each.name, each.papers, each.beside, entry.get(each.example)) for each in companions]
        return ResearchGround(shelf, len(read) - 1, met)

    async def _core(self, near: Sequence[Paper]) -> Paper:
        """The paper that a line of work on the topic would centre on; the nearest when the reader finds none."""
        guide: Guide = ReaderGuide(self.lab.models, self.lab.library, self.filters)
        if self.lab.models.model_for("reader").provider.small:
            guide = LibraryGuide(self.lab.library, self.filters)
        chosen = await guide.relevant(RelevanceQuery(self.topic, "the topic as a whole"), near, "anchor")
        if not chosen:
            self.notes.append("The reader chose no core paper: the nearest paper to the topic was used.")
        return chosen[0].paper if chosen else near[0]

    async def _around(self, core: Paper, near: Sequence[Paper]) -> list[Paper]:
        """The papers that it cites and that cite it, nearest to topic and core paper first; then search results."""
        library = self.lab.library
        linked = [*library.references(core.id, self.filters), *library.citing(core.id, self.filters)]
        ranked = [hit.paper for hit in await library.rank(f"{self.topic.text}\n{core.title}\n{core.gist}", linked)]
        if not ranked:
            self.notes.append("The library has no citation of the core paper: papers near the topic were used instead.")
        unique = {paper.id: paper for paper in [*ranked, *near] if paper.id != core.id}
        return list(unique.values())[: self.options.related]

    async def _companions(self, read: Sequence[Paper]) -> list[CooccurringEntity]:
        """Entities from elsewhere that co-occur with those of the papers read."""
        options, run = self.options, self.lab.run
        if not options.entities:
            return []
        search = [[paper.id for paper in read], str(options.before), options.entities, options.mined]
        name = content_id(_MINED, search)
        if self.lab.live and (earlier := self._mined_earlier(name)) is not None:
            return earlier
        store = await self.lab.library.entities(self.filters, most=options.mined)
        entities = await asyncio.to_thread(store.companions, read, options.entities)
        if self.lab.live:
            run.emit(_MINED, of=name, found=[each.model_dump(mode="json") for each in entities])
        return entities

    def _mined_earlier(self, name: str) -> list[CooccurringEntity] | None:
        for event in self.lab.run.earlier(_MINED):
            if event.data.get("of") == name:
                entities = event.data["found"]
                return (
                    [CooccurringEntity.model_validate(each) for each in entities]
                    if isinstance(entities, list)
                    else None
                )
        return None

    # Working out

    async def worked_out(self, ground: ResearchGround) -> WorkResult | None:
        """All stages one after the other, then the common form; None without a method, or without a form of it."""
        done: list[MaterialSection] = []
        for stage in (PROBLEM, METHOD, EXPERIMENT) if self.options.experiment else (PROBLEM, METHOD):
            with self.lab.run.step(f"{stage.name}, reviewed"):
                text = await self._stage(ground, stage, done)
            if not text and stage is not EXPERIMENT:
                return None
            done += [MaterialSection(stage.heading, text)] if text else []
        try:
            with self.lab.run.step("write-up"):
                material = WriteUpMaterial(_method_last(done), [entry.paper for entry in ground.shelf.entries])
                draft = await write_up(self.lab, self.topic, material, self.filters, generator=NAME)
        except NoUsableAnswer:
            self.notes.append("The writer gave no usable idea.")
            return None
        plan = next((section.text for section in done if section.heading == EXPERIMENT.heading), "")
        return WorkResult(Candidate(idea=draft.idea), ground.shelf.spelled_out(plan))

    async def _stage(self, ground: ResearchGround, stage: Stage, done: Sequence[MaterialSection]) -> str:
        """The text of one stage after its rounds of review; empty when the writer gave nothing usable."""
        needs = {"topic": self.topic.text, **ground.needs, "done": list(done)}
        draft = await self._draft(stage, needs)
        if not draft:
            self.notes.append(f"The writer gave no usable {stage.name}.")
            return ""
        for turn in range(1, self.options.rounds + 1):
            with self.lab.run.step(f"round {turn}"):
                reviews = await self._reviews(ground, stage, done, draft, turn)
                if all(each.mark >= _CONTENT for each in reviews):
                    break
                revised = await self._draft(stage, needs, draft, reviews, turn)
            if not revised:
                self.notes.append(f"The {stage.name} was not revised: the writer gave no usable answer.")
                break
            draft = revised
        return draft

    async def _draft(
        self,
        stage: Stage,
        needs: dict[str, Any],
        draft: str = "",
        reviews: Sequence[CriterionReview] = (),
        turn: int = 0,
    ) -> str:
        """What the writer says, at first or after review; empty when it is not usable."""
        more = needs | {"draft": draft, "reviews": list(reviews)}
        try:
            answer = await self.lab.models.ask(Question(stage.prompt, more, stage.form, sample=turn))
        except NoUsableAnswer:
            return ""
        return "\n\n".join(part for part in (answer.statement, answer.rationale) if part)

    async def _reviews(
        self, ground: ResearchGround, stage: Stage, done: Sequence[MaterialSection], draft: str, turn: int
    ) -> list[CriterionReview]:
        """One review for each criterion, in parallel; missing ones are noted."""
        needs = {"topic": self.topic.text, "stage": stage.name, "papers": ground.shelf.entries, "done": list(done)}
        needs |= {"draft": draft}
        remarks = await run_concurrently(
            self._remark(needs | {"criterion": criterion, "meaning": meaning})
            for criterion, meaning in stage.criteria.items()
        )
        usable = {name: remark for name, remark in zip(stage.criteria, remarks, strict=True) if remark}
        silent = [name for name in stage.criteria if name not in usable]
        if silent:
            self.notes.append(f"No usable review of the {stage.name} by {', '.join(silent)} in round {turn}.")
        return [CriterionReview(name, remark.feedback, remark.mark) for name, remark in usable.items()]

    async def _remark(self, needs: dict[str, Any]) -> Remark | None:
        question = Question("research_agent_review", needs, Remark, role="judge", temperature=0.0)
        try:
            return await self.lab.models.ask(question)
        except NoUsableAnswer:
            return None


def _method_last(done: Sequence[MaterialSection]) -> list[MaterialSection]:
    """Problem, experiment, method: what comes last is what a small writer looks at."""
    return sorted(done, key=lambda section: section.heading == METHOD.heading)
