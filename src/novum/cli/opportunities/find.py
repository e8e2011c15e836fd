"""`novum opportunities "topic"`: pairs of concepts that its literature has not linked yet, the best first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from novum.cli.opportunities.options import AsJson, LibraryNamed, print_steps
from novum.cli.opportunities.text import print_opportunities
from novum.cli.shell.group import examples
from novum.cli.shell.paper_source import add_and_embed_papers, paper_source
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_message
from novum.cli.shell.workplace import in_workplace
from novum.core.opportunity import OpportunityKind, OpportunityList
from novum.errors import BadInput
from novum.lab import Workplace
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search.find import TOO_FEW, find_opportunities
from novum.reports.opportunities.files import opportunities_data, refuse_folder, write_opportunities
from novum.runs.live_papers import live_papers

_STOPPED = "Stopped. What was built before is unchanged."


@with_pdf
@examples(
    'novum opportunities "graph neural networks"',
    'novum opportunities "reinforcement learning" --kind transfer --kind bridge --since 2018',
    'novum opportunities "solid electrolytes" --concept batteries --exclude carbon',
    'novum opportunities "genome editing" --json > opportunities.json',
    'novum opportunities "genome editing" --out opportunities',
)
def find(
    *,
    topic: Annotated[str, typer.Argument(help="Topic, in your own words.", show_default=False)],
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=200, help="Opportunities at most.")] = 20,
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only this kind: bridge, transfer, rising, dormant, follow-up; repeatable."),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="Both concepts belong to this field of the library; repeatable. An unknown name is answered "
            "with the fields there are."
        ),
    ] = None,
    since: Annotated[
        int | None,
        typer.Option(
            metavar="YEAR",
            min=1,
            max=9999,
            help="Concepts that have papers of this year or later; only those are shown.",
        ),
    ] = None,
    until: Annotated[
        int | None, typer.Option(metavar="YEAR", min=1, max=9999, help="The same, of this year or earlier.")
    ] = None,
    with_concept: Annotated[str, typer.Option("--concept", help="Only pairs with this concept.")] = "",
    exclude: Annotated[list[str] | None, typer.Option(help="No concept that has these words; repeatable.")] = None,
    why: Annotated[
        bool, typer.Option("--explain/--no-explain", help="Print reasons and papers below each opportunity.")
    ] = True,
    library: LibraryNamed = None,
    live: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="NAME",
            help="Fetch papers from this service where the library has too few, such as openalex; repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A folder for a page with the concept map, the opportunities as JSON, and the papers as BibTeX.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Go on where the library has too few papers on the topic.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find pairs of concepts that the literature of a topic has not linked yet.

    Each pair comes with the probability that papers in this library will link it soon, with reasons and with papers of
    both sides.
    It is computed from the papers alone, without a language model.
    The first search of a library builds its concept map.
    """
    query = _query(kind, field, since, until, with_concept, exclude)
    _check(topic, query, out)
    source = paper_source(library)

    async def job(place: Workplace) -> OpportunityList:
        await add_and_embed_papers(place, source)
        async with live_papers(place, print_message) as fetch:
            with print_steps() as progress:
                return await find_opportunities(place.library, topic, query, count, progress, force=force, fetch=fetch)

    result = in_workplace(job, _STOPPED, {"library": source.library, "sources": ",".join(live or ())})
    written = _write(result, out) if out is not None else ""  # first, since a pipe may close stdout early
    if as_json:
        print_json(opportunities_data(result))
    else:
        print_opportunities(result, why=why, page=out is not None)
        if not force and any(note.startswith(TOO_FEW) for note in result.notes):
            print_message("With --force the search goes on where the library has too few papers.")
    if written:
        print_message(written)


def _query(
    kind: list[str] | None, field: list[str] | None, since: int | None, until: int | None, with_concept: str,
    exclude: list[str] | None,
) -> OpportunityQuery:  # fmt: skip
    kinds = get_args(OpportunityKind)
    if unknown := [each for each in kind or () if each not in kinds]:
        raise BadInput(f"There is no kind of opportunity “{unknown[0]}”. Kinds: {', '.join(kinds)}.")
    return OpportunityQuery(
        kinds=tuple(each for each in kinds if each in (kind or ())), fields=tuple(field or ()), since=since,
        until=until, with_concept=with_concept.strip(), exclude=tuple(exclude or ()),
    )  # fmt: skip


def _check(topic: str, query: OpportunityQuery, out: Path | None) -> None:
    """Raises BadInput for wrong options, before any work is done."""
    if not topic.strip() and not query.with_concept:
        raise BadInput('The topic is empty. Name one: novum opportunities "graph neural networks".')
    if query.since is not None and query.until is not None and query.since > query.until:
        raise BadInput(f"--since {query.since} is later than --until {query.until}. Swap them.")
    if out is not None:
        refuse_folder(out)


def _write(opportunities: OpportunityList, folder: Path) -> str:
    """Writes the report; returns a line that names the files."""
    files = write_opportunities(opportunities, folder)
    rest = ", ".join(path.name for path in (files.json, *files.others))
    return f"Written: {files.html}, the page; beside it {rest}."
