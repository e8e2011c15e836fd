"""`novum runs export --to zotero:…`: the ideas of a run as notes in Zotero."""

from __future__ import annotations

from novum.cli.shell import durable
from novum.cli.shell.terminal import print_line
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.integrations.zotero.writing import ZoteroExport, export_ideas, zotero_place
from novum.lab import Workplace
from novum.ledger import Ledger
from novum.reports.phrases import count
from novum.runs.kinds import entry_of
from novum.settings import load_settings

_STOPPED = "Stopped. Notes that were written stay; the same command writes the rest."


def export_to_zotero(run: str, to: str, *, with_papers: bool, has_more: bool) -> None:
    """Writes the ideas of a stored run to the place `to`. Raises BadInput for another place, or a run without ideas."""
    zotero_place(to)
    if has_more:
        raise BadInput("--to goes by itself: leave --out and --calls for another `novum runs export`.")
    with Ledger.open(load_settings().ledger_place) as ledger:
        record = ledger.run(run)
    outcome = durable.replay_run(entry_of(record).load(), record)

    async def job(place: Workplace) -> ZoteroExport:
        return await export_ideas(place, outcome, record.id, to, with_papers=with_papers)

    _print(in_workplace(job, _STOPPED), with_papers=with_papers)


def _print(done: ZoteroExport, *, with_papers: bool) -> None:
    there = f", {done.notes_present:,} were there already" if done.notes_present else ""
    print_line(f"Zotero {done.place}: {count(done.notes, 'note')} created{there}.")
    if with_papers:
        print_line(f"Papers added: {done.items:,}")
    print_line(f"Papers that the notes link to: {done.linked:,}")
