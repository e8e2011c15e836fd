"""`novum liveidea`: models measured on scientific divergent thinking, from one keyword at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.liveidea.options import (
    Anchors,
    AsReleased,
    Chosen,
    Combined,
    Ideas,
    JudgeNames,
    JudgesPerIdea,
    Keywords,
    Marked,
    ModelNames,
    Pairs,
    PanelFile,
    PanelSize,
    PapersBefore,
    Temperature,
    WithPapers,
    assignment_from,
    listed,
)
from novum.cli.shell.group import examples
from novum.cli.shell.options import (
    OUTPUT,
    AsJson,
    BaseUrl,
    BudgetCalls,
    BudgetTokens,
    BudgetUsd,
    Fresh,
    Prompts,
    Quiet,
    Seed,
    panel_option,
)
from novum.cli.shell.output import OutputOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from novum.benchmarks.liveidea.records import LiveIdeaRun
    from novum.ledger import Share


RunOrFile = Annotated[
    str, typer.Argument(metavar="RUN|FILE", help="A run, or a data set's file or folder.", show_default=False)
]
Draws = Annotated[
    int,
    typer.Option(
        "--bootstrap-samples",
        min=0,
        max=100_000,
        metavar="N",
        help="Bootstrap samples behind the intervals.",
        rich_help_panel=OUTPUT,
    ),
]
Severity = Annotated[
    bool,
    panel_option(OUTPUT, "Take off how severe each judge is, judged by the ideas they share.", "--without-severity"),
]
Formats = Annotated[
    list[str] | None,
    panel_option(OUTPUT, "jsonl, csv or parquet; repeatable, or with commas.", "--format", metavar="NAME"),
]
OutFolder = Annotated[
    Path | None, panel_option(OUTPUT, "Folder of the data set; else novum-reports/RUN.", metavar="DIR")
]
_FORMATS = ("jsonl", "csv")


@examples(
    "novum liveidea run --model openai:gpt-5.5,mistral:mistral-large-latest --panel ranking.csv --keywords 100",
    "novum liveidea run -m ollama:llama3.3 --judge openai:gpt-5.5,google:gemini-3.8-flash --budget-usd 5",
    "novum liveidea run -m openai:gpt-5.5 --panel ranking.csv --keywords all --format parquet",
    "novum liveidea run -m openai:gpt-5.5 --panel ranking.csv --papers 5 --anchors 24",
    "novum runs resume last",
)
def run_models(
    *, models: ModelNames = None, keywords: Keywords = "22", judges: JudgeNames = None, panel: PanelFile = None,
    panel_size: PanelSize = 10, ideas: Ideas = 2, judges_per_idea: JudgesPerIdea = 3, pairs: Pairs = "first",
    combined: Combined = "mean", marked: Marked = None, as_released: AsReleased = False,
    temperature: Temperature = None, anchors: Anchors = None, with_papers: WithPapers = 0, before: PapersBefore = None,
    base_url: BaseUrl = None, seed: Seed = None, prompts: Prompts = None,
    fresh: Fresh = False, budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None,
    budget_calls: BudgetCalls = None, draws: Draws = 1000, formats: Formats = None, out: OutFolder = None,
    as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Measure models: ideas for each keyword, judged by a panel, and a leaderboard of them."""
    from novum.benchmarks.liveidea.durable import LIVEIDEA
    from novum.cli.liveidea.session import deliver
    from novum.cli.shell.durable import start_run
    from novum.cli.shell.output import REPORTS_FOLDER, check_writable
    from novum.settings import load_settings

    settings = load_settings({
        "base_url": base_url, "seed": seed, "prompts": prompts,
        "budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    protocol = _protocol(ideas, judges_per_idea, pairs, combined, as_released, temperature, with_papers)
    chosen = Chosen(
        listed(models), listed(judges), panel, panel_size, keywords, listed(marked), protocol, anchors, before
    )
    assignment = assignment_from(settings, chosen)
    output = OutputOptions(out, as_json, quiet, _formats(formats), draws)
    check_writable(out or REPORTS_FOLDER)

    run = start_run(LIVEIDEA, settings, assignment, quiet=quiet, fresh=fresh, command="novum liveidea score")
    deliver(run, output)


@examples(
    "novum liveidea plan --model openai:gpt-5.5 --panel ranking.csv --keywords all",
    "novum liveidea plan -m openai:gpt-5.5 --judge google:gemini-3.8-flash --keywords 500 --pilot 5",
)
def plan_models(
    *, models: ModelNames = None, keywords: Keywords = "22", judges: JudgeNames = None, panel: PanelFile = None,
    panel_size: PanelSize = 10, ideas: Ideas = 2, judges_per_idea: JudgesPerIdea = 3, pairs: Pairs = "first",
    combined: Combined = "mean", marked: Marked = None, as_released: AsReleased = False,
    temperature: Temperature = None, anchors: Anchors = None, with_papers: WithPapers = 0, before: PapersBefore = None,
    base_url: BaseUrl = None, seed: Seed = None, prompts: Prompts = None,
    pilot: Annotated[
        int, typer.Option(min=0, metavar="N", help="Ask for so many keywords first and reckon with what they took.")
    ] = 0,
    budget_usd: BudgetUsd = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Calls, tokens, money, time and CO2 of each model, before anything is spent. A pilot's answers are used again."""
    from novum.benchmarks.liveidea.plan import make_plan
    from novum.cli.liveidea.table import say_plan
    from novum.cli.shell.terminal import print_json
    from novum.llm import PriceTable
    from novum.settings import load_settings

    given = {"base_url": base_url, "seed": seed, "prompts": prompts, "budget_usd": budget_usd}
    settings = load_settings(given)
    protocol = _protocol(ideas, judges_per_idea, pairs, combined, as_released, temperature, with_papers)
    chosen = Chosen(
        listed(models), listed(judges), panel, panel_size, keywords, listed(marked), protocol, anchors, before
    )
    assignment = assignment_from(settings, chosen)
    shares: Sequence[Share] = ()
    basis = ""
    if pilot:
        from novum.cli.liveidea.pilot import carried_out

        shares, basis = carried_out(settings, assignment, pilot, quiet=quiet)
    tariff = PriceTable(settings.for_models().prices)
    plan = make_plan(assignment, tariff, shares, in_flight=settings.values.in_flight, basis=basis)
    if as_json:
        print_json(plan.model_dump(mode="json"))
        return
    say_plan(plan)


@examples("novum liveidea score last", "novum liveidea score data/ideas.jsonl --json")
def score(
    run: RunOrFile, *, draws: Draws = 1000, without_severity: Severity = False, out: OutFolder = None,
    formats: Formats = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """The leaderboard of a run, finished or not, or of a data set. Asks no model. --out writes the data set too."""
    from novum.cli.liveidea.lookup import run_named

    _show(run_named(run), out, formats, draws, without_severity, as_json)


@examples(
    "novum liveidea import ideas-of-others.parquet", "novum liveidea import table.csv --out checked --format jsonl"
)
def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSONL, CSV or Parquet in the published layout.", show_default=False)
    ],
    *, draws: Draws = 1000, without_severity: Severity = False, out: OutFolder = None, formats: Formats = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Read a table of ideas and critiques, ours or one that others made, and compute its leaderboard."""
    from novum.cli.liveidea.lookup import read_file
    from novum.cli.shell.terminal import print_message
    from novum.errors import BadInput
    from novum.reports.phrases import count

    if not file.exists():
        raise BadInput(f"{file} does not exist. Name a table in the published layout (docs: LiveIdeaBench).")
    run = read_file(file).run
    models, judgements = count(len(run.models), "model"), count(len(run.judgements), "judgement")
    print_message(f"{count(len(run.ideas), 'idea')} of {models}, {judgements}.")
    _show(run, out, formats, draws, without_severity, as_json)


def _show(
    run: LiveIdeaRun, out: Path | None, formats: Sequence[str] | None, draws: int, without_severity: bool, as_json: bool
) -> None:
    from novum.benchmarks.liveidea.exporting import write_dataset
    from novum.cli.liveidea.session import show
    from novum.cli.shell.terminal import print_line, print_message

    show(run, OutputOptions(out, as_json, bootstrap_samples=draws), without_severity=without_severity)
    if out is not None:
        for file in write_dataset(run, out, _formats(formats)):
            (print_message if as_json else print_line)(str(file))


def _protocol(
    ideas: int, judges: int, pairs: str, combined: str, as_released: bool, temperature: float | None, papers: int
) -> dict[str, object]:
    return {
        "ideas": ideas, "judges": judges, "pairs": pairs, "combined": combined, "as_released": as_released,
        "temperature": temperature, "papers": papers,
    }  # fmt: skip


def _formats(given: Sequence[str] | None) -> Sequence[str]:
    """Raises BadInput for one that is not known."""
    from novum.benchmarks.liveidea.exporting import check_formats

    names = listed(given) or _FORMATS
    check_formats(names)
    return names
