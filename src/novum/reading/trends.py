"""How each paper of a chain led to the next (Chain of Ideas, Table 12)."""

from __future__ import annotations

from itertools import pairwise

from pydantic import Field

from novum.core import Chain, Topic, Trend
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, listed, prose
from novum.reading.bibliography import Bibliography


class Transition(Answer):
    """One step along the chain."""

    earlier: str = Field(description="label of the earlier paper", max_length=8)
    later: str = Field(description="label of the later paper", max_length=8)
    text: str = prose(900, "what was taken over, what changed and why, what that met, what got lost for the topic")


class Transitions(Answer):
    """The answer to `trends`."""

    transitions: list[Transition] = listed(12, "one for each pair of neighbours, in order", least=1)


async def trends(models: Models, topic: Topic, chain: Chain) -> tuple[Trend, ...]:
    """One trend for each pair of neighbours that the writer spoke of; none for a single paper or without a usable answer."""
    if len(chain.links) < 2:
        return ()
    shelf = Bibliography(chain.papers)
    needs = {"topic": topic.text, "papers": labelled_insights(chain, shelf), "entities": chain.entities}
    try:
        answer = await models.ask(Question("trends", needs, Transitions))
    except NoUsableAnswer:
        return ()
    told: dict[tuple[str, str], str] = {}
    for each in answer.transitions:
        earlier, later = shelf.paper(each.earlier), shelf.paper(each.later)
        if earlier and later:
            told.setdefault((earlier.id, later.id), shelf.spelled_out(each.text))
    neighbours = [(a.id, b.id) for a, b in pairwise(chain.papers)]
    return tuple(Trend(earlier_id=a, later_id=b, text=told[a, b]) for a, b in neighbours if (a, b) in told)


def labelled_insights(chain: Chain, shelf: Bibliography) -> list[dict[str, str]]:
    """The chain as prompts show it: label, title, year, and the extracted idea (never the full text a second time)."""
    labels = {entry.paper.id: entry.label for entry in shelf.entries}
    return [
        {
            "label": labels[link.paper.id],
            "title": link.paper.title,
            "citation": link.paper.short_citation,
            "year": str(link.paper.year or "n.d."),
            "idea": link.insight.idea if link.insight else link.paper.gist,
            "experiment": link.insight.experiment if link.insight else "",
        }
        for link in chain.links
    ]
