"""`novum library full-texts`: open copies of the papers on a topic."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import A_DATE, AsJson, read_date_or_year
from novum.cli.shell.terminal import one_line, print_json, print_line, print_message
from novum.cli.shell.workplace import in_workplace
from novum.lab import Workplace
from novum.literature import Filters
from novum.literature.fetching.full_texts import FullTextResult
from novum.reports.phrases import count
from novum.runs.library import add_full_texts_on


@examples(
    'novum library full-texts "retrieval for language models"',
    'novum library full-texts "protein design" --limit 50 --before 2025-01-01',
)
def full_texts(
    topic: Annotated[str, typer.Argument(help="Words or a sentence: whose papers are wanted.", show_default=False)],
    *,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="The best so many papers for the topic.")] = 20,
    before: Annotated[str | None, typer.Option(metavar=A_DATE, help="Only papers public before this day.")] = None,
    since: Annotated[str | None, typer.Option(metavar=A_DATE, help="Only papers public on this day or later.")] = None,
    grobid: Annotated[
        str | None, typer.Option(metavar="URL", help="GROBID server that reads them; else the setting `grobid`.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch open copies of the library's papers on a topic, and read them.

    arXiv's PDF comes first, then the text that Europe PMC has, then an open PDF of which OpenAlex, Unpaywall (asked if
    NOVUM_CONTACT is set) or CORE (if CORE_API_KEY is set) know. A paper with its full text is read whole by `explore`
    and `ideate`, and its references become links. Press Ctrl-C at any time: what was fetched is not fetched again.
    """
    filters = Filters(before=read_date_or_year(before, "--before"), since=read_date_or_year(since, "--since"))

    async def job(place: Workplace) -> FullTextResult:
        with library_progress() as progress:
            return await add_full_texts_on(place, topic, limit, filters, grobid=grobid, progress=progress)

    done = in_workplace(job)
    if as_json:
        print_json(done.model_dump(mode="json"))
    else:
        _print(done)


def _print(done: FullTextResult) -> None:
    for problem in done.problems:
        print_message(one_line(problem, 300))
    services = ", ".join(f"{texts:,} from {title}" for title, texts in done.by_service.items())
    came = f" ({services})" if services else ""
    print_line(f"{count(done.read, 'full text')} read{came}, {count(done.links, 'citation link')} found.")
    print_line(f"{count(done.held, 'paper')} had it before; {count(done.elsewhere, 'paper')} without an open copy.")
