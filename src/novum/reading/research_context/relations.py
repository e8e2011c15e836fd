"""Typed relations between ideas (DeepInnovator, section 4.1, "Relationship Modeling").

Inside a group: evolution, variant, refinement. Between groups: integration, convergence, conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from novum.core.concurrency import run_concurrently
from novum.core.research_context import CrossKind, IdeaGroup, IdeaRelation, InnerKind, PaperIdea
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, label, listed, prose
from novum.reading.research_context.labels import IdeaLabels, LabelledIdea

_SHOWN = 40
"""Most ideas of one request."""


class InnerRelation(Answer):
    """One relation inside a group, the reason first."""

    reason: str = prose(240, "what the second idea takes from the first, and what it changes")
    one: str = label("the earlier idea")
    other: str = label("the later idea")
    kind: InnerKind


class InnerRelations(Answer):
    """The answer to `relate_within_group`."""

    relations: list[InnerRelation] = listed(8, "relations that the texts show, the clearest first")


class CrossRelation(Answer):
    """One relation between two groups, the reason first."""

    reason: str = prose(240, "what in the two ideas makes the relation")
    one: str = label("an idea of one group")
    other: str = label("an idea of another group")
    kind: CrossKind


class CrossRelations(Answer):
    """The answer to `relate_across_groups`."""

    relations: list[CrossRelation] = listed(10, "relations that the texts show, the clearest first")


@dataclass(frozen=True)
class LabelledGroup:
    """A group with its ideas under labels, as prompts show it."""

    group: IdeaGroup
    ideas: tuple[LabelledIdea, ...]


Found = InnerRelations | CrossRelations


@dataclass(frozen=True)
class _Asked:
    """A request for relations, with the labels in it."""

    question: Question[Any]
    labels: IdeaLabels


@dataclass(frozen=True)
class Relations:
    """The relations found, and the number of those that were dropped since they name wrong ideas."""

    found: tuple[IdeaRelation, ...] = ()
    dropped: int = 0
    unanswered: int = 0


async def relate_ideas(models: Models, ideas: Sequence[PaperIdea], groups: Sequence[IdeaGroup]) -> Relations:
    """All relations of the graph. One request for each group of two or more ideas, and one for all groups together."""
    by_id = {each.paper_id: each for each in ideas}
    requests: list[_Asked] = [
        _within(group, [by_id[each] for each in group.paper_ids][:_SHOWN])
        for group in groups
        if len(group.paper_ids) > 1
    ]
    if len(groups) > 1:
        requests.append(_across(groups, by_id))
    answers = await run_concurrently(_answer(models, each.question) for each in requests)
    group_of = {paper_id: place for place, group in enumerate(groups) for paper_id in group.paper_ids}
    return _collected(requests, answers, group_of)


def _within(group: IdeaGroup, ideas: Sequence[PaperIdea]) -> _Asked:
    labels = IdeaLabels(sorted(ideas, key=lambda each: (each.year or 0, each.paper_id)))
    needs = {"group": group, "ideas": list(labels.entries)}
    return _Asked(Question("relate_within_group", needs, InnerRelations, role="reader", temperature=0.0), labels)


def _across(groups: Sequence[IdeaGroup], by_id: dict[str, PaperIdea]) -> _Asked:
    each_of = max(2, _SHOWN // len(groups))
    shown = [[by_id[each] for each in group.paper_ids][:each_of] for group in groups]
    labels = IdeaLabels([idea for ideas in shown for idea in ideas])
    entries = iter(labels.entries)
    listing = [
        LabelledGroup(group, tuple(next(entries) for _ in ideas)) for group, ideas in zip(groups, shown, strict=True)
    ]
    question = Question("relate_across_groups", {"groups": listing}, CrossRelations, role="reader", temperature=0.0)
    return _Asked(question, labels)


async def _answer(models: Models, question: Question[Any]) -> Found | None:
    try:
        answer: Found = await models.ask(question)
    except NoUsableAnswer:
        return None
    return answer


def _collected(
    requests: Sequence[_Asked],
    answers: Sequence[Found | None],
    group_of: dict[str, int],
) -> Relations:
    """Relations whose labels exist and lie in one group, or in two, as their kind demands; each pair and kind once."""
    found: dict[tuple[str, str, str], IdeaRelation] = {}
    dropped = 0
    for request, answer in zip(requests, answers, strict=True):
        for each in answer.relations if answer else ():
            source, target = request.labels.paper_id(each.one), request.labels.paper_id(each.other)
            inside = isinstance(each, InnerRelation)
            if not source or not target or source == target or (group_of[source] == group_of[target]) != inside:
                dropped += 1
                continue
            reason = request.labels.as_pair(each.reason, source, target)
            relation = IdeaRelation(kind=each.kind, source_id=source, target_id=target, reason=reason)
            found.setdefault((each.kind, source, target), relation)
    return Relations(tuple(found.values()), dropped, sum(answer is None for answer in answers))
