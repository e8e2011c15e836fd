"""`novum judge evaluate`: how good are reviewers, held against what became of later papers?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.options import (
    A_MODEL,
    MODELS,
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
    Seed,
    panel_option,
)
from novum.cli.shell.output import OutputOptions

_PAPERS = "Papers"

Draws = Annotated[
    int, typer.Option("--bootstrap-samples", min=0, max=20_000, metavar="N", help="Bootstrap samples behind the intervals.", rich_help_panel=OUTPUT)
]
Reviewers = Annotated[
    list[str] | None,
    panel_option(
        MODELS, "Reviewers: models, and those that were trained here (judge:NAME); repeatable, or with commas.",
        "--judge", metavar=A_MODEL,
    ),
]  # fmt: skip
Expected = Annotated[
    list[str] | None,
    panel_option(
        MODELS, "Judge by the rating that a model finds likeliest, worked out from its weights: judge:NAME or the "
        "folder of a trained model, beside which its base stands, or a base. Needs what training needs. Repeatable.",
        metavar="DIR|NAME",
    ),
]  # fmt: skip
Base = Annotated[
    str | None,
    panel_option(MODELS, "The untuned model beside a trained reviewer; else the one that it was made from.",
                 metavar=A_MODEL),
]  # fmt: skip
Decider = Annotated[
    str | None,
    panel_option(MODELS, "Model that decides on the reports; else each model on its own, and nobody for trained ones.",
                 metavar=A_MODEL),
]  # fmt: skip
CompareBy = Annotated[
    str | None,
    panel_option(MODELS, "Model that compares a report with a real one, in both orders.", metavar=A_MODEL),
]
Reports = Annotated[
    int, typer.Option("--reviews", min=1, max=12, help="Reports on each paper.", rich_help_panel=MODELS)
]
Most = Annotated[
    int | None,
    typer.Option("--limit", min=2, help="Papers at most, drawn by hash.", rich_help_panel=_PAPERS, show_default=False),
]
Split = Annotated[str, panel_option(_PAPERS, "Whose papers are judged.", metavar="test|validation")]
IdeaTexts = Annotated[
    bool, panel_option(_PAPERS, "Show ideas without results, where the set has them.", "--idea-texts")
]


@examples(
    "novum data build judge reviews.jsonl.gz --out data    later papers become the test split",
    "novum judge evaluate data                             baselines and real reviewers alone: asks nobody",
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
    decider: Decider = None, compare_by: CompareBy = None, base_url: BaseUrl = None, seed: Seed = None,
    prompts: Prompts = None, fresh: Fresh = False, budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None,
    budget_calls: BudgetCalls = None, draws: Draws = 1000, out: Out = None, as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """How good are reviewers, held against what real reviewers said of later papers and what was decided?

    Ratings, decisions, calibration, agreement and texts, with intervals; beside them always the mean of the training
    papers, a ridge regression on embeddings, one real reviewer, and for trained reviewers their untuned base.
    """
    from novum.benchmarks.judge_evaluation.durable import JUDGE_EVALUATION, Wanted, evaluation_task
    from novum.cli.judge.evaluate_session import announcement, deliver
    from novum.cli.shell.arguments import comma_separated
    from novum.cli.shell.durable import start_run
    from novum.cli.shell.output import REPORTS_FOLDER, check_writable
    from novum.cli.shell.terminal import print_message
    from novum.settings import load_settings

    settings = load_settings({
        "base_url": base_url, "seed": seed, "prompts": prompts, "budget_usd": budget_usd,
        "budget_tokens": budget_tokens, "budget_calls": budget_calls,
    })  # fmt: skip
    wanted = Wanted(
        data, tuple(dict.fromkeys(comma_separated(judges))), tuple(dict.fromkeys(comma_separated(expected))), base or "", _split(split),
        papers, idea_texts, reviews, decider or "", compare_by or "",
    )  # fmt: skip
    check_writable(out or REPORTS_FOLDER)
    task, remarks = evaluation_task(settings, wanted)
    if not quiet:
        for line in (*remarks, announcement(task)):
            print_message(line)

    run = start_run(JUDGE_EVALUATION, settings, task, quiet=quiet, fresh=fresh, command="novum judge report")
    deliver(run, OutputOptions(out, as_json, quiet, bootstrap_samples=draws))


@examples("novum judge report last", "novum judge report last --out my-report")
def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Id of a run, its beginning, or `last`.", show_default=False)
    ],
    *, draws: Draws = 1000, out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Show an evaluation of reviewers again, or what one that stopped has come to. Asks no model."""
    from novum.benchmarks.judge_evaluation.durable import JUDGE_EVALUATION
    from novum.cli.judge.evaluate_session import show
    from novum.cli.shell import durable
    from novum.cli.shell.output import REPORTS_FOLDER, check_writable
    from novum.runs.engine import task_of

    without = "No reviewers were evaluated yet. Begin: novum judge evaluate DATA --judge PROVIDER:MODEL"
    record = durable.record_named(run, JUDGE_EVALUATION.name, without)
    task_of(JUDGE_EVALUATION, record)
    check_writable(out or REPORTS_FOLDER)
    show(durable.replay_run(JUDGE_EVALUATION, record), OutputOptions(out, as_json, quiet, bootstrap_samples=draws))


def _split(name: str) -> Any:
    from novum.errors import BadInput

    if name not in {"test", "validation"}:
        raise BadInput(f"--split {name!r}: papers are judged of the test split, or of the validation split.")
    return name
