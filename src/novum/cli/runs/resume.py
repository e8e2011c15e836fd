"""`novum runs resume` and `export`, for runs of every kind in the table `novum.runs.kinds`."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from novum.cli.runs.commands import RunId
from novum.cli.runs.zotero import export_to_zotero
from novum.cli.shell import durable
from novum.cli.shell.group import examples
from novum.cli.shell.output import REPORTS_FOLDER, OutputOptions, check_writable
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json_line, print_line
from novum.errors import BadInput
from novum.ledger import Call, Ledger
from novum.ledger.failures import damage_failure
from novum.prompts import FENCE
from novum.runs.engine import settings_to_resume
from novum.runs.kinds import entry_of
from novum.settings import load_settings

Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder of the report and files; else novum-reports/RUN.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="The whole outcome as JSON on stdout, messages on stderr.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the outcome.")]


@with_pdf
@examples("novum runs resume last", "novum runs resume last --budget-usd 2 --out my-report")
def resume_run(
    run: RunId,
    *,
    budget_usd: Annotated[float | None, typer.Option(help="New limit for the whole run, US dollars.")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="New limit for the whole run, tokens.")] = None,
    budget_calls: Annotated[int | None, typer.Option(help="New limit for the whole run, calls.")] = None,
    out: Out = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    force: Annotated[
        bool, typer.Option("--force", help="Continue even if another process seems to work on the run.")
    ] = False,
) -> None:
    """Continue a run that was stopped, failed or interrupted. No recorded response is requested again.

    A finished run is shown again, and its files are written again.
    """
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = ledger.run(run)
    entry = entry_of(record)
    budgets = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls}
    given = {name: each for name, each in budgets.items() if each is not None}
    settings = load_settings(settings_to_resume(record) | given)
    check_writable(out.parent if out is not None and out.suffix else out or REPORTS_FOLDER)
    output = OutputOptions(out, as_json, quiet)
    output.note(f"Resuming {record.id} ({entry.description}) with the settings that it was started with.")
    outcome = durable.resume_run(entry.load(), record, settings, quiet=quiet, force=force)
    entry.load_show()(outcome, output)
    durable.check_finished(outcome, record.id)


@with_pdf
@examples(
    "novum runs export last --out my-report",
    "novum runs export last --pdf",
    "novum runs export last --calls > calls.jsonl",
    'novum runs export last --to "zotero:My Ideas" --with-papers',
)
def export_run(
    run: RunId,
    *,
    out: Out = None,
    calls: Annotated[
        bool,
        typer.Option("--calls", help="Instead: every call that the run used, as lines of JSON on stdout."),
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="zotero:...",
            help="Instead: each idea as a note in Zotero: zotero:COLLECTION, zotero: for the library itself, "
            "zotero:groups/ID/COLLECTION for a group. Needs a key with write access in ZOTERO_API_KEY.",
        ),
    ] = None,
    with_papers: Annotated[
        bool, typer.Option("--with-papers", help="With --to: also add the papers that Zotero does not have.")
    ] = False,
) -> None:
    """Write the report and files of a run again, as far as it came, or all requests and responses. Asks no model.

    Prints the names of the files on stdout, and what the run came to on stderr.

    With --to, the ideas are written to Zotero instead. A repeated command creates nothing twice.
    """
    if to is not None:
        export_to_zotero(run, to, with_papers=with_papers, has_more=calls or out is not None)
        return
    if with_papers:
        raise BadInput("--with-papers goes with --to: novum runs export last --to zotero: --with-papers")
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = ledger.run(run)
        if calls:
            for call in ledger.used_calls(record.id):
                print_json_line(_call_as_json(call))
            return
    entry = entry_of(record)
    outcome = durable.replay_run(entry.load(), record)
    place = out or REPORTS_FOLDER / record.id
    before = _files_at(place)
    with redirect_stdout(sys.stderr):
        entry.load_show()(outcome, OutputOptions(place))
        if (write_page := entry.load_page()) is not None:
            write_page(outcome, OutputOptions(place))
    for file, changed in sorted(_files_at(place).items()):
        if before.get(file) != changed:
            print_line(str(file))


def _files_at(place: Path) -> dict[Path, int]:
    """The files of a folder, or those beside a file that share its name, with the times of their last change."""
    files = place.rglob("*") if place.is_dir() else place.parent.glob(f"{place.stem}*")
    return {file: file.stat().st_mtime_ns for file in files if file.is_file()}


def _call_as_json(call: Call) -> dict[str, object]:
    """A call with its conversation unfolded. The fence around untrusted text, which is random, becomes a fixed word."""
    try:
        conversation = [{"role": role, "content": text.replace(FENCE, "fence")} for role, text in call.conversation]
        return call.model_dump() | {"messages": conversation, "settings": json.loads(call.settings)}
    except ValueError as error:
        raise damage_failure(error) from error
