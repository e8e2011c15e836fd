"""Requests to judges about pairs of entries, each pair in both orders.

How a judge compares is the arena's judging protocol (`judges/judging_protocol.py`). Here its questions are sent one by
one, so that the answer for one order is stored when the other order has none: a judge that cannot be reached, or a
budget that ends between the two, costs only what is missing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from novum.core import Match, Topic, shorten
from novum.core.comparison import ArenaEntry, ComparisonKind, JudgedPair
from novum.core.concurrency import run_concurrently
from novum.errors import BudgetSpent, ModelError, NoUsableAnswer
from novum.judges.experiment_pair import PlanOfIdea
from novum.judges.judging_protocol import JudgingProtocol
from novum.ledger import Event
from novum.llm import ModelName, Models, Protocol, Question

MAX_FAILURES_IN_A_ROW = 5
"""Failed calls of one judge in a row, after all retries, until it gets no more requests in this session."""
MAX_TRIES = 3
"""Requests at most for an answer in plain text that has not the form that is asked for."""
REQUEST_FAILED = "arena-unheard"
"""Event of a request that failed: the ledger stores answers, and there was none."""
_LONGEST_FAILURE = 500
RequestKey = tuple[str, ComparisonKind, str, str, str]
"""Topic, kind, entrant in the first position, entrant in the second, and the judge."""


class RequestFailed(NoUsableAnswer):
    """The judge could not be reached, and the ledger has no answer of it either."""


@dataclass
class JudgePanel:
    """The judges of one session of work on an arena, by the names that records show."""

    models: Models
    judges: Mapping[str, ModelName]
    protocol: JudgingProtocol
    failed_before: Mapping[RequestKey, str] = field(default_factory=dict)
    """For a replay: requests that failed in earlier sessions, and why."""
    stopped: str = ""
    """Why some requests were not sent; empty when all were."""
    lost: dict[str, str] = field(default_factory=dict)
    """Judges that get no more requests, with the reason."""
    _failures: Counter[str] = field(default_factory=Counter)
    _slots: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    """By model. Requests wait here, so that those of a judge that is lost meanwhile are never sent."""

    async def judge(self, kind: ComparisonKind, first: ArenaEntry, second: ArenaEntry, judge: str) -> list[JudgedPair]:
        """The judged pair of each order, without those that were not requested. Both entries must have content."""
        orders = ((first, second), (second, first))
        protocol = _comparison(self.protocol, kind, first, second, self.judges[judge])
        questions = next(protocol)
        assert not isinstance(questions, Question), "both orders are requested at once"
        answers = [
            self._answer_or_known_failure(answer, (a.topic, kind, a.entrant, b.entrant, judge))
            for answer, (a, b) in zip(await run_concurrently(map(self._answer, questions)), orders, strict=True)
        ]
        matches = _matches(protocol, [NoUsableAnswer("not requested") if each is None else each for each in answers])
        judged_pairs = []
        for answer, match, (a, b) in zip(answers, matches, orders, strict=True):
            if answer is None:
                continue
            judged = _judged_pair(kind, a, b, judge, match)
            judged_pairs.append(judged)
            if isinstance(answer, RequestFailed):
                self.models.run.emit(REQUEST_FAILED, bout=judged.model_dump(mode="json"))
        return judged_pairs

    async def _answer(self, question: Question[Any]) -> Any:
        """The value, or the error in its place, including that of a budget that ended before."""
        model = self.models.model_for(question.role)
        at_once = self.models.settings.limits_for(model).in_flight or 1
        async with self._slots.setdefault(model.short, asyncio.Semaphore(at_once)):
            return await self._answer_now(question, model.short)

    async def _answer_now(self, question: Question[Any], model: str) -> Any:
        if why := self.lost.get(model):
            return RequestFailed(why)
        try:
            value = await self._readable_answer(question)
        except BudgetSpent as stop:
            return stop
        except NoUsableAnswer as error:
            self._failures[model] = 0  # it can be reached
            return error
        except ModelError as error:
            self._failures[model] += 1
            if self._failures[model] >= MAX_FAILURES_IN_A_ROW:
                self.lost.setdefault(model, str(error))
            return RequestFailed(str(error))
        self._failures[model] = 0
        return value

    async def _readable_answer(self, question: Question[Any]) -> Any:
        """The first of several answers that has the form that the protocol asks for, else the last."""
        for sample in range(MAX_TRIES):
            value = await self.models.ask(replace(question, sample=sample))
            if self.protocol.readable(question, value):
                break
        return value

    def _answer_or_known_failure(self, answer: Any, request: RequestKey) -> Any:
        """The answer; without a budget the failure of an earlier session, or None."""
        if not isinstance(answer, BudgetSpent):
            return answer
        if why := self.failed_before.get(request):
            return NoUsableAnswer(why)
        self.stopped = self.stopped or str(answer)
        return None


def failed_requests_in(events: Iterable[Event]) -> dict[RequestKey, str]:
    """The requests that failed in a run, with the reason. Events of another form are skipped."""
    failures: dict[RequestKey, str] = {}
    for event in events:
        if event.kind == REQUEST_FAILED:
            with suppress(KeyError, ValidationError):
                judged = JudgedPair.model_validate(event.data["bout"])
                failures[judged.topic, judged.kind, judged.first, judged.second, judged.judge] = judged.failure
    return failures


def has_content(kind: ComparisonKind, entry: ArenaEntry) -> bool:
    """Whether the entry has an idea, or an experiment, to compare."""
    return (entry.idea if kind == "idea" else entry.experiment) is not None


def _matches(protocol: Protocol[tuple[Match, Match]], answers: Sequence[Any]) -> tuple[Match, Match]:
    try:
        protocol.send(answers)
    except StopIteration as done:
        matches: tuple[Match, Match] = done.value
        return matches
    raise AssertionError("a judge of pairs sends one batch of questions")


def _comparison(
    judging: JudgingProtocol, kind: ComparisonKind, first: ArenaEntry, second: ArenaEntry, judge: ModelName
) -> Protocol[tuple[Match, Match]]:
    topic = Topic(text=first.topic)
    if kind == "idea":
        assert first.judged_idea is not None, "both entries have content"
        assert second.judged_idea is not None, "both entries have content"
        return judging.ideas(topic, first.judged_idea, second.judged_idea, judge)
    assert first.experiment is not None, "both entries have content"
    assert second.experiment is not None, "both entries have content"
    plans = PlanOfIdea(first.experiment, first.judged_idea), PlanOfIdea(second.experiment, second.judged_idea)
    return judging.plans(topic, *plans, judge)


def _judged_pair(kind: ComparisonKind, first: ArenaEntry, second: ArenaEntry, judge: str, match: Match) -> JudgedPair:
    return JudgedPair(
        topic=first.topic,
        kind=kind,
        first=first.entrant,
        second=second.entrant,
        judge=judge,
        verdicts=match.verdicts,
        failure=shorten(match.failure, _LONGEST_FAILURE),
    )
