"""What one paper says: its idea, experiment, entities and roots (Chain of Ideas, Tables 10 and 11)."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from novum.core import Entity, Insight, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question

FULL_TEXT_LIMIT = 60_000
"""Characters of a paper's full text put before the reader: about 15,000 tokens."""
_REFERENCES_SHOWN = 40


class ReadEntity(Answer):
    """A named thing and what it is."""

    name: str = Field(max_length=80)
    description: str = Field(max_length=240)


class Reading(Answer):
    """The answer to `read_paper`."""

    background: str = Field(description="the task, earlier work, and where this paper starts from", max_length=900)
    novelty: str = Field(description="what is new in it against that work", max_length=900)
    contribution: str = Field(description="the main methods, each part with its function", max_length=1200)
    rationale: str = Field(
        description="why the methods work, with details worth knowing for further research", max_length=900
    )
    limitation: str = Field(description="what it leaves open or does not do well", max_length=600)
    experiment: str = Field(description="procedure, data, baselines, and how they test the idea", max_length=1200)
    entities: list[ReadEntity] = Field(
        description="models, data sets, metrics and terms that matter for the topic", max_length=8
    )
    references: list[str] = Field(
        description="titles of at most three works, most relevant first, that it builds upon, compares with, or shares its topic with",
        max_length=3,
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
        entities=tuple(Entity(name=each.name, description=each.description) for each in reading.entities),
        key_references=tuple(reading.references),
    )
