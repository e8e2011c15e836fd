"""The direct choice among papers that would serve equally well as the anchor of a chain."""

from __future__ import annotations

from collections.abc import Sequence

from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, label, prose
from novum.reading.bibliography import Bibliography
from novum.reading.relevance import RelevanceQuery, Relevant


class AnchorChoice(Answer):
    """The answer to `choose_anchor`."""

    reason: str = prose(500, "why the chosen paper serves better than the others, in one or two sentences")
    best: str = label("label of the paper that serves best, such as P1")
    second: str = label("label of the paper that serves second best", or_none=True)


async def choose_anchor(models: Models, search: RelevanceQuery, equal: Sequence[Relevant]) -> list[Relevant]:
    """Equally good candidates, the one that the reader names first at the head; in the given order without a usable
    answer."""
    shelf = Bibliography([each.paper for each in equal])
    needs = {"topic": search.topic.text, "aspect": search.aspect, "candidates": shelf.entries}
    try:
        answer = await models.ask(Question("choose_anchor", needs, AnchorChoice, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return list(equal)
    named = [paper.id for name in (answer.best, answer.second) if (paper := shelf.paper(name))]
    place = {paper_id: at for at, paper_id in reversed(list(enumerate(named)))}
    return sorted(equal, key=lambda each: place.get(each.paper.id, len(named)))
