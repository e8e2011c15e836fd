"""What one paper says: its idea, experiment, entities and roots (Chain of Ideas, Tables 10 and 11)."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Entity, Insight, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose

FULL_TEXT_LIMIT = 60_000
"""Characters of a paper's full text put before the reader: about 15,000 tokens."""
_REFERENCES_SHOWN = 40


class ReadEntity(Answer):
    """A named thing and what it is."""

    name: str = prose(80, "its usual name")
    description: str = prose(240, "what it is, in a sentence that can be understood by itself")


class Reading(Answer):
    """The answer to `read_paper`."""

    background: str = prose(700, "the task and its context, earlier work, and the point from which this paper starts")
    novelty: str = prose(700, "what is new in this paper compared with that work")
    contribution: str = prose(1000, "the main methods, each component with how it works and what it is for")
    rationale: str = prose(700, "why the methods are effective, by the reasons of the paper; empty if it gives none")
    limitation: str = prose(500, "shortcomings that the paper shows or admits, and what it leaves open; empty if none")
    experiment: str = prose(
        1000, "procedure, data, settings, baselines, measures, what the outcome shows; empty if not told"
    )
    for_topic: str = prose(700, "your own conclusion: what the paper offers to the topic, and what it lacks for it")
    entities: list[ReadEntity] = listed(5, "models, data sets, measures and terms that matter for the topic, each once")
    references: list[str] = listed(
        3,
        "titles of cited works whose method or task it shares or that are its baselines, most relevant first",
        longest=240,
    )


async def read_paper(
    models: Models, topic: Topic, paper: Paper, cited: Sequence[Paper], full_text: str | None
) -> Insight | None:
    """What the reader takes from `paper` with a view to `topic`; None when it gave no usable answer.

    `cited`: papers of the library that it cites, to choose its roots from.
    """
    needs = {
        "topic": topic.text,
        "paper": paper,
        "cited": list(cited)[:_REFERENCES_SHOWN],
        "text": full_text or paper.gist,
        "limit": FULL_TEXT_LIMIT,
    }
    try:
        reading = await models.ask(Question("read_paper", needs, Reading, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return None
    return Insight(
        background=reading.background,
        novelty=reading.novelty,
        contribution=reading.contribution,
        rationale=reading.rationale,
        limitation=reading.limitation,
        experiment=reading.experiment,
        for_topic=reading.for_topic,
        entities=tuple(Entity(name=each.name, description=each.description) for each in reading.entities),
        key_references=tuple(reading.references[:3]),
    )
