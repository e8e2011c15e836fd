"""A reviewer's report on an idea, from one stance (SPARK, "Idea Evaluation with SPARK Filter").

Source: a reviewer model writes several critiques of an idea, each with strengths, limitations and what to improve.
Changed: every reviewer looks with another eye, so that several reports are not one report several times; a criticism
names the sentence of the idea that it is about, which is looked up there, and the papers that it leans on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from novum.core import Idea, Paper
from novum.core.reviewing import HIGHEST, LOWEST, SURE, Criticism, ReviewerReport, Severity, quotation_status
from novum.errors import NoUsableAnswer
from novum.llm import Answer, ModelName, Question, listed, prose
from novum.reading import Bibliography

STANCES: Mapping[str, str] = {
    "methods": "You look at whether it would work: take the mechanism step by step, find the assumption that carries "
    "most, the place where a step does not follow, the comparison that could not fail, the rival explanation that "
    "nothing in the plan would tell apart.",
    "novelty": "You look at what is new: name what is known already, part by part, and say what remains once that is "
    "taken away. A new name for a known thing is nothing new; a known part in a new place may be.",
    "significance": "You look at what it would change: for whom, compared with what they do today, and how much would "
    "be left of that if it worked only half as well as hoped.",
    "feasibility": "You look at whether it can be carried out: data, instruments, skills, time and money that exist; "
    "the first thing that would stop it; the cheapest trial that would show this.",
    "sceptic": "You look for the one reason for which the whole may be worthless, and try to defend the idea against "
    "it before you write it down.",
}
CRITERIA: Mapping[str, str] = {
    "soundness": "Do its claims follow from what it proposes?",
    "novelty": "How far is it from what is known?",
    "significance": "How much would it matter if it worked?",
    "feasibility": "Could it be carried out with present means?",
}
USUAL_STANCES = ("methods", "novelty", "significance")
MOST_CRITICISMS = 8
_LABEL = re.compile(r"P\d{1,3}")


class Objection(Answer):
    """One criticism: the sentence first, then what is wrong with it."""

    quote: str = prose(400, "the sentence of the idea that this is about, copied letter by letter")
    point: str = prose(500, "what is wrong there, and what follows from it for the idea")
    papers: list[str] = listed(3, "labels of the papers shown that bear it out, such as P2; else empty", few=0)
    severity: Severity
    suggestion: str = prose(350, "the smallest change that would meet it")


class Marking(Answer):
    """The marks, `overall` last."""

    soundness: int = Field(ge=LOWEST, le=HIGHEST)
    novelty: int = Field(ge=LOWEST, le=HIGHEST)
    significance: int = Field(ge=LOWEST, le=HIGHEST)
    feasibility: int = Field(ge=LOWEST, le=HIGHEST)
    overall: int = Field(ge=LOWEST, le=HIGHEST)


class Report(Answer):
    """The answer to `referee_idea`."""

    summary: str = prose(500, "what is proposed, and what it rests on, in your own words")
    strengths: list[str] = listed(4, "what is good about it, each pointing at what stands there", longest=250, few=1)
    criticisms: list[Objection] = listed(MOST_CRITICISMS, "what is wrong with it, the gravest first", few=1)
    marks: Marking
    confidence: int = Field(ge=1, le=SURE, description="how sure you are of this report: 1 a guess, 5 certain")


@dataclass(frozen=True)
class ReviewerAssignment:
    """The assignment of one report. `sample` distinguishes equal requests to the same model."""

    number: int
    model: ModelName
    stance: str
    """Empty for a model that writes prose and takes none."""
    sample: int


def assign_reviewers(
    judges: Sequence[ModelName], stances: Sequence[str], reports: int, turn: int
) -> Iterator[ReviewerAssignment]:
    """One assignment for each of `reports`: models in turn, and stances in turn for the models that take one.

    `turn` differs between ideas and is the same in all rounds of an idea; it keeps a model from having the same stance
    for all ideas.
    """
    with_stance, drawn = 0, Counter[ModelName]()
    for place in range(reports):
        model = judges[(place + turn) % len(judges)]
        if model.provider.writes_reports:
            yield ReviewerAssignment(place + 1, model, "", drawn[model])
            drawn[model] += 1
        else:
            yield ReviewerAssignment(place + 1, model, stances[with_stance % len(stances)], with_stance // len(stances))
            with_stance += 1


def review_idea(
    idea: Idea, model: ModelName, stance: str, number: int = 1, papers: Sequence[Paper] = (), sample: int = 0
) -> Generator[Question[Report], Any, ReviewerReport]:
    """The report of reviewer `number`, who looks as STANCES tells of `stance`. `papers`: are shown to it. `sample`: of
    a repeated request, which is not at temperature 0. An answer that cannot be used makes a report that
    says nothing."""
    shelf = Bibliography(papers)
    needs = {
        "topic": idea.topic,
        "idea": idea.text,
        "stance": STANCES[stance],
        "papers": shelf.entries,
        "criteria": CRITERIA,
    }
    temperature = None if sample else 0.0
    answer = yield Question("referee_idea", needs, Report, role=model, temperature=temperature, sample=sample)
    if isinstance(answer, NoUsableAnswer):
        return ReviewerReport(
            idea_id=idea.id, number=number, referee=model.short, stance=stance, failure=str(answer) or "no answer"
        )
    return ReviewerReport(
        idea_id=idea.id,
        number=number,
        referee=model.short,
        stance=stance,
        summary=_spelled_out(answer.summary, shelf),
        strengths=tuple(_spelled_out(each, shelf) for each in answer.strengths if each.strip()),
        criticisms=tuple(_criticisms(answer.criticisms, idea, number, shelf)),
        marks=answer.marks.model_dump(),
        confidence=answer.confidence,
    )


def _criticisms(
    objections: Sequence[Objection], idea: Idea, number: int, shelf: Bibliography
) -> Generator[Criticism, None, None]:
    usable = [each for each in objections if each.point.strip()][:MOST_CRITICISMS]
    for place, each in enumerate(usable, 1):
        cited = dict.fromkeys(_LABEL.findall(" ".join(each.papers)))
        in_passing = [label for label in _LABEL.findall(each.point) if shelf.paper(label)]
        known = {label: paper.id for label in [*cited, *in_passing] if (paper := shelf.paper(label)) is not None}
        yield Criticism(
            label=f"R{number}.{place}",
            point=_spelled_out(each.point, shelf),
            severity=each.severity,
            quote=each.quote,
            footing=quotation_status(each.quote, idea.text),
            papers=tuple(known.values()),
            unknown_papers=tuple(label for label in cited if label not in known),
            suggestion=_spelled_out(each.suggestion, shelf),
        )


def _spelled_out(text: str, shelf: Bibliography) -> str:
    """Where no paper was shown, what looks like a label is none: P53 is a protein."""
    return shelf.spelled_out(text) if shelf.entries else text
