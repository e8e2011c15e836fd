"""The best openings of a topic for the head of another report: what `openings_head.html.j2` shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from novum.core.opening import Openings
from novum.core.paper import Paper
from novum.reports.foreign import markdown_line
from novum.reports.openings import words
from novum.reports.openings.cards import Card, cards

MOST = 4


@dataclass(frozen=True)
class OpeningsHead:
    """`cards` are the most promising, of `found` in all; `of` says what their probability is of."""

    cards: tuple[Card, ...]
    found: int
    of: str
    notes: tuple[str, ...]
    computed: str = words.COMPUTED

    @staticmethod
    def byline(paper: Paper) -> str:
        """Who and when."""
        return words.byline(paper)


def openings_head(openings: Openings | None, most: int = MOST) -> OpeningsHead | None:
    """The variable `openings` of the partial; None, and the partial shows nothing, where there is neither an opening
    nor a note on why there is none."""
    if openings is None or not (openings.openings or openings.notes):
        return None
    return OpeningsHead(
        cards(openings, most), len(openings.openings), words.probability_of(openings), tuple(openings.notes)
    )


def openings_head_markdown(openings: Openings | None, most: int = MOST) -> Iterator[str]:
    """The same as blocks of Markdown, a heading of the second level first; nothing where there is nothing."""
    head = openings_head(openings, most)
    if head is None:
        return
    yield "## Openings near the topic"
    yield f"**Computed.** {words.COMPUTED}"
    if head.cards:
        yield _table(head)
    yield "\n".join(f"- {markdown_line(note)}" for note in head.notes)


def _table(head: OpeningsHead) -> str:
    rows = [_row(each) for each in head.cards]
    return "\n".join([f"| Opening | Kind | Probability: {head.of} | Why |", "|---|---|---|---|", *rows])


def _row(card: Card) -> str:
    pair = " + ".join(map(markdown_line, card.opening.pair))
    chance = f"{card.probability.value} ({card.probability.interval})"
    why = markdown_line(card.opening.reasons[0] if card.opening.reasons else card.kind.reason)
    return f"| {card.number}. {pair} | {card.kind.name} | {chance} | {why} |"
