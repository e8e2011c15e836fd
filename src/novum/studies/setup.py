"""Setting up a study: ideas from runs and files become items, and what model judges said of them is kept beside."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean

from novum.core import Idea, Ideation, content_id
from novum.errors import BadInput
from novum.runs.idea_sources import IdeaReader, SourcedIdea
from novum.runs.idea_sources.stored import ideation_of
from novum.settings import LoadedSettings
from novum.studies.forms import form_named
from novum.studies.records import CONSENT, JudgeScore, Study, StudyItem

_POINTS = {"first": 1.0, "tie": 0.5, "second": 0.0}
_MOST_PAIRS = 500


@dataclass(frozen=True)
class StudyPlan:
    """What the leader of a study chooses. `sources`: runs of `novum ideate`, reports, and tables of ideas."""

    title: str
    form: str
    sources: Sequence[str] = ()
    per_participant: int = 10
    checks: int = 1
    consent: str = CONSENT
    topic: str = ""
    """The topic of ideas without one."""
    seed: int = 0
    ideas: Sequence[SourcedIdea] = field(default=())
    """Ideas beside those of the sources."""


def study_from(plan: StudyPlan, settings: LoadedSettings) -> Study:
    """A study that is not stored yet. Raises BadInput for sources without usable ideas, and for pairs without two ideas
    on one topic."""
    form = form_named(plan.form)
    if not plan.title.strip():
        raise BadInput("The study has no title. Give it one that you will recognise it by.")
    reader = IdeaReader(settings, plan.topic)
    pool = list({each.idea.id: each for each in (*plan.ideas, *reader.read(plan.sources))}.values())
    if not pool:
        why = f" {reader.log.why[0]}." if reader.log.why else ""
        raise BadInput(f"There is no idea to judge.{why} Name a finished run, a report.json or a table of ideas.")
    items = pair_items(pool) if form.subjects == "pair" else idea_items(pool)
    if not items:
        raise BadInput("No two ideas are on the same topic, so that there is no pair to judge.")
    return Study(
        id=f"study-{time.strftime('%Y%m%d', time.gmtime())}-{secrets.token_hex(3)}", title=plan.title,
        form_name=form.name, items=tuple(items), consent=plan.consent.strip() or CONSENT,
        per_participant=plan.per_participant, checks=plan.checks, seed=plan.seed,
        judged=tuple(_judged(items, plan.sources, settings)), created=time.time(),
    )  # fmt: skip


def idea_items(pool: Sequence[SourcedIdea]) -> list[StudyItem]:
    """One item for each idea."""
    return [
        StudyItem(id=each.idea.id, topic=each.idea.topic, first=each.idea, first_source=_source(each)) for each in pool
    ]


def pair_items(pool: Sequence[SourcedIdea]) -> list[StudyItem]:
    """Every pair of ideas on one topic: of different sources where a topic has several, else of all its ideas."""
    topics: dict[str, list[SourcedIdea]] = defaultdict(list)
    for each in pool:
        topics[" ".join(each.idea.topic.split()).casefold()].append(each)
    items = []
    for ideas in topics.values():
        several = len({_source(each) for each in ideas}) > 1
        items += [_pair(a, b) for a, b in combinations(ideas, 2) if not several or _source(a) != _source(b)]
    return items[:_MOST_PAIRS]


def _pair(one: SourcedIdea, other: SourcedIdea) -> StudyItem:
    return StudyItem(
        id=content_id("pair", [one.idea.id, other.idea.id]), topic=one.idea.topic, first=one.idea, second=other.idea,
        first_source=_source(one), second_source=_source(other),
    )  # fmt: skip


def _source(each: SourcedIdea) -> str:
    return each.idea.generator or each.source


def _judged(items: Sequence[StudyItem], sources: Sequence[str], settings: LoadedSettings) -> list[JudgeScore]:
    """What the judges of runs said of the same pairs, in both orders together: the share that went to the first."""
    shares: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    pairs = {(each.first.id, each.second.id): each.id for each in items if each.second is not None}
    for ideation in filter(None, (_ideation(name, settings) for name in sources)):
        for match in ideation.matches:
            straight = pairs.get((match.first_id, match.second_id))
            item = straight or pairs.get((match.second_id, match.first_id))
            for verdict in match.verdicts if item else ():
                points = _POINTS[verdict.outcome]
                shares[item or "", verdict.criterion, match.judge].append(points if straight else 1.0 - points)
    return [JudgeScore(item=item, criterion=name, judge=judge, score=fmean(each))
            for (item, name, judge), each in shares.items()]  # fmt: skip


def _ideation(name: str, settings: LoadedSettings) -> Ideation | None:
    try:
        return ideation_of(name, settings)
    except BadInput:
        return None  # a table of ideas has no matches


def shown_ideas(item: StudyItem, *, swapped: bool) -> tuple[Idea, Idea | None]:
    """The ideas of an item in the order in which they are shown."""
    return (item.second, item.first) if swapped and item.second is not None else (item.first, item.second)
