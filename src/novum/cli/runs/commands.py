"""`novum runs list` and `show`: the runs in the ledger."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from novum.cli.runs.summary import facts_of, row_of
from novum.cli.shell.group import examples
from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line, print_table
from novum.cli.shell.watch import print_steps
from novum.ledger import Ledger
from novum.runs.stored import failures_of, progress_of, status_of
from novum.settings import load_settings

RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@examples("novum runs list", "novum runs list --limit 100 --json")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Number of runs, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List runs, newest first, with state and cost."""
    with Ledger.open(load_settings().ledger_place) as ledger:
        records = [(record, ledger.spend(record.id)) for record in ledger.runs(limit)]
    if as_json:
        print_json(
            [
                record.model_dump(exclude={"result"}) | {"status": status_of(record), "spend": spend.model_dump()}
                for record, spend in records
            ]
        )
    elif records:
        rows = (row_of(record, spend) for record, spend in records)
        print_table(("run", "status", "started", "calls", "price", "topic"), rows)
    else:
        print_line('There are no runs yet. Start one: novum ideate "your topic"')


@examples("novum runs show last", "novum runs show 20261121-143000-protein-design-1a2b --json")
def show_run(run: RunId, as_json: AsJson = False) -> None:
    """Show how far a run came, its steps and cost, and the responses that could not be used."""
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = ledger.run(run)
        spend, failures = ledger.spend(record.id), failures_of(ledger, record)
        progress, unsettled = progress_of(ledger, record), ledger.unsettled(record.id)
    if as_json:
        facts = {
            "status": status_of(record),
            "spend": spend.model_dump(),
            "unsettled": asdict(unsettled),
            "failed_answers": [each.model_dump() for each in failures],
        }
        print_json(record.model_dump() | facts)
        return
    for name, value in facts_of(record, spend, unsettled):
        print_line(f"{name:<11} {one_line(value)}")
    if progress.root.inner:
        print_heading("\nSteps")
        print_steps(progress)
    if failures:
        print_heading("\nResponses that could not be used")
        rows = (
            [str(each.data.get(key, "")) for key in ("prompt", "model", "problem")]
            + [each.step, one_line(str(each.data.get("told", "")), 300)]
            for each in failures
        )
        print_table(("prompt", "model", "problem", "step", "what happened"), rows)
