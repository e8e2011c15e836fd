"""`novum data build survey`: forms on which people compare pairs of ideas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.ideas.sources import pooled_ideas
from novum.cli.shell.group import examples
from novum.cli.shell.output import checked_report_folder
from novum.cli.shell.terminal import print_line, print_message
from novum.errors import BadInput
from novum.idea_metrics.report.survey import write_survey
from novum.idea_metrics.survey import form_of, survey_pairs
from novum.reports.phrases import count


@examples(
    "novum data build survey last --out survey",
    "novum data build survey ours.jsonl theirs.jsonl --pairs 20 --people 5 --out survey",
    "novum metrics tune --ratings survey/survey-01.csv --ratings survey/survey-02.csv --dry-run",
)
def survey(
    ideas: Annotated[
        list[str],
        typer.Argument(metavar="IDEAS", help="Runs, reports, tables of ideas (JSONL, CSV).", show_default=False),
    ],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the forms.", show_default=False)],
    pairs: Annotated[int, typer.Option(min=1, max=500, metavar="N", help="Pairs on each form, at most.")] = 20,
    people: Annotated[int, typer.Option(min=1, max=99, metavar="N", help="Forms, one for each person.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace forms that are there, also filled-in ones.")] = False,
) -> None:
    """Build survey forms: pairs of ideas on one topic that people compare from 1 to 5, without knowing who made them.

    For each person there is a page to print and a table to fill in, which `novum metrics tune --ratings` reads.
    """
    folder = checked_report_folder(out)
    chosen = survey_pairs([one.idea for one in pooled_ideas(ideas)], pairs, seed)
    if not chosen:
        raise BadInput("No two ideas are on the same topic: name sources with several ideas on one topic.")
    if len(chosen) < pairs:
        print_message(f"The ideas make {count(len(chosen), 'pair')}; {pairs:,} were requested.")
    forms = [form_of(chosen, person, seed) for person in range(1, people + 1)]
    for file in write_survey(forms, folder, force=force):
        print_line(str(file))
