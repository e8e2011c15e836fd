"""The request that idea models are trained on: a topic, and one answer with a title and an abstract."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic import Field

from novum.core import Candidate, Idea, Ideation, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.llm import Question
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.prompts.untrusted import plain

NAME = "topic-prompt"
PROMPT = "propose_on_topic"
"""The prompt of the data sets that idea models are trained on."""
_TITLE = re.compile(r"\A[\s#*]*title\s*:[\s*]*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_ABSTRACT = re.compile(r"^[\s#*]*abstract\s*:[\s*]*", re.IGNORECASE | re.MULTILINE)
_LONGEST_TITLE = 500


class TopicPromptOptions(ConcludingOptions):
    """How many ideas are requested, and whether an experiment is planned."""

    ideas: int = Field(1, ge=1, le=100, description="Ideas that are requested")
    experiment: bool = Field(False, description="Plan an experiment for the best idea")


class TitleAndAbstract(NamedTuple):
    """The two parts of an answer; empty where it has not the form that was asked for."""

    title: str
    abstract: str


@method(NAME, TopicPromptOptions)
async def topic_prompt(lab: Lab, topic: Topic, options: TopicPromptOptions) -> Ideation:
    """Ideas by the prompt that idea models of `novum train sft` are trained on, in the order of the answers.

    Source: DBLP study, section 4.2, with a prompt in our own words. The writer sees no paper, and its ideas are not
    compared: this is what a trained model writes by itself.
    """
    answers = await run_concurrently(_answer(lab, topic, sample) for sample in range(options.ideas))
    ideas = [answer for answer in answers if answer]
    candidates = [Candidate(idea=idea) for idea in ideas]
    lost = options.ideas - len(ideas)
    notes = [f"{lost} of {options.ideas} answers had no title and abstract."] if lost else []
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, candidates, notes=notes))


async def _answer(lab: Lab, topic: Topic, sample: int) -> Idea | None:
    try:
        with lab.run.step("idea"):
            text = await lab.models.ask(Question(PROMPT, {"topic": topic.text}, str, sample=sample))
    except NoUsableAnswer:
        return None
    title, abstract = title_and_abstract(text)
    if not title or not abstract:
        return None
    return Idea(topic=topic.text, title=title, motivation="", novelty="", method="", summary=abstract, generator=NAME)


def title_and_abstract(text: str) -> TitleAndAbstract:
    """The title and the abstract in an answer to the prompt."""
    title = _TITLE.search(text)
    after = text[title.end() :] if title else ""
    start = _ABSTRACT.search(after)
    body = " ".join(after[start.end() :].split()) if start else ""
    return TitleAndAbstract(plain(title[1], _LONGEST_TITLE).strip("* ") if title else "", body)
