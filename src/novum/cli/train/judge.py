"""`novum train judge`: train a reviewer model on real reviews."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.pdf import with_pdf
from novum.cli.train.running import Out, TrainOptions, run_training


@with_pdf
@examples(
    "novum train judge data --recipe cpu --out mini",
    "novum train judge data --recipe cpu --out mini --dry-run",
    "novum train judge data --recipe 24gb --option lora.rank=64 --option keeping.tracker=wandb --out mine",
    "novum train judge data --recipe 72b --launch fsdp --processes 8 --out large",
    "novum train judge data --out mini --resume",
)
def judge(
    data: Annotated[
        Path, typer.Argument(help="A data set of `novum data build judge`.", show_default=False, metavar="DIR")
    ],
    *,
    out: Out,
    recipe: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="How to train: cpu, 24gb, 7b, 72b, or a TOML file.")
    ] = "cpu",
    options: TrainOptions,
) -> None:
    """Train a reviewer model on real reviews: an adapter on a base model, by a recipe.

    During training it is evaluated on later papers and compared with the untrained base. After Ctrl-C or a crash the
    same command resumes it. At the end it is merged and exported, and can be used as judge:NAME.
    """
    run_training("judge", data, out, recipe, options)
