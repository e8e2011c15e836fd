"""New, sharper queries out of what has been read so far: what is still missing, and in which terms the field has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from novum.core import normal_title, shorten
from novum.core.evidence import Snippet
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.exploration.further_reading import Section

_LONGEST = 160
_SUMMARIES = 12
_SECTIONS = 24
"""Sections at hand that the reader is told of."""


class Sharper(Answer):
    """The answer to `next_queries`."""

    missing: str = prose(500, "what the question asks that nothing read so far answers")
    read_on: list[str] = listed(
        4, "labels, such as S2, of sections at hand that may hold what is missing; empty if none", longest=8, few=0
    )
    terms: list[str] = listed(8, "terms that the field itself uses for what is missing", longest=60)
    queries: list[str] = listed(10, "search queries of 3 to 10 words, as many as asked for", longest=120)


@dataclass(frozen=True)
class QueryOutcome:
    """A query that was searched for, and what came of it."""

    query: str
    passages: int
    """Passages read for it."""
    evidence: int
    """Those of them that count."""


@dataclass(frozen=True)
class NextStep:
    """What to search for next, and why. `read_on`: sections of opened papers to be read before others."""

    missing: str
    queries: tuple[str, ...]
    read_on: tuple[Section, ...] = ()


@dataclass(frozen=True)
class SearchState:
    """Where an exploration stands: what the next queries are written from."""

    question: str
    read: Sequence[Snippet]
    """Everything judged, highest score first."""
    titles: Sequence[str]
    """Titles of the papers of `read`, in the same order."""
    at_hand: Sequence[Section]
    """Unread sections of opened papers."""
    asked: Sequence[QueryOutcome]
    least_score: int
    lacking: str
    """What the criteria still lack, in words."""
    count: int
    """Queries wanted."""


async def sharper_queries(models: Models, so_far: SearchState) -> NextStep:
    """What is missing, with at most `count` queries for it and sections at hand that may hold it; nothing of it when
    the reader gave no usable answer.
    """
    read = list(zip(so_far.read, so_far.titles, strict=True))
    useful = [{"summary": each.summary, "title": title, "score": each.score} for each, title in read if each.summary]
    labelled = _labelled(so_far.at_hand)
    needs = {
        "question": so_far.question,
        "read": useful[:_SUMMARIES],
        "at_hand": labelled,
        "asked": so_far.asked,
        "least_score": so_far.least_score,
        "lacking": so_far.lacking,
        "count": so_far.count,
    }
    try:
        answer = await models.ask(Question("next_queries", needs, Sharper, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return NextStep("", ())
    known = [each.query for each in so_far.asked]
    labels = re.findall(r"S\d{1,2}", " ".join(answer.read_on))
    return NextStep(
        missing=shorten(answer.missing, 1_000),
        queries=new_queries(answer.queries, known)[: so_far.count],
        read_on=tuple(labelled[label] for label in dict.fromkeys(labels) if label in labelled),
    )


def _labelled(at_hand: Sequence[Section]) -> dict[str, Section]:
    """The foremost sections under labels, those of one paper together."""
    of_paper: dict[str, list[Section]] = {}
    for section in at_hand[:_SECTIONS]:
        of_paper.setdefault(section.paper.id, []).append(section)
    together = (section for sections in of_paper.values() for section in sections)
    return {f"S{number}": section for number, section in enumerate(together, 1)}


def new_queries(given: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Each query once, on one line, without those that are `known` or say nothing. Quotation marks are dropped: search
    engines would take them for a demand.
    """
    taken = {normal_title(query) for query in known}
    fresh: dict[str, str] = {}
    for query in given:
        line = shorten(" ".join(query.replace('"', " ").split()), _LONGEST)
        key = normal_title(line)
        if key and key not in taken:
            fresh.setdefault(key, line)
    return tuple(fresh.values())
