"""Signals for a next idea (DeepInnovator, section 4.1, "Higher-Order Research Signal Refinement").

Insight: a pattern or contradiction that several ideas show. Trend: where a line of ideas is going. Serendipity: a link
between ideas of distant groups.
"""

from __future__ import annotations

from collections.abc import Sequence

from novum.core.concurrency import run_concurrently
from novum.core.research_context import (
    SIGNAL_KINDS,
    IdeaGroup,
    IdeaRelation,
    PaperIdea,
    ResearchSignal,
    SignalKind,
)
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, label, labels, listed, prose
from novum.reading.research_context.labels import IdeaLabels

_SHOWN = 40
_LEAST_BASIS = 2
"""A signal rests on at least two ideas: one idea alone shows no pattern."""


class Signal(Answer):
    """One signal."""

    one: str = label("an idea on which it rests")
    other: str = label("another idea on which it rests")
    more: list[str] = labels(4, "further ideas on which it rests", few=0)
    text: str = prose(400, "the signal in one to three sentences that can be understood without the list")


class Signals(Answer):
    """The answer to `research_signals`."""

    signals: list[Signal] = listed(4, "the signals, the most useful first", few=2)


async def find_signals(
    models: Models, ideas: Sequence[PaperIdea], groups: Sequence[IdeaGroup], relations: Sequence[IdeaRelation]
) -> tuple[tuple[ResearchSignal, ...], int]:
    """The signals of all three kinds, and the number of those dropped since they rest on fewer than two known ideas."""
    shelf = IdeaLabels(list(ideas)[:_SHOWN])
    label_of = {entry.idea.paper_id: entry.label for entry in shelf.entries}
    shown = [
        {"first": label_of[each.source_id], "second": label_of[each.target_id], "kind": each.kind,
         "reason": each.reason}
        for each in relations
        if each.source_id in label_of and each.target_id in label_of
    ]  # fmt: skip
    grouped = [
        {"name": group.name, "labels": [label_of[each] for each in group.paper_ids if each in label_of]}
        for group in groups
    ]
    needs = {"ideas": list(shelf.entries), "groups": grouped, "relations": shown}
    answers = await run_concurrently(_ask(models, needs, kind) for kind in SIGNAL_KINDS)
    found: list[ResearchSignal] = []
    dropped = 0
    for kind, answer in zip(SIGNAL_KINDS, answers, strict=True):
        for each in answer.signals if answer else ():
            basis = shelf.paper_ids([each.one, each.other, *each.more])
            if len(basis) < _LEAST_BASIS:
                dropped += 1
                continue
            found.append(ResearchSignal(kind=kind, text=shelf.without_labels(each.text), paper_ids=basis))
    return tuple(found), dropped


async def _ask(models: Models, needs: dict[str, object], kind: SignalKind) -> Signals | None:
    try:
        return await models.ask(
            Question("research_signals", needs | {"kind": kind}, Signals, role="reader", temperature=0.0)
        )
    except NoUsableAnswer:
        return None
