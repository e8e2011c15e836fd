"""One idea: proposed from its start, looked up again where it names a weak point, written up in the common form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field, field_validator

from novum.core import Candidate, Citation, Ground, Idea, LookUp, Paper, StartedFrom, Topic, shorten
from novum.core.evidence import Exploration, Snippet
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.methods.prior_work import novelty_check_of
from novum.methods.spark.grounding import SparkStart, ground_of, papers_of, sources_with_passages
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.reading import Bibliography
from novum.reading.exploration import ExploreOptions, explore_weakness

_LOOKED_AT = 6
"""Passages about a weak point put before the writer."""
_NO_WEAKNESS = re.compile(r"\W*(?:none|nothing|no weak(?: ?point|ness)|not applicable|n/?a|empty)?\W*", re.IGNORECASE)
"""How models leave a field empty."""
_NO_SOURCE = "no such source"
_LABEL = re.compile(r"\[[PL]\d{1,3}\]")
"""A citation that a label without a paper became."""


class NewConcept(Answer):
    """A notion that an idea introduces."""

    name: str = prose(80, "what it is called, in words that say what it is")
    meaning: str = prose(300, "what it is, how it would be measured or built, and what it is not")


class Plan(Answer):
    """The answer to `spark_proposal` and `spark_revision`."""

    reasoning: list[str] = listed(
        8, "the steps from problem to test, in order, each following from those before", longest=500, least=1
    )
    concepts: list[NewConcept] = listed(3, "notions that the idea introduces; empty if it needs none", few=0)
    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    abstract: str = prose(1500, "the idea in one paragraph: problem, cause, means, what is done, what would decide it")
    weak_point: str = prose(400, "the one doubtful point that published work could settle; empty if there is none")

    @field_validator("weak_point")
    @classmethod
    def _or_none(cls, text: str) -> str:
        return "" if _NO_WEAKNESS.fullmatch(text) else text

    @property
    def text(self) -> str:
        """What two ideas are compared by."""
        return f"{self.title}\n{self.abstract}"

    @property
    def steps(self) -> str:
        """The reasoning as one text, a line a step."""
        return "\n".join(f"{number}. {step}" for number, step in enumerate(self.reasoning, 1))

    @property
    def notions(self) -> str:
        """The new concepts as one text."""
        return "\n".join(f"{each.name}: {each.meaning}" if each.name else each.meaning for each in self.concepts)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every part that may cite."""
        return self.title, self.abstract, self.steps, self.notions, self.weak_point


@dataclass(frozen=True)
class SparkContext:
    """What all ideas of a topic have in common. `field`: the field of work that they are to belong to;
    `known_notes`: notes on the exploration that they come from.
    """

    lab: Lab
    topic: Topic
    field: str
    filters: Filters
    looking_up: ExploreOptions
    generator: str
    known_notes: tuple[str, ...]


