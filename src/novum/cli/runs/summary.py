"""A stored run in words: its facts, and its row in a table."""

from __future__ import annotations

import time
from datetime import datetime

from novum.cli.shell.fields import shown
from novum.cli.shell.phrases import bill
from novum.core import Spend
from novum.ledger import RunRecord
from novum.ledger.accounts import UnsettledRequests
from novum.reports import phrases
from novum.runs.stored import status_of


def when(seconds: float) -> str:
    """Seconds since the epoch as local date and time."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def facts_of(record: RunRecord, spend: Spend, unsettled: UnsettledRequests) -> list[tuple[str, str]]:
    """Names and values that describe a run, in the order of reading."""
    options = record.params.get("options")
    pairs = options.items() if isinstance(options, dict) else ()
    option_text = ", ".join(f"{name} {shown(value)}" for name, value in pairs if value is not None)
    settings = record.params.get("settings")
    models = settings if isinstance(settings, dict) else {}
    facts = [
        ("run", record.id),
        ("status", status_of(record) + (f": {record.reason}" if record.reason else "")),
        ("topic", record.title),
        ("method", f"{record.params.get('method', record.kind)} ({option_text})"),
        ("models", "; ".join(f"{role}: {_listed(models.get(role))}" for role in ("writer", "reader", "judges"))),
        ("started", when(record.started)),
        ("worked on", f"{phrases.duration(record.seconds)}, last {when(record.updated)}"),
        ("cost", bill(spend)),
        *_unsettled_facts(unsettled),
    ]
    if record.status != "finished" and status_of(record) != "running":
        facts.append(("resume", f"novum runs resume {record.id}"))
    return facts


def _unsettled_facts(unsettled: UnsettledRequests) -> list[tuple[str, str]]:
    facts = []
    if unsettled.under_way:
        facts.append(("under way", phrases.count(unsettled.under_way, "request")))
    if unsettled.spent:
        facts.append(("budget", f"{phrases.count(unsettled.spent, 'call')} unsettled: counted as spent"))
    return facts


def row_of(record: RunRecord, spend: Spend) -> tuple[str, ...]:
    """The row of a run in a table."""
    return (
        record.id,
        status_of(record),
        _ago(time.time() - record.started),
        f"{spend.calls:,}",
        phrases.cost(spend),
        record.title,
    )


def _ago(seconds: float) -> str:
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "?")
