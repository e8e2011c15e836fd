"""Write up the result of a method in the form that all methods share.

Judges must not know a method by its layout. So whatever form its own work has, the last step is the same for all:
the same five parts, with the same lengths, by the same writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import Paper, Topic
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.experiment_design import find_visible_paper
from novum.methods.proposal import Draft, Proposal, draft_from_proposal
from novum.reading import Bibliography


@dataclass(frozen=True)
class MaterialSection:
    """A part of the material under a heading. It may cite the papers by their labels: P1, P2, …"""

    heading: str
    text: str


@dataclass(frozen=True)
class WriteUpMaterial:
    """The material of a write-up: `sections` in order, and their papers in the order of their labels."""

    sections: Sequence[MaterialSection]
    papers: Sequence[Paper]


async def write_up(
    lab: Lab, topic: Topic, material: WriteUpMaterial, filters: Filters, *, generator: str, sample: int = 0
) -> Draft:
    """The idea in the common form; nothing is added to what the material says. `sample` tells apart drafts that ask
    the same. Raises NoUsableAnswer when the writer gives nothing usable."""
    shelf = Bibliography(material.papers)
    needs = {"topic": topic.text, "sections": list(material.sections), "papers": shelf.entries}
    answer = await lab.models.ask(Question("write_up", needs, Proposal, sample=sample))
    return draft_from_proposal(
        answer, topic, shelf, lambda title: find_visible_paper(lab, title, filters), generator=generator
    )
