"""Seeds: ideas in about a hundred words, several of them in one answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field

from novum.core import Chain, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.methods.experiment_design import find_visible_paper
from novum.methods.portfolio.options import SeedSource
from novum.reading import Bibliography, OutOfSight

_MOST_AT_ONCE = 8
"""Seeds that one request is asked for."""
_SPELLED = ("title", "problem", "mechanism", "test")


class WrittenSeed(Answer):
    """One idea in short form, as a model writes it."""

    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    problem: str = prose(320, "the concrete situation in which present methods fail or a question stays open")
    mechanism: str = prose(480, "the one central mechanism, and why it should work where present methods do not")
    test: str = prose(320, "the first test, with the simpler rival and the outcome that would refute the idea")
    nearest: str = prose(200, "full title of the nearest existing work that is certain to exist; empty if none is")
    query: str = prose(120, "search query of 3 to 10 words that would find the nearest existing work")


class WrittenSeeds(Answer):
    """The answer to every request for seeds."""

    observations: list[str] = listed(
        6, "what the material shows, one sentence each, before any idea is written", longest=300, few=0
    )
    seeds: list[WrittenSeed] = listed(_MOST_AT_ONCE, "as many as asked for; fewer if the material holds no more")


@dataclass(frozen=True)
class SeedRequest:
    """One request for seeds. `weight`: its share of all seeds relative to the other requests."""

    source: SeedSource
    prompt: str
    needs: Mapping[str, object]
    papers: tuple[Paper, ...] = ()
    """Those shown to the writer, in the order of their labels."""
    chain: Chain | None = None
    weight: int = 2


@dataclass(frozen=True)
class PortfolioSeed:
    """An idea in short form, its labels spelled out. `number` counts all seeds of a run from 1."""

    number: int
    source: SeedSource
    title: str
    problem: str
    mechanism: str
    test: str
    nearest: str = ""
    query: str = ""
    papers: tuple[Paper, ...] = ()
    """The papers that it cites; those shown to its writer where it cites none."""
    chain: Chain | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """What two seeds are compared by."""
        return f"{self.title}\n{self.problem}\n{self.mechanism}"

    @property
    def name(self) -> str:
        return f"«{self.title}»"


def seeds_per_request(total: int, weights: Sequence[int]) -> list[int]:
    """How many seeds each request is asked for: in proportion to its weight, at least 1 and at most 8 each, the
    remainder to those that lack most of their share."""
    if not weights:
        return []
    shares = [total * weight / sum(weights) for weight in weights]
    counts = [min(max(int(share), 1), _MOST_AT_ONCE) for share in shares]
    lacking = sorted(range(len(weights)), key=lambda at: counts[at] - shares[at])
    for at in lacking[: max(total - sum(counts), 0)]:
        counts[at] = min(counts[at] + 1, _MOST_AT_ONCE)
    return counts


async def write_seeds(
    lab: Lab, topic: Topic, requests: Sequence[SeedRequest], total: int, filters: Filters, notes: list[str]
) -> list[PortfolioSeed]:
    """The seeds of all requests, numbered in the order of the requests; those without a usable answer are noted."""
    counts = seeds_per_request(total, [each.weight for each in requests])
    answers = await run_concurrently(
        _answer(lab, topic, request, count, sample)
        for sample, (request, count) in enumerate(zip(requests, counts, strict=True))
    )
    seeds: list[PortfolioSeed] = []
    for request, count, answer in zip(requests, counts, answers, strict=True):
        if answer is None:
            notes.append(f"The writer gave no usable seeds from the source {request.source}.")
            continue
        if not answer.seeds:
            notes.append(f"The source {request.source} had nothing to offer: the writer found no seed in its material.")
        for written in answer.seeds[:count]:
            seeds.append(_seed(lab, request, written, len(seeds) + 1, filters))
    return seeds


async def _answer(lab: Lab, topic: Topic, request: SeedRequest, count: int, sample: int) -> WrittenSeeds | None:
    needs = {"topic": topic.text, "count": count, **request.needs}
    try:
        return await lab.models.ask(Question(request.prompt, needs, WrittenSeeds, sample=sample))
    except NoUsableAnswer:
        return None


def _seed(lab: Lab, request: SeedRequest, written: WrittenSeed, number: int, filters: Filters) -> PortfolioSeed:
    shelf = Bibliography(request.papers)
    texts = {name: getattr(written, name) for name in _SPELLED}
    cited = {each.paper_id for each in shelf.citations(texts.values())}
    papers = [paper for paper in request.papers if paper.id in cited] or list(request.papers)
    return PortfolioSeed(
        number=number,
        source=request.source,
        **{name: shelf.spelled_out(text) for name, text in texts.items()},
        nearest=written.nearest if not is_hidden(lab, written.nearest, filters) else "",
        query=written.query,
        papers=tuple(papers),
        chain=request.chain,
    )


def is_hidden(lab: Lab, title: str, filters: Filters) -> bool:
    """Whether the library knows a work of this title that the run may not know of."""
    if filters.before is None or not title.strip():
        return False
    try:
        find_visible_paper(lab, title, filters)
    except OutOfSight:
        return True
    return False
