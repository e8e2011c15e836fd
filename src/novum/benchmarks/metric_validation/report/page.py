"""The study as one page without any script, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from novum.benchmarks.arena.report.page import images_of, own
from novum.benchmarks.metric_validation.report import phrases as words
from novum.benchmarks.metric_validation.report.plots import plots
from novum.benchmarks.metric_validation.report.records import OutcomeTable, Validation
from novum.reports.page import environment
from novum.reports.sanitizing import markdown_line


def render_validation_page(study: Validation, drawn: Mapping[str, str] | None = None) -> str:
    """One self-contained page. `drawn` holds the SVG of plots by their names, where they are drawn already."""
    found = plots(study)
    return (
        environment()
        .get_template("validation.html.j2")
        .render(
            study=study,
            words=words,
            plots=found,
            images=images_of(found, drawn or {}),
            more_style=own("liveidea.css") + own("arena.css"),
        )
    )


def render_validation(study: Validation) -> str:
    """The same facts in Markdown, for notes and version control."""
    return "\n\n".join(_blocks(study)) + "\n"


def _blocks(study: Validation) -> Iterator[str]:
    yield "# Do metrics mean anything?"
    yield markdown_line(words.headline(study))
    yield "## In a line each"
    yield _list(
        f"**{markdown_line(words.named(name))}** {markdown_line(told)}." for name, told in study.verdicts.items()
    )
    for when, told in words.WHEN.items():
        if tables := [table for table in study.tables if table.when == when]:
            yield f"## All in one table: papers {told}"
            yield _table(words.matrix(tables))
    for table in study.tables:
        yield f"## {_heading(table)}"
        yield _table((words.HEADS, *(words.cells(found, table) for found in table.findings)))
    yield "## How to read this"
    yield _list(map(markdown_line, words.remarks(study)))
    yield "## What it rests on"
    yield _list(map(markdown_line, words.account(study)))


def _heading(table: OutcomeTable) -> str:
    chosen = "" if table.chosen is None else f", {table.chosen:,} of them chosen"
    title = words.outcome_title(table.outcome)
    return markdown_line(f"{title[:1].upper()}{title[1:]}: {table.papers:,} papers{chosen}, {words.WHEN[table.when]}")


def _table(rows: Iterable[Sequence[str]]) -> str:
    """The first row is the heads."""
    heads, *more = (f"| {' | '.join(map(markdown_line, row))} |" for row in rows)
    return "\n".join([heads, "|---" * (heads.count(" | ") + 1) + "|", *more])


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
