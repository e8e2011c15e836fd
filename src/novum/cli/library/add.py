"""`novum library add` and `import`: papers from services, files and PDFs into the library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.cluster import Ray
from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.lab import Workplace
    from novum.literature.importing.progress import FileReport
    from novum.literature.sources import Search, Source
    from novum.literature.sources.gathering import GatheringResult

_SEARCH, _PDF = "Papers from services", "Papers from PDFs"
_NAMED_AS_FILE = re.compile(r"\S+\.(jsonl|ndjson|json|csljson|bib|bibtex|pdf|gz)", re.IGNORECASE)



@examples(
    'novum library add "graph neural networks drug discovery"',
    'novum library add --source openalex "drug discovery" --since 2018 --limit 5000 --with-citations 1',
    'novum library add --source acl-anthology --venue emnlp --since 2023 "argument mining"',
    "novum library add --pdf my-papers",
    "novum library add refs.bib dblp_v14.json.gz",
    "novum library add openalex-snapshot --ray 10.0.0.1:6379",
)
def add(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS|FILE...",
            help="Words to look for, or files and folders of papers. What names something that is there is a file, "
            "unless --source is given.",
            show_default=False,
        ),
    ] = None,
    *,
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Service to ask; repeatable: semantic-scholar, openalex, arxiv, crossref, openreview, acl-anthology. "
            "Without it: the setting `sources`, else openalex, arxiv, and semantic-scholar if its key is set.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="DAY", help="Public in this year or on this day, or later.", rich_help_panel=_SEARCH),
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DAY", help="Public before this day, or year.", rich_help_panel=_SEARCH)
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(help="Of this field, as the service calls it; repeatable.", rich_help_panel=_SEARCH),
    ] = None,
    venue: Annotated[
        list[str] | None,
        typer.Option(help="Of this venue, as the service calls it; repeatable.", rich_help_panel=_SEARCH),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(min=1, help="Papers of each service at most, and of each step.", rich_help_panel=_SEARCH),
    ] = 200,
    with_citations: Annotated[
        int,
        typer.Option(
            min=0,
            max=2,
            help="Steps to follow along citations, to what they cite and what cites them.",
            rich_help_panel=_SEARCH,
        ),
    ] = 0,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="Ask services again what they answered within a week; read again what has not changed."
        ),
    ] = False,
    pdf: Annotated[
        list[Path] | None, typer.Option(metavar="DIR", help="Folder of PDFs, or one; repeatable.", rich_help_panel=_PDF)
    ] = None,
    grobid: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="GROBID server that reads them; else the setting `grobid`.", rich_help_panel=_PDF
        ),
    ] = None,
    ray: Ray = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Bring papers in: from services, from files, from PDFs. The same paper twice is one paper.

    Press Ctrl-C at any time. What came in is kept, and the same command goes on from there.
    """
    from novum.errors import BadInput

    if pdf and (what or source):
        raise BadInput("--pdf goes by itself: bring in words and files by another `novum library add`.")
    files = [] if source else _files(what or ())
    if ray and not files:
        raise BadInput("--ray is for files of papers: name some, or leave it out.")
    if pdf:
        _bring_pdfs(pdf, grobid, fresh=fresh, as_json=as_json)
    elif files:
        _bring_files(files, ray, fresh=fresh, as_json=as_json)
    else:
        words = " ".join(what or ())
        search = _search(words, since, before, field or (), venue or (), limit)
        _bring_from_services(search, source or (), with_citations, fresh=fresh, as_json=as_json)


@examples("novum library import my.bib", "novum library import zotero.json openalex.jsonl.gz")
def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files or folders of papers, also gzipped.", show_default=False),
    ],
    ray: Ray = None,
) -> None:
    """Bring files of papers in: the same as `novum library add FILE...`.

    JSON lines, BibTeX, CSL-JSON (Zotero), DBLP-Citation-network, and data sets of OpenAlex and Semantic Scholar.
    """
    _bring_files(files, ray, fresh=False, as_json=False)


def _files(what: Sequence[str]) -> list[Path]:
    """The files that are meant; none when words are. Raises BadInput for a file that is not there."""
    from novum.errors import BadInput

    there = [Path(each) for each in what if _is_there(each)]
    missing = [each for each in what if not _is_there(each) and (there or _NAMED_AS_FILE.fullmatch(each))]
    if missing:
        raise BadInput(f"There is no file {missing[0]}. Name files that are there, or words to look for in quotes.")
    return there


def _is_there(name: str) -> bool:
    try:
        return bool(name.strip()) and Path(name).exists()
    except (OSError, ValueError):  # too long, or with a sign that no name has: words
        return False


