"""`novum train compare`: the comparisons of the DBLP study, each with a table, a plot, and the raw records."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError

from novum.cli.shell.group import examples
from novum.cli.shell.options import A_MODEL, A_PAIR, DEFAULT_METRICS, MetricsName, panel_option
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.cli.train.iterate import CommandStages
from novum.errors import BadInput
from novum.settings import load_settings
from novum.training.ideas.comparing import Comparison, ComparisonOptions, compare
from novum.training.ideas.evaluation import EvaluationSettings
from novum.training.ideas.scoring import read_objective
from novum.training.ideas.writing import WritingSettings
from novum.training.launching.session import folder_of_name
from novum.training.report.comparison import HEADS, YEAR_HEADS, headline, rows_of, write_comparison, year_rows
from novum.training.report.rounds import DEMONSTRATION

_WHAT, _HOW, _TRAINING = "What is compared", "Ideas and scores", "Training"


@dataclass(frozen=True)
class CompareOptions:
    """What is compared, and how."""

    data: Annotated[
        Path | None, panel_option(_WHAT, "A data set of ideas (tuning, fractions, few-shot).", metavar="DIR")
    ] = None
    topics: Annotated[
        Path | None, panel_option(_WHAT, "Topics: a data set or a file. Default: those of --data.", metavar="DIR|FILE")
    ] = None
    most_topics: Annotated[int, panel_option(_WHAT, "Topics at most.", min=2)] = 20
    field: Annotated[
        list[str] | None, panel_option(_WHAT, "A field of the library (domains, ensemble); repeatable.")
    ] = None
    years: Annotated[str, panel_option(_WHAT, "Last years of training (years).", metavar="YEAR")] = (
        "2019,2020,2021,2022"
    )
    last_year: Annotated[int, panel_option(_WHAT, "Last year of testing (years).")] = 2023
    shots: Annotated[str, panel_option(_WHAT, "Numbers of examples (few-shot).", metavar="N")] = "0,3,6,9"
    fractions: Annotated[str, panel_option(_WHAT, "Shares of the training rows (fractions).", metavar="N")] = (
        "0.01,0.05,0.1,1"
    )
    tunings: Annotated[str, panel_option(_WHAT, "Ways of tuning (tuning).", "--tuning", metavar="NAMES")] = (
        "full,qlora,prefix,lora"
    )
    base: Annotated[str, panel_option(_TRAINING, "What trainings start from.", metavar="NAME|DIR")] = ""
    recipe: Annotated[str, panel_option(_TRAINING, "As of novum train sft.", metavar="NAME|FILE")] = "cpu"
    sets: Annotated[
        list[str] | None,
        panel_option(_TRAINING, "Change a setting of the recipe; repeatable.", "--option", metavar=A_PAIR),
    ] = None
    samples: Annotated[int, panel_option(_HOW, "Ideas on each topic.", min=1)] = 4
    most_tokens: Annotated[int, panel_option(_HOW, "Longest idea, in tokens.", "--max-tokens", min=16)] = 256
    temperature: Annotated[float, panel_option(_HOW, "Temperature of the ideas.", min=0.01, max=5)] = 1.0
    batch: Annotated[int, panel_option(_HOW, "Ideas written at once by Transformers.", min=1)] = 16
    judges: Annotated[
        list[str] | None,
        panel_option(
            _HOW, "Judge that compares with the first model; repeatable. Default: the predicted rating.", "--judge",
            metavar=A_MODEL,
        ),
    ] = None  # fmt: skip
    metrics: MetricsName = DEFAULT_METRICS


@with_pdf
@examples(
    "novum train compare tuning --data ideas --out tuning",
    "novum train compare phases offline:smollm2-135m phase-1 phase-2 --topics ideas --out phases",
    'novum train compare ensemble --field "computer vision" --field "biology" --out ensemble',
    "novum train compare few-shot local:phase-1 --data ideas --out few-shot",
    "novum train compare years --years 2019,2021 --out years",
)
def compare_models(
    kind: Annotated[
        Literal["tuning", "phases", "domains", "ensemble", "few-shot", "fractions", "years"],
        typer.Argument(help="What is compared.", show_default=False),
    ],
    models: Annotated[
        list[str] | None, typer.Argument(metavar="MODEL", help="Trained models (phases, few-shot).", show_default=False)
    ] = None,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the comparison.", show_default=False)],
    options: CompareOptions,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Compare idea models: ways of tuning, phases, fields, an ensemble, examples, shares of the data, or years.

    What is missing is trained. All models write on the same topics; the study's own metrics, a judge that was not
    optimised, and the diversity of the ideas stand side by side. The same command resumes it.
    """
    models_folder = load_settings().models_folder
    wanted = _options(kind, [folder_of_name(name, models_folder) for name in models or ()], options, seed)
    writing = WritingSettings(options.samples, options.most_tokens, options.temperature, seed=seed, batch=options.batch)
    settings = EvaluationSettings(
        read_objective("published"), writing, tuple(options.judges or ()), options.metrics, seed
    )
    done = compare(wanted, settings, out, models_folder, CommandStages(quiet=quiet or as_json))
    write_comparison(done, out, DEMONSTRATION if is_demonstration(done) else "")
    if as_json:
        print_json(done.model_dump(mode="json", exclude={"groups": {"__all__": {"records"}}}) | {"folder": str(out)})
        return
    for name, found in done.groups.items():
        if name != "all":
            print_line(f"\nTopics of {name}")
        print_table(HEADS, rows_of(found))
    if done.years:
        print_table(YEAR_HEADS, year_rows(done))
    print_line(headline(done))
    for note in done.notes:
        print_line(note)
    print_line(f"Written to {out}: report.html, comparison.json, and records.jsonl with every idea.")


def is_demonstration(done: Comparison) -> bool:
    """Whether models were trained by the smallest recipe."""
    return done.options.recipe == "cpu" and not done.options.base


def _options(kind: str, models: list[str], given: CompareOptions, seed: int) -> ComparisonOptions:
    """Raises BadInput for lists that cannot be read."""
    try:
        return ComparisonOptions.model_validate({
            "kind": kind, "models": tuple(models), "data": str(given.data.resolve()) if given.data else "",
            "base": given.base, "recipe": given.recipe, "overrides": tuple(given.sets or ()),
            "topics": str(given.topics.resolve()) if given.topics else "", "most_topics": given.most_topics,
            "fields": tuple(given.field or ()), "years": tuple(map(int, given.years.split(","))),
            "last_year": given.last_year, "shots": tuple(map(int, given.shots.split(","))),
            "fractions": tuple(map(float, given.fractions.split(","))), "tunings": tuple(given.tunings.split(",")),
            "seed": seed,
        })  # fmt: skip
    except (ValueError, ValidationError) as error:
        raise BadInput(f"--years, --shots and --fractions are numbers with commas: {error}") from error
