"""Ideas whose papers that matter are known, and ways to choose the papers that a novelty check shows."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from novum.core import Citation, Idea, Paper, normal_title
from novum.judges.novelty import idea_text, nearest_papers
from novum.literature import Filters, Library

_FEWEST_REFERENCES, _FEWEST_SUMMARIES, _SHORTEST = 8, 3, 150
_NAMED, _GRADED = 2, 4
_QUERY = 160
_SUMMARY = re.compile(r"\s*SUMMARY:\s*(.*?)(?:\n\s*[A-Z][A-Z ]{5,}:|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_TOP = 3


@dataclass(frozen=True)
class TestIdea:
    """An idea, its author's queries, and the papers that matter for it, by what is known of them."""

    idea: Idea
    queries: tuple[str, ...]
    itself: Paper
    """The paper that contains the idea."""
    graded: tuple[Paper, ...]
    """References that were judged relevant before."""
    named: frozenset[str]
    """Ids of references that the idea names."""
    others: frozenset[str]
    """Ids of the remaining references."""

    @property
    def relevant(self) -> frozenset[str]:
        return self.others | self.named | {self.itself.id, *(paper.id for paper in self.graded)}


@dataclass(frozen=True)
class Shown:
    """What one choice of papers holds, in shares of 0 to 1, and how many papers it has."""

    itself: float
    first_hits: float
    graded: float
    named: float
    others: float
    relevant: float
    papers: float


Way = Callable[[Library, TestIdea], Awaitable[list[str]]]


def draw_ideas(library: Library, reviews: Path, most: int, seed: int) -> list[TestIdea]:
    """A random sample of the ideas that the reviews give."""
    of_title = {normal_title(paper.title): paper for paper in library.papers()}
    rng = random.Random(seed)
    found = []
    for title, summaries in _summaries(reviews):
        paper = of_title.get(normal_title(title))
        references = library.references(paper.id) if paper else []
        if paper and len(summaries) >= _FEWEST_SUMMARIES and len(references) >= _FEWEST_REFERENCES:
            found.append(_test_idea(paper, summaries, references, rng))
    return rng.sample(found, min(most, len(found)))


def _summaries(reviews: Path) -> Iterator[tuple[str, list[str]]]:
    """Titles of reviewed papers with the summaries of their reviewers."""
    with gzip.open(reviews, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found = [match[1].strip() for each in record["reviews"] if (match := _SUMMARY.match(each["text"] or ""))]
            yield record["title"], [text for text in found if len(text) >= _SHORTEST]


def _test_idea(paper: Paper, summaries: Sequence[str], references: list[Paper], rng: random.Random) -> TestIdea:
    of_idea, *of_others = summaries
    shuffled = rng.sample(references, len(references))
    named, graded, others = shuffled[:_NAMED], shuffled[_NAMED : _NAMED + _GRADED], shuffled[_NAMED + _GRADED :]
    idea = Idea(
        topic="",
        title=_first_sentence(of_idea),
        motivation="",
        novelty="",
        method="",
        summary=of_idea,
        citations=tuple(Citation(name=each.title, paper_id=each.id) for each in named),
    )
    queries = tuple(_first_sentence(text) for text in of_others[:2])
    ids = frozenset(each.id for each in named), frozenset(each.id for each in others)
    return TestIdea(idea, queries, paper, tuple(graded), *ids)


def _first_sentence(text: str) -> str:
    return _SENTENCE.split(text, maxsplit=1)[0][:_QUERY]


async def measured(library: Library, ideas: Sequence[TestIdea], way: Way) -> Shown:
    """The mean over all ideas."""
    each = [_shown(one, await way(library, one), await _first_hits(library, one)) for one in ideas]
    return Shown(**{name: mean(getattr(one, name) for one in each) for name in Shown.__dataclass_fields__})


async def _first_hits(library: Library, one: TestIdea) -> list[str]:
    hits = [hit for query in one.queries for hit in await library.search(query, _TOP)]
    return [hit.paper.id for hit in hits]


def _shown(one: TestIdea, ids: Sequence[str], first_hits: Sequence[str]) -> Shown:
    graded = {paper.id for paper in one.graded}
    return Shown(
        itself=float(one.itself.id in ids),
        first_hits=mean(paper_id in ids for paper_id in first_hits),
        graded=len(graded.intersection(ids)) / len(graded),
        named=len(one.named.intersection(ids)) / len(one.named),
        others=len(one.others.intersection(ids)) / len(one.others),
        relevant=len(one.relevant.intersection(ids)) / len(ids),
        papers=len(ids),
    )


async def _reserved(library: Library, one: TestIdea) -> list[str]:
    """As the novelty check chooses."""
    hits = await nearest_papers(library, one.idea, one.queries, one.graded, Filters())
    return [hit.paper.id for hit in hits]


def _pooled(places: int) -> Way:
    """As it chose before: one pool, ranked by cosine with the idea; half of the places for works that it names."""

    async def choose(library: Library, one: TestIdea) -> list[str]:
        text = idea_text(one.idea)
        hits = [hit for query in one.queries for hit in await library.search(query, 4)]
        hits += await library.search(text, places)
        pool = {paper.id: paper for paper in (*one.graded, *(hit.paper for hit in hits))}
        pool |= {paper.id: paper for paper in library.get_many(sorted(one.named))}
        ranked = [hit.paper.id for hit in await library.rank(text, list(pool.values()))]
        nearest = [paper_id for paper_id in ranked if paper_id in one.named][: places // 2]
        return nearest + [paper_id for paper_id in ranked if paper_id not in nearest][: places - len(nearest)]

    return choose


WAYS: Mapping[str, Way] = {"one pool, 8": _pooled(8), "one pool, 12": _pooled(12), "reserved, 12": _reserved}
_COLUMNS = {
    "itself": "the paper itself",
    "first_hits": "first three hits of the queries",
    "graded": "judged relevant before",
    "named": "named by the idea",
    "others": "other references",
    "relevant": "share of the shown that matter",
    "papers": "papers",
}


def table(rows: Mapping[str, Shown]) -> str:
    """A Markdown table, one row for each way."""
    lines = [f"| places | {' | '.join(_COLUMNS.values())} |", f"| --- |{' --- |' * len(_COLUMNS)}"]
    for name, shown in rows.items():
        cells = [f"{getattr(shown, column):.1%}" for column in _COLUMNS if column != "papers"]
        lines.append(f"| {name} | {' | '.join(cells)} | {shown.papers:.1f} |")
    return "\n".join(lines)
