"""A stored run as the ledger has it: its state, its steps with what they cost, and the answers that were unusable."""

from __future__ import annotations

from novum.ledger import Event, Ledger, RunRecord
from novum.ledger.rows import is_alive
from novum.runs.progress import RunProgress

INTERRUPTED = "interrupted"


def status_of(record: RunRecord) -> str:
    """The status in the ledger, or `interrupted` for a run whose process is gone."""
    return INTERRUPTED if record.status == "running" and not is_alive(record) else record.status


def progress_of(ledger: Ledger, record: RunRecord) -> RunProgress:
    """The steps of a run, from its events and calls."""
    progress = RunProgress()
    for _, event in ledger.events(record.id):
        progress(event)
    progress.recount(ledger.step_costs(record.id))
    if status_of(record) != "running":
        progress.mark_unfinished()
    progress.root.seconds = record.seconds
    return progress


def failures_of(ledger: Ledger, record: RunRecord) -> list[Event]:
    """The events of responses that could not be used."""
    return [event for _, event in ledger.events(record.id, kind="no-answer")]
