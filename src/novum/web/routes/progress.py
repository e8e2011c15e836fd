"""The progress of a run as a part of its page: state, cost, time left, and the tree of steps."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from novum.ledger import RunRecord
from novum.llm import PriceTable
from novum.methods.effort_costs import RunEstimate, estimate_run
from novum.runs.engine import settings_of
from novum.settings import load_settings
from novum.web.live.feed import RunView
from novum.web.rendering import fragment


def render_progress(view: RunView) -> Markup:
    """The part of the page that is sent to all viewers."""
    now = time.time()
    made = fragment("progress.html.j2", "progress", view, time_left(view, now))
    return made.replace("\n", " ")  # each line of an event costs every viewer


def time_left(view: RunView, now: float) -> float | None:
    """Seconds until a run under way ends, by the share of its expected calls; None where nothing is known."""
    tally = view.progress.root.tally
    expected = expected_calls(view.record)
    if not view.active or not expected or not tally.calls or tally.calls >= expected:
        return None
    return max(now - view.progress.root.began, 0.0) / tally.calls * (expected - tally.calls)


def expected_calls(record: RunRecord) -> int:
    """The calls that a run of this method was measured to take; 0 where none were measured."""
    if record.kind != "ideate":
        return 0
    return _expected(str(record.params.get("method") or ""), json.dumps(settings_of(record)))


@lru_cache(maxsize=256)
def _expected(method: str, settings: str) -> int:
    """Asked for several times a second while somebody watches."""
    estimate = estimate_of(method, json.loads(settings))
    return estimate.calls if estimate else 0


def estimate_of(method: str, given: dict[str, Any]) -> RunEstimate | None:
    """What a run will take with these settings; None for a method that was not measured. Raises BadInput."""
    settings = load_settings(given)
    models = settings.for_models()
    return estimate_run(method, settings.values.effort, models.roles, PriceTable(models.prices))
