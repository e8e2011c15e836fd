"""The best opportunities of a topic for the head of another report: what `openings_head.html.j2` shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from novum.core.opportunity import Opportunity, OpportunityList
from novum.core.paper import Paper
from novum.reports.markdown import markdown_line, markdown_list, markdown_table
from novum.reports.opportunities import phrases as words
from novum.reports.opportunities.cards import Card, cards
from novum.reports.phrases import count

MOST = 4
WHAT = "Pairs of concepts that papers of the library have not combined, or no longer combine."


@dataclass(frozen=True)
class OpportunitySummary:
    """`cards` are the most promising, of `found` in all; `of` says what their probability is of."""

    cards: tuple[Card, ...]
    found: int
    of: str
    notes: tuple[str, ...]
    computed: str = f"{words.COMPUTED} {WHAT[:-1]}"

    @staticmethod
    def byline(paper: Paper) -> str:
        """Who and when."""
        return words.byline(paper)


def opportunity_summary(
    openings: OpportunityList | None, started: Iterable[Opportunity] = ()
) -> OpportunitySummary | None:
    """The variable `openings` of the template; None if there is neither an opportunity nor a note.

    `started`: opportunities from which ideas started, which are shown in any case.
    """
    if openings is None or not (openings.openings or openings.notes):
        return None
    places = {each.id: place for place, each in enumerate(openings.openings, 1)}
    most = max([MOST, *(places.get(each.id, 0) for each in started)])
    return OpportunitySummary(
        cards(openings, most), len(openings.openings), words.probability_of(openings), tuple(openings.notes)
    )


def opportunity_summary_markdown(
    openings: OpportunityList | None, started: Iterable[Opportunity] = ()
) -> Iterator[str]:
    """The summary as blocks of Markdown, a heading of the second level first; none if there is nothing to show."""
    head = opportunity_summary(openings, started)
    if head is None:
        return
    yield "## Opportunities near the topic"
    yield f"**Computed.** {words.COMPUTED} {WHAT}"
    if head.cards:
        yield _table(head)
        yield "\n".join(_evidence(head, card) for card in head.cards if any(side.papers for side in card.sides))
    if head.found > len(head.cards):
        total = count(head.found, "opportunity", "opportunities")
        yield f"{total} in all: `novum opportunities` with this topic shows them with their map."
    yield markdown_list(map(markdown_line, head.notes))


def _table(head: OpportunitySummary) -> str:
    return markdown_table(("Opportunity", "Kind", f"Probability: {head.of}", "Why"), map(_row, head.cards), cell=str)


def _row(card: Card) -> tuple[str, ...]:
    chance = f"{card.probability.value} ({card.probability.interval})"
    why = markdown_line(card.opening.reasons[0] if card.opening.reasons else card.kind.reason)
    return f"{card.number}. {_pair(card)}", card.kind.name, chance, why


def _pair(card: Card) -> str:
    return " + ".join(map(markdown_line, card.opening.pair))


def _evidence(head: OpportunitySummary, card: Card) -> str:
    """One paper of each side, as the partial has them."""
    papers = [paper for side in card.sides for paper in side.papers[:1]]
    told = "; ".join(f"{markdown_line(each.title)}, {markdown_line(head.byline(each))}" for each in papers)
    return f"- {card.number}. {_pair(card)}: {told}"
