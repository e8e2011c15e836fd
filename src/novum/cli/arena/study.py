"""`novum arena study`: arenas whose entrants come from a table, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from novum.benchmarks.arena.durable import ARENA
from novum.benchmarks.arena.plan import PlanBasis, averages_in, plan_arena
from novum.benchmarks.arena.prompt_uses import PromptUse, prompts_used
from novum.benchmarks.arena.records import StudyName
from novum.benchmarks.arena.report.evidence import write_evidence
from novum.benchmarks.arena.report.page import write_arena_report
from novum.benchmarks.arena.report.study import study_report
from novum.benchmarks.arena.report.study_page import write_study_report
from novum.benchmarks.arena.studies import CHAIN_OF_IDEAS, QUALITY_WORDS, STUDIES, ablation_entrants, curve_entrants
from novum.benchmarks.arena.task import ArenaTask, parse_entrants, parse_options
from novum.cli.arena.options import (
    ARENA_PANEL,
    ArenaJudges,
    ArenaOptions,
    PublishedBefore,
    RunOrFile,
    TopicsFile,
    TopicTexts,
    Writer,
    arena_task,
)
from novum.cli.arena.session import announcement, arena_named, deliver, stored_run
from novum.cli.arena.study_table import print_plan
from novum.cli.shell.arguments import comma_separated, folder_name, print_report_files
from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import SeededOptions
from novum.cli.shell.options import (
    A_PAIR,
    OUTPUT,
    AsJson,
    Draws,
    LiveSource,
    Quiet,
    Reader,
    panel_option,
)
from novum.cli.shell.output import OutputOptions, check_writable, checked_report_folder, report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_message
from novum.core.comparison import Entrant
from novum.errors import BadInput
from novum.judges.judging_protocol import NEWEST_PROTOCOL
from novum.ledger import Ledger
from novum.llm import PriceTable
from novum.settings import LoadedSettings, load_settings

DEFAULT_ENTRANTS = "chain-of-ideas,portfolio,plain,plain-best-of-n,rag"


@dataclass(frozen=True)
class StudyOptions:
    """What all studies have: topics, judges, and what judges see."""

    topics: TopicsFile = None
    topic: TopicTexts = None
    before: PublishedBefore = None
    form: Annotated[
        str | None,
        panel_option(
            ARENA_PANEL,
            "Form in which judges see ideas: as-written; cut (the same parts, cut at the same number of words); or "
            "restated (by one model, in the same parts and words). Default: restated for quality, else as-written.",
            "--idea-form",
            metavar="NAME",
        ),
    ] = None
    words: Annotated[
        int, panel_option(ARENA_PANEL, "Most words of an idea in the forms cut and restated.", metavar="N")
    ] = QUALITY_WORDS
    protocol: Annotated[
        str,
        panel_option(ARENA_PANEL, "How judges compare: novum-2, novum-1, or published.", metavar="NAME"),
    ] = NEWEST_PROTOCOL
    judges: ArenaJudges = None


@dataclass(frozen=True)
class StudyRun:
    """How a study is run, and where its results go."""

    source: LiveSource = None
    model: Writer = None
    reader: Reader = None
    draws: Draws = 1000
    out: Annotated[
        Path | None, panel_option(OUTPUT, "Folder of the files. Default: novum-reports/RUN.", metavar="DIR")
    ] = None
    dry_run: Annotated[
        bool,
        panel_option(OUTPUT, "Only print the calls, tokens, price and time; send nothing.", "--dry-run"),
    ] = False
    as_json: AsJson = False
    quiet: Quiet = False


SharedOptions = Annotated[
    list[str] | None,
    panel_option(ARENA_PANEL, "Option of all entrants; repeatable.", "--option", "-o", metavar=A_PAIR),
]
CurveValues = Annotated[
    list[str] | None, panel_option(ARENA_PANEL, "Values of the option; repeatable, or with commas.", metavar="N")
]


@examples(
    "novum arena study ablation --topics topics.txt --judge openai:gpt-5.5 --dry-run",
    "novum arena study ablation --topics topics.txt --variant without-trends:trends=false",
)
def study_ablation(
    *, study: StudyOptions, option: SharedOptions = None,
    variant: Annotated[
        list[str] | None,
        panel_option(ARENA_PANEL, "Further variant, as NAME:KEY=VALUE; repeatable.", "--variant", metavar="NAME"),
    ] = None,
    models: SeededOptions, run: StudyRun,
) -> None:  # fmt: skip
    """Compare Chain of Ideas with variants that lack one of its parts, as in the paper's Table 2."""
    more = dict(_variant(text) for text in variant or ())
    _start("ablation", ablation_entrants(_shared(option), more), study, models, run)


