"""`novum train dpo`: train an idea model on preferences between ideas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.pdf import with_pdf
from novum.cli.train.running import Out, TrainOptions, run_training


@with_pdf
@examples(
    "novum data build preferences --out pairs",
    "novum train dpo pairs --base local:phase-1 --recipe cpu --out phase-2",
    "novum train dpo pairs --base local:phase-1 --objective softmax --out phase-2",
    "novum train dpo pairs --base phase-1 --recipe 8x80gb --option preference.beta=0.05 --out phase-2",
)
def dpo(
    data: Annotated[
        Path, typer.Argument(help="A data set of `novum data build preferences`.", show_default=False, metavar="DIR")
    ],
    *,
    out: Out,
    recipe: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="How to train: cpu, 24gb, 8x80gb, nodes, or a TOML file.")
    ] = "cpu",
    objective: Annotated[
        Literal["dpo", "pairwise", "softmax"] | None,
        typer.Option(
            help="dpo: with a reference model (Rafailov et al.); pairwise and softmax: without, as in the DBLP study, "
            "against one rejected idea or several at once. Default: the recipe's."
        ),
    ] = None,
    options: TrainOptions,
) -> None:
    """Train an idea model to prefer the chosen idea of a pair (phase 2 of the DBLP study).

    --base names the model of phase 1. It is evaluated on held-out pairs: loss, accuracy and margin. After Ctrl-C or a
    crash the same command resumes it. At the end it can be used as local:NAME.
    """
    run_training("dpo", data, out, recipe, options, objective_settings(objective))


def objective_settings(objective: str | None) -> tuple[str, ...]:
    """The settings of the recipe that `--objective` stands for. The study states no temperature: β is 1, and scores are
    means, since sums would prefer short ideas."""
    if objective is None:
        return ()
    if objective == "dpo":
        return ("preference.objective=dpo", "preference.score=sum")
    return (f"preference.objective={objective}", "preference.beta=1.0", "preference.score=mean")
