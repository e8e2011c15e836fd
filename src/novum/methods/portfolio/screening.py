"""Seeds without near-duplicates, and each against the papers nearest to it.

That a paper is near is information, which later steps see. Only a named paper that contains both the problem and the
mechanism of a seed removes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from novum.core import Paper, Topic, normal_title
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.idea_metrics.near_duplicates import DistinctFilter
from novum.lab import Lab
from novum.literature import Filters
from novum.literature.embedding import vectors_of
from novum.llm import Answer, Question, label, listed, one_each, prose
from novum.methods.experiment_design import find_visible_paper
from novum.methods.portfolio.options import PortfolioOptions
from novum.methods.portfolio.seeds import PortfolioSeed
from novum.reading import Bibliography, OutOfSight

SHARED_WORDS = 0.5
"""Share of words that two seeds have in common from which they are near-duplicates, whatever their embeddings say."""
_BY_QUERY = 2
"""Places kept for the first results of a seed's own query."""
_WORD = re.compile(r"\w{4,}")


class SeedScreening(Answer):
    """What is said of one seed."""

    number: int = Field(description="number of the seed", ge=1)
    comparison: str = prose(400, "what the closest paper shares with the idea, and what the idea has that it lacks")
    closest: str = label("label of the closest paper, such as P2, or none", or_none=True)
    contained: Literal["no", "partly", "yes"] = Field(
        description="yes only if this one paper already contains both the problem and the mechanism"
    )
    promise: int = Field(description="1 to 5, as the question explains", ge=1, le=5)


class Screening(Answer):
    """The answer to `portfolio_screen`."""

    verdicts: list[SeedScreening] = listed(12, "one for each idea, in the order of the list", least=1)

    _once = field_validator("verdicts")(one_each)


@dataclass(frozen=True)
class DuplicateSeed:
    """A seed that repeats an earlier one."""

    seed: PortfolioSeed
    like: PortfolioSeed


@dataclass(frozen=True)
class ScreenedSeed:
    """A seed with the papers nearest to it and what the screening said; the defaults where it said nothing usable."""

    seed: PortfolioSeed
    nearest: tuple[Paper, ...] = ()
    closest: Paper | None = None
    finding: str = ""
    contained: bool = False
    """Whether a named paper contains problem and mechanism."""
    promise: int | None = None


# -- near-duplicates ---------------------------------------------------------------------------------------------------


async def without_near_duplicates(
    lab: Lab, seeds: Sequence[PortfolioSeed], similarity: float
) -> tuple[list[PortfolioSeed], list[DuplicateSeed]]:
    """The seeds that repeat none before them, and the others: by title, by their words, or by the cosine of their
    embeddings. A `similarity` of 1 leaves the embeddings aside."""
    if not seeds:
        return [], []
    vectors = await vectors_of(lab.library.embedder, [seed.text for seed in seeds])
    distinct, kept, dropped = DistinctFilter(similarity), list[PortfolioSeed](), list[DuplicateSeed]()
    embedded: list[PortfolioSeed] = []
    for place, seed in enumerate(seeds):
        like = next((other for other in kept if _shares_words(seed, other)), None)
        if like is None and similarity < 1:
            near = next(iter(distinct.take(vectors[place : place + 1])))
            like = embedded[near.place] if near else None
            embedded += [] if near else [seed]
        if like is None:
            kept.append(seed)
        else:
            dropped.append(DuplicateSeed(seed, like))
    return kept, dropped


def _shares_words(one: PortfolioSeed, other: PortfolioSeed) -> bool:
    words, others = _words(one), _words(other)
    shared = len(words & others) / max(len(words | others), 1)
    return normal_title(one.title) == normal_title(other.title) or shared >= SHARED_WORDS


def _words(seed: PortfolioSeed) -> set[str]:
    return set(_WORD.findall(seed.text.casefold()))


# -- screening ---------------------------------------------------------------------------------------------------------


async def screen_seeds(
    lab: Lab, topic: Topic, options: PortfolioOptions, seeds: Sequence[PortfolioSeed], notes: list[str]
) -> list[ScreenedSeed]:
    """Every seed with what the screening found, in the given order. Seeds without a usable answer stay as they are."""
    filters = Filters(before=options.before)
    nearest = await run_concurrently(nearest_to_seed(lab, seed, options.nearest, filters) for seed in seeds)
    found = [ScreenedSeed(seed, tuple(papers)) for seed, papers in zip(seeds, nearest, strict=True)]
    batches = [found[at : at + options.screened] for at in range(0, len(found), options.screened)]
    screened = [one for batch in await run_concurrently(_screen(lab, topic, each) for each in batches) for one in batch]
    if unread := sum(each.promise is None for each in screened):
        notes.append(f"{unread} of {len(screened)} seeds were not screened, since there was no usable answer on them.")
    return screened


async def nearest_to_seed(lab: Lab, seed: PortfolioSeed, most: int, filters: Filters) -> list[Paper]:
    """At most `most` papers: the work that the seed names, the first results of its query, then those nearest to its
    text."""
    query = seed.query.strip() or seed.title
    by_query = [hit.paper for hit in await lab.library.search(query, most, filters)]
    by_text = [hit.paper for hit in await lab.library.nearest(seed.text, most, filters)]
    ordered = [*_named_work(lab, seed.nearest, filters), *by_query[:_BY_QUERY], *by_text, *by_query[_BY_QUERY:]]
    return list({paper.id: paper for paper in ordered}.values())[:most]


def _named_work(lab: Lab, title: str, filters: Filters) -> list[Paper]:
    if not title.strip():
        return []
    try:
        paper = find_visible_paper(lab, title, filters)
    except OutOfSight:
        return []
    return [paper] if paper else []


async def _screen(lab: Lab, topic: Topic, batch: Sequence[ScreenedSeed]) -> list[ScreenedSeed]:
    shelf = Bibliography([paper for each in batch for paper in each.nearest])
    labels = {entry.paper.id: entry.label for entry in shelf.entries}
    seeds = [_shown(number, each, labels) for number, each in enumerate(batch, 1)]
    needs = {"topic": topic.text, "seeds": seeds, "papers": shelf.entries}
    try:
        answer = await lab.models.ask(Question("portfolio_screen", needs, Screening, role="judge", temperature=0.0))
    except NoUsableAnswer:
        return list(batch)
    verdicts = {each.number: each for each in answer.verdicts}
    return [_screened(each, verdicts.get(number), shelf) for number, each in enumerate(batch, 1)]


def _shown(number: int, each: ScreenedSeed, labels: dict[str, str]) -> dict[str, object]:
    seed = each.seed
    return {
        "number": number,
        "title": seed.title,
        "problem": seed.problem,
        "mechanism": seed.mechanism,
        "test": seed.test,
        "nearest": seed.nearest,
        "labels": [labels[paper.id] for paper in each.nearest],
    }


def _screened(each: ScreenedSeed, verdict: SeedScreening | None, shelf: Bibliography) -> ScreenedSeed:
    """The seed with its verdict. A seed that is called contained without a paper that contains it stays."""
    if verdict is None:
        return each
    closest = shelf.paper(verdict.closest)
    return ScreenedSeed(
        seed=each.seed,
        nearest=each.nearest,
        closest=closest,
        finding=shelf.spelled_out(verdict.comparison),
        contained=verdict.contained == "yes" and closest is not None,
        promise=verdict.promise,
    )
