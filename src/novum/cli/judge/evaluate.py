"""`novum judge evaluate`: compare reviewers with the real reviews and decisions of later papers."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from novum.benchmarks.judge_evaluation.durable import JUDGE_EVALUATION, JudgeEvaluationOptions, evaluation_task
from novum.cli.judge.evaluate_session import announcement, deliver, show
from novum.cli.shell.arguments import comma_separated
from novum.cli.shell.durable import record_named, replay_run, start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import SeededOptions
from novum.cli.shell.options import A_MODEL, MODELS, OUTPUT, AsJson, Out, Quiet, panel_option
from novum.cli.shell.output import OutputOptions, check_writable, report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_message
from novum.errors import BadInput
from novum.runs.engine import task_of

_PAPERS = "Papers"

Draws = Annotated[
    int,
    typer.Option(
        "--bootstrap-samples",
        min=0,
        max=20_000,
        metavar="N",
        help="Bootstrap samples behind the intervals.",
        rich_help_panel=OUTPUT,
    ),
]
Reviewers = Annotated[
    list[str] | None,
    panel_option(
        MODELS, "Reviewers: models, or trained ones (judge:NAME); repeatable, or with commas.",
        "--judge", metavar=A_MODEL,
    ),
]  # fmt: skip
Expected = Annotated[
    list[str] | None,
    panel_option(
        MODELS, "Evaluate the expected rating of a model, without a written review: judge:NAME, the folder of a "
        "trained model (its base is added), or a base. Needs the libraries for training. Repeatable.",
        metavar="DIR|NAME",
    ),
]  # fmt: skip
Base = Annotated[
    str | None,
    panel_option(MODELS, "The untuned base of a trained reviewer. Default: the one that it was trained from.",
                 metavar=A_MODEL),
]  # fmt: skip
Decider = Annotated[
    str | None,
    panel_option(MODELS, "Model that decides on the reports. Default: each model itself, none for trained ones.",
                 metavar=A_MODEL),
]  # fmt: skip
CompareBy = Annotated[
    str | None,
    panel_option(MODELS, "Model that compares reports with real ones, in both orders.", metavar=A_MODEL),
]
Reports = Annotated[
    int, typer.Option("--reviews", min=1, max=12, help="Reports on each paper.", rich_help_panel=MODELS)
]
Most = Annotated[
    int | None,
    typer.Option("--limit", min=2, help="Papers at most, chosen by hash.", rich_help_panel=_PAPERS, show_default=False),
]
Split = Annotated[str, panel_option(_PAPERS, "Split of the papers.", metavar="test|validation")]
IdeaTexts = Annotated[
    bool, panel_option(_PAPERS, "Show ideas without results, where the data set has them.", "--idea-texts")
]


@with_pdf
@examples(
    "novum data build judge reviews.jsonl.gz --out data    later papers become the test split",
    "novum judge evaluate data                             baselines and real reviewers alone: calls no model",
    "novum judge evaluate data --judge openai:gpt-5.5,judge:mini --limit 200 --budget-usd 5",
    "novum judge evaluate data --expected my-judge --json",
)
def evaluate(
    data: Annotated[
        str,
        typer.Argument(metavar="DIR", help="A folder made by `novum data build judge`.", show_default=False),
    ],
    *, judges: Reviewers = None, expected: Expected = None, base: Base = None, reviews: Reports = 3,
    papers: Most = None, split: Split = "test", idea_texts: IdeaTexts = False,
    decider: Decider = None, compare_by: CompareBy = None, models: SeededOptions, draws: Draws = 1000,
    out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Compare reviewers with the real reviews of later papers and the decisions on them.

    Measures ratings, decisions, calibration, agreement and texts, with confidence intervals. Baselines are the mean of
    the training papers, the predicted rating, one real reviewer, and the base of trained reviewers.
    """
    settings = models.settings()
    options = JudgeEvaluationOptions(
        data, tuple(dict.fromkeys(comma_separated(judges))), tuple(dict.fromkeys(comma_separated(expected))),
        base or "", _split(split), papers, idea_texts, reviews, decider or "", compare_by or "",
    )  # fmt: skip
    check_writable(report_folder(out))
    task, remarks = evaluation_task(settings, options)
    if not quiet:
        for line in (*remarks, announcement(task)):
            print_message(line)

    run = start_run(JUDGE_EVALUATION, settings, task, quiet=quiet, fresh=models.fresh)
    deliver(run, OutputOptions(out, as_json, quiet, bootstrap_samples=draws))


@with_pdf
@examples("novum judge report last", "novum judge report last --out my-report")
def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)
    ],
    *, draws: Draws = 1000, out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Print an evaluation of reviewers and write its report, also of an unfinished one. Calls no model."""
    without = "No reviewers were evaluated yet. Start: novum judge evaluate DATA --judge PROVIDER:MODEL"
    record = record_named(run, JUDGE_EVALUATION.name, without)
    task_of(JUDGE_EVALUATION, record)
    check_writable(report_folder(out))
    show(replay_run(JUDGE_EVALUATION, record), OutputOptions(out, as_json, quiet, bootstrap_samples=draws))


def _split(name: str) -> Any:
    if name not in {"test", "validation"}:
        raise BadInput(f"--split {name!r}: choose test or validation.")
    return name
