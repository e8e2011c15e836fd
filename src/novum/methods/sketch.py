"""Ideas in short form (sketches), and the write-up of the best one.

Generators that have many ideas and keep few work on sketches: a few sentences each, which can be reviewed, compared and
voted on for little. What is kept is written up in the form that all generators share, and checked once more as written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from novum.core import Candidate, Idea, NoveltyCheck, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, prose
from novum.methods.prior_work import novelty_check_of
from novum.methods.proposal import Draft
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.reading import Bibliography


class Sketch(Answer):
    """The answer to `team_proposal`, `evolution_seed` and `evolution_change`."""

    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    problem: str = prose(800, "the problem, and what in the labelled papers shows that it is unsolved")
    approach: str = prose(1300, "the central mechanism: what goes in, what is done, what comes out, and why it works")
    difference: str = prose(700, "how it differs from the nearest works, named by label")
    check: str = prose(500, "the assumption on which it rests, and the cheapest check that could refute it")
    rival: str = prose(400, "the strongest rival without the mechanism, and what would be observed if it were right")
    summary: str = prose(
        500, "the idea in three sentences: problem, how it is solved, which outcome would show that it works"
    )
    query: str = prose(120, "search query of 3 to 10 words that would find the closest existing work")


_CITING = ("problem", "difference", "approach", "check", "rival", "summary")
"""Parts that may cite papers, in the order in which citations are listed."""


@dataclass(frozen=True)
class SketchedIdea:
    """A sketch as a record, with its labels spelled out and its novelty checks."""

    sketch: Sketch
    idea: Idea
    checks: tuple[NoveltyCheck, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the last novelty check found it in a paper."""
        return bool(self.checks) and self.checks[-1].novel is False

    @property
    def draft(self) -> Draft:
        """The sketch as a draft for a novelty check."""
        return Draft(self.idea, tuple(filter(None, (self.sketch.query,))))

    @property
    def candidate(self) -> Candidate:
        """The sketch as a candidate, for a report."""
        return Candidate(idea=self.idea, checks=self.checks)


def sketched_idea(sketch: Sketch, topic: Topic, shelf: Bibliography, *, generator: str) -> SketchedIdea:
    """The record of a sketch. `shelf`: the papers to which its labels refer."""
    texts = {name: shelf.spelled_out(getattr(sketch, name)) for name in Sketch.model_fields}
    idea = Idea(
        topic=topic.text,
        title=texts["title"],
        motivation=texts["problem"],
        novelty=texts["difference"],
        method=texts["approach"],
        check=texts["check"],
        rival=texts["rival"],
        summary=texts["summary"],
        citations=shelf.citations(getattr(sketch, name) for name in _CITING),
        generator=generator,
    )
    return SketchedIdea(sketch, idea)


async def with_novelty_check(lab: Lab, one: SketchedIdea, papers: Sequence[Paper], filters: Filters) -> SketchedIdea:
    """The sketch with a novelty check against the nearest papers of the library and of `papers`."""
    check = await novelty_check_of(lab, one.draft, papers, filters)
    return replace(one, checks=(*one.checks, check))


async def write_up_sketch(
    lab: Lab, topic: Topic, one: SketchedIdea, papers: Sequence[Paper], objections: str, filters: Filters
) -> Candidate | None:
    """The sketch written out in the common form and checked as written; None when the writer gives nothing usable.

    `papers`: those that the sketch names by label, in order. `objections`: what was said against it, for the writer.
    """
    material = WriteUpMaterial(_sections(one.sketch, objections), papers)
    try:
        with lab.run.step("write-up"):
            draft = await write_up(lab, topic, material, filters, generator=one.idea.generator)
    except NoUsableAnswer:
        return None
    with lab.run.step("novelty check"):
        check = await novelty_check_of(lab, draft, papers, filters, turn=len(one.checks) + 1)
    earlier = () if draft.idea.id == one.idea.id else (one.idea,)
    return Candidate(idea=draft.idea, earlier_drafts=earlier, checks=(*one.checks, check))


def _sections(sketch: Sketch, objections: str) -> list[MaterialSection]:
    """The short form comes last: the prompt for small models contains only the last section."""
    parts = (
        ("The problem", sketch.problem),
        ("How it works", sketch.approach),
        ("What is new", sketch.difference),
        ("What it rests on", sketch.check),
        ("Its strongest rival", sketch.rival),
        ("What was said against it", objections),
        ("The idea in short", f"{sketch.title}. {sketch.summary}"),
    )
    return [MaterialSection(heading, text) for heading, text in parts if text]
