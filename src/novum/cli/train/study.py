"""`novum train study`: the three phases of the DBLP study in one command, with one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.options import A_MODEL
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.cli.train.iterate import CommandStages
from novum.settings import load_settings
from novum.training.ideas.scoring import read_objective
from novum.training.ideas.study import StudyTask, run_study
from novum.training.launching.session import folder_of_name
from novum.training.report.comparison import HEADS as PHASE_HEADS
from novum.training.report.comparison import headline, rows_of
from novum.training.report.rounds import DEMONSTRATION
from novum.training.report.study import HEADS, rows, write_study


@with_pdf
@examples(
    "novum train study --out study",
    "novum train study --judge openai:gpt-5.5 --out study",
    "novum train study --recipe 8x80gb --rounds 3 --samples 16 --out study",
)
def study(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the study.", show_default=False)],
    recipe: Annotated[
        str, typer.Option(metavar="NAME", help="How to train: cpu (a demonstration), 24gb, 8x80gb, nodes.")
    ] = "cpu",
    base: Annotated[str, typer.Option(metavar="NAME|DIR", help="Another base than the recipe's.")] = "",
    better: Annotated[
        Literal["published", "rating"],
        typer.Option(help="What decides which idea of a pair of phase 2 is better."),
    ] = "published",
    objective: Annotated[
        str, typer.Option(metavar="NAME", help="What phase 3 ranks ideas by, as for novum train iterate.")
    ] = "published",
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", metavar=A_MODEL, help="Independent judge; repeatable. Default: a score that was not optimised."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of phase 3 at most.")] = 1,
    samples: Annotated[int, typer.Option(min=2, help="Ideas on each topic in phase 3.")] = 6,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Train a model through all three phases on your library, and compare the phases with the untrained base.

    With the recipe cpu this is a demonstration of the road: well under an hour on two cores. The same command resumes
    it. For other sizes run the commands of the phases one by one.
    """
    read_objective(objective)
    models_folder = load_settings().models_folder
    small = recipe == "cpu"
    task = StudyTask(
        recipe=recipe, base=folder_of_name(base, models_folder) if base else "", better=better, objective=objective,
        judges=tuple(judges or ()), rounds=rounds, samples=samples, seed=seed,
        **({} if small else {"sft": (), "dpo": (), "iterate": (), "topics": (20, 40, 80), "most_tokens": 300}),
    )  # fmt: skip
    done = run_study(task, out, models_folder, CommandStages(quiet=quiet or as_json))
    files = write_study(done, out)
    if as_json:
        print_json(done.model_dump(mode="json", exclude={"phases": {"groups"}}) | {"folder": str(out)})
        return
    if small and not base:
        print_line(DEMONSTRATION)
    print_table(HEADS, rows(done))
    print_line("")
    print_table(PHASE_HEADS, rows_of(done.phases.groups["all"]))
    print_line(headline(done.phases))
    print_line(f"Written to {files.html}")
