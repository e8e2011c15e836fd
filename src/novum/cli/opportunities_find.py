"""`novum opportunities "topic"`: what its literature has not joined yet, the most promising first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from novum.cli.group import examples
from novum.cli.opportunities_options import AsJson, LibraryNamed, shown_steps

if TYPE_CHECKING:
    from novum.core.opening import Opening, Openings
    from novum.lab import Workplace
    from novum.opportunities.wishes import Wishes

EPILOG = examples(
    'novum opportunities "graph neural networks"',
    'novum opportunities "protein design" --kind transfer --kind bridge --since 2018',
    'novum opportunities "perovskite solar cells" --with batteries --exclude energy',
    'novum opportunities "causal discovery" --json > openings.json',
    'novum opportunities "causal discovery" --out openings',
)
_STOPPED = "Stopped. What was built before is as it was."


def find(
    *,
    topic: Annotated[str, typer.Argument(help="What it is about.", show_default=False)],
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=200, help="Openings at most.")] = 20,
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only this kind: bridge, transfer, rising, dormant, follow-up; repeatable."),
    ] = None,
    field: Annotated[
        list[str] | None, typer.Option(help="Both concepts are at home in this field of the library; repeatable.")
    ] = None,
    since: Annotated[int | None, typer.Option(min=1, max=9999, help="Papers of this year or later.")] = None,
    until: Annotated[int | None, typer.Option(min=1, max=9999, help="Papers of this year or earlier.")] = None,
    with_concept: Annotated[str, typer.Option("--with", help="Only pairs that have this concept.")] = "",
    exclude: Annotated[list[str] | None, typer.Option(help="No concept that has these words; repeatable.")] = None,
    why: Annotated[bool, typer.Option("--why/--short", help="Reasons and papers below each opening.")] = True,
    library: LibraryNamed = None,
    out: Annotated[
        Path | None,
        typer.Option(help="A folder for a page with the concept map, the openings as JSON, and the papers as BibTeX."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What has the literature of a topic not joined yet?

    Pairs of concepts that are close and not yet studied together, with the chance that they will be. Computed from the
    papers alone: no model of language is asked. Builds what it needs, once.
    """
    from novum.cli.papers_of import fill, source_named
    from novum.cli.terminal import say_json
    from novum.cli.workplace import in_workplace
    from novum.opportunities.openings import find_openings

    wishes = _wishes(kind, field, since, until, with_concept, exclude)
    source = source_named(library)

    async def job(place: Workplace) -> Openings:
        await fill(place, source)
        with shown_steps() as told:
            return await find_openings(place.library, topic, wishes, count, told)

    found = in_workplace(job, _STOPPED, {"library": source.library})
    if out is not None:
        _write(found, out)
    if as_json:
        say_json(found.model_dump(mode="json"))
    else:
        _say(found, why=why)


def _wishes(
    kind: list[str] | None, field: list[str] | None, since: int | None, until: int | None, with_concept: str,
    exclude: list[str] | None,
) -> Wishes:  # fmt: skip
    from novum.core.opening import OpeningKind
    from novum.errors import BadInput
    from novum.opportunities.wishes import Wishes

    kinds = get_args(OpeningKind)
    if unknown := [each for each in kind or () if each not in kinds]:
        raise BadInput(f"There is no kind of opening “{unknown[0]}”. Kinds: {', '.join(kinds)}.")
    return Wishes(
        kinds=tuple(each for each in kinds if each in (kind or ())), fields=tuple(field or ()), since=since,
        until=until, with_concept=with_concept.strip(), exclude=tuple(exclude or ()),
    )  # fmt: skip


def _write(found: Openings, folder: Path) -> None:
    from novum.cli.terminal import tell
    from novum.reports.openings.files import write_openings

    files = write_openings(found, folder)
    for path in (files.html, files.markdown, files.json, files.bibtex, files.map):
        tell(f"Written: {path}")


def _say(found: Openings, *, why: bool) -> None:
    from novum.cli.terminal import say, say_table, tell

    if found.openings:
        say(f"“{found.topic}” is about {', '.join(found.near)}.")
        within = f"joined by {found.until + found.horizon}"
        say_table(("", "kind", "opening", within, "95 %", "attention", "unusual"), (
            (str(place), each.kind, each.name, _percent(each.probability), _span(each.probability_interval),
             _percent(each.attention), _percent(each.unusual))
            for place, each in enumerate(found.openings, 1)
        ))  # fmt: skip
    if why:
        titles = {paper.id: f"{paper.short_citation}: {paper.title}" for paper in found.papers}
        for place, each in enumerate(found.openings, 1):
            _say_why(place, each, titles)
    if found.openings:
        say(
            "joined by: the chance that a paper will join them; attention: the share of papers of their year above "
            "which the first ones are expected by citations; unusual: the share of pairs in real papers that are more "
            "usual."
        )
    for note in found.notes:
        (tell if found.openings else say)(note)


def _say_why(place: int, opening: Opening, titles: dict[str, str]) -> None:
    from novum.cli.terminal import one_line, say, say_heading

    say_heading(f"{place}. {opening.name} ({opening.kind})")
    for reason in opening.reasons:
        say(f"   {reason}")
    for side in (opening.one, opening.other):
        say(f"   {side.concept}, since {side.first_year}:")
        for paper in side.papers[:3]:
            say(f"     {one_line(titles.get(paper, paper), 110)}")
    if opening.attempts:
        say("   nearest so far:")
        for paper in opening.attempts:
            say(f"     {one_line(titles.get(paper, paper), 110)}")
    say()


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def _span(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{100 * interval[0]:.0f} – {100 * interval[1]:.0f} %"
