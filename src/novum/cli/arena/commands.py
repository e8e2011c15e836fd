"""`novum arena`: generators of ideas put against each other, on the same topics, before the same judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.arena.options import (
    Before,
    Chosen,
    Experiments,
    IdeasFiles,
    JudgeNames,
    Level,
    Methods,
    MostPairs,
    ScheduleName,
    SureAbout,
    Topics,
    TopicsFile,
    Writer,
    assignment_from,
)
from novum.cli.arena.reports import folder_name
from novum.cli.liveidea.options import listed
from novum.cli.shell.group import examples
from novum.cli.shell.options import (
    A_DATE,
    OUTPUT,
    AsJson,
    BaseUrl,
    BudgetCalls,
    BudgetTokens,
    BudgetUsd,
    Force,
    Fresh,
    LiveSource,
    Prompts,
    Quiet,
    Reader,
    Seed,
    panel_option,
)
from novum.cli.shell.output import OutputOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from novum.benchmarks.arena.topics import TopicList


RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)
]
RunOrFile = Annotated[
    str, typer.Argument(metavar="RUN|FILE", help="A run, or a file or folder of matches.", show_default=False)
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
Formats = Annotated[
    list[str] | None, panel_option(OUTPUT, "jsonl or csv; repeatable, or with commas.", "--format", metavar="NAME")
]
OutFolder = Annotated[Path | None, panel_option(OUTPUT, "Folder of the files; else novum-reports/RUN.", metavar="DIR")]
_FORMATS = ("jsonl", "csv")


@examples(
    "novum arena run --topics topics.txt --method chain-of-ideas,rag --judge openai:gpt-5.5 --before 2024-01-01",
    "novum arena run --topic 'protein design' -m chain-of-ideas -m chain-of-ideas:length=0,name=without-chain",
    "novum arena run --topics topics.csv -m rag --ideas others.jsonl --schedule adaptive --budget-usd 5 --experiments",
)
def run_arena(
    *, topics: TopicsFile = None, topic: Topics = None, methods: Methods = None, ideas: IdeasFiles = None,
    before: Before = None, experiments: Experiments = False, schedule: ScheduleName = "round-robin",
    level: Level = 0.95, sure_about: SureAbout = None, most_pairs: MostPairs = None,
    source: LiveSource = None, model: Writer = None, reader: Reader = None, judges: JudgeNames = None,
    base_url: BaseUrl = None, seed: Seed = None, prompts: Prompts = None, fresh: Fresh = False,
    budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None, budget_calls: BudgetCalls = None,
    draws: Draws = 1000, formats: Formats = None, out: OutFolder = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Have ideas by several methods on the same topics, and learn which are better, by how much, and how surely."""
    from novum.benchmarks.arena.durable import ARENA
    from novum.cli.arena.session import announcement, deliver
    from novum.cli.shell.days import day
    from novum.cli.shell.durable import start_run
    from novum.cli.shell.output import REPORTS_FOLDER, check_writable
    from novum.cli.shell.terminal import print_message
    from novum.settings import load_settings

    settings = load_settings({
        "writer": model, "reader": reader, "base_url": base_url, "seed": seed, "prompts": prompts,
        "sources": ",".join(source or ()),
        "budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    protocol = {"schedule": schedule, "level": level, "sure_about": listed(sure_about), "most_pairs": most_pairs}
    chosen = Chosen(
        topics, topic or (), methods or (), ideas or (), judges or (), day(before, "--before"), experiments, protocol
    )
    assignment = assignment_from(settings, chosen)
    output = OutputOptions(out, as_json, quiet, _formats(formats), draws)
    check_writable(out or REPORTS_FOLDER)
    if not quiet:
        print_message(announcement(assignment))

    run = start_run(ARENA, settings, assignment, quiet=quiet, fresh=fresh, command="novum arena score")
    deliver(run, output)


@examples("novum arena resume last", "novum arena resume last --budget-usd 10")
def resume(
    run: RunName, *, budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None,
    budget_calls: BudgetCalls = None, draws: Draws = 1000, formats: Formats = None, out: OutFolder = None,
    as_json: AsJson = False, quiet: Quiet = False,
    anyway: Force = False,
) -> None:  # fmt: skip
    """Go on with an arena. Those who forfeited get another try, and judges are asked for what they owe."""
    from novum.benchmarks.arena.durable import ARENA
    from novum.cli.arena.lookup import record_named
    from novum.cli.arena.session import deliver
    from novum.cli.shell.durable import resume_run
    from novum.runs.engine import settings_of
    from novum.settings import load_settings

    record = record_named(run)
    budgets = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls}
    settings = load_settings(settings_of(record) | {name: each for name, each in budgets.items() if each is not None})
    resumed = resume_run(ARENA, record, settings, quiet=quiet, anyway=anyway)
    deliver(resumed, OutputOptions(out, as_json, quiet, _formats(formats), draws))


@examples("novum arena score last", "novum arena score matches.jsonl --json")
def score(run: RunOrFile, *, draws: Draws = 1000, as_json: AsJson = False) -> None:
    """The leaderboards of an arena, finished or not, or of a file of matches. Asks no model."""
    from novum.cli.arena.lookup import run_named
    from novum.cli.arena.session import show

    show(run_named(run), OutputOptions(as_json=as_json, bootstrap_samples=draws))


@examples("novum arena export last --out my-arena", "novum arena export last -f csv")
def export(
    run: RunOrFile, *,
    out: OutFolder = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", "-f", metavar="NAME", help="jsonl or csv; repeatable.")
    ] = None,
) -> None:  # fmt: skip
    """Write matches and entries as files that others can check: what was handed in, and every verdict."""
    from novum.benchmarks.arena.exporting import write_arena
    from novum.cli.arena.lookup import run_named
    from novum.cli.shell.output import REPORTS_FOLDER
    from novum.cli.shell.terminal import print_line

    names = _formats(formats)
    found = run_named(run)
    for file in write_arena(found, out or REPORTS_FOLDER / folder_name(found.name), names):
        print_line(str(file))


