"""`novum liveidea keywords`: which there are, and a fresh list from a library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.new_keywords import RefreshedKeywords


@examples("novum liveidea keywords list", "novum liveidea keywords list --csv > mine.csv")
def list_keywords(
    discipline: Annotated[str, typer.Option(help="Only these, such as chemistry.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV, to be changed and given to --keywords.")] = False,
) -> None:
    """Our own keywords, by discipline."""
    import csv
    import sys

    from novum.benchmarks.liveidea.keywords import built_in_keywords
    from novum.cli.shell.terminal import print_line, print_table
    from novum.errors import BadInput

    whole = built_in_keywords().keywords
    found = [each for each in whole if discipline.casefold() in {"", each.discipline.casefold()}]
    if not found:
        known = ", ".join(sorted({each.discipline for each in whole}))
        raise BadInput(f"There is no discipline {discipline!r}. There are: {known}.")
    if as_csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(("keyword", "discipline"))
        writer.writerows((each.keyword, each.discipline) for each in found)
        return
    by_discipline: dict[str, list[str]] = {}
    for each in found:
        by_discipline.setdefault(each.discipline, []).append(each.keyword)
    print_table(
        ("discipline", "keywords", "among them"),
        ((name, str(len(its)), ", ".join(its if discipline else its[:6])) for name, its in by_discipline.items()),
    )
    print_line(f"{len(found):,} keywords in {len(by_discipline)} disciplines.")


@examples(
    "novum liveidea keywords refresh --out keywords-2026-11.csv",
    "novum liveidea keywords refresh --months 6 --per-discipline 40 --out fresh.csv",
)
def refresh_keywords(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The CSV to be written.", show_default=False)],
    *,
    each: Annotated[int, typer.Option("--per-discipline", min=1, max=2_000, help="Keywords for each discipline.")] = 60,
    months: Annotated[int, typer.Option(min=1, max=600, help="How far back papers count as recent.")] = 12,
    fewest: Annotated[int, typer.Option("--min-papers", min=1, help="Papers that a keyword needs.")] = 3,
) -> None:
    """A new list from the library: what its recent papers are about, and what a growing share of them is about."""
    import datetime as dt

    from novum.benchmarks.liveidea.new_keywords import refresh_keywords
    from novum.cli.shell.terminal import print_line, print_message
    from novum.errors import BadInput
    from novum.literature import Library
    from novum.settings import load_settings

    settings = load_settings()
    with Library.open(settings.library_folder, url=settings.library_url) as library:
        fresh = refresh_keywords(
            library.papers(), dt.datetime.now(dt.UTC).date(), each=each, months=months, fewest=fewest
        )
    if not fresh.keywords:
        raise BadInput(
            f"None of the {fresh.papers:,} papers of the library gave a keyword ({fresh.without_field:,} have no field "
            "that tells a discipline). Add papers with fields, such as OpenAlex's, or allow more by --months."
        )
    _write(fresh, out)
    print_line(f"{out}: {len(fresh.keywords):,} keywords from {fresh.papers:,} papers")
    if fresh.without_field:
        print_message(f"{fresh.without_field:,} papers have no field that tells a discipline, and were passed over.")
    if fresh.short:
        print_message("Fewer than wanted: " + ", ".join(f"{name} {number}" for name, number in fresh.short.items()))


def _write(fresh: RefreshedKeywords, out: Path) -> None:
    """All of the file or nothing of it."""
    from novum.errors import BadInput
    from novum.files.atomic import write_atomic
    from novum.files.tables import csv_text

    rows = (
        (
            one.keyword,
            one.discipline,
            one.papers,
            "" if one.growth is None else f"{one.growth:.3f}",
            one.date.isoformat(),
        )
        for one in fresh.keywords
    )
    try:
        write_atomic(out, csv_text(("keyword", "discipline", "papers", "growth", "date"), rows))
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}. Name another file by --out.") from error
