"""Seeds: ideas in a few sentences, many of them, and no two alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.idea_metrics.near_duplicates import distinct_rows
from novum.lab import Lab
from novum.literature.embedding import vectors_of
from novum.llm import Answer, Question, listed, prose
from novum.reading import Bibliography

_SHOWN = 6
"""Papers in the prompt of one batch."""
_TITLES_SHOWN = 60


class Seed(Answer):
    """One idea in short form."""

    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    problem: str = prose(400, "the problem, and where present means fail")
    approach: str = prose(
        900, "the mechanism that is to solve it, why it should, and what is new against the nearest work"
    )
    test: str = prose(400, "how it would be tested, and against what")

    @property
    def text(self) -> str:
        """What two seeds are compared by."""
        return f"{self.title}\n{self.problem}\n{self.approach}"


class Seeds(Answer):
    """The answer to `researcher_seeds`."""

    seeds: list[Seed] = listed(10, "as many as asked for", least=1)


@dataclass(frozen=True)
class SeedBatches:
    """The number of seeds in all, and per request."""

    seeds: int
    size: int

    @property
    def sizes(self) -> list[int]:
        """Seeds of each question in turn."""
        whole, rest = divmod(self.seeds, self.size)
        return [self.size] * whole + ([rest] if rest else [])


async def generate_seeds(
    lab: Lab, topic: Topic, papers: Sequence[Paper], batches: SeedBatches, notes: list[str]
) -> list[Seed]:
    """Seeds in the order of their batches. Two batches are written at once, one with papers drawn by lot and one
    without; the next two are told the titles of all before.
    """
    seeds: list[Seed] = []
    numbered = list(enumerate(batches.sizes, 1))
    for begin in range(0, len(numbered), 2):
        wave = numbered[begin : begin + 2]
        titles = [seed.title for seed in seeds[-_TITLES_SHOWN:]]
        written = await run_concurrently(
            _batch(lab, topic, _random_papers(lab, papers, number) if number % 2 else [], titles, size, number)
            for number, size in wave
        )
        notes += [
            f"Batch {number} of the seeds gave nothing usable."
            for (number, _), batch in zip(wave, written, strict=True)
            if batch is None
        ]
        seeds += [seed for batch in written if batch is not None for seed in batch]
    return seeds


def _random_papers(lab: Lab, papers: Sequence[Paper], number: int) -> list[Paper]:
    """Papers for one batch, in the order of their grades: other batches see others."""
    places = lab.rng(f"ai-researcher, papers of batch {number}").sample(range(len(papers)), min(_SHOWN, len(papers)))
    return [papers[place] for place in sorted(places)]


async def _batch(
    lab: Lab, topic: Topic, papers: Sequence[Paper], titles: Sequence[str], size: int, number: int
) -> list[Seed] | None:
    shelf = Bibliography(papers)
    needs = {"topic": topic.text, "papers": shelf.entries, "titles": tuple(titles), "count": size}
    try:
        answer = await lab.models.ask(Question("researcher_seeds", needs, Seeds, sample=number))
    except NoUsableAnswer:
        return None
    named = ("title", "problem", "approach", "test")
    return [
        seed.model_copy(update={name: shelf.spelled_out(getattr(seed, name)) for name in named})
        for seed in answer.seeds[:size]
    ]


async def without_near_duplicates(lab: Lab, seeds: Sequence[Seed], similarity: float) -> list[Seed]:
    """The seeds whose cosine to every earlier kept seed is below `similarity`; all of them at 1."""
    if similarity >= 1:
        return list(seeds)
    vectors = await vectors_of(lab.library.embedder, [seed.text for seed in seeds])
    return [seeds[place] for place in distinct_rows(vectors, similarity)]
