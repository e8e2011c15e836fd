"""Build the records of one target paper, and the card of all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

from novum.core import Paper, content_id
from novum.core.concurrency import run_concurrently
from novum.core.research_context import (
    NEXT_IDEA_SPLITS,
    LeakFinding,
    NextIdeaRecord,
    PaperIdea,
    ResearchContext,
)
from novum.lab import Lab
from novum.reading.research_context.building import context_of_ideas, extract_ideas
from novum.reading.research_context.encoding import encode_context
from novum.reading.research_context.extraction import extract_idea
from novum.training.next_idea.data.card import ContextNumbers, SplitNumbers
from novum.training.next_idea.data.leaks import LeakCheck, near_truth, nearest_entries, without_leaks
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.data.targets import Target, too_few, with_references

CountTokens = Callable[[str], int]


@dataclass(frozen=True)
class TargetOutcome:
    """The records of a target, or why it has none."""

    records: tuple[NextIdeaRecord, ...] = ()
    skipped: str = ""


async def records_of_target(lab: Lab, paper: Paper, settings: NextIdeaSettings, count: CountTokens) -> TargetOutcome:
    """All variants of one target. Its own text is read for the truth alone: no request for the context contains it."""
    with lab.run.step(paper.title[:80]):
        target = await with_references(lab.library, paper, settings)
        if why := too_few(target, settings):
            return TargetOutcome(skipped=why)
        truth, ideas = await _truth_and_ideas(lab, target)
        if truth is None:
            return TargetOutcome(skipped="no usable answer gave its idea")
        near = await near_truth(lab.library.embedder, ideas, truth, settings.leak_similarity)
        usable = [each for each in ideas if each.paper_id not in near]
        if len(usable) < settings.least_references:
            return TargetOutcome(skipped="too few of its references gave a usable idea")
        context = await context_of_ideas(lab.models, lab.library, usable, len(target.references) - len(ideas))
    context, findings = without_leaks(context, LeakCheck.of(paper, truth, usable))
    leaks = (*target.leaks, *_near_findings(ideas, near), *findings)
    nearest = await nearest_entries(lab.library.embedder, context, truth)
    made = _variants(target, context, truth, settings, count)
    return TargetOutcome(tuple(each.but(leaks=leaks, near_truth=nearest) for each in made))


async def _truth_and_ideas(lab: Lab, target: Target) -> tuple[PaperIdea | None, tuple[PaperIdea, ...]]:
    async def truth() -> tuple[PaperIdea, ...]:
        with lab.run.step("idea of the target"):
            own = await extract_idea(lab.models, target.paper, lab.library.full_text(target.paper.id))
        return (own,) if own else ()

    own, ideas = await run_concurrently([truth(), extract_ideas(lab.models, lab.library, target.references)])
    return (own[0] if own else None), ideas


def _near_findings(ideas: Sequence[PaperIdea], near: frozenset[str]) -> list[LeakFinding]:
    why = "its idea is nearly that of the target"
    return [LeakFinding(what=f"reference: {each.title}", why=why) for each in ideas if each.paper_id in near]


def _variants(
    target: Target,
    context: ResearchContext,
    truth: PaperIdea,
    settings: NextIdeaSettings,
    count: CountTokens,
) -> list[NextIdeaRecord]:
    made = []
    for variant in range(settings.variants):
        thinned = _thinned(context, settings, target.paper.id, variant) if variant else context
        made.append(
            NextIdeaRecord(
                target_id=target.paper.id,
                target_title=target.paper.title,
                target_date=target.paper.public_by,
                category=target.category,
                variant=variant,
                context=thinned,
                encoded=encode_context(thinned, settings.tokens, count),
                truth=truth,
                references=target.counts,
            )
        )
    return made


def _thinned(context: ResearchContext, settings: NextIdeaSettings, target: str, variant: int) -> ResearchContext:
    """The context without a share of its relations, drawn anew from the whole context for each variant."""
    seed = content_id("variant", [settings.seed, target, variant])
    drop = round(settings.dropout * len(context.relations))
    dropped = set(random.Random(seed).sample(range(len(context.relations)), drop))  # noqa: S311  not for secrets
    kept = tuple(each for at, each in enumerate(context.relations) if at not in dropped)
    return context.model_copy(update={"relations": kept})


def split_numbers(records: Sequence[NextIdeaRecord]) -> tuple[SplitNumbers, ...]:
    """Numbers of each split."""
    return tuple(_split(name, [each for each in records if each.split == name]) for name in NEXT_IDEA_SPLITS)


def _split(name: str, records: Sequence[NextIdeaRecord]) -> SplitNumbers:
    days = sorted(str(each.target_date) for each in records if each.target_date)
    return SplitNumbers(
        name=name,
        targets=len({each.target_id for each in records}),
        records=len(records),
        categories=dict(Counter(each.category for each in records).most_common()),
        first=days[0] if days else "",
        last=days[-1] if days else "",
    )


def context_numbers(records: Sequence[NextIdeaRecord]) -> ContextNumbers:
    """Means over all records; zero where there are none."""

    def average(numbers: Sequence[int]) -> float:
        return round(mean(numbers), 2) if numbers else 0.0

    parts = dict.fromkeys(name for each in records for name in each.encoded.by_part)
    return ContextNumbers(
        ideas=average([len(each.context.ideas) for each in records]),
        groups=average([len(each.context.groups) for each in records]),
        relations=average([len(each.context.relations) for each in records]),
        signals=average([len(each.context.signals) for each in records]),
        tokens=average([each.encoded.tokens for each in records]),
        by_part={name: average([each.encoded.by_part.get(name, 0) for each in records]) for name in parts},
        cut=sum(bool(each.encoded.left_out) for each in records),
    )
