"""`novum runs`: what was done, and going on with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples, group

if TYPE_CHECKING:
    from novum.ledger import Call, Ledger

app = group(
    "Look at runs, and go on with them.",
    "Everything asked and answered is kept. A run is named by its id, the beginning of it, or `last`.",
)
RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@app.command("list", epilog=examples("novum runs list", "novum runs list --limit 100 --json"))
def list_runs(
    limit: Annotated[int, typer.Option(min=1, help="How many, newest first.")] = 20, as_json: AsJson = False
) -> None:
    """Runs, newest first, with their state and cost."""
    from novum.cli.runs.summary import row_of, status_of
    from novum.cli.shell.terminal import say, say_json, say_table

    with _ledger() as ledger:
        records = [(record, ledger.spend(record.id)) for record in ledger.runs(limit)]
    if as_json:
        say_json(
            [
                record.model_dump(exclude={"result"}) | {"status": status_of(record), "spend": spend.model_dump()}
                for record, spend in records
            ]
        )
    elif records:
        say_table(
            ("run", "status", "started", "calls", "price", "topic"),
            (row_of(record, spend) for record, spend in records),
        )
    else:
        say('There are no runs yet. Begin one: novum ideate "your topic"')


@app.command(
    "show", epilog=examples("novum runs show last", "novum runs show 20261121-143000-protein-design-1a2b --json")
)
def show_run(run: RunId, as_json: AsJson = False) -> None:
    """How far a run came, what it took, step by step, and which answers could not be used."""
    from novum.cli.runs import summary as past
    from novum.cli.shell.terminal import one_line, say, say_heading, say_json, say_table
    from novum.cli.shell.watch import say_steps

    with _ledger() as ledger:
        record = ledger.run(run)
        spend, failures, progress = (
            ledger.spend(record.id),
            past.failures_of(ledger, record),
            past.progress_of(ledger, record),
        )
    if as_json:
        facts = {
            "status": past.status_of(record),
            "spend": spend.model_dump(),
            "failed_answers": [each.model_dump() for each in failures],
        }
        say_json(record.model_dump() | facts)
        return
    for name, value in past.facts_of(record, spend):
        say(f"{name:<11} {one_line(value)}")
    if progress.root.inner:
        say_heading("\nSteps")
        say_steps(progress)
    if failures:
        say_heading("\nAnswers that could not be used")
        rows = (
            [str(each.data.get(key, "")) for key in ("prompt", "model", "problem")]
            + [each.step, one_line(str(each.data.get("told", "")), 300)]
            for each in failures
        )
        say_table(("prompt", "model", "problem", "step", "what happened"), rows)


@app.command(
    "resume", epilog=examples("novum runs resume last", "novum runs resume last --budget-usd 2 --out my-report")
)
def resume_run(
    run: RunId,
    *,
    budget_usd: Annotated[float | None, typer.Option(help="New ceiling for the whole run, US dollars.")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="New ceiling for the whole run, tokens.")] = None,
    budget_calls: Annotated[int | None, typer.Option(help="New ceiling for the whole run, calls.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report; else novum-reports/RUN.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The whole outcome as JSON on stdout, messages on stderr.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the outcome.")] = False,
    anyway: Annotated[bool, typer.Option("--anyway", help="Even if another process seems to be at it.")] = False,
) -> None:
    """Go on with a run that was stopped, failed or interrupted. No answered question is asked again."""
    from novum.cli.runs.resume import Wishes, go_on
    from novum.runs import engine as runs
    from novum.settings import load_settings

    with _ledger() as ledger:
        record = ledger.run(run)
    budgets = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls}
    settings = load_settings(
        runs.settings_of(record) | {name: value for name, value in budgets.items() if value is not None}
    )
    go_on(record, settings, Wishes(out, as_json, quiet, anyway))


@app.command(
    "export", epilog=examples("novum runs export last --out my-report", "novum runs export last --calls > calls.jsonl")
)
def export_run(
    run: RunId,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report; else novum-reports/RUN.")
    ] = None,
    calls: Annotated[
        bool,
        typer.Option(
            "--calls",
            help="Instead: each call that the run paid for, a line of JSON with its prompt and answer, on stdout.",
        ),
    ] = False,
) -> None:
    """Write a finished run's report again, or hand out all that was asked and answered."""
    from novum.cli.shell.session import REPORTS_FOLDER
    from novum.cli.shell.terminal import say, say_json_line
    from novum.errors import BadInput
    from novum.reports import write_report
    from novum.runs.engine import report_of

    with _ledger() as ledger:
        record = ledger.run(run)
        if calls:
            for call in ledger.used_calls(record.id):
                say_json_line(_call_as_json(call))
            return
    if not record.result:
        raise BadInput(
            f"Run {record.id} has no result yet. Finish it by `novum runs resume {record.id}`, "
            "or take what was asked so far by --calls."
        )
    files = write_report(report_of(record), out or REPORTS_FOLDER / record.id)
    for file in (files.html, files.markdown, files.json, files.bibtex):
        say(str(file))


@contextmanager
def _ledger() -> Iterator[Ledger]:
    from novum.ledger import Ledger
    from novum.settings import load_settings

    with Ledger.open(load_settings().ledger_place) as ledger:
        yield ledger


def _call_as_json(call: Call) -> dict[str, object]:
    """A call with its conversation unfolded. The fence, another word in every call, is told by its name."""
    import json

    from novum.prompts import FENCE

    conversation = [
        {"role": role, "content": content.replace(FENCE, "fence")} for role, content in json.loads(call.messages)
    ]
    return call.model_dump() | {"messages": conversation, "settings": json.loads(call.settings)}
