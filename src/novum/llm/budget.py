"""A run's limit on money, tokens and calls. Every request that may have reached the server counts, and each is reserved
in the ledger at its highest possible cost before it is sent.

What a request counts: an answer at its cost, or at the highest possible one where that is not known; a refusal or a
redirect (status 300 to 499) as a call without tokens; any other end, such as a cut connection, a time limit or a killed
process, at the highest possible cost, since the server may have done the work. Where no connection was made, nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from novum.errors import BudgetSpent
from novum.ledger.account import RunAccount
from novum.ledger.accounts import NOTHING, CallCost, Change, Verdict
from novum.llm.tries import TryRecord


@dataclass(frozen=True)
class Budget:
    """None: no limit of that kind."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None

    @property
    def unlimited(self) -> bool:
        return self.usd is None and self.tokens is None and self.calls is None

    def exceeded(self, total: CallCost) -> list[str]:
        """The names of the limits that `total` exceeds."""
        limits = (
            ("usd", self.usd, total.usd),
            ("tokens", self.tokens, total.tokens),
            ("calls", self.calls, total.calls),
        )
        return [name for name, limit, value in limits if limit is not None and value > limit]

    def fits(self, total: CallCost) -> bool:
        """Whether `total` exceeds nothing."""
        return not self.exceeded(total)

    def refusal(self, spent: CallCost, worst: CallCost) -> str:
        """Why no further call that may cost `worst` is allowed when `spent` is spent, and what to do."""
        texts = {
            "usd": f"${spent.usd:.4f} of ${self.usd or 0:.4f} spent, the next call may cost ${worst.usd:.4f}",
            "tokens": f"{spent.tokens:,} of {self.tokens or 0:,} tokens used, the next may take {worst.tokens:,}",
            "calls": f"all {self.calls} calls made",
        }
        names = self.exceeded(spent + worst)
        options = " and ".join(f"--budget-{name}" for name in names)
        return f"The budget is spent: {'; '.join(texts[name] for name in names)}. Raise {options} to go on."


Confirm = Callable[[], Awaitable[None]]


class BudgetGuard:
    """Counts the requests of one run, and allows only those that its budget has room for."""

    def __init__(self, budget: Budget, account: RunAccount) -> None:
        self.budget = budget
        self._account = account

    @classmethod
    def opened(cls, budget: Budget, account: RunAccount) -> Self:
        """The guard for a session of work on a run. What earlier sessions spent counts."""
        account.total()
        return cls(budget, account)

    def call(self, worst: CallCost, confirm: Confirm | None = None) -> MeteredCall:
        """The meter of one call each of whose requests costs `worst` at most. For `async with`. `confirm` is awaited
        before each request, once it is reserved; where it raises, nothing is sent."""
        return MeteredCall(self, worst, confirm)

    async def reserve(self, worst: CallCost) -> None:
        """Sets `worst` aside for one request. Waits while only requests under way stand in the way; raises BudgetSpent
        when there is no room even without them."""
        if self.budget.unlimited:
            self._account.change_soon(reserved=worst)
            return
        while True:
            seen = self._account.changes
            result = await self._account.reserve(worst, self.budget.fits)
            if result.verdict is Verdict.GRANTED:
                return
            if result.verdict is Verdict.SPENT:
                raise BudgetSpent(self.budget.refusal(result.spent, worst))
            await self._account.changed(seen)

    def settle(self, reserved: CallCost, unanswered: CallCost = NOTHING) -> None:
        """Ends a request without an answer: gives back its reservation, and counts `unanswered`."""
        self._account.change_soon(reserved=NOTHING - reserved, unanswered=unanswered)

    def answer(self, reserved: CallCost, cost: CallCost) -> Change:
        """What is to be written together with the answer of a request."""
        return self._account.change(reserved=NOTHING - reserved, answered=cost)


class MeteredCall:
    """One call, which may take several requests. It is handed to the endpoint as `around_try`, and closed when the call
    is over, however it ends."""

    __slots__ = ("_confirm", "_guard", "_reserved", "_worst", "finished")

    def __init__(self, guard: BudgetGuard, worst: CallCost, confirm: Confirm | None = None) -> None:
        self._guard = guard
        self._worst = worst
        self._confirm = confirm
        self._reserved = False
        self.finished: float | None = None
        """Unix time of the last byte of the last response."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reserved:  # answered, and then the answer could not be recorded
            self._settle(self._worst)

    def around_try(self, number: int) -> MeteredTry:
        """The context of one request."""
        return MeteredTry(self, number)

    async def begin(self) -> None:
        """Reserves the next request, where none is reserved, and confirms it."""
        if self._reserved:  # of an interview: the request before was answered, and has its tokens counted at the end
            self._settle(CallCost())
        await self._guard.reserve(self._worst)
        if self._confirm is not None:
            with ExitStack() as undo:  # also where the task is cancelled meanwhile
                undo.callback(self._settle, NOTHING)
                await self._confirm()
                undo.pop_all()
        self._reserved = True

    def end(self, record: TryRecord) -> None:
        """Counts a request that has ended. That of an answer is settled when the answer is recorded."""
        self.finished = record.finished
        if record.outcome == "answered":
            return
        self._settle(NOTHING if record.outcome == "not sent" else CallCost() if record.is_refusal else self._worst)

    def answered(self, cost: CallCost) -> Change:
        """What is to be written together with the answer, which cost `cost`."""
        self._reserved = False
        return self._guard.answer(self._worst, cost)

    def _settle(self, unanswered: CallCost) -> None:
        self._reserved = False
        self._guard.settle(self._worst, unanswered)


class MeteredTry:
    """One request of a call. A class, as a generator's context costs several times as much for every call."""

    __slots__ = ("_call", "_record")

    def __init__(self, call: MeteredCall, number: int) -> None:
        self._call = call
        self._record = TryRecord(number)

    async def __aenter__(self) -> TryRecord:
        await self._call.begin()
        return self._record

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._call.end(self._record)
