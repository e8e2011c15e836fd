"""The research context that ideas were developed from, in words, for the page and the Markdown file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from novum.core import Paper
from novum.core.research_context import SIGNAL_NAMES, IdeaGroup, IdeaRelation, ResearchContext, ResearchSignal
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.phrases import count

HEADING = "The context it was developed from"
INTRODUCTION = (
    "A model read the idea of each paper, put the ideas into groups, named relations between them, and drew "
    "signals from several papers at once. The writer saw this text; what it says of papers was not verified."
)
__all__ = ["HEADING", "INTRODUCTION", "ContextInWords", "context_in_words", "summary"]


@dataclass(frozen=True)
class SignalRow:
    """A signal with the papers on which it rests."""

    name: str
    signal: ResearchSignal
    papers: tuple[Paper, ...]


@dataclass(frozen=True)
class GroupRow:
    """A group with its papers."""

    group: IdeaGroup
    papers: tuple[Paper, ...]


@dataclass(frozen=True)
class RelationRow:
    """A relation with its two papers; None for one that the report does not hold."""

    relation: IdeaRelation
    source: Paper | None
    target: Paper | None


@dataclass(frozen=True)
class ContextInWords:
    """The parts of a context that a report shows. The ideas of the papers stand beside the papers."""

    signals: tuple[SignalRow, ...]
    groups: tuple[GroupRow, ...]
    relations: tuple[RelationRow, ...]


def context_in_words(context: ResearchContext, shelf: CitedPapers) -> ContextInWords:
    """The rows of a context with their papers."""

    def papers(ids: Iterable[str]) -> tuple[Paper, ...]:
        return tuple(paper for each in ids if (paper := shelf.paper(each)))

    return ContextInWords(
        tuple(SignalRow(SIGNAL_NAMES[each.kind], each, papers(each.paper_ids)) for each in context.signals),
        tuple(GroupRow(each, papers(each.paper_ids)) for each in context.groups),
        tuple(
            RelationRow(each, shelf.paper(each.source_id), shelf.paper(each.target_id)) for each in context.relations
        ),
    )


def summary(context: ResearchContext) -> str:
    """`7 signals, 3 groups, 7 relations`."""
    parts = (("signal", context.signals), ("group", context.groups), ("relation", context.relations))
    return ", ".join(count(len(entries), noun) for noun, entries in parts)
