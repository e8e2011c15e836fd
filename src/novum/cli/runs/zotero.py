"""`novum runs export --to zotero:…`: the ideas of a run as notes in Zotero."""

from __future__ import annotations

import os

from novum.cli.shell import durable
from novum.cli.shell.terminal import print_line
from novum.cli.shell.workplace import in_workplace
from novum.core import IdeationReport
from novum.errors import BadInput
from novum.integrations.zotero.writing import ZoteroExport, write_ideas
from novum.lab import Workplace
from novum.ledger import Ledger
from novum.literature.zotero.library import zotero_client
from novum.literature.zotero.place import PREFIX, ZoteroPlace, is_zotero
from novum.reports.phrases import count
from novum.runs.kinds import entry_of
from novum.settings import load_settings

STOPPED = "Stopped. Notes that were written stay; the same command writes the rest."


def export_to_zotero(run: str, to: str, *, with_papers: bool, has_more: bool) -> None:
    """Writes the ideas of a stored run to the place `to`. Raises BadInput for another place, or a run without ideas."""
    if not is_zotero(to):
        raise BadInput(f"--to {to}: ideas can be written to Zotero. Write --to {PREFIX} or --to {PREFIX}COLLECTION")
    if has_more:
        raise BadInput("--to goes by itself: leave --out and --calls for another `novum runs export`.")
    named = ZoteroPlace.read(to)
    report = _report_of(run)

    async def job(place: Workplace) -> ZoteroExport:
        addresses = place.settings.values.source_addresses
        async with zotero_client(named, addresses, os.environ) as client:
            return await write_ideas(client, named, place.library, report, with_papers=with_papers)

    _print(in_workplace(job, STOPPED), with_papers=with_papers)


def _report_of(run: str) -> IdeationReport:
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = ledger.run(run)
    if record.kind != "ideate":
        raise BadInput(f"Run {record.id} is no run of `novum ideate`: the ideas of such runs can be written to Zotero.")
    report = durable.replay_run(entry_of(record).load(), record)
    if not isinstance(report, IdeationReport) or not report.ideation.candidates:
        raise BadInput(f"Run {record.id} has no idea yet. Continue it: novum runs resume {record.id}")
    return report


def _print(done: ZoteroExport, *, with_papers: bool) -> None:
    there = f", {done.notes_present:,} were there already" if done.notes_present else ""
    print_line(f"Zotero {done.place}: {count(done.notes, 'note')} created{there}.")
    if with_papers:
        print_line(f"Papers added: {done.items:,}")
    print_line(f"Papers that the notes link to: {done.linked:,}")
