"""What a run will take: calls, tokens, dollars and minutes, from a table that was measured with a scripted model.

The table, `effort_costs.json`, is written by `python bench/effort.py`. It has the calls of every method with its
default options and at each effort, with the experiment. Answers of the scripted model are shorter than their schemas
allow; a model that reasons before it answers writes several times as many tokens.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from novum.core.record import Value
from novum.llm import ModelName, PriceTable
from novum.llm.settings import ModelRoles, Role

TABLE_FILE = Path(__file__).with_name("effort_costs.json")
DEFAULT = "default"
"""The row of a method without an effort."""
TOKENS_PER_SECOND = 40.0
"""Pace of an answer, by a model without reasoning."""
SECONDS_TO_FIRST_TOKEN = 1.0
_ROLES: tuple[Role, ...] = ("writer", "reader", "judge")


class RoleEstimate(Value):
    """What one model will take in one role; each judge of a panel takes the whole. `usd`: None where the price of the
    model is not known."""

    role: str
    model: str
    calls: int
    prompt_tokens: int
    answer_tokens: int
    usd: float | None


class RunEstimate(Value):
    """What one run will take. `steps`: the longest sequence of calls that wait for each other."""

    method: str
    effort: str
    """The row of the table that was used; empty: the default options."""
    roles: tuple[RoleEstimate, ...]
    steps: int
    seconds: float
    """With as many calls at once as needed."""

    @property
    def calls(self) -> int:
        return sum(each.calls for each in self.roles)

    @property
    def prompt_tokens(self) -> int:
        return sum(each.prompt_tokens for each in self.roles)

    @property
    def answer_tokens(self) -> int:
        return sum(each.answer_tokens for each in self.roles)

    @property
    def usd(self) -> float:
        """Of models whose price is known."""
        return sum(each.usd or 0.0 for each in self.roles)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models whose price is not known."""
        return tuple(dict.fromkeys(each.model for each in self.roles if each.usd is None))


@functools.cache
def cost_table() -> Mapping[str, Mapping[str, Any]]:
    """The measured table: by method and effort, `steps` and by role `calls`, `prompt_tokens` and `answer_tokens`."""
    table: Mapping[str, Mapping[str, Any]] = json.loads(TABLE_FILE.read_text(encoding="utf-8"))
    return table


def estimate_run(
    method: str, effort: str, models: ModelRoles, prices: PriceTable, times: int = 1
) -> RunEstimate | None:
    """What `times` runs of a method will take; None for a method that was not measured. An effort that the method does
    not have is left aside."""
    rows = cost_table().get(method)
    if rows is None:
        return None
    row = rows[effort if effort in rows else DEFAULT]
    roles = [
        _role_estimate(role, model, row["roles"][role], prices, times)
        for role in _ROLES
        if row["roles"].get(role)
        for model in (models.judges if role == "judge" else (models.model_for(role),))
    ]
    written = sum(each.answer_tokens for each in roles) / max(sum(each.calls for each in roles), 1)
    seconds = row["steps"] * (SECONDS_TO_FIRST_TOKEN + written / TOKENS_PER_SECOND)
    return RunEstimate(
        method=method, effort=effort if effort in rows else "", roles=tuple(roles), steps=row["steps"], seconds=seconds
    )


def _role_estimate(
    role: Role, model: ModelName, counts: Mapping[str, int], prices: PriceTable, times: int
) -> RoleEstimate:
    prompt, answer = counts["prompt_tokens"] * times, counts["answer_tokens"] * times
    return RoleEstimate(
        role=role,
        model=model.short,
        calls=counts["calls"] * times,
        prompt_tokens=prompt,
        answer_tokens=answer,
        usd=prices.usd(model, prompt, answer),
    )
