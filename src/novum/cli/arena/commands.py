"""`novum arena`: compare idea generators on the same topics, before the same judges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.arena.durable import ARENA, ARENA_TOPICS, TopicSearchTask
from novum.benchmarks.arena.exporting import FORMATS, check_formats, write_arena
from novum.benchmarks.arena.topics import COLUMNS, TopicList
from novum.cli.arena.options import ArenaOptions, RunOrFile, Writer, arena_task
from novum.cli.arena.session import announcement, arena_in, arena_named, deliver, show, stored_run
from novum.cli.shell.arguments import comma_separated, folder_name, print_skipped
from novum.cli.shell.durable import resume_run, start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import SeededOptions
from novum.cli.shell.options import (
    A_DATE,
    OUTPUT,
    AsJson,
    BudgetCalls,
    BudgetTokens,
    BudgetUsd,
    Draws,
    Force,
    LiveSource,
    Quiet,
    Reader,
    panel_option,
    read_date,
)
from novum.cli.shell.output import OutputOptions, checked_report_folder, report_folder, table_file
from novum.cli.shell.terminal import print_json, print_line, print_message
from novum.errors import BadInput
from novum.files.tables import write_rows
from novum.reports.phrases import count
from novum.runs.engine import settings_to_resume
from novum.settings import load_settings

RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)
]
Formats = Annotated[
    list[str] | None,
    panel_option(OUTPUT, "jsonl or csv; repeatable, or with commas.", "--format", "-f", metavar="NAME"),
]
OutFolder = Annotated[
    Path | None, panel_option(OUTPUT, "Folder of the files. Default: novum-reports/RUN.", metavar="DIR")
]


@examples(
    "novum arena run --topics topics.txt --method chain-of-ideas,rag --judge openai:gpt-5.5 --before 2024-01-01",
    "novum arena run --topic 'protein design' -m chain-of-ideas -m chain-of-ideas:length=0,name=without-chain",
    "novum arena run --topics topics.csv -m rag --ideas others.jsonl --schedule adaptive --budget-usd 5 --experiments",
)
def run_arena(
    *, arena: ArenaOptions, models: SeededOptions, source: LiveSource = None, model: Writer = None,
    reader: Reader = None, draws: Draws = 1000, formats: Formats = None, out: OutFolder = None,
    as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Generate ideas with several methods on the same topics and rank the methods, with confidence intervals."""
    settings = models.settings(writer=model, reader=reader, sources=",".join(source or ()))
    task = arena_task(settings, arena)
    output = OutputOptions(out, as_json, quiet, _formats(formats), draws)
    checked_report_folder(out)
    if not quiet:
        print_message(announcement(task))
    deliver(start_run(ARENA, settings, task, quiet=quiet, fresh=models.fresh), output)


@examples("novum arena resume last", "novum arena resume last --budget-usd 10")
def resume(
    run: RunName, *, budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None,
    budget_calls: BudgetCalls = None, draws: Draws = 1000, formats: Formats = None, out: OutFolder = None,
    as_json: AsJson = False, quiet: Quiet = False, force: Force = False,
) -> None:  # fmt: skip
    """Resume an arena. Forfeits are tried again, and judges get the requests that are missing."""
    record = stored_run(run)
    budgets = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls}
    given = {name: each for name, each in budgets.items() if each is not None}
    settings = load_settings(settings_to_resume(record) | given)
    resumed = resume_run(ARENA, record, settings, quiet=quiet, force=force)
    deliver(resumed, OutputOptions(out, as_json, quiet, _formats(formats), draws))


@examples("novum arena score last", "novum arena score matches.jsonl --json")
def score(run: RunOrFile, *, draws: Draws = 1000, as_json: AsJson = False) -> None:
    """Print the leaderboards of an arena, finished or not, or of a file of matches. Calls no model."""
    show(arena_named(run), OutputOptions(as_json=as_json, bootstrap_samples=draws))


@examples("novum arena export last --out my-arena", "novum arena export last -f csv")
def export(run: RunOrFile, *, out: OutFolder = None, formats: Formats = None) -> None:
    """Write matches and entries as tables that others can check: every submitted idea and every verdict."""
    names = _formats(formats)
    arena = arena_named(run)
    for file in write_arena(arena, report_folder(out, folder_name(arena.name, "arena")), names):
        print_line(str(file))


@examples("novum arena import matches-of-others.csv", "novum arena import their-arena --out checked --format jsonl")
def import_matches(
    place: Annotated[
        Path, typer.Argument(metavar="FILE", help="Matches as JSONL or CSV, or a folder with them.", show_default=False)
    ],
    *, draws: Draws = 1000, out: OutFolder = None, formats: Formats = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Read matches that others judged and rate their entrants; with --out write them as tables too."""
    names = _formats(formats)
    run, output = arena_in(place), OutputOptions(out, as_json, bootstrap_samples=draws)
    entrants, judges = count(len(run.entrants), "entrant"), count(len(run.judges), "judge")
    print_message(f"{count(len(run.judged_pairs), 'request')} to {judges} about {entrants}.")
    show(run, output)
    if out is not None:
        for file in write_arena(run, output.folder(""), names):
            output.print(str(file))


@examples(
    "novum arena topics --since 2024-01-01 --count 50 --out topics.jsonl",
    "novum arena topics --since 2025-06-01 --reader openai:gpt-5.5-mini --out topics.csv",
)
def topics_from_papers(
    *,
    since: Annotated[str, typer.Option(metavar=A_DATE, help="Papers from this day on.", show_default=False)],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The list, JSONL or CSV.", show_default=False)],
    number: Annotated[int, typer.Option("--count", "-n", min=1, max=10_000, metavar="N", help="Papers to use.")] = 50,
    reader: Reader = None, models: SeededOptions, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Derive topics from the newest papers of the library, for generators that may not have read them."""
    file = table_file(out, name="topics")
    first = read_date(since, "--since")
    assert first is not None, "the option is required"
    task = TopicSearchTask(since=first, papers=number)
    topics = start_run(ARENA_TOPICS, models.settings(reader=reader), task, quiet=quiet, fresh=models.fresh)
    print_skipped(topics.refused, "paper")
    _write_topics(topics, file)
    print_line(f"{file}: {count(len(topics.topics), 'topic')}")
    if not quiet:
        print_line(f"Use them without the papers they are from: novum arena run --topics {file} --before {first}")


def show_stored_topics(topics: TopicList, output: OutputOptions) -> None:
    """Writes the topics of a stored run; `--out` is a file, or a folder for it."""
    print_skipped(topics.refused, "paper")
    if output.as_json:
        print_json(topics.model_dump(mode="json"))
    file = output.table("", "topics.jsonl")
    _write_topics(topics, file)
    output.note(f"{file}: {count(len(topics.topics), 'topic')}")


def _write_topics(topics: TopicList, file: Path) -> None:
    try:
        write_rows((each.model_dump() for each in topics.topics), COLUMNS, file)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror or error}. Name another file by --out.") from error


def _formats(given: Sequence[str] | None) -> Sequence[str]:
    """Raises BadInput for an unknown format."""
    names = comma_separated(given) or FORMATS
    check_formats(names)
    return names
