"""Ideas from topics, answers from the literature, and opportunities."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from novum.api.running import SettingOptions, checked, opened, split_options, synchronous
from novum.core import Experiment, ExplorationReport, Idea, IdeationReport
from novum.core.opportunity import OpportunityKind, OpportunityList
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.ledger.run import Listener
from novum.methods import get_method
from novum.methods.method import FROM_OPPORTUNITIES
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search import find_opportunities as find_in_library
from novum.reading.exploration import ExploreOptions
from novum.reports.files import write_report
from novum.reports.folder import ReportFiles
from novum.reports.ideation.page import render_card
from novum.runs.bulk import BULK, BulkResult, BulkTask
from novum.runs.engine import ensure_library
from novum.runs.exploration import EXPLORATION, ExplorationTask
from novum.runs.ideation import CHAINS, DEFAULT_METHOD, IDEATION, IdeationTask
from novum.runs.live_papers import live_papers

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class IdeationResult:
    """The outcome of `ideate`, best idea first. A notebook shows it as a card."""

    report: IdeationReport

    @property
    def ideas(self) -> tuple[Idea, ...]:
        """All ideas, best first."""
        return tuple(candidate.idea for candidate in self.report.ideation.candidates)

    @property
    def best(self) -> Idea | None:
        """The idea to pursue; None when the run ended without one."""
        return self.ideas[0] if self.ideas else None

    @property
    def experiment(self) -> Experiment | None:
        """The plan for testing the best idea."""
        return self.report.ideation.experiment

    @property
    def run_id(self) -> str:
        """For `novum runs show` and `novum runs export`."""
        return self.report.account.run_id

    def save(self, folder: str | Path) -> ReportFiles:
        """Writes the report as HTML, Markdown, JSON and BibTeX. Raises BadInput when the folder cannot be written."""
        return write_report(self.report, Path(folder))

    def _repr_html_(self) -> str:
        return render_card(self.report)

    def __repr__(self) -> str:
        best = repr(self.best.title) if self.best else None
        return f"IdeationResult(ideas={len(self.ideas)}, best={best}, run_id={self.run_id!r})"


async def ideate_async(
    topic: str,
    *,
    method: str = "",
    force: bool = False,
    out: str | Path | None = None,
    fresh: bool = False,
    listeners: Sequence[Listener] = (),
    **options: Any,
) -> IdeationResult:
    """Turns a topic into ranked research ideas.

    `method`: empty for `portfolio`; or for `chain-of-ideas` with options of that method, and with the offline
    model. `options`: options of the method (`branches=2`, `before="2023-01-01"`, `from_opportunities=5`), and settings
    by their names (`judges=[…]`, `model="openai:gpt-5.5"`, `effort="low"`, `sources="none"`, `budget_usd=0.5`).
    `force`: go on where the library knows nothing about the topic. `out`: a folder for the report. `fresh`: do not use
    the answers of other runs. `listeners` are called with every event of the run.

    Raises BadInput for an unusable topic, method or option, and other NovumErrors as `novum.runs.engine.start` does.
    Cancelling the asynchronous form stops the run, which can be resumed.
    """
    possible = (method,) if method else (DEFAULT_METHOD, CHAINS)
    of_method = {FROM_OPPORTUNITIES}  # a method without it says so
    of_method |= {field for name in possible for field in get_method(name).options.model_fields}
    settings, of_method_given = split_options(options, of_method)
    task = IdeationTask(topic=topic, method=method, options=of_method_given, force=force)
    async with opened(settings | {"fresh": fresh, "listeners": listeners}) as place:
        result = IdeationResult(await place.start(IDEATION, task))
    if out is not None:
        result.save(out)
    return result


async def ideate_many_async(
    questions: str | Sequence[str],
    *,
    count: int | None = None,
    method: str = CHAINS,
    near: float | None = None,
    fresh: bool = False,
    listeners: Sequence[Listener] = (),
    **options: Any,
) -> BulkResult:
    """Any number of different ideas over any number of topics. `rows()` of the outcome yields them one by one.

    `count`: ideas in total; by default one for each topic. `near`: the cosine from which an idea counts as a
    near-duplicate of another, 1 for never; by default calibrated on the library. `options`: as for `ideate`. When the
    budget ends, the outcome holds the ideas so far, and `stopped` says why.
    """
    topics = (questions,) if isinstance(questions, str) else tuple(questions)
    of_method = {*get_method(method).options.model_fields, FROM_OPPORTUNITIES}
    settings, of_method_given = split_options(options, of_method)
    threshold = None if near is None else DuplicateThreshold(cosine=near, why="as given")
    task = checked(
        BulkTask, questions=topics, number=count or len(topics), method=method, options=of_method_given, near=threshold
    )
    async with opened(settings | {"fresh": fresh, "listeners": listeners}) as place:
        return await place.start(BULK, task)


async def explore_async(
    question: str,
    *,
    force: bool = False,
    out: str | Path | None = None,
    fresh: bool = False,
    listeners: Sequence[Listener] = (),
    **options: Any,
) -> ExplorationReport:
    """Answers a question from the literature, with the passages that support the answer.

    `options`: those of an exploration (`rounds=2`, `before="2024-06-01"`, `prospects=True`) and settings, as for
    `ideate`. `force`: go on where the library knows nothing about the question. `out`: a folder for the report.
    """
    settings, of_exploration = split_options(options, ExploreOptions.model_fields)
    async with opened(settings | {"fresh": fresh, "listeners": listeners}) as place:
        task = ExplorationTask(question=question, options=of_exploration, force=force)
        report = await place.start(EXPLORATION, task)
    if out is not None:
        write_report(report, Path(out))
    return report


async def find_opportunities_async(
    topic: str,
    *,
    count: int = 20,
    kinds: Sequence[OpportunityKind] = (),
    fields: Sequence[str] = (),
    since: int | None = None,
    until: int | None = None,
    with_concept: str = "",
    exclude: Sequence[str] = (),
    force: bool = False,
    **settings: Unpack[SettingOptions],
) -> OpportunityList:
    """Pairs of concepts around a topic that no paper links yet, the most promising first. Calls no model.

    `since`, `until`: years in which both concepts have papers. `with_concept`: one of the two. `exclude`: words of
    concepts that are left out. Where the library has too few papers on the topic, the services of the setting `sources`
    are asked for some; if there are too few then, there are no opportunities, unless `force` is set. The concepts of
    the library are computed once, and stored.
    """
    query = checked(
        OpportunityQuery, kinds=kinds, fields=fields, since=since, until=until, with_concept=with_concept,
        exclude=exclude,
    )  # fmt: skip
    async with opened(settings) as place:
        ensure_library(place.workplace)
        async with live_papers(place.workplace, _LOG.info) as fetch:
            library = place.workplace.library
            return await find_in_library(library, topic, query, count, force=force, fetch=fetch)


ideate = synchronous(ideate_async)
ideate_many = synchronous(ideate_many_async)
explore = synchronous(explore_async)
find_opportunities = synchronous(find_opportunities_async)

__all__ = [
    "IdeationResult", "explore", "explore_async", "find_opportunities", "find_opportunities_async", "ideate",
    "ideate_async", "ideate_many", "ideate_many_async",
]  # fmt: skip
