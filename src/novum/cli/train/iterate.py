"""`novum train iterate`: an idea model trained on the ranks of its own ideas, in rounds."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.options import A_MODEL, A_PAIR, DEFAULT_METRICS, MetricsName, panel_option
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_message, print_table
from novum.cli.shell.workplace import in_workplace
from novum.cli.train.running import watched
from novum.errors import BadInput
from novum.lab import Workplace
from novum.runs.engine import ensure_library
from novum.settings import load_settings
from novum.training.finetuning.preferences.data_set import open_preferences
from novum.training.ideas.round_records import IterateTask
from novum.training.ideas.rounds import run_rounds
from novum.training.ideas.scoring import read_objective
from novum.training.ideas.writing import read_topics
from novum.training.launching.session import TrainingSession, folder_of_name
from novum.training.report.rounds import HEADS, headline, rows, write_rounds
from novum.training.weights.registering import register
from novum.training.weights.trained_folder import is_trained, read_trained

Result = TypeVar("Result")
_IDEAS, _SCORES, _TRAINING = "Ideas", "Scores", "Training"
_HELD_OUT = 0.25
"""Share of the topics that is held out."""


@dataclass(frozen=True)
class IterateOptions:
    """How rounds are carried out."""

    rounds: Annotated[int, panel_option(_TRAINING, "Rounds at most.", min=1)] = 3
    pairs: Annotated[
        Path | None, panel_option(_TRAINING, "Preferences that are trained on as well.", metavar="DIR")
    ] = None
    recipe: Annotated[str, panel_option(_TRAINING, "As of novum train dpo.", metavar="NAME|FILE")] = "cpu"
    sets: Annotated[
        list[str] | None,
        panel_option(_TRAINING, "Change a setting of the recipe; repeatable.", "--option", metavar=A_PAIR),
    ] = None
    margin: Annotated[
        float,
        panel_option(_TRAINING, "How much lower a rejected idea scores, in standard deviations.", min=0, max=10),
    ] = 0.5
    topics_per_round: Annotated[int, panel_option(_IDEAS, "Random topics of a round.", min=1)] = 50
    samples: Annotated[int, panel_option(_IDEAS, "Ideas on each topic.", min=2)] = 8
    held_out_samples: Annotated[int, panel_option(_IDEAS, "Ideas on each held-out topic.", min=1)] = 4
    most_tokens: Annotated[int, panel_option(_IDEAS, "Longest idea, in tokens.", "--max-tokens", min=16)] = 256
    temperature: Annotated[float, panel_option(_IDEAS, "Temperature of the ideas.", min=0.01, max=5)] = 1.0
    batch: Annotated[int, panel_option(_IDEAS, "Ideas written at once by Transformers.", min=1)] = 16
    server: Annotated[
        str,
        panel_option(
            _IDEAS, "An OpenAI-compatible server (vLLM) that serves the model of each round by its name.",
            metavar="PROVIDER:MODEL",
        ),
    ] = ""  # fmt: skip
    objective: Annotated[
        str,
        panel_option(
            _SCORES, "What ideas are ranked by: published (α·CI + β·USS), rating (predicted by reviews of papers), "
            "judge:NAME (a reviewer model), or models of a panel, with commas.",
        ),
    ] = "published"  # fmt: skip
    alpha: Annotated[float | None, panel_option(_SCORES, "Factor of the Creativity Index.")] = None
    beta: Annotated[float | None, panel_option(_SCORES, "Factor of a tenth of the User Satisfaction Score.")] = None
    judges: Annotated[
        list[str] | None,
        panel_option(
            _SCORES, "Independent judge: compares each round with the model before; repeatable. Default: a score that "
            "is not the objective.", "--judge", metavar=A_MODEL,
        ),
    ] = None  # fmt: skip
    metrics: MetricsName = DEFAULT_METRICS


class CommandStages:
    """Stages with the progress of the command line."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def run(self, job: Callable[[Workplace], Awaitable[Result]]) -> Result:
        """The result of a job in a workplace."""

        async def with_library(workplace: Workplace) -> Result:
            ensure_library(workplace)
            return await job(workplace)

        return in_workplace(with_library)

    def train(self, session: TrainingSession) -> object:
        """Trains with progress."""
        return watched(session, quiet=self._quiet)

    def note(self, line: str) -> None:
        """A line on stderr."""
        if not self._quiet:
            print_message(f"{line} …")


