"""`novum library`: the papers that ideas rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.library.summary import line_of
from novum.cli.shell.group import examples
from novum.cli.shell.options import A_DATE, AsJson, read_date
from novum.cli.shell.terminal import print_heading, print_json, print_line, print_pieces, print_table
from novum.cli.shell.workplace import in_workplace
from novum.core import Identifiers, Paper
from novum.errors import BadInput
from novum.files.atomic import atomic_path
from novum.lab import Workplace
from novum.literature import Filters, ImportReport, LibraryStats, export, install_starter
from novum.literature.exporting import form_by_name


@examples("novum library starter")
def starter() -> None:
    """Add the starter papers to your own. The first run does this for an empty library."""

    async def job(place: Workplace) -> ImportReport:
        report = install_starter(place.library)
        await place.library.index()
        return report

    print_line(line_of(in_workplace(job)))


@examples(
    'novum library search "graph neural networks molecules"',
    'novum library search "gene editing" --before 2020-01-01 --limit 5',
)
def search(
    query: Annotated[
        str, typer.Argument(help="Words or a sentence; found by words and by meaning.", show_default=False)
    ],
    *,
    k: Annotated[int, typer.Option("--limit", min=1, help="How many papers.")] = 10,
    before: Annotated[str | None, typer.Option(metavar=A_DATE, help="Only papers public before this day.")] = None,
    since: Annotated[str | None, typer.Option(metavar=A_DATE, help="Only papers public on this day or later.")] = None,
    field: Annotated[list[str] | None, typer.Option(help="Only papers of this field; repeatable.")] = None,
    venue: Annotated[list[str] | None, typer.Option(help="Only papers of this venue; repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find papers, best first."""
    filters = Filters(
        before=read_date(before, "--before"),
        since=read_date(since, "--since"),
        fields=tuple(field or ()),
        venues=tuple(venue or ()),
    )
    hits = in_workplace(lambda place: place.library.search(query, k, filters))
    if as_json:
        print_json([hit.model_dump(mode="json") for hit in hits])
    elif hits:
        print_table(
            ("cosine", "year", "paper", "authors", "id"),
            ((f"{hit.similarity:.2f}", *_brief(hit.paper)) for hit in hits),
        )
    else:
        print_line("Nothing was found. `novum library stats` shows what the library holds.")


@examples("novum library show arxiv:2201.11903", 'novum library show "Attention is all you need"')
def show_paper(
    paper: Annotated[str, typer.Argument(help="Id of a paper, doi:…, arxiv:…, or its title.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """One paper with what it cites and what cites it."""
    found, cited, citing = in_workplace(lambda place: _neighbourhood(place, paper))
    if as_json:
        print_json(
            found.model_dump(mode="json")
            | {"cites": [each.id for each in cited], "cited_by": [each.id for each in citing]}
        )
        return
    for name, value in _facts(found):
        print_line(f"{name:<10} {value}")
    for heading, papers in (("It cites", cited), ("Cited by", citing)):
        if papers:
            print_heading(f"\n{heading}")
            print_table(("year", "paper", "authors", "id"), map(_brief, papers))


@examples("novum library stats", "novum library stats --json")
def stats(as_json: AsJson = False) -> None:
    """What the library holds, in numbers."""

    async def job(place: Workplace) -> tuple[str, LibraryStats]:
        return str(place.library.folder), place.library.stats()

    folder, held = in_workplace(job)
    if as_json:
        print_json(held.model_dump(mode="json") | {"folder": folder})
        return
    for name, value in _numbers(held):
        print_line(f"{name:<11} {value}")
    if not held.papers:
        print_line("Add papers with `novum library add`; the first run adds the starter library.")


@examples(
    "novum library export > papers.jsonl",
    "novum library export --field 'materials for energy' --out materials.bib",
    "novum library export --out library.ris",
    "novum library export --format csl > papers.json",
)
def export_papers(
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="jsonl, bibtex, ris or csl; all can be imported again. Default: by the ending of --out, else jsonl.",
        ),
    ] = None,
    field: Annotated[list[str] | None, typer.Option(help="Only papers of this field; repeatable.")] = None,
    before: Annotated[str | None, typer.Option(metavar=A_DATE, help="Only papers public before this day.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="File to write; else stdout.")] = None,
) -> None:
    """Write papers to a file, for another program or another library."""
    filters = Filters(before=read_date(before, "--before"), fields=tuple(field or ()))

    async def job(place: Workplace) -> None:
        pieces = export(place.library.papers(filters), form or form_by_name(str(out or "")))
        if out is None:
            print_pieces(pieces)
            return
        try:
            with atomic_path(out) as draft, draft.open("w", encoding="utf-8", errors="replace") as file:
                file.writelines(pieces)
        except OSError as error:
            raise BadInput(
                f"{out} cannot be written: {error.strerror or error}. Name another file by --out."
            ) from error

    in_workplace(job)


async def _neighbourhood(place: Workplace, name: str) -> tuple[Paper, list[Paper], list[Paper]]:
    """A paper by any of its names, with what it cites and what cites it. Raises BadInput when there is none."""
    library = place.library
    scheme, mark, value = name.partition(":")
    is_identifier = mark and scheme.lower() in Identifiers.model_fields
    by_name = library.by_identifier(scheme.lower(), value) if is_identifier else None
    found = library.get(name) or by_name or library.by_identifier("doi", name) or library.find(name)
    if found is None:
        raise BadInput(
            f"The library has no paper {name!r}. "
            "Search with `novum library search`, or add it with `novum library add`."
        )
    return found, library.references(found.id), library.citing(found.id)


def _numbers(held: LibraryStats) -> list[tuple[str, str]]:
    years = f", {min(held.years)} to {max(held.years)}" if held.years else ""
    texts = f"{held.abstracts:,} with abstract, {held.summaries:,} with summary, {held.full_texts:,} with full text"
    ready = "ready" if held.indexes_current else "brought up to date by the next search"
    return [
        ("papers", f"{held.papers:,}{years}; {texts}"),
        ("citations", f"{held.links:,} between them; {held.waiting:,} to papers that are not here"),
        ("fields", ", ".join(f"{name} ({number})" for name, number in held.fields.items()) or "none"),
        ("indexes", f"{ready}; vectors by {held.embedder or 'nobody yet'}"),
    ]


def _brief(paper: Paper) -> tuple[str, str, str, str]:
    return str(paper.year or ""), paper.title, paper.short_authors, paper.id


def _facts(paper: Paper) -> list[tuple[str, str]]:
    count = "" if paper.citation_count is None else f"{paper.citation_count:,} by its source's count"
    facts = [
        ("title", paper.title),
        ("authors", ", ".join(paper.authors)),
        ("public", str(paper.date or paper.year or "unknown")),
        ("venue", paper.venue),
        ("fields", ", ".join(paper.fields)),
        ("ids", ", ".join(f"{scheme}:{value}" for scheme, value in paper.ids.items())),
        ("citations", count),
        ("id", paper.id),
        ("abstract" if paper.abstract else "summary", paper.gist),
    ]
    return [(name, value) for name, value in facts if value]
