"""`novum judge validate`: how far a judge agrees with reviewers of real papers, or with people who scored ideas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.benchmarks.judge_validation.durable import JUDGE_VALIDATION, requests_of
from novum.benchmarks.judge_validation.phrases import HEADS, curve_rows, headline, remarks, table_rows
from novum.benchmarks.judge_validation.records import JudgeValidation
from novum.benchmarks.judge_validation.task import REVIEW, RUBRIC, JudgeValidationTask
from novum.benchmarks.judge_validation.texts import ValidationChoice, validation_task
from novum.benchmarks.metric_validation.outcomes import check_files
from novum.cli.judge.commands import Judges, named_judges
from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import SeededOptions
from novum.cli.shell.options import MODELS, AsJson, Out, Quiet, panel_option
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import one_line, print_json, print_line, print_message, print_table
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.judges.registry import judge_names
from novum.llm import ModelName, PriceTable
from novum.reports.phrases import count
from novum.settings import LoadedSettings

_TEXTS = "Texts"
_PROMPT_TOKENS, _ANSWER_TOKENS = 900, 400
"""Of one request, beside the texts: about."""
_CHARACTERS_PER_TOKEN = 4


@examples(
    "novum judge validate reviews.jsonl.gz --judge openai:gpt-5.5 --limit 100 --dry-run",
    "novum judge validate later.jsonl --train earlier.jsonl --by rubric --judge google:gemini-3.8-flash",
    "novum judge validate ideas.jsonl --outcome overall --judge openai:gpt-5.5,google:gemini-3.8-flash --json",
)
def validate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", show_default=False,
            help="Files of reviewed papers or of ideas that people scored: JSON lines, also gzipped.",
        ),
    ],
    *, judges: Judges = None,
    by: Annotated[
        str,
        panel_option(MODELS, "How it judges: pair or win-rate (two texts, both orders), rubric (six items), review "
                     "(as novum review), or a custom pairwise judge.", metavar="NAME"),
    ] = "pair",
    models: SeededOptions,
    outcome: Annotated[
        str, panel_option(_TEXTS, "People's rating to compare with: rating, or a score in the files.", metavar="NAME")
    ] = "rating",
    subset: Annotated[
        list[str] | None, panel_option(_TEXTS, "Of scored ideas only this subset; repeatable.", metavar="NAME")
    ] = None,
    train: Annotated[
        list[Path] | None,
        panel_option(_TEXTS, "Reviewed papers that the predicted rating is fitted to, such as those of earlier years. "
                     "Default: the installed model, without the venues and years that it knows. Repeatable.",
                     metavar="FILE"),
    ] = None,
    most: Annotated[
        int, typer.Option("--limit", min=10, max=5000, metavar="N", help="Texts at most.", rich_help_panel=_TEXTS)
    ] = 100,
    opponents: Annotated[
        int,
        typer.Option("--opponents", min=1, max=50, metavar="N", help="Pairs of a text.", rich_help_panel=_TEXTS),
    ] = 2,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print requests, tokens and price, and send nothing.")
    ] = False,
    out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Measure how far a judge agrees with people: pairs in their order, rank correlation, decisions.

    Beside it stand the predicted rating, one reviewer against the others, and chance. The result is kept, and reports
    of ideas that these judges compared say it.
    """
    if by not in (known := sorted({RUBRIC, REVIEW, *judge_names()})):
        raise BadInput(f"--by {by[:40]!r}: choose one of {', '.join(known)}.")
    check_files([*files, *(train or ())])
    settings = models.settings()
    choice = ValidationChoice(files, outcome, subset or (), train or (), most, opponents, settings.values.seed)
    task = validation_task(choice, named_judges(settings, judges), by, settings.metrics_folder)
    if dry_run:
        _print_plan(settings, task, as_json=as_json)
        return
    if not quiet:
        print_message(_plan(settings, task))
    validation = start_run(JUDGE_VALIDATION, settings, task, quiet=quiet, fresh=models.fresh)
    show_stored(validation, OutputOptions(out, as_json, quiet))


def show_stored(validation: JudgeValidation, output: OutputOptions) -> None:
    """Prints a validation, and writes it as JSON."""
    if output.as_json:
        print_json(validation.model_dump(mode="json"))
    else:
        _print(validation)
    file = output.folder(validation.name) / "judge-validation.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, validation.model_dump_json(indent=2) + "\n")
    output.note(str(file))
    output.note(f"Cost: {bill(validation.account.spend)}")


def _print(validation: JudgeValidation) -> None:
    print_table(HEADS, ([one_line(cell, 120) for cell in row] for row in table_rows(validation)))
    if rows := curve_rows(validation):
        print_line()
        print_table(("score", "people's rating", "nine texts in ten"), rows)
        print_line("People's ratings are in standard deviations from the mean of a venue and year, or data set.")
    print_line()
    for line in (headline(validation), *remarks(validation)):
        print_line(one_line(line, 600))


def _print_plan(settings: LoadedSettings, task: JudgeValidationTask, *, as_json: bool) -> None:
    if as_json:
        tokens, usd = _estimate(settings, task)
        print_json(
            {
                "texts": len(task.texts),
                "pairs": len(task.pairs),
                "calls": requests_of(task),
                "tokens": tokens,
                "usd": usd,
            }
        )
        return
    print_line(_plan(settings, task))


def _plan(settings: LoadedSettings, task: JudgeValidationTask) -> str:
    tokens, usd = _estimate(settings, task)
    pairs = f", {count(len(task.pairs), 'pair')}" if task.is_pairwise else ""
    price = "price unknown" if usd is None else f"${usd:,.2f}"
    what = f"{count(len(task.texts), 'text')}{pairs}: {count(requests_of(task), 'request')}"
    return f"{what}, about {tokens:,} tokens, {price}."


def _estimate(settings: LoadedSettings, task: JudgeValidationTask) -> tuple[int, float | None]:
    """Tokens read and written, and dollars; None for an unknown price."""
    shown = sum(len(each.idea.text) for each in task.texts) / len(task.texts) / _CHARACTERS_PER_TOKEN
    read = round(_PROMPT_TOKENS + (2 if task.is_pairwise else 1) * shown)
    calls = requests_of(task) // len(task.judges)
    prices = PriceTable(settings.for_models().prices)
    each = [prices.usd(ModelName.parse(name), calls * read, calls * _ANSWER_TOKENS) for name in task.judges]
    known = [usd for usd in each if usd is not None]
    return requests_of(task) * (read + _ANSWER_TOKENS), sum(known) if len(known) == len(each) else None
