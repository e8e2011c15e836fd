"""`novum liveidea keywords`: the built-in keywords, and new ones from a library."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.liveidea import new_keywords
from novum.benchmarks.liveidea.keywords import built_in_keywords
from novum.benchmarks.liveidea.new_keywords import RefreshedKeywords
from novum.cli.shell.group import examples
from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.cli.shell.options import PrintFormat
from novum.cli.shell.output import table_file
from novum.cli.shell.terminal import print_line, print_message, print_table
from novum.errors import BadInput
from novum.files.tables import csv_text, write_rows
from novum.literature import Library
from novum.reports.phrases import count
from novum.settings import load_settings

_STOPPED = "Stopped. No list was written."
_COLUMNS = ("keyword", "discipline", "papers", "growth", "date")


@examples("novum liveidea keywords list", "novum liveidea keywords list --format csv > mine.csv")
def list_keywords(
    discipline: Annotated[str, typer.Option(metavar="NAME", help="Only this discipline, such as chemistry.")] = "",
    form: PrintFormat = "text",
) -> None:
    """List the built-in keywords by discipline. As CSV they can be changed and given to --keywords."""
    every = built_in_keywords().keywords
    found = [each for each in every if discipline.casefold() in {"", each.discipline.casefold()}]
    if not found:
        known = ", ".join(sorted({each.discipline for each in every}))
        raise BadInput(f"There is no discipline {discipline!r}. There are: {known}.")
    if form == "csv":
        sys.stdout.write(csv_text(("keyword", "discipline"), ((each.keyword, each.discipline) for each in found)))
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
    out: Annotated[Path, typer.Option(metavar="FILE", help="The CSV to write.", show_default=False)],
    *,
    each: Annotated[
        int, typer.Option("--per-discipline", min=1, max=2_000, metavar="N", help="Keywords for each discipline.")
    ] = 60,
    months: Annotated[int, typer.Option(min=1, max=600, metavar="N", help="Months that count as recent.")] = 12,
    fewest: Annotated[int, typer.Option("--min-papers", min=1, metavar="N", help="Papers that a keyword needs.")] = 3,
) -> None:
    """Make a list of what the library's recent papers are about, and of subjects whose share of papers is growing."""
    table_file(out, (".csv",), "keywords")
    settings = load_settings()
    today = dt.datetime.now(dt.UTC).date()
    with Library.open(settings.library_folder, url=settings.library_url) as library:
        reading = new_keywords.refresh_keywords(library.papers(), today, each=each, months=months, fewest=fewest)
        fresh = run_stoppable(reading, lambda: _STOPPED, lambda: print_last_words(_STOPPED))
    if not fresh.keywords:
        raise BadInput(_too_small(fresh, months))
    rows = ({**one.model_dump(mode="json"), "growth": _factor(one.growth)} for one in fresh.keywords)
    try:
        write_rows(rows, _COLUMNS, out)
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error.strerror or error}. Name another file by --out.") from error
    print_line(f"{out}: {len(fresh.keywords):,} keywords from {fresh.papers:,} papers")
    if fresh.without_field:
        print_message(f"{fresh.without_field:,} papers have no field that names a discipline, and were skipped.")
    if fresh.short:
        print_message("Fewer than wanted: " + _numbered(fresh.short) + ".")
    if some := {name: papers for name, papers in fresh.too_small.items() if papers}:
        print_message(
            f"No keywords for disciplines with fewer than {new_keywords.FEWEST_PAPERS} papers of the last "
            f"{count(months, 'month')}: {_numbered(some)}."
        )


def _too_small(fresh: RefreshedKeywords, months: int) -> str:
    """Why a library gives no keywords, and what to do."""
    known = fresh.papers - fresh.without_field
    most = max(fresh.too_small.items(), key=lambda each: each[1], default=("", 0))
    largest = f"; most of one discipline: {most[1]:,} ({most[0]})" if most[1] else ""
    return (
        f"The library is too small for a list of keywords: {known:,} of {fresh.papers:,} papers have a field that "
        f"names a discipline, and a discipline needs {new_keywords.FEWEST_PAPERS} papers of the last "
        f"{count(months, 'month')}{largest}. Add papers with fields (novum library add TOPIC --source openalex), or "
        "look further back: --months."
    )


def _numbered(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in numbers.items())


def _factor(growth: float | None) -> str:
    return "" if growth is None else f"{growth:.3f}"