@examples("novum arena import matches-of-others.csv", "novum arena import their-arena --out checked --format jsonl")
def import_matches(
    place: Annotated[
        Path, typer.Argument(metavar="FILE", help="Matches as JSONL or CSV, or a folder with them.", show_default=False)
    ],
    *, draws: Draws = 1000, out: OutFolder = None, formats: Formats = None, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Read matches that others judged, rate their entrants, and with --out write them in our form."""
    from novum.benchmarks.arena.exporting import write_arena
    from novum.cli.arena.lookup import read_file
    from novum.cli.arena.session import show
    from novum.cli.shell.terminal import print_line, print_message
    from novum.reports.phrases import count

    names = _formats(formats)
    run = read_file(place)
    judges = count(len(run.judges), "judge")
    print_message(f"{count(len(run.judged_pairs), 'asking')} of {judges} about {count(len(run.entrants), 'entrant')}.")
    show(run, OutputOptions(out, as_json, bootstrap_samples=draws))
    if out is not None:
        for file in write_arena(run, out, names):
            (print_message if as_json else print_line)(str(file))


@examples(
    "novum arena topics --since 2024-01-01 --count 50 --out topics.jsonl",
    "novum arena topics --since 2025-06-01 --reader openai:gpt-5.5-mini --out topics.csv",
)
def topics_from_papers(
    *,
    since: Annotated[str, typer.Option(metavar=A_DATE, help="Papers from this day on.", show_default=False)],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The list, JSONL or CSV.", show_default=False)],
    number: Annotated[int, typer.Option("--count", min=1, max=10_000, help="Papers that topics are taken from.")] = 50,
    reader: Reader = None, base_url: BaseUrl = None, seed: Seed = None, prompts: Prompts = None, fresh: Fresh = False,
    budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None, budget_calls: BudgetCalls = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Topics out of the library's newest papers, for an arena of generators that may not have read them."""
    from novum.cli.arena.topics import found_topics, write_topics
    from novum.cli.shell.days import day
    from novum.cli.shell.terminal import print_line
    from novum.errors import BadInput
    from novum.reports.phrases import count
    from novum.settings import load_settings

    if out.suffix not in {".jsonl", ".csv"}:
        raise BadInput(f"--out {out}: name a file that ends in .jsonl or .csv.")
    first = day(since, "--since")
    assert first is not None, "the option is required"
    settings = load_settings({
        "reader": reader, "base_url": base_url, "seed": seed, "prompts": prompts,
        "budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    found: TopicList = found_topics(settings, first, number, quiet=quiet, fresh=fresh)
    write_topics(found, out)
    print_line(f"{out}: {count(len(found.topics), 'topic')}")
    if not quiet:
        print_line(
            f"Put them to generators that may not have read the papers: novum arena run --topics {out} --before {first}"
        )


def _formats(given: Sequence[str] | None) -> Sequence[str]:
    """Raises BadInput for one that is not known."""
    from novum.benchmarks.arena.exporting import check_formats

    names = listed(given) or _FORMATS
    check_formats(names)
    return names
