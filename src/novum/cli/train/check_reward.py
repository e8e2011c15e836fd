"""`novum train check-reward`: can a model tell real ideas from generated ones?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import A_MODEL, MODELS, AsJson, Quiet, panel_option
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.training.next_idea.evaluation.page import share_text
from novum.training.next_idea.reward_check import REWARD_CHECK, RewardCheck, RewardCheckTask


@examples(
    "novum train check-reward tasks --judge openai:gpt-5.5 --judge google --model offline:smollm2-135m",
    "novum train check-reward tasks --judge deepseek --pairs 100 --budget-usd 2",
)
def check_reward(
    data: Annotated[Path, typer.Argument(metavar="DIR", help="Tasks of `novum data build next-idea`.")],
    *,
    judge: Annotated[
        list[str] | None, panel_option(MODELS, "A candidate; repeatable. Default: the judges.", metavar=A_MODEL)
    ] = None,
    model: Annotated[
        str | None, panel_option(MODELS, "Model that writes the generated ideas. Default: the writer.", metavar=A_MODEL)
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, max=10_000, metavar="N", help="Real and generated ideas, each.")] = 40,
    models: ModelOptions, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Check candidates for a reward model: how often each calls real ideas real and generated ideas generated.

    Real ideas are those of the target papers, generated ones are written from their contexts.
    """
    settings = models.settings(writer=model, judges=",".join(judge or ()))
    candidates = tuple(str(each) for each in settings.model_roles().judges)
    task = RewardCheckTask(data=str(data), models=candidates, pairs=pairs)
    show(
        start_run(REWARD_CHECK, settings, task, quiet=quiet, fresh=models.fresh),
        OutputOptions(as_json=as_json, quiet=quiet),
    )


def show(check: RewardCheck, output: OutputOptions) -> None:
    """Prints the shares of each candidate, with intervals (Table A6)."""
    if output.as_json:
        print_json(check.model_dump(mode="json"))
        return
    rows = [
        (each.model, share_text(each.real), share_text(each.generated), f"{each.failures}", verdict(each.usable))
        for each in check.candidates
    ]
    print_table(("model", "real called real", "generated called generated", "no answer", ""), rows)
    print_line(f"{check.ideas} real ideas, and as many by {check.writer}. In brackets: 95% intervals.")


def verdict(usable: bool) -> str:
    """What a check says of a candidate, in a word or two."""
    return "tells them apart" if usable else "no better than chance in one of the two"
