"""What evidence gives to somebody who wants an idea: problems that it leaves open, and concepts that it uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import Field

from novum.core import normal_title, shorten
from novum.core.evidence import Basis, Concept, Exploration, OpenProblem
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.exploration.answering import labelled_evidence
from novum.reading.exploration.findings import verbatim

_LONGEST = 1_000
_MOST_PROBLEMS, _MOST_CONCEPTS = 12, 20
"""Taken of an answer: twice as many as are asked for. Some models go on without end."""


def _labels(description: str) -> Any:
    return Field(description=description, json_schema_extra={"pattern": "^E[0-9]{1,2}(, E[0-9]{1,2})*$"})


class ReadProblem(Answer):
    """One open problem."""

    text: str = prose(480, "what is unsolved, in which situation, and what stands in the way")
    basis: Basis = Field(description="whether a passage states it, a failure was measured, or passages contradict")
    quote: str = prose(400, "the sentence of a passage that shows it, copied word for word; empty if none does")
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
    models: Models, exploration: Exploration, most: int, in_sight: Callable[[str], bool]
) -> Exploration:
    """The exploration with open problems and concepts; what rests on no evidence is left out and counted, labels that
    lead to no passage are told. A problem whose quotation stands in no passage comes after those that have one.

    `in_sight`: whether a name is none of a work that must not be known of.
    """
    evidence = labelled_evidence(exploration, most)
    needs = {"question": exploration.question, "evidence": evidence}
    try:
        answer = await models.ask(Question("open_problems", needs, Prospects, temperature=0.0))
    except NoUsableAnswer:
        return exploration.but(notes=(*exploration.notes, "The writer listed no open problems in a usable form."))
    known = len(evidence)
    spoken_of = normal_title(" ".join(each.passage for each in exploration.evidence))
    passages = [each.passage for each in exploration.evidence[:known]]
    problems = [_problem(each, passages) for each in answer.problems[:_MOST_PROBLEMS]]
    concepts = [
        Concept(
            name=shorten(each.name, 120),
            description=shorten(each.description, _LONGEST),
            cites=_places(each.evidence, known),
        )
        for each in answer.concepts[:_MOST_CONCEPTS]
        if normal_title(each.name) in spoken_of or in_sight(each.name)
    ]
    grounded = sorted((each for each in problems if each.cites and each.text), key=lambda each: not each.quote)
    spoken = [each for each in concepts if each.cites and each.name]
    named = {normal_title(each.name): each for each in reversed(spoken)}
    lost = len(problems) + len(concepts) - len(grounded) - len(spoken)
    notes = [f"{lost} of the problems and concepts named rest on no evidence and were left out."] if lost else []
    labels = [each.evidence for each in answer.problems] + [each.evidence for each in answer.concepts]
    if strays := _strays(labels, known):
        notes.append(f"Problems or concepts cited what no passage is labelled: {', '.join(strays)}.")
    return exploration.but(
        problems=tuple(grounded), concepts=tuple(reversed(named.values())), notes=(*exploration.notes, *notes)
    )


def _problem(read: ReadProblem, passages: Sequence[str]) -> OpenProblem:
    """Where its quotation stands in another passage than those named, that one shows it too."""
    cites = _places(read.evidence, len(passages))
    others = (place for place in range(1, len(passages) + 1) if place not in cites)
    quotes = ((place, verbatim(read.quote, passages[place - 1])) for place in (*cites, *others))
    place, quote = next(((place, quote) for place, quote in quotes if quote), (0, ""))
    shown_by = (*cites, place) if place and place not in cites else cites
    return OpenProblem(text=shorten(read.text, _LONGEST), cites=shown_by, basis=read.basis, quote=quote)


def _places(labels: str, known: int) -> tuple[int, ...]:
    """Places in the list of evidence, from 1, of those labels that lead somewhere."""
    return tuple(number for number in _numbers(labels) if 1 <= number <= known)


def _strays(labels: Iterable[str], known: int) -> list[str]:
    """Labels beyond the last one, each once."""
    return list(dict.fromkeys(f"E{number}" for each in labels for number in _numbers(each) if not 1 <= number <= known))


def _numbers(labels: str) -> list[int]:
    """Of `E2, E5`, each once."""
    return list(dict.fromkeys(int(digits) for digits in re.findall(r"E\s?(\d{1,3})(?!\d)", labels)))
