"""One session of an evaluation: request all reviews, compute expected ratings, and compare texts.

Responses are in the ledger, so that a resumed run requests only what is missing. Expected ratings, which a separate
process computes, are stored as events.
"""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from novum.benchmarks.judge_evaluation.baselines import compute_baselines
from novum.benchmarks.judge_evaluation.data import EvaluationSet, papers_with_texts
from novum.benchmarks.judge_evaluation.expected_ratings import expected_ratings
from novum.benchmarks.judge_evaluation.records import REAL, BaselineTraining, PaperReview, Reviewer
from novum.benchmarks.judge_evaluation.reviewing import PaperResponse, report_text, request_review
from novum.benchmarks.judge_evaluation.task import ExpectedRatingReviewer, JudgeEvaluationTask, PromptedReviewer
from novum.benchmarks.judge_evaluation.text_similarity import RealTexts, ReportTexts
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.errors import BudgetSpent
from novum.ledger import Run
from novum.llm import ModelName, Models
from novum.prompts import PromptBook

RATED = "expected-ratings"
CONCURRENCY = 48
"""Papers that are reviewed concurrently; each makes several calls at once."""
UNTUNED = ", untuned"
"""Suffix of the name of a base: with another prompt the same model is another reviewer."""


class RecordedRatings(Value):
    """The event with the expected ratings of one model."""

    place: str
    digest: str
    ratings: tuple[float | None, ...]


@dataclass
class EvaluationSession:
    """One session. `replay`: no model is called, and what has no recorded response is skipped."""

    task: JudgeEvaluationTask
    given: EvaluationSet
    run: Run
    models: Models
    book: PromptBook
    models_folder: Path
    replay: bool = False
    stopped: str = ""
    """Why the evaluation is incomplete; empty when it is complete."""
    text_papers: int = 0
    _responses: dict[tuple[str, int], PaperResponse] = field(default_factory=dict)
    """By the reviewer's name and the paper's place."""
    _with_words: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self._with_words = frozenset(papers_with_texts(self.given.judged))

    async def carry_out(self) -> tuple[tuple[Reviewer, ...], BaselineTraining]:
        """All reviewers, prompted ones first, and the training papers of the baselines."""
        with self.run.step("baselines"):
            baselines, training = await compute_baselines(self.given, self.task.seed)
        with self.run.step("reviews"):
            await self._review_all()
        with self.run.step("ratings"):
            rated = [await self._rated(each) for each in self.task.rated]
        with self.run.step("texts"):
            rows = await asyncio.to_thread(self._with_texts, (*map(self._prompted, self.task.asked), *baselines))
        prompted = rows[: len(self.task.asked)]
        return (*prompted, *rated, *rows[len(prompted) :]), training

    async def _review_all(self) -> None:
        """Paper by paper, so that a stopped run has complete papers."""
        places = ((place, each) for place in range(len(self.given.judged)) for each in self.task.asked)
        await run_concurrently(self._work(places) for _ in range(CONCURRENCY))

    async def _work(self, places: Iterator[tuple[int, PromptedReviewer]]) -> None:
        for place, reviewer in places:
            if self.stopped and not self.replay:
                return
            try:
                response = await request_review(self.models, self.given.judged[place], reviewer, self.task)
            except BudgetSpent as stop:
                self.stopped = self.stopped or str(stop)
                continue
            if place not in self._with_words:  # its reports are not needed any more, and there may be many
                response = PaperResponse(response.review, ())
            self._responses[_names(self.task)[reviewer.key], place] = response

    def _prompted(self, reviewer: PromptedReviewer) -> Reviewer:
        names = _names(self.task)
        response = [self._responses.get((names[reviewer.key], place)) for place in range(len(self.given.judged))]
        return Reviewer(
            name=names[reviewer.key],
            kind=reviewer.kind,
            of=tuple(names["trained", model] for model in reviewer.of),
            reviews=tuple(each.review if each else None for each in response),
        )

    async def _rated(self, reviewer: ExpectedRatingReviewer) -> Reviewer:
        ratings = self._recorded(reviewer)
        if ratings is None and self.replay:
            self.stopped = self.stopped or f"{reviewer.name}: its expected ratings are not computed yet."
        elif ratings is None:
            whole = not self.task.idea_texts
            ratings = await expected_ratings(reviewer, self.given, self.book, self.models_folder, whole=whole)
            recorded = RecordedRatings(place=reviewer.place, digest=self.given.digest, ratings=ratings)
            self.run.emit(RATED, ratings=recorded.model_dump(mode="json"))
        reviews = (
            tuple(PaperReview(ratings=(each,)) for each in ratings) if ratings else (None,) * len(self.given.judged)
        )
        return Reviewer(name=reviewer.name, kind="expected", of=reviewer.of, reviews=reviews)

    def _recorded(self, reviewer: ExpectedRatingReviewer) -> tuple[float | None, ...] | None:
        for _, event in self.run.ledger.events(self.run.id):
            if event.kind == RATED:
                try:
                    recorded = RecordedRatings.model_validate(event.data.get("ratings"))
                except ValidationError:  # of another version: computed again
                    continue
                if (recorded.place, recorded.digest) == (reviewer.place, self.given.digest):
                    return recorded.ratings
        return None

    def _with_texts(self, reviewers: tuple[Reviewer, ...]) -> tuple[Reviewer, ...]:
        """Reviewers with the measurements of their texts, where they have texts; also the real reviewer."""
        if not any(paper.reviews for paper in self.given.judged):
            return reviewers
        real = RealTexts(self.given.judged, self.given.lessons, self.task.seed)
        self.text_papers = len(real.places)
        measured = []
        for each in reviewers:
            texts = real.of_real() if each.name == REAL else self._texts_of(each.name, real)
            measured.append(each.model_copy(update={"reviews": real.measured(each.reviews, texts)}))
        return tuple(measured)

    def _texts_of(self, name: str, real: RealTexts) -> dict[int, ReportTexts]:
        found = {}
        for place in real.places:
            response = self._responses.get((name, place))
            texts = tuple(
                text for report in (response.reports if response else ()) if (text := report_text(report)).strip()
            )
            if texts:
                found[place] = ReportTexts(texts)
        return found


@functools.lru_cache(maxsize=8)
def _names(task: JudgeEvaluationTask) -> dict[tuple[str, str], str]:
    """Names of reviewers by kind and model, without addresses where they are unique without them."""
    short = Counter(ModelName.parse(model).short for model in {each.model for each in task.asked})
    names = {}
    for each in task.asked:
        name = ModelName.parse(each.model).short
        names[each.key] = (name if short[name] == 1 else each.model) + UNTUNED * (each.kind == "base")
    return names
