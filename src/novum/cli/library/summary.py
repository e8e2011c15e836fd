"""Lines about what was added to the library: counts of each source or file, and where the rejects are listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from novum.cli.shell.terminal import one_line, print_line, print_message
from novum.reports.phrases import count

if TYPE_CHECKING:
    from novum.literature import ImportReport, Library
    from novum.literature.fetching.gathering import GatheringResult
    from novum.literature.importing.progress import FileReport
    from novum.literature.sources import Search, Source
    from novum.literature.zotero.reading import ZoteroReport

_MOST_REJECTS = 100


def line_of(report: ImportReport) -> str:
    """One source or file: `refs.bib: 12 added, 3 merged with known ones, 0 known already`."""
    counts = [
        f"{report.added:,} added",
        f"{report.merged:,} merged with known ones",
        f"{report.unchanged:,} known already",
    ]
    counts += [f"{count(report.links, 'citation link')} found"] if report.links else []
    counts += [f"{report.rejected:,} could not be read"] if report.rejected else []
    return f"{one_line(report.source, 120)}: {', '.join(counts)}"


def print_reports(reports: Iterable[ImportReport]) -> None:
    """Prints a line for each report."""
    for report in reports:
        print_line(line_of(report))


def print_file(report: FileReport) -> None:
    """Prints the result of importing a file or folder."""
    if report.read_before:
        print_line(f"{one_line(report.source, 120)}: was read before and has not changed")
        return
    if report.resumed_at:
        print_message(
            f"{report.source}: continued after the first {report.resumed_at:,} records, which were added before."
        )
    repaired = f", {report.repaired:,} repaired" if report.repaired else ""
    print_line(line_of(report) + repaired)


def print_rejects(reports: Sequence[FileReport]) -> None:
    """Prints the first rejects with their reasons, and the file that lists all of them."""
    rejects = [reject for report in reports for reject in report.rejects]
    for reject in rejects[:_MOST_REJECTS]:
        print_message(one_line(str(reject), 400))
    number = sum(report.rejected for report in reports)
    if number > len(rejects[:_MOST_REJECTS]):
        print_message(f"… and {number - len(rejects[:_MOST_REJECTS]):,} more.")
    for file in dict.fromkeys(report.rejects_file for report in reports if report.rejects_file):
        print_message(f"What was left out, or repaired, is listed in {file}")


def print_ignored_filters(chosen: Sequence[Source], search: Search) -> None:
    """Prints which services cannot filter by the field or venue of the search."""
    for one, values in (("field", search.fields), ("venue", search.venues)):
        if values and (ignoring := [source.title for source in chosen if f"{one}s" not in source.filters_by]):
            print_message(f"{' and '.join(ignoring)} cannot be asked by {one}: what comes from there is of any.")


def print_gathering(done: GatheringResult) -> None:
    """Prints what services returned, and which of them failed."""
    for report in done.reports:
        print_line(line_of(report).replace("could not be read", "left out"))
    for line in done.aside:
        print_message(f"Not used further: {one_line(line, 400)}")
    if done.rejects_file:
        print_message(f"What was left out is listed in {done.rejects_file}")


def print_zotero(done: ZoteroReport, problem: str = "") -> None:
    """Prints what came from Zotero, or the `problem` why nothing came."""
    if problem:
        print_message(f"Not read: {one_line(problem, 400)}")
    elif done.unchanged:
        print_line("Zotero: nothing has changed since the last time.")
    else:
        line = line_of(done.report).replace("could not be read", "left out, being no papers or without title")
        print_line(f"{line}; only what changed since the last time was read" if done.since else line)
    if done.parts:
        print_line(f"Notes and files that belong to no paper: {done.parts:,}")
    if done.full_texts:
        print_line(f"Full texts added: {done.full_texts:,}")
    if done.rejects_file:
        print_message(f"What was left out is listed in {done.rejects_file}")
    if done.citations:
        print_gathering(done.citations)
    elif done.report.added:
        print_message("Zotero knows no citations. To fetch those of its papers: the same command --with-citations 1")


def print_total(library: Library) -> None:
    """Prints how much the library holds now."""
    stats = library.stats()
    papers, links = count(stats.papers, "paper"), count(stats.links, "citation link")
    print_line(f"The library holds {papers} and {links} among them.")
