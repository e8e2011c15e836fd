"""Words of the pages: states, times and costs in human units."""

from __future__ import annotations

import re
import time
from datetime import datetime
from pathlib import PurePath

from novum.core import Spend
from novum.reports.phrases import count, duration
from novum.runs.progress import Step

STATES = {
    "running": "running", "finished": "finished", "stopped": "stopped", "failed": "failed",
    "interrupted": "interrupted",
}  # fmt: skip
KINDS = {
    "ideate": "ideas", "explore": "answer", "bulk": "ideas in bulk", "review": "reviews", "filter": "ranking",
    "judge": "comparison", "arena": "Idea Arena", "arena-topics": "topics", "liveidea": "LiveIdeaBench",
    "foresight": "foresight", "judge-evaluation": "judges and reviews", "judge-validation": "judges and people",
    "judge-data": "data set", "steer": "steered ideas",
}  # fmt: skip


def kind(name: str) -> str:
    """A kind of run in words."""
    return KINDS.get(name, name)


def ago(seconds: float) -> str:
    """A moment, in seconds since the epoch, as the time that has passed since."""
    passed = max(time.time() - seconds, 0.0)
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if passed >= size:
            return f"{count(int(passed // size), unit)} ago"
    return "just now"


def uploaded(name: str) -> str:
    """The name of an uploaded file as its owner knows it; the folder of the PDFs in words."""
    bare = re.sub(r"^\d\d-", "", PurePath(name).name)
    return "PDF files" if bare == "pdfs" else bare


def when(seconds: float) -> str:
    """Seconds since the epoch as local date and time."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def money(usd: float, unknown: int = 0) -> str:
    """Dollars with as many digits as say something; a price that is partly unknown says so."""
    if not usd and unknown:
        return "price unknown"
    known = f"${usd:,.2f}" if usd >= 1 or not usd else f"${usd:,.4f}"
    return f"at least {known}" if unknown else known


def spent(spend: Spend) -> str:
    """What a run cost, in few words: a local model costs nothing, an unknown price is said to be unknown."""
    return money(spend.usd, spend.usd_unknown) if spend.calls else "–"


def size(content: int) -> str:
    """A number of bytes in human units."""
    for unit, limit in (("MB", 1_000_000), ("kB", 1_000)):
        if content >= limit:
            return f"{content / limit:,.1f} {unit}"
    return count(content, "byte")


def tokens(number: int) -> str:
    """A number of tokens, rounded: 1.2 million, 34 thousand, 820."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f} million tokens"
    return f"{number / 1_000:.0f} thousand tokens" if number >= 10_000 else f"{number:,} tokens"


def effort(step: Step) -> str:
    """Calls of a step, and its time once it has ended."""
    parts = [count(step.tally.calls, "call")] if step.tally.calls else []
    return ", ".join([*parts, *([duration(step.seconds)] if step.state != "running" else [])])


def elapsed(step: Step, now: float) -> str:
    """The time that a step has taken so far."""
    return duration(step.elapsed(now))
