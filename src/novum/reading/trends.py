"""How each paper of a chain led to the next (Chain of Ideas, Table 12)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from novum.core import Chain, Paper, Topic, Trend
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, label, listed, prose
from novum.reading.bibliography import Bibliography


class Transition(Answer):
    """One step along the chain."""

    earlier: str = label("label of the earlier paper")
    later: str = label("label of the later paper")
    text: str = prose(
        1000, "what was taken over, what changed and how, which difficulty it overcomes, what got lost for the topic"
    )


class Transitions(Answer):
    """The answer to `trends`."""

    transitions: list[Transition] = listed(12, "one for each pair of neighbours, in order", least=1, few=4)


async def trends(models: Models, topic: Topic, chain: Chain) -> tuple[Trend, ...]:
    """One trend for each pair of neighbours that the writer spoke of; none for a single paper or without a usable
    answer.
    """
    if len(chain.links) < 2:
        return ()
    shelf = Bibliography(chain.papers)
    needs = {
        "topic": topic.text,
        "aspect": chain.aspect or chain.query,
        "papers": labelled_insights(chain, shelf),
        "entities": chain.entities,
    }
    try:
        answer = await models.ask(Question("trends", needs, Transitions))
    except NoUsableAnswer:
        return ()
    neighbours = list(pairwise(chain.papers))
    texts = _by_label(answer, shelf) or _by_order(answer, neighbours)
    return tuple(
        Trend(earlier_id=earlier.id, later_id=later.id, text=shelf.spelled_out(texts[earlier.id, later.id]))
        for earlier, later in neighbours
        if texts.get((earlier.id, later.id))
    )


def _by_label(answer: Transitions, shelf: Bibliography) -> dict[tuple[str, str], str]:
    """Texts by the pairs of papers that they name; nothing when one names no paper of the chain."""
    texts: dict[tuple[str, str], str] = {}
    for each in answer.transitions:
        earlier, later = shelf.paper(each.earlier), shelf.paper(each.later)
        if earlier is None or later is None or earlier == later:
            return {}
        texts.setdefault((earlier.id, later.id), each.text)
    return texts


def _by_order(answer: Transitions, neighbours: Sequence[tuple[Paper, Paper]]) -> dict[tuple[str, str], str]:
    """Texts in the order of the chain, for a writer that muddled the labels."""
    pairs = zip(neighbours, answer.transitions, strict=False)
    return {(earlier.id, later.id): each.text for (earlier, later), each in pairs}


def labelled_insights(chain: Chain, shelf: Bibliography) -> list[dict[str, str]]:
    """The chain as prompts show it: label, title, year, the extracted idea (never the full text a second time), and how
    the paper is linked to the one before it, whose label is `before`."""
    labels = {entry.paper.id: entry.label for entry in shelf.entries}
    before = ["", *(labels[paper.id] for paper in chain.papers)]
    return [
        {
            "label": labels[link.paper.id],
            "title": link.paper.title,
            "citation": link.paper.short_citation,
            "year": str(link.paper.year or "n.d."),
            "idea": link.insight.idea if link.insight else link.paper.gist,
            "experiment": link.insight.experiment if link.insight else "",
            "before": label_before,
            "linked_by": linked_by,
        }
        for link, label_before, linked_by in zip(chain.links, before, ("", *chain.linkages), strict=False)
    ]
