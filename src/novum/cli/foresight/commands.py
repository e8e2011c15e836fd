"""`novum foresight`: do ideas from literature before a day come near to what was published after it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.arena.options import Writer
from novum.cli.foresight.options import (
    Cutoffs,
    Day,
    Draw,
    Earlier,
    FalsePositives,
    Horizon,
    IdeasOf,
    Methods,
    Neighbours,
    Plain,
    Pool,
    Topics,
    TopicsFile,
)
from novum.cli.shell.group import Help, examples
from novum.cli.shell.model_options import (
    OUTPUT,
    AsJson,
    BaseUrl,
    BudgetCalls,
    BudgetTokens,
    BudgetUsd,
    Fresh,
    Out,
    Prompts,
    Quiet,
    Reader,
    Seed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from novum.benchmarks.foresight.records import ForesightRun
    from novum.cli.foresight.session import Manner
    from novum.lab import Workplace
    from novum.ledger.run import Listener
    from novum.settings import LoadedSettings

_SHORT = "Do ideas from literature before a day come near to what was published after it?"
app = typer.Typer(short_help=_SHORT, rich_markup_mode="rich", context_settings=Help, invoke_without_command=True)
Draws = Annotated[
    int, typer.Option(min=0, max=100_000, help="Draws of topics behind the intervals.", rich_help_panel=OUTPUT)
]


@app.callback(epilog=examples(
    "novum foresight --method chain-of-ideas --cutoffs 2019,2020,2021 --horizon 3 --topics topics.txt",
    "novum foresight -m chain-of-ideas -m rag --cutoffs 2021 --draw 50 --model openai:gpt-5.5 --budget-usd 20",
    "novum foresight --ideas ideas.jsonl --day 2022-01-01",
    "novum foresight report last --out my-report",
))  # fmt: skip
def foresight(
    context: typer.Context,
    *, methods: Methods = None, ideas: IdeasOf = None, cutoffs: Cutoffs = None, day: Day = None, horizon: Horizon = 3,
    topics: TopicsFile = None, topic: Topics = None, draw: Draw = 20, plain: Plain = None,
    neighbours: Neighbours = 5, pool: Pool = 50, earlier: Earlier = 10, false_positives: FalsePositives = 0.01,
    model: Writer = None, reader: Reader = None, base_url: BaseUrl = None, seed: Seed = None, prompts: Prompts = None,
    fresh: Fresh = False, budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None,
    budget_calls: BudgetCalls = None, draws: Draws = 1000, out: Out = None, as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Do ideas from literature before a day come near to what was published after it?

    Every method has an idea on every topic, with literature up to each cut-off; or ideas are given. Each is held
    against papers from after the cut-off, beside earlier papers, other topics and a prompt that reads nothing.
    """
    if context.invoked_subcommand is not None:
        return
    if not methods and not ideas and not topics and not topic and not cutoffs and not day:
        context.get_help()  # with rich markup this prints by itself
        raise typer.Exit
    from novum.benchmarks.foresight.durable import look_ahead
    from novum.cli.foresight.options import Chosen, task_from
    from novum.cli.foresight.session import Manner, announcement, deliver, studied
    from novum.cli.shell.model_options import check_address
    from novum.cli.shell.session import REPORTS_FOLDER, check_writable
    from novum.cli.shell.terminal import tell
    from novum.settings import load_settings

    settings = load_settings({
        "writer": model, "reader": reader, "base_url": base_url, "seed": seed, "prompts": prompts,
        "budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    if methods:
        check_address(settings, base_url)
    sizes = {
        "horizon": horizon, "neighbours": neighbours, "pool": pool, "earlier": earlier,
        "false_positives": false_positives,
    }  # fmt: skip
    given = (methods or (), ideas or (), cutoffs or (), day, topics, topic or (), draw, plain, sizes)
    check_writable(out or REPORTS_FOLDER)
    task = task_from(settings, Chosen(*given))
    if not quiet:
        tell(announcement(task))

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> ForesightRun:
        return await look_ahead(workplace, task, listeners, fresh=fresh)

    deliver(studied(settings, job, quiet=quiet), Manner(out, as_json, quiet, draws))


@app.command("report", epilog=examples("novum foresight report last", "novum foresight report last --out my-report"))
def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)
    ],
    *, draws: Draws = 1000, out: Out = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Write the report of a study again, or that of one that stopped: one page, with all as data. Asks no model."""
    from novum.benchmarks.foresight.durable import recall, task_of
    from novum.benchmarks.foresight.report.files import write_foresight_report
    from novum.benchmarks.foresight.report.numbers import foresight_report
    from novum.cli.foresight.session import say_files
    from novum.cli.shell import durable
    from novum.cli.shell.session import REPORTS_FOLDER, check_writable
    from novum.cli.shell.terminal import say, say_json, tell
    from novum.runs.engine import FORESIGHT

    without = "There was no study of foresight yet. Begin: novum foresight --method METHOD --cutoffs YEAR"
    record = durable.record_named(run, FORESIGHT, without)
    task_of(record)
    folder: Path = out or REPORTS_FOLDER / record.id
    check_writable(folder)
    told = foresight_report(durable.recalled(record, recall), draws=draws)
    if as_json:
        say_json(told.model_dump(mode="json"))
    say_files(write_foresight_report(told, folder), tell if as_json else say)


def resume_foresight(run_id: str, settings: LoadedSettings, manner: Manner, *, anyway: bool) -> None:
    """What `novum runs resume` does for a run of this kind."""
    from novum.benchmarks.foresight.durable import resume
    from novum.cli.foresight.session import deliver, studied

    async def job(workplace: Workplace, listeners: Sequence[Listener]) -> ForesightRun:
        return await resume(workplace, run_id, listeners, anyway=anyway)

    deliver(studied(settings, job, quiet=manner.quiet, run_id=run_id), manner)
