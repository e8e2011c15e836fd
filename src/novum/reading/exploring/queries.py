"""New, sharper queries out of what has been read so far: what is still missing, and in which terms the field has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from novum.core import normal_title, shorten
from novum.core.evidence import Snippet
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose

_LONGEST = 160
_SUMMARIES = 12


class Sharper(Answer):
    """The answer to `next_queries`."""

    missing: str = prose(500, "what the question asks that nothing read so far answers")
    terms: list[str] = listed(8, "terms that the field itself uses for what is missing", longest=60)
    queries: list[str] = listed(10, "search queries of 3 to 10 words, as many as asked for", longest=120)


@dataclass(frozen=True)
class Asked:
    """A query that was searched for, and what came of it."""

    query: str
    passages: int
    """Passages read for it."""
    evidence: int
    """Those of them that count."""


@dataclass(frozen=True)
class NextStep:
    """What to search for next, and why."""

    missing: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class SoFar:
    """Where an exploration stands: what the next queries are written from."""

    question: str
    read: Sequence[Snippet]
    """Everything judged, highest score first."""
    titles: Sequence[str]
    """Titles of the papers of `read`, in the same order."""
    asked: Sequence[Asked]
    least_score: int
    lacking: str
    """What the criteria still lack, in words."""
    count: int
    """Queries wanted."""


async def sharper_queries(models: Models, so_far: SoFar) -> NextStep:
    """What is missing and at most `count` queries for it; none when the reader gave no usable answer."""
    read = list(zip(so_far.read, so_far.titles, strict=True))
    useful = [{"summary": each.summary, "title": title, "score": each.score} for each, title in read if each.summary]
    needs = {
        "question": so_far.question,
        "read": useful[:_SUMMARIES],
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
    return NextStep(shorten(answer.missing, 1_000), new_queries(answer.queries, known)[: so_far.count])


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