@examples("novum arena study length --topics topics.txt --values 0,3,5 --dry-run")
def study_length(
    *, study: StudyOptions, values: CurveValues = None, option: SharedOptions = None, models: SeededOptions,
    run: StudyRun,
) -> None:  # fmt: skip
    """Compare ideas by the length of their chain, as in the paper's Figure 4; 0 is without a chain."""
    _start("length", curve_entrants("length", _shared(option), _whole_numbers(values)), study, models, run)


@examples("novum arena study width --topics topics.txt --values 1,3,5 --dry-run")
def study_width(
    *, study: StudyOptions, values: CurveValues = None, option: SharedOptions = None, models: SeededOptions,
    run: StudyRun,
) -> None:  # fmt: skip
    """Compare ideas by the number of chains, as in the paper's Figure 5."""
    _start("width", curve_entrants("width", _shared(option), _whole_numbers(values)), study, models, run)


@examples(
    "novum arena study quality --topics topics.txt --judge openai:gpt-5.5,anthropic:claude-opus-4-5 --dry-run",
    "novum arena study quality --topics topics.txt --entrants chain-of-ideas:branches=5,plain,plain-best-of-n",
)
def study_quality(
    *, study: StudyOptions,
    entrants: Annotated[
        list[str] | None,
        panel_option(
            ARENA_PANEL,
            f"Methods, as METHOD or METHOD:option=value,name=…; repeatable. Default: {DEFAULT_ENTRANTS}.",
            metavar="METHOD",
        ),
    ] = None,
    ideas: Annotated[
        list[Path] | None,
        panel_option(ARENA_PANEL, "Ideas made elsewhere, JSONL or CSV; repeatable.", "--ideas", metavar="FILE"),
    ] = None,
    models: SeededOptions, run: StudyRun,
) -> None:  # fmt: skip
    """Compare methods on quality: blind, in one form and length, in both orders, with win rates over a plain prompt."""
    chosen = parse_entrants(entrants or ([] if ideas else [DEFAULT_ENTRANTS]))
    _start("quality", chosen, study, models, run, ideas)


@with_pdf
@examples("novum arena study report last", "novum arena study report matches.jsonl --as quality --baseline rag")
def report(
    run: RunOrFile,
    *,
    as_study: Annotated[
        str, typer.Option("--as", metavar="NAME", help="ablation, length, width or quality. Default: as it was run.")
    ] = "",
    baseline: Annotated[
        list[str] | None,
        typer.Option(metavar="ENTRANT", help="Entrant that others are compared with; repeatable. Default: plain."),
    ] = None,
    draws: Draws = 1000,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report. Default: novum-reports/RUN.")
    ] = None,
) -> None:
    """Write the report of a study as a page, as Markdown and as data, beside the report of its arena."""
    arena = arena_named(run)
    numbers, whole = study_report(arena, _study_name(as_study), baselines=comma_separated(baseline), draws=draws)
    folder = report_folder(out, folder_name(arena.name, "study"))
    check_writable(folder)
    print_report_files(write_study_report(numbers, whole, folder))
    print_line(str(write_arena_report(whole, folder).html))


