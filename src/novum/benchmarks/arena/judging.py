"""Judges asked about pairs, each pair in both orders: what they say, or why they say nothing.

The science is in the judges' own files (`judges/pair.py`, `judges/experiment_pair.py`). Here their questions are asked
one by one, so that what one order brought is kept when the other brings nothing: a judge that cannot be reached, or a
budget that ends between the two, costs no more than what is missing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from novum.core import Match, Topic, shorten
from novum.core.comparison import Entry, JudgedPair, Kind
from novum.errors import BudgetSpent, ModelError, NoUsableAnswer
from novum.http import together
from novum.judges.experiment_pair import compare_experiments_in_both_orders
from novum.judges.pair import compare_in_both_orders
from novum.ledger import Event
from novum.llm import ModelName, Models, Protocol, Question

FAILURES_UNTIL_LOST = 3
"""Calls of one judge that fail in a row, after all retries, until nothing more is asked of it in this session."""
UNHEARD = "arena-unheard"
"""The event of an asking that failed: the ledger keeps answers, and there was none."""
_LONGEST_FAILURE = 500
Asking = tuple[str, Kind, str, str, str]
"""Topic, kind, who sat first, who second, and the judge."""


class Unheard(NoUsableAnswer):
    """The judge could not be asked: not even the ledger knows an answer."""


@dataclass
class Panel:
    """The judges of one session of work on an arena, by the names that records show."""

    models: Models
    judges: Mapping[str, ModelName]
    unheard: Mapping[Asking, str] = field(default_factory=dict)
    """Askings of earlier sessions that failed, and why, for those who only look back and ask nobody."""
    stopped: str = ""
    """Why something was left unasked; empty while nothing was."""
    lost: dict[str, str] = field(default_factory=dict)
    """Judge to the reason why nothing more is asked of it."""
    _failures: Counter[str] = field(default_factory=Counter)
    _gates: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    """Who waits, waits here: after a judge is lost, what still waited for it is not asked."""

    async def judge(self, kind: Kind, first: Entry, second: Entry, judge: str) -> list[JudgedPair]:
        """Two bouts, one for each order; fewer where nobody was asked. Both entries must have what is compared."""
        seats = ((first, second), (second, first))
        protocol = _protocol(kind, first, second, self.judges[judge])
        asked = next(protocol)
        assert not isinstance(asked, Question), "both orders are asked at once"
        answers = [
            self._remembered(answer, (a.topic, kind, a.entrant, b.entrant, judge))
            for answer, (a, b) in zip(await together(map(self._answer, asked)), seats, strict=True)
        ]
        matches = _end(protocol, [NoUsableAnswer("not asked") if each is None else each for each in answers])
        bouts = []
        for answer, match, (a, b) in zip(answers, matches, seats, strict=True):
            if answer is not None:
                bouts.append(_bout(kind, a, b, judge, match))
            if isinstance(answer, Unheard):
                self.models.run.emit(UNHEARD, bout=bouts[-1].model_dump(mode="json"))
        return bouts

    async def _answer(self, question: Question[Any]) -> Any:
        """The value, or the error that came instead: also of a budget that ended before."""
        model = self.models.model_for(question.role)
        at_once = self.models.settings.limits_for(model).in_flight or 1
        async with self._gates.setdefault(model.short, asyncio.Semaphore(at_once)):
            return await self._answer_now(question, model.short)

    async def _answer_now(self, question: Question[Any], model: str) -> Any:
        if why := self.lost.get(model):
            return Unheard(why)
        try:
            value = await self.models.ask(question)
        except BudgetSpent as stop:
            return stop
        except NoUsableAnswer as nothing:
            self._failures[model] = 0  # it can be reached
            return nothing
        except ModelError as error:
            self._failures[model] += 1
            if self._failures[model] >= FAILURES_UNTIL_LOST:
                self.lost.setdefault(model, str(error))
            return Unheard(str(error))
        self._failures[model] = 0
        return value

    def _remembered(self, answer: Any, asking: Asking) -> Any:
        """What is to be read: None where nobody was asked."""
        if not isinstance(answer, BudgetSpent):
            return answer
        if why := self.unheard.get(asking):
            return NoUsableAnswer(why)
        self.stopped = self.stopped or str(answer)
        return None


def unheard_in(events: Iterable[Event]) -> dict[Asking, str]:
    """The askings that failed in a run. Those that are told in another way than ours are passed over."""
    found: dict[Asking, str] = {}
    for event in events:
        if event.kind == UNHEARD:
            with suppress(KeyError, ValidationError):
                bout = JudgedPair.model_validate(event.data["bout"])
                found[bout.topic, bout.kind, bout.first, bout.second, bout.judge] = bout.failure
    return found


def _end(protocol: Protocol[tuple[Match, Match]], answers: Sequence[Any]) -> tuple[Match, Match]:
    try:
        protocol.send(answers)
    except StopIteration as done:
        matches: tuple[Match, Match] = done.value
        return matches
    raise AssertionError("a judge of pairs asks once")


def has(kind: Kind, entry: Entry) -> bool:
    """Whether there is something to compare."""
    return (entry.idea if kind == "idea" else entry.experiment) is not None


def _protocol(kind: Kind, first: Entry, second: Entry, judge: ModelName) -> Protocol[tuple[Match, Match]]:
    topic = Topic(text=first.topic)
    if kind == "idea":
        assert first.idea is not None, "asked of those that have one"
        assert second.idea is not None, "asked of those that have one"
        return compare_in_both_orders(topic, first.idea, second.idea, judge)
    assert first.experiment is not None, "asked of those that have one"
    assert second.experiment is not None, "asked of those that have one"
    return compare_experiments_in_both_orders(topic, first.experiment, second.experiment, judge)


def _bout(kind: Kind, first: Entry, second: Entry, judge: str, match: Match) -> JudgedPair:
    return JudgedPair(
        topic=first.topic,
        kind=kind,
        first=first.entrant,
        second=second.entrant,
        judge=judge,
        verdicts=match.verdicts,
        failure=shorten(match.failure, _LONGEST_FAILURE),
    )
