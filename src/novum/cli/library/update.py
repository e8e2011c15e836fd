"""`novum library update` and `searches`: repeating saved searches for what became public since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from novum.cli.library import summary
from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import AsJson
from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line, print_table
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.lab import Workplace
from novum.literature import Library
from novum.literature.fetching.saved_searches import SavedSearch, forget_search, saved_searches
from novum.literature.fetching.updating import SearchUpdate
from novum.literature.zotero.reading import AddedPlace, added_places, forget_place
from novum.runs.library import ZoteroUpdate, update_from_sources, update_from_zotero

ZOTERO = "zotero"
"""What `--source` calls the libraries of Zotero."""


@examples("novum library update", "novum library update --source arxiv", "novum library update --source zotero")
def update(
    source: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Ask only this service, or zotero; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch what became public since the searches of `novum library add` were last made, and what changed in Zotero."""
    services = [name for name in source or () if name != ZOTERO]

    async def job(place: Workplace) -> list[SearchUpdate | ZoteroUpdate]:
        added = added_places(place.library) if not source or ZOTERO in source else []
        if ZOTERO in (source or ()) and not added:
            raise BadInput("No library of Zotero was added yet: novum library add zotero:")
        found: list[SearchUpdate | ZoteroUpdate] = []
        with library_progress() as progress:
            if services or not (source or (added and not saved_searches(place.library))):
                found += await update_from_sources(place, services, progress=progress)
            if added:
                found += await update_from_zotero(place, progress=progress)
        if not as_json:
            _print_updates(found, place.library)
        return found

    updates = in_workplace(job, "Stopped. Papers added so far are stored; update again to fetch the rest.")
    if as_json:
        print_json([one.model_dump(mode="json") for one in updates])


def _print_updates(updates: Sequence[SearchUpdate | ZoteroUpdate], library: Library) -> None:
    if not updates:
        print_line("Nothing can be new: every saved search ends before the day on which it was last made.")
        return
    for one in updates:
        if isinstance(one, ZoteroUpdate):
            print_heading(one_line(one.place, 200))
            summary.print_zotero(one, one.problem)
        else:
            print_heading(f"{one_line(text_of(one.remembered), 200)}, since {one.since}")
            summary.print_gathering(one)
    summary.print_total(library)


@examples("novum library searches", "novum library searches --forget 2", "novum library searches --json")
def list_searches(
    forget: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Forget the search of this number; its papers stay.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The searches that `novum library update` makes again, with the day of the last time."""

    async def job(place: Workplace) -> list[SavedSearch | AddedPlace]:
        saved: list[SavedSearch | AddedPlace] = [*saved_searches(place.library), *added_places(place.library)]
        if forget is not None:
            if forget > len(saved):
                raise BadInput(f"There is no search {forget}. `novum library searches` lists them with their numbers.")
            _forget(place.library, saved.pop(forget - 1))
        return saved

    saved = in_workplace(job)
    if as_json:
        print_json([one.model_dump(mode="json") for one in saved])
    elif saved:
        rows = (_row(number, one) for number, one in enumerate(saved, 1))
        print_table(("n", "search", "papers at most", "steps", "last asked"), rows)
    else:
        print_line('No search is saved. Make one: novum library add "your field"')


def _forget(library: Library, one: SavedSearch | AddedPlace) -> None:
    if isinstance(one, AddedPlace):
        forget_place(library, one)
    else:
        forget_search(library, one)


def _row(number: int, one: SavedSearch | AddedPlace) -> tuple[str, str, str, str, str]:
    if isinstance(one, AddedPlace):
        return str(number), one.place, "all", "", "what changed since the last time"
    return str(number), text_of(one), f"{one.search.limit:,}", str(one.steps), _days(one)


def text_of(one: SavedSearch) -> str:
    """What was looked for: `"graph learning", since 2018-01-01, venue emnlp`."""
    search = one.search
    parts = [f'"{search.text}"'] if search.text else []
    parts += [f"since {search.since}"] if search.since else []
    parts += [f"before {search.before}"] if search.before else []
    parts += [f"field {each}" for each in search.fields] + [f"venue {each}" for each in search.venues]
    return ", ".join(parts)


def _days(one: SavedSearch) -> str:
    return ", ".join(f"{name} {day}" for name, day in sorted(one.asked.items()))
