"""`novum library update` and `searches`: repeating saved searches for what became public since."""

from __future__ import annotations

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
from novum.literature.sources.saved_searches import SavedSearch, forget_search, saved_searches
from novum.literature.sources.updating import SearchUpdate
from novum.runs.library import update_from_sources


@examples("novum library update", "novum library update --source arxiv")
def update(
    source: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Ask only this service; repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch what became public since the searches of `novum library add` were last made."""

    async def job(place: Workplace) -> list[SearchUpdate]:
        with library_progress() as progress:
            updates = await update_from_sources(place, source or (), progress=progress)
        if not as_json:
            for one in updates:
                print_heading(f"{one_line(text_of(one.remembered), 200)}, since {one.since}")
                summary.print_gathering(one)
            if updates:
                summary.print_total(place.library)
            else:
                print_line("Nothing can be new: every saved search ends before the day on which it was last made.")
        return updates

    updates = in_workplace(job, "Stopped. Papers added so far are stored; update again to fetch the rest.")
    if as_json:
        print_json([one.model_dump(mode="json") for one in updates])


@examples("novum library searches", "novum library searches --forget 2", "novum library searches --json")
def list_searches(
    forget: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Forget the search of this number; its papers stay.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The searches that `novum library update` makes again, with the day of the last time."""

    async def job(place: Workplace) -> list[SavedSearch]:
        searches = saved_searches(place.library)
        if forget is not None:
            if forget > len(searches):
                raise BadInput(f"There is no search {forget}. `novum library searches` lists them with their numbers.")
            forget_search(place.library, searches.pop(forget - 1))
        return searches

    searches = in_workplace(job)
    if as_json:
        print_json([one.model_dump(mode="json") for one in searches])
    elif searches:
        print_table(
            ("n", "search", "papers at most", "steps", "last asked"),
            (
                (str(number), text_of(one), f"{one.search.limit:,}", str(one.steps), _days(one))
                for number, one in enumerate(searches, 1)
            ),
        )
    else:
        print_line('No search is saved. Make one: novum library add "your field"')


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