@with_pdf
@examples(
    "novum train iterate phase-2 --topics ideas --out phase-3",
    "novum train iterate local:phase-2 --topics topics.txt --objective rating --judge openai:gpt-5.5 --out phase-3",
    "novum train iterate phase-2 --topics ideas --recipe 8x80gb --rounds 5 --samples 16 --out phase-3",
)
def iterate(
    model: Annotated[
        str, typer.Argument(help="The model to start from: a folder, or local:NAME.", show_default=False)
    ],
    *,
    topics: Annotated[
        Path,
        typer.Option(
            metavar="DIR|FILE", help="Topics: a data set of `novum data build ideas`, or a file with one on each line."
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the rounds.", show_default=False)],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Use the best model as local:NAME. Default: the folder's name.")
    ] = None,
    options: IterateOptions,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:  # fmt: skip
    """Train a model on the ranks of its own ideas, in rounds (phase 3 of the DBLP study, algorithm 1).

    In each round it writes ideas on random topics; they are scored and ranked; the best and clearly worse ones are new
    pairs for DPO. It stops where the score on held-out topics no longer rises, or ideas become alike. The same command
    resumes it at the stage where it ended.
    """
    models_folder = load_settings().models_folder
    task = task_of(folder_of_name(model, models_folder), read_topics(topics), name or out.resolve().name, options, seed)
    report = run_rounds(task, out, models_folder, CommandStages(quiet=quiet or as_json))
    write_rounds(report, out)
    best = Path(report.best.model)
    receipt = register(best, task.name, models_folder) if report.best.number and is_trained(best) else None
    if as_json:
        print_json(report.model_dump(mode="json") | {"folder": str(out), "best": str(best)})
        return
    print_table(HEADS, rows(report))
    print_line(headline(report))
    print_line(f"Written to {out}: report.html shows the rounds.")
    if receipt:
        print_line(f'Use it: novum ideate "TOPIC" --method topic-prompt --model {receipt.called}')


def task_of(model: str, topics: Sequence[str], name: str, options: IterateOptions, seed: int) -> IterateTask:
    """The task of a command. Raises BadInput for a model that is not there, and for too few topics."""
    folder = Path(model).expanduser()
    if is_trained(folder):
        read_trained(folder)
        model = str(folder.resolve())
    if options.pairs:
        open_preferences(options.pairs)
    read_objective(options.objective)
    mixed = sorted(topics)
    random.Random(f"held out {seed}").shuffle(mixed)  # noqa: S311
    held_out = max(2, round(_HELD_OUT * len(mixed)))
    if len(mixed) - held_out < 2:
        raise BadInput(f"{len(mixed)} topics are too few: four at least, of which a quarter is held out.")
    return IterateTask(
        name=name.lower(), model=model,
        topics=tuple(sorted(mixed[held_out:])), held_out=tuple(sorted(mixed[:held_out])),
        pairs=str(options.pairs.resolve()) if options.pairs else "", rounds=options.rounds,
        topics_per_round=options.topics_per_round, samples=options.samples, held_out_samples=options.held_out_samples,
        objective=options.objective, alpha=options.alpha, beta=options.beta, judges=tuple(options.judges or ()),
        metrics=options.metrics, margin=options.margin, recipe=options.recipe, overrides=tuple(options.sets or ()),
        most_tokens=options.most_tokens, temperature=options.temperature, batch=options.batch, server=options.server,
        seed=seed,
    )  # fmt: skip