@examples("novum arena study export last --out docs/evidence/my-study")
def export(
    run: RunOrFile,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the files.", show_default=False)],
    as_study: Annotated[
        str, typer.Option("--as", metavar="NAME", help="ablation, length, width or quality. Default: as it was run.")
    ] = "",
    draws: Draws = 1000,
) -> None:
    """Write the evidence of a study: results, limits, protocol, prompts, and every idea and judgement as text."""
    arena = arena_named(run)
    numbers, whole = study_report(arena, _study_name(as_study), draws=draws)
    folder = checked_report_folder(out)
    for file in write_evidence(arena, numbers, whole, _prompts(run), folder):
        print_line(str(file))


def _start(
    name: StudyName, entrants: Sequence[Entrant], study: StudyOptions, models: SeededOptions, run: StudyRun,
    ideas: list[Path] | None = None,
) -> None:  # fmt: skip
    settings = models.settings(writer=run.model, reader=run.reader, sources=",".join(run.source or ()))
    task = _task(name, entrants, study, settings, ideas)
    if run.dry_run:
        _print_plan(task, settings, as_json=run.as_json)
        return
    checked_report_folder(run.out)
    if not run.quiet:
        print_message(announcement(task))
    output = OutputOptions(run.out, run.as_json, run.quiet, bootstrap_samples=run.draws)
    deliver(start_run(ARENA, settings, task, quiet=run.quiet, fresh=models.fresh), output)


def _task(
    name: StudyName, entrants: Sequence[Entrant], study: StudyOptions, settings: LoadedSettings,
    ideas: list[Path] | None,
) -> ArenaTask:  # fmt: skip
    form = study.form or ("restated" if name == "quality" else "as-written")
    options = ArenaOptions(
        topics=study.topics, topic=study.topic, ideas=ideas, before=study.before, judges=study.judges,
        protocol=study.protocol, schedule=STUDIES[name].schedule,
    )  # fmt: skip
    own = {"study": name, "form": form, "words": 0 if form == "as-written" else study.words}
    return arena_task(settings, options, entrants, own)


def _print_plan(task: ArenaTask, settings: LoadedSettings, *, as_json: bool) -> None:
    models = settings.for_models()
    with Ledger.open(settings.ledger_place) as ledger:
        averages = averages_in(ledger, task.entrants)
    plan = plan_arena(task, PlanBasis(models.roles, PriceTable(models.prices), settings.values.in_flight, averages))
    if as_json:
        print_json(plan.model_dump(mode="json") | {"calls": plan.calls, "tokens": plan.tokens, "usd": plan.usd})
        return
    print_line(announcement(task))
    print_plan(plan)


def _prompts(run: str) -> tuple[PromptUse, ...]:
    if Path(run).exists():
        return ()
    record = stored_run(run)
    with Ledger.open(load_settings().ledger_place) as ledger:
        return prompts_used(ledger, record.id)


def _shared(option: Sequence[str] | None) -> dict[str, JsonValue]:
    return parse_options(CHAIN_OF_IDEAS, option or ())


def _variant(text: str) -> tuple[str, dict[str, JsonValue]]:
    name, colon, options = text.partition(":")
    if not name.strip() or not colon:
        raise BadInput(f"--variant {text!r}: write NAME:KEY=VALUE, as in without-trends:trends=false.")
    return name.strip(), parse_options(CHAIN_OF_IDEAS, options.split(","))


def _whole_numbers(given: Sequence[str] | None) -> list[int]:
    names = comma_separated(given)
    if wrong := next((name for name in names if not name.isdigit()), ""):
        raise BadInput(f"--values {wrong!r} is no whole number: write --values 1,3,5.")
    return [int(name) for name in names]


def _study_name(name: str) -> StudyName:
    if name and name not in STUDIES:
        raise BadInput(f"--as {name!r}: choose of {', '.join(STUDIES)}.")
    return name  # type: ignore[return-value]  # one of them