def _search(
    words: str, since: str | None, before: str | None, fields: Sequence[str], venues: Sequence[str], limit: int
) -> Search:
    """Raises BadInput for what cannot be looked for."""
    from novum.cli.shell.days import day_or_year
    from novum.errors import BadInput
    from novum.literature.sources import Search

    if not words.strip() and not venues:
        raise BadInput('Say what to bring in: words in quotes, a file, or --pdf DIR. Like novum library add "my topic"')
    first, last = day_or_year(since, "--since"), day_or_year(before, "--before")
    if first and last and first >= last:
        raise BadInput(f"No paper is public since {first} and before {last}. Exchange --since and --before.")
    return Search(
        text=" ".join(words.split()), since=first, before=last, fields=tuple(fields), venues=tuple(venues), limit=limit
    )


def _bring_from_services(search: Search, names: Sequence[str], steps: int, *, fresh: bool, as_json: bool) -> None:
    from novum.cli.library.import_summary import say_gathering, say_total, tell_what_they_ignore
    from novum.cli.shell.library_progress import Rate, embed_and_index, library_progress
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace
    from novum.lab import open_source, source_client
    from novum.literature.sources.gathering import gather

    async def gathered(place: Workplace) -> GatheringResult:
        chosen = [open_source(place.settings, name) for name in dict.fromkeys(names or _usual(place))]
        tell_what_they_ignore(chosen, search)
        with library_progress() as shown:
            async with source_client(place.settings) as visitor:
                told = Rate("papers", shown)
                done = await gather(
                    place.library, visitor, chosen, search, steps=steps, age=0 if fresh else None, told=told
                )
            await embed_and_index(place.library, shown)
        if not as_json:
            say_gathering(done)
            say_total(place.library)
        return done

    done = in_workplace(gathered)
    if as_json:
        print_json(done.model_dump(mode="json"))


def _usual(place: Workplace) -> list[str]:
    """Who is asked when nobody is named: those that answer somebody without a key."""
    from novum.cli.shell.source_keys import key_of
    from novum.lab import open_source

    scholar: Source = open_source(place.settings, "semantic-scholar")
    return list(place.settings.values.sources) or [
        *([scholar.name] if key_of(scholar) else []),
        "openalex",
        "arxiv",
    ]


def _bring_files(files: Sequence[Path], ray: str | None, *, fresh: bool, as_json: bool) -> None:
    from novum.cli.library.import_summary import say_file, tell_rejects
    from novum.cli.shell.library_progress import embed_and_index, library_progress
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace
    from novum.errors import BadInput
    from novum.literature import import_file
    from novum.literature.cluster import workers
    from novum.literature.importing.progress import Progress

    refused: list[str] = []

    async def imported(place: Workplace) -> list[FileReport]:
        reports = []
        with library_progress() as shown, workers(ray) as apply:

            def told(now: Progress) -> None:
                words = f"{now.records:,} records, {now.rate:,.0f} a second"
                shown("reading", now.bytes_read, now.bytes_total, f"{now.file}: {words}")

            for file in files:
                try:
                    reports.append(import_file(place.library, file, told=told, again=fresh or None, apply=apply))
                except BadInput as reason:  # the others come in all the same
                    refused.append(str(reason))
            await embed_and_index(place.library, shown, apply if ray else None)
        return reports

    reports = in_workplace(imported)
    if as_json and reports:
        print_json([report.model_dump(mode="json") for report in reports])
    elif not as_json:
        for report in reports:
            say_file(report)
    tell_rejects(reports)
    if refused:
        raise BadInput(" ".join(refused))
    if reports and all(report.rejected == report.read for report in reports) and any(each.rejected for each in reports):
        raise BadInput(
            f"Nothing in {', '.join(map(str, files))} could be read as a paper. "
            "The lines above say why; nothing was changed."
        )


def _bring_pdfs(folders: Sequence[Path], grobid: str | None, *, fresh: bool, as_json: bool) -> None:
    import os

    from novum.cli.library.import_summary import line_of, say_total, tell_rejects
    from novum.cli.shell.library_progress import Rate, embed_and_index, library_progress
    from novum.cli.shell.terminal import one_line, print_json, print_line, print_message
    from novum.cli.shell.workplace import in_workplace
    from novum.literature.pdf.folder import import_pdfs

    async def imported(place: Workplace) -> list[FileReport]:
        server = place.settings.values.grobid if grobid is None else grobid
        workers = min(_MOST_READERS, os.cpu_count() or 1)
        remarks: list[str] = []
        with library_progress() as shown:
            told = Rate("PDFs", shown)

            async def read(folder: Path) -> FileReport:
                return await import_pdfs(
                    place.library, folder, grobid=server, workers=workers, say=remarks.append, again=fresh,
                    progress=lambda done, total: told(str(folder), done, total),
                )  # fmt: skip

            reports = [await read(folder) for folder in folders]
            await embed_and_index(place.library, shown)
        for remark in remarks:
            print_message(one_line(remark, 300))
        if not as_json:
            for report in reports:
                print_line(line_of(report))
            say_total(place.library)
        return reports

    reports = in_workplace(imported)
    if as_json:
        print_json([report.model_dump(mode="json") for report in reports])
    tell_rejects(reports)


_MOST_READERS = 4
"""PDFs read at once: each may take two gigabytes."""
