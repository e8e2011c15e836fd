"""What evidence gives to somebody who wants an idea: problems that it leaves open, and concepts that it uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pydantic import Field

from novum.core import normal_title, shorten
from novum.core.evidence import Basis, Concept, Exploration, OpenProblem
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.exploring.answering import labelled_evidence

_LONGEST = 1_000


def _labels(description: str) -> Any:
    return Field(description=description, json_schema_extra={"pattern": "^E[0-9]{1,2}(, E[0-9]{1,2})*$"})


class ReadProblem(Answer):
    """One open problem."""

    text: str = prose(480, "what is unsolved, in which situation, and what stands in the way")
    basis: Basis = Field(description="whether a passage states it, a failure was measured, or passages contradict")
    evidence: str = _labels("labels of the evidence that shows it, such as E2, E5")


class ReadConcept(Answer):
    """One concept."""

    name: str = prose(80, "its usual name in the field")
    description: str = prose(300, "what it is and what it is used for, in a sentence that stands by itself")
    evidence: str = _labels("labels of the evidence that speaks of it, such as E2, E5")


class Prospects(Answer):
    """The answer to `open_problems`."""

    problems: list[ReadProblem] = listed(6, "problems that the evidence shows to be open")
    concepts: list[ReadConcept] = listed(10, "concepts that the evidence leans on")


async def with_prospects(
    models: Models, exploration: Exploration, shown: int, in_sight: Callable[[str], bool]
) -> Exploration:
    """The exploration with open problems and concepts; what rests on no evidence is left out and counted.

    `in_sight`: whether a name is none of a work that must not be known of.
    """
    evidence = labelled_evidence(exploration, shown)
    needs = {"question": exploration.question, "evidence": evidence}
    try:
        answer = await models.ask(Question("open_problems", needs, Prospects, temperature=0.0))
    except NoUsableAnswer:
        return exploration.but(notes=(*exploration.notes, "The writer listed no open problems in a usable form."))
    known = len(evidence)
    spoken_of = normal_title(" ".join(each.passage for each in exploration.evidence))
    problems = [
        OpenProblem(text=shorten(each.text, _LONGEST), cites=_places(each.evidence, known), basis=each.basis)
        for each in answer.problems
    ]
    concepts = [
        Concept(
            name=shorten(each.name, 120),
            description=shorten(each.description, _LONGEST),
            cites=_places(each.evidence, known),
        )
        for each in answer.concepts
        if normal_title(each.name) in spoken_of or in_sight(each.name)
    ]
    grounded = [each for each in problems if each.cites and each.text]
    named = {normal_title(each.name): each for each in reversed(concepts) if each.cites and each.name}
    lost = len(answer.problems) + len(answer.concepts) - len(grounded) - len(named)
    note = [f"{lost} of the problems and concepts named rest on no evidence and were left out."] if lost else []
    return exploration.but(
        problems=tuple(grounded), concepts=tuple(reversed(named.values())), notes=(*exploration.notes, *note)
    )


def _places(labels: str, known: int) -> tuple[int, ...]:
    """Places in the list of evidence, from 1, of those labels that lead somewhere."""
    numbers = (int(digits) for digits in re.findall(r"E\s?(\d{1,3})(?!\d)", labels))
    return tuple(dict.fromkeys(number for number in numbers if 1 <= number <= known))
