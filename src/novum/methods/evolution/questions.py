"""The requests of the method: first ideas, reviews, ideas from ideas, and what reviews and debates have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Literal

from pydantic import Field

from novum.core import Match, NoveltyCheck, Topic
from novum.core.novelty import Known
from novum.errors import NoUsableAnswer
from novum.judges.novelty import compared_papers, nearest_papers
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, label, listed, prose
from novum.methods.evolution.debates import debate_summaries
from novum.methods.evolution.population import INITIAL, Contender, ContenderReview
from novum.methods.sketch import Sketch, SketchedIdea, sketched_idea
from novum.reading import Bibliography

Start = Literal["gap", "assumption", "transfer", "contradiction"]
Way = Literal["mend", "combine", "simplify", "elsewhere"]
_DEBATES_SHOWN = 60


class Appraisal(Answer):
    """The answer to `evolution_review`."""

    comparison: str = prose(700, "what the idea shares with the closest paper, and what that paper does not have")
    closest: str = label("label of the closest paper, such as P2, or none", or_none=True)
    near_enough: bool = Field(
        description="whether these papers are near enough to the idea to say much about how new it is"
    )
    known: Known = Field(description="yes only if the closest paper already has the idea's core: problem and mechanism")
    strengths: list[str] = listed(3, "what must not get lost", longest=250, few=1)
    weaknesses: list[str] = listed(4, "what is wrong or unproven, the gravest first", longest=300, few=1)
    mend: str = prose(400, "the one change that would mend the gravest weakness")


class Lessons(Answer):
    """The answer to `evolution_lessons`."""

    recurring: list[str] = listed(5, "a weakness that several ideas share, and how to avoid it", longest=300, few=1)
    winning: list[str] = listed(4, "what decided comparisons, told so that it can be acted on", longest=300, few=1)
    untried: list[str] = listed(4, "a way to the topic that no idea has taken", longest=300, few=1)


@dataclass(frozen=True)
class EvolutionContext:
    """The inputs that all requests of a run share. `shelf`: the papers that ideas cite by label."""

    topic: Topic
    shelf: Bibliography
    filters: Filters
    generator: str


async def write_first_idea(
    lab: Lab, world: EvolutionContext, start: Start, leads: Sequence[str], number: int
) -> SketchedIdea | None:
    """A first idea; `leads` are labels of papers to begin from. None when the writer gives nothing usable."""
    needs = {"topic": world.topic.text, "papers": world.shelf.entries, "start": start, "leads": list(leads)}
    return await _sketch(lab, world, Question("evolution_seed", needs, Sketch, sample=number))


async def write_variation(
    lab: Lab,
    world: EvolutionContext,
    way: Way,
    parents: Sequence[Contender],
    taken: Sequence[str],
    lessons: Lessons | None,
    number: int,
) -> SketchedIdea | None:
    """An idea from `parents` (two to combine, else one); `taken`: titles of the other ideas that there are already."""
    needs = {
        "topic": world.topic.text,
        "papers": world.shelf.entries,
        "way": way,
        "parents": list(parents),
        "taken": list(taken),
        "lessons": lessons,
    }
    return await _sketch(lab, world, Question("evolution_change", needs, Sketch, sample=number))


async def _sketch(lab: Lab, world: EvolutionContext, question: Question[Sketch]) -> SketchedIdea | None:
    try:
        answer = await lab.models.ask(question)
    except NoUsableAnswer:
        return None
    return sketched_idea(answer, world.topic, world.shelf, generator=world.generator)


def initial_rating(way: Way, parents: Sequence[Contender]) -> float:
    """The first rating of an idea: the mean of its parents, or that of a first idea if it departs from them."""
    return INITIAL if way == "elsewhere" else mean(one.rating for one in parents)


async def review_contender(lab: Lab, world: EvolutionContext, one: Contender) -> Contender:
    """The contender with its review against the nearest papers; without one when the reviewer gives nothing usable."""
    at_hand = [entry.paper for entry in world.shelf.entries]
    idea, query = one.sketched.idea, one.sketched.sketch.query
    nearest = await nearest_papers(lab.library, idea, [query], at_hand, world.filters)
    shelf = Bibliography([hit.paper for hit in nearest])
    needs = {"topic": world.topic.text, "idea": idea.text, "papers": shelf.entries}
    check = NoveltyCheck(idea_id=idea.id, round=1, novel=None, nearest=compared_papers(nearest))
    try:
        answer = await lab.models.ask(Question("evolution_review", needs, Appraisal, role="judge", temperature=0.0))
    except NoUsableAnswer as error:
        unread = check.model_copy(update={"reason": f"No usable answer: {error}"})
        return replace(one, sketched=replace(one.sketched, checks=(unread,)))
    review = ContenderReview(
        tuple(map(shelf.spelled_out, answer.strengths)),
        tuple(map(shelf.spelled_out, answer.weaknesses)),
        shelf.spelled_out(answer.mend),
    )
    return replace(one, sketched=replace(one.sketched, checks=(_verdict(check, answer, shelf),)), review=review)


def _verdict(check: NoveltyCheck, answer: Appraisal, shelf: Bibliography) -> NoveltyCheck:
    """A verdict that an idea is known must name the paper; otherwise it does not count."""
    closest, reason = shelf.paper(answer.closest), shelf.spelled_out(answer.comparison)
    distance = "near" if answer.near_enough else "far"
    if answer.known == "yes" and closest is None:
        unnamed = f"Called known without naming a paper that has it: {reason}"
        return check.model_copy(update={"reason": unnamed, "distance": distance})
    known = answer.known if closest else "no"
    named = {"closest_id": closest.id, "closest_title": closest.title} if closest else {}
    decided = {"novel": known != "yes", "known": known, "reason": reason, "distance": distance}
    return check.model_copy(update=decided | named)


async def derive_lessons(
    lab: Lab,
    world: EvolutionContext,
    field: Sequence[Contender],
    matches: Sequence[tuple[Match, Match]],
    generation: int,
) -> Lessons | None:
    """The lessons that reviews and debates have in common; None without a usable answer."""
    debates = debate_summaries(field, matches)[:_DEBATES_SHOWN]
    needs = {"topic": world.topic.text, "field": list(field), "debates": debates}
    try:
        return await lab.models.ask(Question("evolution_lessons", needs, Lessons, sample=generation))
    except NoUsableAnswer:
        return None
