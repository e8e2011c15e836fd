"""A run's ceiling on money, tokens and calls; what is in flight counts at its worst case."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from novum.core import Spend
from novum.errors import BudgetSpent


@dataclass(frozen=True)
class Budget:
    """None: no ceiling of that kind."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None

    @property
    def unlimited(self) -> bool:
        return self.usd is None and self.tokens is None and self.calls is None


@dataclass(frozen=True)
class CallCost:
    """What a call costs, or at worst may cost."""

    usd: float = 0.0
    tokens: int = 0
    calls: int = 1

    def __add__(self, other: CallCost) -> CallCost:
        return CallCost(self.usd + other.usd, self.tokens + other.tokens, self.calls + other.calls)

    def __sub__(self, other: CallCost) -> CallCost:
        return CallCost(self.usd - other.usd, self.tokens - other.tokens, self.calls - other.calls)


NOTHING = CallCost(calls=0)


@dataclass
class BudgetGuard:
    """Watches over one run's budget. `spent` begins with what earlier sessions of the run spent."""

    budget: Budget
    spent: CallCost = NOTHING
    _held: CallCost = NOTHING
    _settled: asyncio.Condition = field(default_factory=asyncio.Condition)

    @classmethod
    def opened(cls, budget: Budget, spend: Spend) -> BudgetGuard:
        tokens = spend.prompt_tokens + spend.completion_tokens
        return cls(budget, CallCost(spend.usd, tokens, spend.calls - spend.reused))

    @asynccontextmanager
    async def hold(self, worst: CallCost) -> AsyncIterator[CallReceipt]:
        """Sets `worst` aside for one call, waiting for calls in flight to settle when only they stand in the way.

        Raises BudgetSpent when the call would pass the budget even after they have settled.
        """
        if self.budget.unlimited:
            yield CallReceipt()
            return
        async with self._settled:
            await self._settled.wait_for(lambda: self._fits(worst) or self._held.calls <= 0)
            if not self._fits(worst):
                raise BudgetSpent(self._refusal(worst))
            self._held += worst
        receipt = CallReceipt()
        try:
            yield receipt
        finally:
            self._held -= worst
            self.spent += receipt.cost
            async with self._settled:
                self._settled.notify_all()

    def _fits(self, worst: CallCost) -> bool:
        return not self._passed(self.spent + self._held + worst)

    def _passed(self, total: CallCost) -> list[str]:
        ceilings = (
            ("usd", self.budget.usd, total.usd),
            ("tokens", self.budget.tokens, total.tokens),
            ("calls", self.budget.calls, total.calls),
        )
        return [name for name, ceiling, value in ceilings if ceiling is not None and value > ceiling]

    def _refusal(self, worst: CallCost) -> str:
        passed = self._passed(self.spent + worst)
        spent, budget = self.spent, self.budget
        told = {
            "usd": f"${spent.usd:.4f} of ${budget.usd or 0:.4f} spent, the next call may cost ${worst.usd:.4f}",
            "tokens": f"{spent.tokens:,} of {budget.tokens or 0:,} tokens used, the next may take {worst.tokens:,}",
            "calls": f"all {budget.calls} calls made",
        }
        raising = " and ".join(f"--budget-{name}" for name in passed)
        return f"The budget is spent: {'; '.join(told[name] for name in passed)}. Raise {raising} to go on."


@dataclass
class CallReceipt:
    """Filled in by the call itself; stays at nothing when it was never answered."""

    cost: CallCost = NOTHING
