"""Opportunities as Markdown: the facts of the page, for diffs, notes and terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from novum.core.opportunity import OpportunityList
from novum.core.paper import Paper
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table, markdown_title
from novum.reports.opportunities import phrases as words
from novum.reports.opportunities.cards import Card, Gauge, SideView, cards
from novum.reports.opportunities.concepts import ConceptView, concept_views
from novum.reports.phrases import count


def render_opportunities_markdown(openings: OpportunityList) -> str:
    """CommonMark with tables; every foreign character stands for itself."""
    return markdown_document(_blocks(openings))


def _blocks(openings: OpportunityList) -> Iterator[str]:
    shown = cards(openings, len(openings.openings))
    yield f"# Opportunities: {markdown_line(openings.topic) or 'the whole library'}"
    yield markdown_line(words.headline(openings))
    yield f"**Computed.** {words.COMPUTED}"
    near = ", ".join(map(markdown_line, openings.near))
    yield f"Understood to be about: {near}." if near and shown else ""
    yield markdown_list(map(markdown_line, openings.notes))
    if not shown:
        yield words.NOTHING
        return
    yield _table(openings, shown)
    for card in shown:
        yield from _card(card, openings)
    if concepts := concept_views(openings, len(openings.openings)):
        yield "## The concepts"
        yield from map(_concept, concepts)
    yield "## What the numbers mean"
    yield from words.meaning(openings)
    yield f"Measured on real collections in `{words.DOCS}`."


def _table(openings: OpportunityList, shown: Iterable[Card]) -> str:
    heads = ("", "Pair", "Kind", f"Probability: {words.probability_of(openings)}", "Attention")
    rows = (
        (str(each.number), _pair(each), each.kind.name, each.probability.value, each.attention.value) for each in shown
    )
    return markdown_table(heads, rows, cell=str)


def _card(card: Card, openings: OpportunityList) -> Iterator[str]:
    yield f"## {card.number}. {_pair(card)}"
    yield f"**{card.kind.name}.** {card.kind.reason}"
    yield markdown_list(
        [
            f"{_gauge(card.probability)}, {words.probability_of(openings)}",
            f"{_gauge(card.attention)} {words.ATTENTION}",
            f"{_gauge(card.unusual)} {words.UNUSUAL}",
        ]
    )
    if card.opening.reasons:
        yield "**Why**\n\n" + markdown_list(map(markdown_line, card.opening.reasons))
    for side in card.sides:
        yield _side(side)
    attempts = markdown_list(map(_paper, card.attempts)) or "None is known."
    yield f"**Nearest attempts so far**\n\n{attempts}"


def _pair(card: Card) -> str:
    return " + ".join(map(markdown_line, card.opening.pair))


def _gauge(gauge: Gauge) -> str:
    return f"{gauge.name}: {gauge.value}" + (f" ({gauge.interval})" if gauge.interval else "")


def _side(side: SideView) -> str:
    latest = ", ".join(f"{year.year}: {year.papers:,}" for year in side.years[-3:])
    told = f"**{markdown_line(side.concept)}**, {count(side.total, 'paper')} since {side.first_year} ({latest})"
    return f"{told}\n\n{markdown_list(map(_paper, side.papers))}"


def _concept(concept: ConceptView) -> str:
    beside = ", ".join(map(markdown_line, concept.beside))
    told = f"**{markdown_line(concept.name)}**, {count(concept.total, 'paper')} since {concept.first_year}" + (
        f". Goes with {beside}." if beside else ""
    )
    return f"{told}\n\n{markdown_list(map(_paper, concept.papers))}".strip()


def _paper(paper: Paper) -> str:
    return f"{markdown_title(paper)}, {markdown_line(words.byline(paper))}"
