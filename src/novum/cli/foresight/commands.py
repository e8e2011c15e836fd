"""`novum foresight`: compare ideas from earlier literature with what was published later."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.benchmarks.foresight.durable import FORESIGHT
from novum.benchmarks.foresight.report.numbers import foresight_report
from novum.benchmarks.foresight.report.page import write_foresight_report
from novum.cli.arena.options import Writer
from novum.cli.foresight.options import ForesightOptions, task_from
from novum.cli.foresight.session import announcement, deliver
from novum.cli.shell.arguments import print_report_files
from novum.cli.shell.durable import record_named, replay_run, start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import SeededOptions
from novum.cli.shell.options import AsJson, Draws, Out, Quiet, Reader, check_address
from novum.cli.shell.output import OutputOptions, check_writable, report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_message
from novum.runs.engine import task_of


@with_pdf
@examples(
    "novum foresight run --method chain-of-ideas --cutoff 2019,2020,2021 --horizon 3 --topics topics.txt",
    "novum foresight run -m chain-of-ideas -m rag --cutoff 2021 --sample 50 --model openai:gpt-5.5 --budget-usd 20",
    "novum foresight run --ideas ideas.jsonl --before 2022-01-01",
    "novum foresight report last --out my-report",
)
def foresight(
    *, study: ForesightOptions, model: Writer = None, reader: Reader = None, models: SeededOptions,
    draws: Draws = 1000, out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Measure how close ideas from earlier literature come to what was published later.

    Every method generates an idea on every topic from the literature up to each cut-off; or ideas are given. Each is
    compared with papers from after the cut-off. Baselines are earlier papers, other topics and a prompt that reads
    nothing.
    """
    settings = models.settings(writer=model, reader=reader)
    if study.methods:
        check_address(settings, models.base_url)
    check_writable(report_folder(out))
    task = task_from(settings, study)
    if not quiet:
        print_message(announcement(task))

    run = start_run(FORESIGHT, settings, task, quiet=quiet, fresh=models.fresh)
    deliver(run, OutputOptions(out, as_json, quiet, bootstrap_samples=draws))


@with_pdf
@examples("novum foresight report last", "novum foresight report last --out my-report")
def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)
    ],
    *, draws: Draws = 1000, out: Out = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Write the report of a study, also of an unfinished one: a page, and all numbers as data. Calls no model."""
    without = "There is no foresight study yet. Start one: novum foresight --method METHOD --cutoff YEAR"
    record = record_named(run, FORESIGHT.name, without)
    task_of(FORESIGHT, record)
    folder = report_folder(out, record.id)
    check_writable(folder)
    numbers = foresight_report(replay_run(FORESIGHT, record), draws=draws)
    if as_json:
        print_json(numbers.model_dump(mode="json"))
    print_report_files(write_foresight_report(numbers, folder), print_message if as_json else print_line)
