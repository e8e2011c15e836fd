"""`novum library update` and `searches`: what is new since the searches that filled the library were last made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.lab import Workplace
    from novum.literature.sources.saved_searches import SavedSearch
    from novum.literature.sources.updating import SearchUpdate

AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@examples("novum library update", "novum library update --source arxiv")
def update(
    source: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Ask only this service; repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch what became public since the searches of `novum library add` were last made."""
    from novum.cli.library.import_summary import say_gathering, say_total
    from novum.cli.shell.library_progress import Rate, embed_and_index, library_progress
    from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line
    from novum.cli.shell.workplace import in_workplace
    from novum.lab import open_source, source_client
    from novum.literature.sources import updating
    from novum.literature.sources.saved_searches import saved_searches

    async def updated(place: Workplace) -> list[SearchUpdate]:
        only = _asked_of(saved_searches(place.library), [open_source(place.settings, name).name for name in source or ()])
        with library_progress() as shown:
            async with source_client(place.settings) as visitor:
                told = Rate("papers", shown)
                source_named = partial(open_source, place.settings)
                done = await updating.update_library(place.library, visitor, only=only, source=source_named, told=told)
            await embed_and_index(place.library, shown)
        if not as_json:
            for one in done:
                print_heading(f"{one_line(words_of(one.remembered), 200)}, since {one.since}")
                say_gathering(one)
            if done:
                say_total(place.library)
            else:
                print_line("Nothing can be new: every search that is remembered ends before the day it was last made.")
        return done

    done = in_workplace(updated, "Stopped. What was brought in is kept; update again to fetch the rest.")
    if as_json:
        print_json([one.model_dump(mode="json") for one in done])


@examples(
    "novum library searches", "novum library searches --forget 2", "novum library searches --json"
)
def list_searches(
    forget: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Forget the search of this number; its papers stay.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The searches that `novum library update` makes again, with the day of the last time."""
    from novum.cli.shell.terminal import print_json, print_line, print_table
    from novum.cli.shell.workplace import in_workplace
    from novum.errors import BadInput
    from novum.literature.sources.saved_searches import forget_search, saved_searches

    async def remembered(place: Workplace) -> list[SavedSearch]:
        found = saved_searches(place.library)
        if forget is not None:
            if forget > len(found):
                raise BadInput(f"There is no search {forget}. `novum library searches` lists them with their numbers.")
            forget_search(place.library, found.pop(forget - 1))
        return found

    found = in_workplace(remembered)
    if as_json:
        print_json([one.model_dump(mode="json") for one in found])
    elif found:
        print_table(
            ("n", "search", "papers at most", "steps", "last asked"),
            (
                (str(number), words_of(one), f"{one.search.limit:,}", str(one.steps), _days(one))
                for number, one in enumerate(found, 1)
            ),
        )
    else:
        print_line('No search is remembered. Make one: novum library add "your field"')


def words_of(one: SavedSearch) -> str:
    """What was looked for: `"graph learning", since 2018-01-01, venue emnlp`."""
    search = one.search
    told = [f'"{search.text}"'] if search.text else []
    told += [f"since {search.since}"] if search.since else []
    told += [f"before {search.before}"] if search.before else []
    told += [f"field {each}" for each in search.fields] + [f"venue {each}" for each in search.venues]
    return ", ".join(told)


def _days(one: SavedSearch) -> str:
    return ", ".join(f"{name} {day}" for name, day in sorted(one.asked.items()))


def _asked_of(found: Sequence[SavedSearch], names: Sequence[str]) -> list[SavedSearch]:
    """The searches with these sources alone; all sources when none is named. Raises BadInput when none is left."""
    from novum.errors import BadInput

    if not names:
        return list(found)
    kept = [
        one.model_copy(update={"asked": {name: day for name, day in one.asked.items() if name in names}})
        for one in found
    ]
    if not any(one.asked for one in kept):
        raise BadInput(
            f"No remembered search has asked {' or '.join(names)}. `novum library searches` tells which service was "
            "asked for what."
        )
    return [one for one in kept if one.asked]
