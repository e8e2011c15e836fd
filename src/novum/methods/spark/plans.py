"""One idea: proposed from its start, looked up again where it names a weak point, written up in the common form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from novum.core import Candidate, Idea, Paper, Topic, shorten
from novum.core.evidence import Exploration, Snippet
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.methods.prior_work import checked
from novum.methods.spark.ground import Start, papers_of, sources
from novum.methods.writing_up import Material, Section, write_up
from novum.reading import Bibliography
from novum.reading.exploring import ExploreOptions, explore_weakness

_LOOKED_AT = 6
"""Passages about a weak point put before the writer."""


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


@dataclass(frozen=True)
class World:
    """What all ideas of a topic have in common. `field`: the field of work that they are to belong to; `told`: notes
    on the exploration that they come from.
    """

    lab: Lab
    topic: Topic
    field: str
    filters: Filters
    looking_up: ExploreOptions
    generator: str
    told: tuple[str, ...]


@dataclass(frozen=True)
class Planned:
    """A plan with what it rests on. `earlier`: what it was before, oldest first."""

    start: Start
    plan: Plan
    papers: tuple[Paper, ...]
    shown: tuple[Snippet, ...]
    earlier: tuple[Idea, ...] = ()


@dataclass(frozen=True)
class Made:
    """A finished idea, or none, and what went wrong on the way."""

    candidate: Candidate | None
    notes: tuple[str, ...] = ()


async def proposed(world: World, start: Start) -> Planned | None:
    """The first plan; None when the writer gives nothing usable."""
    needs = {"topic": world.topic.text, "field": world.field, **start.needs}
    with world.lab.run.step(f"proposal {start.number}"):
        world.lab.run.emit("note", text="; ".join([start.problem.text, *(each.name for each in start.concepts)]))
        try:
            plan = await world.lab.models.ask(Question("spark_proposal", needs, Plan, sample=start.number))
        except NoUsableAnswer:
            return None
    return Planned(start, plan, start.papers, start.shown)


async def finished(world: World, planned: Planned, mends: int) -> Made:
    """Mended at most `mends` times, written up and checked against the literature."""
    notes: list[str] = []
    with world.lab.run.step(f"idea {planned.start.number}"):
        for turn in range(1, mends + 1):
            if not planned.plan.weak_point:
                break
            with world.lab.run.step(f"weak point {turn}"):
                mended = await _mended(world, planned, turn, notes)
            if mended is None:
                break
            planned = mended
        return Made(await _written_up(world, planned, notes), tuple(notes))


async def _mended(world: World, planned: Planned, turn: int, notes: list[str]) -> Planned | None:
    """The plan revised by what is known of its weak point; None when nothing is, or no usable revision came back.
    Then the weak point stands, and the write-up tells it."""
    plan, name = planned.plan, f"«{shorten(planned.plan.title, 80)}»"
    world.lab.run.emit("note", text=plan.weak_point)
    found = await explore_weakness(world.lab, _idea(world, planned).text, plan.weak_point, world.looking_up)
    notes += [f"{name}, its weak point: {note}" for note in found.notes if note not in world.told]
    known = {_key(snippet) for snippet in planned.shown}
    new = tuple(snippet for snippet in found.evidence if _key(snippet) not in known)[:_LOOKED_AT]
    if not new:
        notes.append(f"{name}: nothing new was found on its weak point, which stands: {shorten(plan.weak_point, 400)}")
        return None
    revised = await _revised(world, planned, found, new, turn)
    if revised is None:
        notes.append(f"{name} stands as it was before its weak point was looked up: no usable revision came back.")
    return revised


async def _revised(
    world: World, planned: Planned, found: Exploration, new: Sequence[Snippet], turn: int
) -> Planned | None:
    papers = papers_of(found, new, planned.papers)
    needs = {
        "topic": world.topic.text,
        "problem": planned.start.needs["problem"],
        "papers": [entry for entry in Bibliography(papers).entries if entry.paper in planned.papers],
        "plan": planned.plan,
        "question": found.question,
        "sources": sources(papers, new),
    }
    sample = 1000 * turn + planned.start.number
    try:
        plan = await world.lab.models.ask(Question("spark_revision", needs, Plan, sample=sample))
    except NoUsableAnswer:
        return None
    shown = (*planned.shown, *new)
    return replace(planned, plan=plan, papers=papers, shown=shown, earlier=(*planned.earlier, _idea(world, planned)))


async def _written_up(world: World, planned: Planned, notes: list[str]) -> Candidate | None:
    """The plan in the common form, with every earlier draft and a check of how new it is."""
    lab, sample = world.lab, planned.start.number
    try:
        with lab.run.step("write-up"):
            material = Material(_sections(planned), planned.papers)
            draft = await write_up(lab, world.topic, material, world.filters, generator=world.generator, sample=sample)
    except NoUsableAnswer:
        notes.append(f"«{shorten(planned.plan.title, 80)}» could not be written up.")
        return None
    with lab.run.step("novelty check"):
        check = await checked(lab, draft, planned.papers, world.filters)
    drafts = {idea.id: idea for idea in (*planned.earlier, _idea(world, planned)) if idea.id != draft.idea.id}
    return Candidate(idea=draft.idea, earlier_drafts=tuple(drafts.values()), checks=(check,))


def _idea(world: World, planned: Planned) -> Idea:
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


def _sections(planned: Planned) -> list[Section]:
    """The idea in short comes last: a small writer is shown the last section only."""
    plan = planned.plan
    parts = (
        ("The open problem", planned.start.problem.text),
        ("Reasoning, step by step", plan.steps),
        ("Notions that it introduces", plan.notions),
        ("What is still doubtful about it", plan.weak_point),
        ("The idea in short", f"{plan.title}. {plan.abstract}"),
    )
    return [Section(heading, text) for heading, text in parts if text]


def _key(snippet: Snippet) -> tuple[str, str, int]:
    return snippet.paper_id, snippet.origin, snippet.start
