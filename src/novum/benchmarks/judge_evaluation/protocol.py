"""All reviewers on all papers: asked, rated, and their texts measured; in one session of work, as far as it comes.

Answers are in the ledger, so that a run that is taken up again asks only for what is missing. Ratings that a process of
its own works out are kept as events.
"""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from novum.benchmarks.judge_evaluation.baselines import baselines
from novum.benchmarks.judge_evaluation.data import EvaluationSet, places_with_words
from novum.benchmarks.judge_evaluation.expected_ratings import expected_ratings
from novum.benchmarks.judge_evaluation.records import REAL, PaperReview, Reviewer, TrainingPapers
from novum.benchmarks.judge_evaluation.reviewing import ReviewerResponse, hear, written
from novum.benchmarks.judge_evaluation.task import AskedReviewer, JudgeEvaluationTask, RatedReviewer
from novum.benchmarks.judge_evaluation.text_similarity import Mine, RealTexts
from novum.concurrency import run_concurrently
from novum.core.record import Value
from novum.errors import BudgetSpent
from novum.ledger import Run
from novum.llm import ModelName, Models
from novum.prompts import PromptBook

RATED = "expected-ratings"
AT_ONCE = 48
"""Papers at work: each asks several things at once."""
UNTUNED = ", untuned"
"""What a base is called beside the reviewer made from it: asked by another prompt, it is not the same model."""


class KeptRatings(Value):
    """The event of one model's likeliest ratings."""

    place: str
    digest: str
    ratings: tuple[float | None, ...]


@dataclass
class Working:
    """One session. `still`: nobody is asked, and what has no answer yet is passed over."""

    task: JudgeEvaluationTask
    given: EvaluationSet
    run: Run
    models: Models
    book: PromptBook
    models_folder: Path
    still: bool = False
    stopped: str = ""
    """Why something was left undone; empty while nothing was."""
    text_papers: int = 0
    _heard: dict[tuple[str, int], ReviewerResponse] = field(default_factory=dict)
    """By the reviewer's name and the paper's place."""
    _with_words: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self._with_words = frozenset(places_with_words(self.given.judged))

    async def carry_out(self) -> tuple[tuple[Reviewer, ...], TrainingPapers]:
        """All reviewers, those that were asked first, and what the baselines learnt from."""
        with self.run.step("baselines"):
            plain, taught = await baselines(self.given, self.task.seed)
        with self.run.step("reviews"):
            await self._ask_all()
        with self.run.step("ratings"):
            rated = [await self._rated(each) for each in self.task.rated]
        with self.run.step("texts"):
            rows = await asyncio.to_thread(self._with_texts, (*map(self._asked, self.task.asked), *plain))
        asked = rows[: len(self.task.asked)]
        return (*asked, *rated, *rows[len(asked) :]), taught

    async def _ask_all(self) -> None:
        """Paper by paper, so that a run that is stopped has whole papers."""
        places = ((place, each) for place in range(len(self.given.judged)) for each in self.task.asked)
        await run_concurrently(self._one_by_one(places) for _ in range(AT_ONCE))

    async def _one_by_one(self, places: Iterator[tuple[int, AskedReviewer]]) -> None:
        for place, reviewer in places:
            if self.stopped and not self.still:
                return
            try:
                heard = await hear(self.models, self.given.judged[place], reviewer, self.task)
            except BudgetSpent as stop:
                self.stopped = self.stopped or str(stop)
                continue
            if place not in self._with_words:  # its reports are not needed any more, and there may be very many
                heard = ReviewerResponse(heard.review, ())
            self._heard[_names(self.task)[reviewer.key], place] = heard

    def _asked(self, reviewer: AskedReviewer) -> Reviewer:
        names = _names(self.task)
        heard = [self._heard.get((names[reviewer.key], place)) for place in range(len(self.given.judged))]
        return Reviewer(
            name=names[reviewer.key],
            kind=reviewer.kind,
            of=tuple(names["trained", model] for model in reviewer.of),
            reviews=tuple(each.review if each else None for each in heard),
        )

    async def _rated(self, reviewer: RatedReviewer) -> Reviewer:
        ratings = self._kept(reviewer)
        if ratings is None and self.still:
            self.stopped = self.stopped or f"{reviewer.name}: nothing is known yet."
        elif ratings is None:
            whole = not self.task.idea_texts
            ratings = await expected_ratings(reviewer, self.given, self.book, self.models_folder, whole=whole)
            kept = KeptRatings(place=reviewer.place, digest=self.given.digest, ratings=ratings)
            self.run.emit(RATED, ratings=kept.model_dump(mode="json"))
        reviews = (
            tuple(PaperReview(ratings=(each,)) for each in ratings) if ratings else (None,) * len(self.given.judged)
        )
        return Reviewer(name=reviewer.name, kind="expected", of=reviewer.of, reviews=reviews)

    def _kept(self, reviewer: RatedReviewer) -> tuple[float | None, ...] | None:
        for _, event in self.run.ledger.events(self.run.id):
            if event.kind == RATED:
                try:
                    kept = KeptRatings.model_validate(event.data.get("ratings"))
                except ValidationError:  # of another Novum: worked out again
                    continue
                if (kept.place, kept.digest) == (reviewer.place, self.given.digest):
                    return kept.ratings
        return None

    def _with_texts(self, reviewers: tuple[Reviewer, ...]) -> tuple[Reviewer, ...]:
        """Those who wrote, and the real referee, with what is found of their texts."""
        if not any(paper.reviews for paper in self.given.judged):
            return reviewers
        real = RealTexts(self.given.judged, self.given.lessons, self.task.seed)
        self.text_papers = len(real.places)
        told = []
        for each in reviewers:
            mine = real.of_real() if each.name == REAL else self._texts_of(each.name, real)
            told.append(each.model_copy(update={"reviews": real.measured(each.reviews, mine)}))
        return tuple(told)

    def _texts_of(self, name: str, real: RealTexts) -> dict[int, Mine]:
        found = {}
        for place in real.places:
            heard = self._heard.get((name, place))
            texts = tuple(text for report in (heard.reports if heard else ()) if (text := written(report)).strip())
            if texts:
                found[place] = Mine(texts)
        return found


@functools.lru_cache(maxsize=8)
def _names(task: JudgeEvaluationTask) -> dict[tuple[str, str], str]:
    """What reviewers are called, by kind and model: without their addresses, as long as that tells them apart."""
    short = Counter(ModelName.parse(model).short for model in {each.model for each in task.asked})
    names = {}
    for each in task.asked:
        name = ModelName.parse(each.model).short
        names[each.key] = (name if short[name] == 1 else each.model) + UNTUNED * (each.kind == "base")
    return names
