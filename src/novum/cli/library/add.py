"""`novum library add` and `import`: papers from services, files and PDFs into the library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from novum.cli.library import summary
from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import A_DATE, A_FOLDER, AsJson, Ray, panel_option, read_date_or_year
from novum.cli.shell.terminal import one_line, print_json, print_message
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.lab import Workplace
from novum.literature.fetching.gathering import GatheringResult
from novum.literature.sources import Search
from novum.literature.zotero.place import ZoteroPlace, is_zotero
from novum.literature.zotero.reading import ZoteroReport
from novum.runs import library as filling

_SEARCH, _PDF, _ZOTERO = "Papers from services", "Papers from PDFs", "Papers from Zotero"
_NAMED_AS_FILE = re.compile(r"\S+\.(jsonl|ndjson|json|csljson|bib|bibtex|ris|nbib|pdf|gz)", re.IGNORECASE)


@examples(
    'novum library add "graph neural networks drug discovery"',
    'novum library add --source openalex "drug discovery" --since 2018 --limit 5000 --with-citations 1',
    'novum library add --source acl-anthology --venue emnlp --since 2023 "argument mining"',
    "novum library add --pdf my-papers",
    "novum library add refs.bib endnote.ris dblp_v14.json.gz",
    "novum library add openalex-snapshot --ray 10.0.0.1:6379",
    "novum library add zotero:",
    'novum library add "zotero:My Thesis/Chapter 2" --with-full-texts --with-citations 1',
    "novum library add zotero:groups/12345",
)
def add(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS|FILE|zotero:...",
            help="Words to look for, or files and folders of papers, or a library or collection of Zotero. "
            "A name of an existing file is a file, unless --source is given.",
            show_default=False,
        ),
    ] = None,
    *,
    source: Annotated[
        list[str] | None,
        panel_option(
            _SEARCH,
            "Service to ask; repeatable: semantic-scholar, openalex, europe-pmc, arxiv, crossref, dblp, "
            "core, unpaywall, openreview, acl-anthology. "
            "Without it: the setting `sources`, else openalex, arxiv, and semantic-scholar if its key is set.",
            metavar="NAME",
        ),
    ] = None,
    since: Annotated[
        str | None, panel_option(_SEARCH, "Public in this year or on this day, or later.", metavar=A_DATE)
    ] = None,
    before: Annotated[str | None, panel_option(_SEARCH, "Public before this day, or year.", metavar=A_DATE)] = None,
    field: Annotated[
        list[str] | None, panel_option(_SEARCH, "Of this field, as the service calls it; repeatable.")
    ] = None,
    venue: Annotated[
        list[str] | None, panel_option(_SEARCH, "Of this venue, as the service calls it; repeatable.")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="Papers of each service at most, and of each step.", rich_help_panel=_SEARCH)
    ] = 200,
    with_citations: Annotated[
        int,
        typer.Option(
            min=0,
            max=2,
            help="Steps along citations: what the papers cite and what cites them.",
            rich_help_panel=_SEARCH,
        ),
    ] = 0,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Do not use stored responses of services; read unchanged files again."),
    ] = False,
    pdf: Annotated[
        list[Path] | None, panel_option(_PDF, "Folder of PDFs, or one; repeatable.", metavar=A_FOLDER)
    ] = None,
    grobid: Annotated[
        str | None, panel_option(_PDF, "GROBID server that reads them; else the setting `grobid`.", metavar="URL")
    ] = None,
    with_full_texts: Annotated[
        bool,
        typer.Option(
            "--with-full-texts",
            help="Also the texts of the papers' files, as Zotero indexed them.",
            rich_help_panel=_ZOTERO,
        ),
    ] = False,
    ray: Ray = None,
    as_json: AsJson = False,
) -> None:
    """Add papers from services, files, PDFs or Zotero. A paper that is there already is completed, not added twice.

    Press Ctrl-C at any time: papers added so far are stored, and the same command continues from there.

    zotero: is your whole library in Zotero, zotero:COLLECTION a collection of it, zotero:groups/ID a group's library.

    With ZOTERO_API_KEY it is read at zotero.org, later only what changed; without, from Zotero on this computer.

    Zotero knows no citations: --with-citations 1 fetches those of all its papers from services.
    """
    if what == ["zotero"] and not source:
        raise BadInput("Write zotero: with a colon for your library in Zotero. To look for the word: --source NAME.")
    if any(map(is_zotero, what or ())):
        if len(what or ()) != 1 or pdf or (source and not with_citations):
            raise BadInput(
                'zotero:… goes by itself. A name with blanks is written in quotes: novum library add "zotero:My Thesis"'
            )
        options = ZoteroOptions(with_full_texts, with_citations, limit, tuple(source or ()), fresh)
        _add_from_zotero(ZoteroPlace.read("".join(what or ())), options, as_json=as_json)
        return
    if with_full_texts:
        raise BadInput("--with-full-texts is for zotero:… alone. For papers of arXiv: novum library full-texts TOPIC")
    if pdf and (what or source):
        raise BadInput("--pdf goes by itself: add words and files by another `novum library add`.")
    files = [] if source else _files(what or ())
    if ray and not files:
        raise BadInput("--ray is for files of papers: name some, or leave it out.")
    if pdf:
        _add_pdfs(pdf, grobid, fresh=fresh, as_json=as_json)
    elif files:
        _add_files(files, ray, fresh=fresh, as_json=as_json)
    else:
        search = _search(" ".join(what or ()), since, before, field or (), venue or (), limit)
        _add_from_sources(search, source or (), with_citations, fresh=fresh, as_json=as_json)


@examples("novum library import my.bib endnote.ris pubmed.nbib", "novum library import zotero.json openalex.jsonl.gz")
def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Files or folders of papers, also gzipped.", show_default=False),
    ],
    ray: Ray = None,
) -> None:
    """Add files of papers: the same as `novum library add FILE...`.

    BibTeX, RIS (EndNote, Scopus, Web of Science), NBIB (PubMed), CSL-JSON (Zotero), and JSON lines.

    Also DBLP-Citation-network, and data sets of OpenAlex and Semantic Scholar.
    """
    if named := next((str(file) for file in files if is_zotero(str(file))), ""):
        raise BadInput(f'Zotero is no file: novum library add "{named}"')
    _add_files(files, ray, fresh=False, as_json=False)


def _files(what: Sequence[str]) -> list[Path]:
    """The files that are meant; none when words are. Raises BadInput for a file that does not exist."""
    existing = [Path(each) for each in what if _exists(each)]
    missing = [each for each in what if not _exists(each) and (existing or _NAMED_AS_FILE.fullmatch(each))]
    if missing:
        raise BadInput(f"There is no file {missing[0]}. Name files that exist, or words to look for in quotes.")
    return existing


def _exists(name: str) -> bool:
    try:
        return bool(name.strip()) and Path(name).exists()
    except (OSError, ValueError):  # too long, or with a character that no file name has: words
        return False


def _search(
    words: str, since: str | None, before: str | None, fields: Sequence[str], venues: Sequence[str], limit: int
) -> Search:
    """Raises BadInput for what cannot be looked for."""
    if not words.strip() and not venues:
        raise BadInput('Say what to add: words in quotes, a file, or --pdf DIR. Like novum library add "my topic"')
    first, last = read_date_or_year(since, "--since"), read_date_or_year(before, "--before")
    if first and last and first >= last:
        raise BadInput(f"No paper is public since {first} and before {last}. Exchange --since and --before.")
    return Search(
        text=" ".join(words.split()), since=first, before=last, fields=tuple(fields), venues=tuple(venues), limit=limit
    )


def _add_from_sources(search: Search, names: Sequence[str], steps: int, *, fresh: bool, as_json: bool) -> None:
    async def job(place: Workplace) -> GatheringResult:
        summary.print_ignored_filters(filling.chosen_sources(place, names), search)
        with library_progress() as progress:
            result = await filling.add_from_sources(place, search, names, steps=steps, fresh=fresh, progress=progress)
        if not as_json:
            summary.print_gathering(result)
            summary.print_total(place.library)
        return result

    result = in_workplace(job)
    if as_json:
        print_json(result.model_dump(mode="json"))


def _add_files(files: Sequence[Path], ray: str | None, *, fresh: bool, as_json: bool) -> None:
    async def job(place: Workplace) -> filling.FilesResult:
        with library_progress() as progress:
            return await filling.add_files(place, files, ray=ray, fresh=fresh, progress=progress)

    result = in_workplace(job)
    if as_json and result.reports:
        print_json([report.model_dump(mode="json") for report in result.reports])
    elif not as_json:
        for report in result.reports:
            summary.print_file(report)
    summary.print_rejects(result.reports)
    if result.refused:
        raise BadInput(" ".join(result.refused))
    if (
        result.reports
        and all(report.rejected == report.read for report in result.reports)
        and any(report.rejected for report in result.reports)
    ):
        raise BadInput(
            f"Nothing in {', '.join(map(str, files))} could be read as a paper. "
            "The lines above say why; nothing was changed."
        )


@dataclass(frozen=True)
class ZoteroOptions:
    """What is read besides the items: texts of files, and citations by services of these names."""

    full_texts: bool
    steps: int
    limit: int
    names: tuple[str, ...]
    fresh: bool


def _add_from_zotero(named: ZoteroPlace, options: ZoteroOptions, *, as_json: bool) -> None:
    async def job(place: Workplace) -> ZoteroReport:
        with library_progress() as progress:
            result = await filling.add_from_zotero(
                place, named, full_texts=options.full_texts, steps=options.steps, limit=options.limit,
                names=options.names, fresh=options.fresh, progress=progress,
            )  # fmt: skip
        if not as_json:
            summary.print_zotero(result)
            summary.print_total(place.library)
        return result

    result = in_workplace(job)
    if as_json:
        print_json(result.model_dump(mode="json"))


def _add_pdfs(folders: Sequence[Path], grobid: str | None, *, fresh: bool, as_json: bool) -> None:
    async def job(place: Workplace) -> filling.PdfsResult:
        with library_progress() as progress:
            result = await filling.add_pdfs(place, folders, grobid=grobid, fresh=fresh, progress=progress)
        for remark in result.remarks:
            print_message(one_line(remark, 300))
        if not as_json:
            summary.print_reports(result.reports)
            summary.print_total(place.library)
        return result

    result = in_workplace(job)
    if as_json:
        print_json([report.model_dump(mode="json") for report in result.reports])
    summary.print_rejects(result.reports)
