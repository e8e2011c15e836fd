"""The report of a training as one page without any script, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from novum.benchmarks.arena.report.page import images_of, own
from novum.reports.page import environment
from novum.reports.sanitizing import markdown_line
from novum.training.report import phrases as words
from novum.training.report.plots import plots
from novum.training.report.records import TrainingReport


def render_training_page(report: TrainingReport, drawn: Mapping[str, str] | None = None) -> str:
    """One self-contained page. `drawn` holds the SVG of plots by their names, where they are drawn already."""
    found = plots(report)
    return (
        environment()
        .get_template("training.html.j2")
        .render(
            report=report,
            words=words,
            plots=found,
            images=images_of(found, drawn or {}),
            more_style=own("liveidea.css") + own("arena.css"),
        )
    )


def render_training(report: TrainingReport) -> str:
    """The same facts in Markdown."""
    return "\n\n".join(_blocks(report)) + "\n"


def _blocks(report: TrainingReport) -> Iterator[str]:
    yield f"# {markdown_line(report.model.name)}: a trained reviewer"
    yield markdown_line(f"{words.headline(report.model)} {words.caveat(report)}".rstrip())
    yield _table([words.HEADS, *words.rows(report.model)])
    yield "## How to read this"
    yield _list(words.remarks(report))
    yield "## How it was made"
    yield _list(words.account(report))
    yield _table([("setting", "value"), *words.settings(report)])


def _table(rows: Sequence[Sequence[str]]) -> str:
    heads, *more = (f"| {' | '.join(map(markdown_line, row))} |" for row in rows)
    return "\n".join([heads, "|---" * len(rows[0]) + "|", *more])


def _list(lines: Iterator[str]) -> str:
    return "\n".join(f"- {markdown_line(line)}" for line in lines)
