"""`novum ideate --dry-run`: what a run would take, without sending anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.errors import BadInput
from novum.llm import PriceTable
from novum.methods.effort import EFFORT, effort_options, has_effort, no_effort_note
from novum.methods.effort_costs import RoleEstimate, RunEstimate, estimate_run
from novum.reports.phrases import UNKNOWN, count, duration, listed
from novum.settings import LoadedSettings

_WITHOUT_EFFECT = frozenset({"before"})
"""Options that do not change the number of calls."""


@dataclass(frozen=True)
class RunToEstimate:
    """The request of a dry run. `options`: of the method, as given. `bulk`: ideas in bulk, of which a pass over one
    topic is estimated."""

    method: str
    options: Mapping[str, Any]
    bulk: bool = False


def print_run_estimate(settings: LoadedSettings, request: RunToEstimate, *, as_json: bool) -> None:
    """Prints calls, tokens, price and time. Raises BadInput for a method of which nothing was measured."""
    roles, values = settings.for_models().roles, settings.values
    effort = str(request.options.get(EFFORT) or values.effort)
    estimate = estimate_run(request.method, effort, roles, PriceTable(settings.for_models().prices))
    if estimate is None:
        raise BadInput(
            f"The calls of {request.method} were not measured, so nothing can be said about them. `--budget-calls N` "
            "stops a run before it makes more than N."
        )
    notes = _notes(request, effort, estimate)
    if as_json:
        totals = {"calls": estimate.calls, "usd": estimate.usd, "unpriced": list(estimate.unpriced)}
        print_json(estimate.model_dump(mode="json") | totals | {"notes": notes})
        return
    print_table(("role", "model", "calls", "tokens read", "written", "price"), map(_cells, estimate.roles))
    print_line(f"Calls:   {estimate.calls:,}, of which {estimate.steps} wait for each other")
    print_line(f"Tokens:  {estimate.prompt_tokens:,} read, {estimate.answer_tokens:,} written")
    print_line(f"Price:   {_price(estimate)}")
    print_line(f"Time:    {duration(estimate.seconds)}, with a model that writes 40 tokens a second")
    for note in notes:
        print_line(f"Note:    {note}")
    print_line("Nothing was sent (--dry-run).")


def _cells(each: RoleEstimate) -> tuple[str, ...]:
    numbers = (f"{each.calls:,}", f"{each.prompt_tokens:,}", f"{each.answer_tokens:,}")
    return (each.role, each.model, *numbers, UNKNOWN if each.usd is None else f"${each.usd:,.4f}")


def _price(estimate: RunEstimate) -> str:
    if not estimate.unpriced:
        return f"${estimate.usd:,.2f}" if estimate.usd >= 1 else f"${estimate.usd:,.4f}"
    lacking = f"the price of {listed(estimate.unpriced)} is {UNKNOWN} (state it under [prices] in novum.toml)"
    return f"at least ${estimate.usd:,.4f}; {lacking}" if estimate.usd else f"{UNKNOWN}: {lacking}"


def _notes(request: RunToEstimate, effort: str, estimate: RunEstimate) -> list[str]:
    level = f"at {estimate.effort} effort" if estimate.effort else "with its default options"
    notes = [
        f"Counted by running {request.method} {level}, with the experiment, against a scripted model on the papers "
        "that come with Novum. Full texts make prompts longer, and a model that reasons before it answers writes "
        "several times as many tokens."
    ]
    if effort and not has_effort(request.method):
        notes.append(no_effort_note(request.method))
    if changed := _changed_options(request, estimate):
        verb = "is" if len(changed) == 1 else "are"
        notes.append(f"{listed(changed)} {verb} not in this count.")
    if request.bulk:
        notes.append(f"This is {count(1, 'pass', 'passes')} over one topic; in bulk there is at least one for each.")
    return notes


def _changed_options(request: RunToEstimate, estimate: RunEstimate) -> list[str]:
    """The given options that differ from those that were counted."""
    counted = effort_options(request.method, estimate.effort) if estimate.effort else {}  # type: ignore[arg-type]
    aside = {EFFORT, *_WITHOUT_EFFECT}
    return [
        f"{name}={value}"
        for name, value in request.options.items()
        if name not in aside and str(counted.get(name, "")) != str(value)
    ]
