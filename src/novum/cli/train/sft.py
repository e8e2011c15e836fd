"""`novum train sft`: train a model to write ideas on topics, by supervised fine-tuning on papers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.pdf import with_pdf
from novum.cli.train.running import Out, TrainOptions, run_training


@with_pdf
@examples(
    "novum data build ideas --out ideas",
    "novum train sft ideas --recipe cpu --out phase-1",
    "novum train sft ideas --recipe 24gb --out phase-1 --dry-run",
    "novum train sft ideas --recipe 8x80gb --option keeping.tracker=wandb --out phase-1",
    "novum train sft ideas --recipe cpu --tuning prefix --out phase-1",
)
def sft(
    data: Annotated[
        Path, typer.Argument(help="A data set of `novum data build ideas`.", show_default=False, metavar="DIR")
    ],
    *,
    out: Out,
    recipe: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="How to train: cpu, 24gb, 8x80gb, nodes, or a TOML file.")
    ] = "cpu",
    tuning: Annotated[
        Literal["lora", "qlora", "full", "prefix"] | None,
        typer.Option(
            help="What is trained: an adapter, an adapter on 4-bit weights, all weights, or a prefix. Default: the "
            "recipe's."
        ),
    ] = None,
    options: TrainOptions,
) -> None:
    """Train a model to write an idea on a topic, on titles and abstracts of papers (phase 1 of the DBLP study).

    It is evaluated on later papers and compared with the untrained base. After Ctrl-C or a crash the same command
    resumes it. At the end it can be used as local:NAME.
    """
    run_training("sft", data, out, recipe, options, tuning_settings(tuning))


def tuning_settings(tuning: str | None) -> tuple[str, ...]:
    """The settings of the recipe that `--tuning` stands for."""
    if tuning is None:
        return ()
    quantisation = ("precision.quantisation=nf4", "precision.compute=bf16") if tuning == "qlora" else ()
    none = ("precision.quantisation=none",) if tuning in {"full", "lora"} else ()
    prefix = ("optimizer.learning_rate=1e-2",) if tuning == "prefix" else ()
    slower = ("optimizer.learning_rate=1e-5",) if tuning == "full" else ()
    return (f"tuning={'lora' if tuning == 'qlora' else tuning}", *quantisation, *none, *prefix, *slower)