@dataclass(frozen=True)
class GroundedPlan:
    """A plan with what it rests on. `earlier`: what it was before, oldest first; `strays`: labels that it or an earlier
    one cites and no passage has.
    """

    start: SparkStart
    plan: Plan
    papers: tuple[Paper, ...]
    passages: tuple[Snippet, ...]
    earlier: tuple[Idea, ...] = ()
    looked_up: tuple[LookUp, ...] = ()
    strays: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its title, as notes give it."""
        return f"«{shorten(self.plan.title, 80)}»"


@dataclass(frozen=True)
class FinishedSparkIdea:
    """A finished idea with its ground, or None, and notes on problems."""

    candidate: Candidate | None
    ground: Ground | None = None
    notes: tuple[str, ...] = ()
    started: StartedFrom | None = None
    """The opportunity that it started from."""


async def propose_plan(world: SparkContext, start: SparkStart) -> GroundedPlan | None:
    """The first plan; None without a usable answer."""
    needs = {"topic": world.topic.text, "field": world.field, **start.needs}
    with world.lab.run.step(f"proposal {start.number}"):
        world.lab.run.emit("note", text="; ".join([start.problem.text, *(each.name for each in start.concepts)]))
        try:
            plan = await world.lab.models.ask(Question("spark_proposal", needs, Plan, sample=start.number))
        except NoUsableAnswer:
            return None
    plan, strays = _checked(plan, start.papers)
    return GroundedPlan(start, plan, start.papers, start.passages, strays=strays)


async def finish_idea(world: SparkContext, planned: GroundedPlan, fixes: int) -> FinishedSparkIdea:
    """Fix at most `fixes` weak points, write the plan up and check it against the literature."""
    notes: list[str] = []
    with world.lab.run.step(f"idea {planned.start.number}"):
        for turn in range(1, fixes + 1):
            if not planned.plan.weak_point:
                break
            with world.lab.run.step(f"weak point {turn}"):
                planned = await _fix_weak_point(world, planned, turn, notes)
            if not planned.looked_up[-1].revised:
                break
        return await _written_up(world, planned, notes)


async def _fix_weak_point(world: SparkContext, planned: GroundedPlan, turn: int, notes: list[str]) -> GroundedPlan:
    """The plan revised by what is known of its weak point. Where nothing is, or no usable revision came back, the plan
    and its weak point stand, and the write-up tells it."""
    plan = planned.plan
    world.lab.run.emit("note", text=plan.weak_point)
    exploration = await explore_weakness(world.lab, _idea(world, planned).text, plan.weak_point, world.looking_up)
    notes += [f"{planned.name}, its weak point: {note}" for note in exploration.notes if note not in world.known_notes]
    known = {_key(snippet) for snippet in planned.passages}
    new = tuple(snippet for snippet in exploration.evidence if _key(snippet) not in known)[:_LOOKED_AT]
    places = tuple(range(len(planned.passages) + 1, len(planned.passages) + len(new) + 1))
    look = LookUp(weak_point=plan.weak_point, question=exploration.question, cites=places)
    if not new:
        weakness = shorten(plan.weak_point, 400)
        notes.append(f"{planned.name}: nothing new was found on its weak point, which remains: {weakness}")
        return replace(planned, looked_up=(*planned.looked_up, look))
    revised = await _revised(world, planned, exploration, new, turn)
    if revised is None:
        notes.append(
            f"{planned.name} stands as it was before its weak point was looked up: no usable revision came back."
        )
    look = look.model_copy(update={"revised": revised is not None})
    return replace(revised or planned, passages=(*planned.passages, *new), looked_up=(*planned.looked_up, look))


async def _revised(
    world: SparkContext, planned: GroundedPlan, exploration: Exploration, new: Sequence[Snippet], turn: int
) -> GroundedPlan | None:
    papers = papers_of(exploration, new, planned.papers)
    needs = {
        "topic": world.topic.text,
        "problem": planned.start.needs["problem"],
        "papers": sources_with_passages(papers, planned.passages),
        "plan": planned.plan,
        "question": exploration.question,
        "sources": sources_with_passages(papers, new),
    }
    sample = 1000 * turn + planned.start.number
    try:
        plan = await world.lab.models.ask(Question("spark_revision", needs, Plan, sample=sample))
    except NoUsableAnswer:
        return None
    plan, strays = _checked(plan, papers)
    return replace(
        planned,
        plan=plan,
        papers=papers,
        earlier=(*planned.earlier, _idea(world, planned)),
        strays=tuple(dict.fromkeys((*planned.strays, *strays))),
    )


async def _written_up(world: SparkContext, planned: GroundedPlan, notes: list[str]) -> FinishedSparkIdea:
    """The plan in the common form, with every earlier draft and a novelty check."""
    lab, sample = world.lab, planned.start.number
    try:
        with lab.run.step("write-up"):
            material = WriteUpMaterial(_sections(planned), planned.papers)
            draft = await write_up(lab, world.topic, material, world.filters, generator=world.generator, sample=sample)
    except NoUsableAnswer:
        return FinishedSparkIdea(None, notes=(*notes, f"{planned.name} could not be written up."))
    unknown = [each.name.strip("[]") for each in draft.idea.citations if _is_stray(each)]
    strays = tuple(dict.fromkeys((*planned.strays, *unknown)))
    if strays:
        notes.append(f"{planned.name} cited labels that no passage has; they are marked: {', '.join(strays)}.")
    with lab.run.step("novelty check"):
        check = await novelty_check_of(lab, draft, planned.papers, world.filters)
    drafts = {idea.id: idea for idea in (*planned.earlier, _idea(world, planned)) if idea.id != draft.idea.id}
    candidate = Candidate(idea=draft.idea, earlier_drafts=tuple(drafts.values()), checks=(check,))
    ground = Ground(
        idea_id=draft.idea.id,
        **ground_of(planned.start, planned.passages),
        looked_up=planned.looked_up,
        weak_point=planned.plan.weak_point,
        strays=strays,
    )
    point = planned.start.point
    return FinishedSparkIdea(candidate, ground, tuple(notes), point.started(draft.idea.id) if point else None)


def _idea(world: SparkContext, planned: GroundedPlan) -> Idea:
    """The plan as a record, its labels spelled out."""
    plan, shelf = planned.plan, Bibliography(planned.papers)
    parts = {"title": plan.title, "novelty": plan.notions, "method": plan.steps, "summary": plan.abstract}
    return Idea(
        topic=world.topic.text,
        motivation=planned.start.problem.text,
        citations=shelf.citations((plan.abstract, plan.steps, plan.notions)),
        generator=world.generator,
        **{name: shelf.spelled_out(text) for name, text in parts.items()},
    )


def _sections(planned: GroundedPlan) -> list[MaterialSection]:
    """The short form comes last: the prompt for small models contains only the last section."""
    plan = planned.plan
    parts = (
        ("The open problem", planned.start.problem.text),
        ("Reasoning, step by step", plan.steps),
        ("Notions that it introduces", plan.notions),
        ("What is still doubtful about it", plan.weak_point),
        ("The idea in short", f"{plan.title}. {plan.abstract}"),
    )
    return [MaterialSection(heading, text) for heading, text in parts if text]


def _checked(plan: Plan, papers: Sequence[Paper]) -> tuple[Plan, tuple[str, ...]]:
    """The plan with labels that no paper shown has taken out of it, so that no later step takes them for sources; and
    these labels."""
    strays = Bibliography(papers).strays(plan.texts)
    if not strays:
        return plan, ()
    stray = re.compile(rf"(?<![\w-])(?:{'|'.join(strays)})(?![\w-])")
    return Plan.model_validate(_without(plan.model_dump(), stray)), strays


def _without(value: Any, stray: re.Pattern[str]) -> Any:
    """`value`, all its texts, with `_NO_SOURCE` in the place of labels."""
    if isinstance(value, dict):
        return {name: _without(each, stray) for name, each in value.items()}
    if isinstance(value, list):
        return [_without(each, stray) for each in value]
    return stray.sub(_NO_SOURCE, value)


def _is_stray(citation: Citation) -> bool:
    return citation.paper_id is None and _LABEL.fullmatch(citation.name) is not None


def _key(snippet: Snippet) -> tuple[str, str, int]:
    return snippet.paper_id, snippet.origin, snippet.start
