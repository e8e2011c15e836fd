"""`novum liveidea`: measure models on scientific divergent thinking, from one keyword at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.liveidea.durable import LIVEIDEA
from novum.benchmarks.liveidea.exporting import check_formats, write_dataset
from novum.benchmarks.liveidea.keywords import sample_keywords
from novum.benchmarks.liveidea.plan import make_plan
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.task import LiveIdeaTask
from novum.cli.liveidea.options import LiveIdeaOptions, liveidea_task
from novum.cli.liveidea.session import TABLES, dataset_in, deliver, run_named, show
from novum.cli.liveidea.table import print_plan
from novum.cli.shell.arguments import comma_separated
from novum.cli.shell.durable import run_durable, start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import SeededOptions
from novum.cli.shell.options import (
    OUTPUT,
    AsJson,
    BaseUrl,
    BudgetUsd,
    Draws,
    Prompts,
    Quiet,
    Seed,
    panel_option,
)
from novum.cli.shell.output import OutputOptions, checked_report_folder
from novum.cli.shell.terminal import print_json, print_message
from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger import Share
from novum.ledger.run import Listener
from novum.llm import PriceTable
from novum.reports.phrases import count
from novum.runs.engine import start
from novum.settings import LoadedSettings, load_settings

RunOrFile = Annotated[
    str, typer.Argument(metavar="RUN|FILE", help="A run, or the file or folder of a data set.", show_default=False)
]
WithoutSeverity = Annotated[
    bool,
    panel_option(OUTPUT, "Correct for the severity of each judge, estimated on shared models.", "--without-severity"),
]
Formats = Annotated[
    list[str] | None,
    panel_option(OUTPUT, "jsonl, csv or parquet; repeatable, or with commas.", "--format", metavar="NAME"),
]
OutFolder = Annotated[
    Path | None, panel_option(OUTPUT, "Folder of the data set. Default: novum-reports/RUN.", metavar="DIR")
]


@examples(
    "novum liveidea run --model openai:gpt-5.5,mistral:mistral-large-latest --panel ranking.csv --keywords 100",
    "novum liveidea run -m ollama:llama3.3 --judge openai:gpt-5.5,google:gemini-3.8-flash --budget-usd 5",
    "novum liveidea run -m openai:gpt-5.5 --panel ranking.csv --keywords all --format parquet",
    "novum liveidea run -m openai:gpt-5.5 --panel ranking.csv --papers 5 --anchors 24",
    "novum runs resume last",
)
def run_models(
    *, measurement: LiveIdeaOptions, models: SeededOptions, draws: Draws = 1000, formats: Formats = None,
    out: OutFolder = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Measure models: they propose ideas for each keyword, a panel judges the ideas, and a leaderboard ranks them."""
    settings = models.settings()
    task = liveidea_task(settings, measurement)
    output = OutputOptions(out, as_json, quiet, _formats(formats), draws)
    checked_report_folder(out)
    deliver(start_run(LIVEIDEA, settings, task, quiet=quiet, fresh=models.fresh), output)


@examples(
    "novum liveidea plan --model openai:gpt-5.5 --panel ranking.csv --keywords all",
    "novum liveidea plan -m openai:gpt-5.5 --judge google:gemini-3.8-flash --keywords 500 --pilot 5",
)
def plan_models(
    *, measurement: LiveIdeaOptions, base_url: BaseUrl = None, seed: Seed = None, prompts: Prompts = None,
    pilot: Annotated[
        int, typer.Option(min=0, metavar="N", help="Run this many keywords first and use what they took as averages.")
    ] = 0,
    budget_usd: BudgetUsd = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Estimate calls, tokens, cost, time and CO2 of each model. A run uses the answers of a pilot again."""
    settings = load_settings({"base_url": base_url, "seed": seed, "prompts": prompts, "budget_usd": budget_usd})
    task = liveidea_task(settings, measurement)
    shares, basis = _pilot(settings, task, pilot, quiet=quiet) if pilot else ((), "")
    prices = PriceTable(settings.for_models().prices)
    plan = make_plan(task, prices, shares, in_flight=settings.values.in_flight, basis=basis)
    if as_json:
        print_json(plan.model_dump(mode="json"))
    else:
        print_plan(plan)


@examples("novum liveidea score last", "novum liveidea score data/ideas.jsonl --json")
def score(
    run: RunOrFile, *, draws: Draws = 1000, without_severity: WithoutSeverity = False, out: OutFolder = None,
    formats: Formats = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Print the leaderboard of a run or data set; with --out write the data set too. Calls no model."""
    _show(run_named(run), OutputOptions(out, as_json, False, _formats(formats), draws), without_severity)


@examples(
    "novum liveidea import ideas-of-others.parquet", "novum liveidea import table.csv --out checked --format jsonl"
)
def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSONL, CSV or Parquet in the published layout.", show_default=False)
    ],
    *, draws: Draws = 1000, without_severity: WithoutSeverity = False, out: OutFolder = None, formats: Formats = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Read a table of ideas and critiques, of Novum or of others, and print its leaderboard."""
    if not file.exists():
        raise BadInput(f"{file} does not exist. Name a table in the published layout (docs: LiveIdeaBench).")
    run = dataset_in(file)
    models, judgements = count(len(run.models), "model"), count(len(run.judgements), "judgement")
    print_message(f"{count(len(run.ideas), 'idea')} of {models}, {judgements}.")
    _show(run, OutputOptions(out, as_json, False, _formats(formats), draws), without_severity)


def _pilot(settings: LoadedSettings, task: LiveIdeaTask, keywords: int, *, quiet: bool) -> tuple[Sequence[Share], str]:
    """What the calls of a pilot on a few keywords took, and a phrase that names it. Raises BadInput without answers."""
    few = sample_keywords(task.keywords, keywords, settings.values.seed)
    pilot = task.model_copy(update={"keywords": few, "anchors": None})  # an anchor takes what an idea takes
    shares: list[Share] = []

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> LiveIdeaRun:
        run = await start(LIVEIDEA, workplace, pilot, listeners)
        shares.extend(await workplace.ledger.shares(run.name))
        return run

    run = run_durable(settings, job, quiet=quiet, shown_by="novum liveidea score")
    if not shares:
        raise BadInput(f"The pilot {run.name} got no answer: `novum runs show {run.name}` says why.")
    return shares, f"a pilot on {count(len(few), 'keyword')} ({run.name})"


def _show(run: LiveIdeaRun, output: OutputOptions, without_severity: bool) -> None:
    show(run, output, without_severity=without_severity)
    if output.out is not None:
        for file in write_dataset(run, output.folder(""), output.formats):
            output.print(str(file))


def _formats(given: Sequence[str] | None) -> Sequence[str]:
    """Raises BadInput for an unknown format."""
    names = comma_separated(given) or TABLES
    check_formats(names)
    return names
