"""The command and the report: `python -m distinct_ideas.command server:model --keyword batteries`."""

from __future__ import annotations

from typing import Annotated

import typer

from distinct_ideas.durable import DISTINCT_IDEAS, DistinctRun, DistinctTask
from novum.cli.shell.durable import check_finished, start_run
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.terminal import print_json, print_table
from novum.files.atomic import write_atomic
from novum.settings import load_settings

app = typer.Typer()


@app.command()
def command(models: list[str], keyword: Annotated[list[str], typer.Option()], count: int = 3) -> None:
    """Measure how different the ideas of models are."""
    task = DistinctTask(models=tuple(models), keywords=tuple(keyword), count=count)
    run = start_run(DISTINCT_IDEAS, load_settings(), task, quiet=False)
    show(run, OutputOptions())
    check_finished(run, run.name)


def show(run: DistinctRun, output: OutputOptions) -> None:
    """Prints the scores, or JSON, and writes the report."""
    numbers = ["–" if each.distinct is None else f"{each.distinct:.2f}" for each in run.scores]
    rows = [(each.model, each.keyword, str(each.ideas), n) for each, n in zip(run.scores, numbers, strict=True)]
    if output.as_json:
        print_json(run.model_dump(mode="json"))
    else:
        print_table(("model", "keyword", "ideas", "distinct"), rows)
    file = output.folder(run.name) / "report.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, "# Distinct ideas\n\n" + "".join(f"- {', '.join(row)}\n" for row in rows))
    output.note(str(file))


if __name__ == "__main__":
    app()
