"""Effort and cost of a step or a run, in few words."""

from __future__ import annotations

from novum.core import Spend
from novum.reports import phrases
from novum.reports.phrases import duration
from novum.runs.progress import StepTally


def effort(tally: StepTally, seconds: float) -> str:
    """`12 calls (3 reused), 4,200 tokens, $0.0123, 12.0 s`; only the time for a step without calls.

    An unknown price is left out: the summary at the end mentions it once.
    """
    if not tally.calls and not tally.failed:
        return duration(seconds)
    asides = ((tally.reused, "reused"), (tally.failed, "without usable answer"))
    details = ", ".join(f"{number} {what}" for number, what in asides if number)
    calls = f"{tally.calls} call{'' if tally.calls == 1 else 's'}" + (f" ({details})" if details else "")
    tokens = [f"{tally.tokens:,} tokens"] if tally.calls > tally.reused else []
    return ", ".join([calls, *tokens, *_money(tally), duration(seconds)])


def bill(spend: Spend) -> str:
    """Calls, tokens and price of a run in one line."""
    return f"calls: {phrases.calls(spend)}; tokens: {phrases.tokens(spend)}; price: {phrases.cost(spend)}"


def _money(tally: StepTally) -> list[str]:
    if not tally.usd:
        return []
    known = f"${tally.usd:,.4f}" if tally.usd < 1 else f"${tally.usd:,.2f}"
    return [f"at least {known}" if tally.usd_unknown else known]
