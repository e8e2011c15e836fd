"""`novum train next-idea`: train a policy by GRPO on next-idea tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.interrupt import StoppedError
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import A_MODEL, A_PAIR, MODELS, panel_option
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_message, print_nothing, print_table
from novum.cli.train.check_reward import show as show_check
from novum.cli.train.running import stopped_by_signals
from novum.settings import LoadedSettings
from novum.training.launching.child import Child
from novum.training.launching.command import Nodes
from novum.training.launching.session import TrainingStopped
from novum.training.next_idea.grpo.job import NextIdeaTraining
from novum.training.next_idea.report.training_page import HEADS, headline, number, point_rows, watch_lines
from novum.training.next_idea.reward_check import REWARD_CHECK
from novum.training.next_idea.session import (
    PolicyOptions,
    PolicySession,
    check_policy_folder,
    prepare_policy,
    require_usable_reward,
    train_policy_session,
)

_MANY, _LINES = "Several processes", 20


@with_pdf
@examples(
    "novum train next-idea tasks --recipe cpu --out policy",
    "novum train next-idea tasks --recipe cpu --option roles.reward=model --judge openai:gpt-5.5 --out policy",
    "novum train next-idea tasks --recipe deep-innovator-14b --launch fsdp --processes 8 --judge qwen --out di-14b",
    "novum train next-idea tasks --out policy --resume",
)
def next_idea(
    data: Annotated[
        Path, typer.Argument(help="Tasks of `novum data build next-idea`.", show_default=False, metavar="DIR")
    ],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the model.", show_default=False)],
    recipe: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="How to train: cpu, deep-innovator-14b, as-released, or a file.")
    ] = "cpu",
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Use it as local:NAME. Default: the folder's name.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(metavar="NAME|DIR", help="Another base: offline:NAME, a folder, or a name on the hub."),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--option", metavar=A_PAIR, help="Change a setting of the recipe; repeatable.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Random seed. Default: the recipe's.")] = None,
    max_minutes: Annotated[float | None, typer.Option(min=0.1, help="Stop after N minutes, with a checkpoint.")] = None,
    judge: Annotated[
        list[str] | None,
        panel_option(MODELS, "Model that comments and rewards, unless the recipe names others.", metavar=A_MODEL),
    ] = None,
    skip_check: Annotated[
        bool, panel_option(MODELS, "Do not check the reward model before training.", "--skip-check")
    ] = False,
    models: ModelOptions,
    launch: Annotated[
        str,
        panel_option(_MANY, "One process, or the way in which several share the work.",
                     metavar="one|ddp|fsdp|deepspeed-2|deepspeed-3"),
    ] = "one",
    processes: Annotated[int, panel_option(_MANY, "Processes on all machines together, one for each GPU.", min=1)] = 1,
    nodes: Annotated[int, panel_option(_MANY, "Number of machines.", min=1)] = 1,
    node: Annotated[int, panel_option(_MANY, "Number of this machine, from 0.", min=0)] = 0,
    main_node: Annotated[str, panel_option(_MANY, "Address of the first machine.", metavar="HOST:PORT")] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the training in the folder, with its own recipe.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the command and the steps.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:  # fmt: skip
    """Train a policy to have ideas and to refine them under comments, by GRPO with a reward for each gain.

    A comment model says what is wrong with an idea; a reward model scores the idea before and after against the hidden
    idea of the target paper. After Ctrl-C or a crash the same command resumes. A page shows the returns and signs of
    reward hacking.
    """
    settings = models.settings(judges=",".join(judge or ()))
    options = PolicyOptions(recipe, name, base, sets or (), seed, launch, processes, resume)
    session = prepare_policy(data, out, settings, options, max_minutes=max_minutes, nodes=Nodes(nodes, node, main_node))
    quiet = quiet or as_json
    if dry_run:
        _show_plan(session)
        return
    check_policy_folder(session.folder, session.job)
    if not skip_check:
        _check_reward(settings, session, quiet=quiet)
    _show(session, _watched(session, quiet=quiet), as_json=as_json)


def _check_reward(settings: LoadedSettings, session: PolicySession, *, quiet: bool) -> None:
    """Checks the reward model, and refuses one that does not tell real ideas from generated ones."""
    if (task := session.reward_check) is None:
        return
    check = start_run(REWARD_CHECK, settings, task, quiet=quiet)
    if not quiet:
        show_check(check, OutputOptions(quiet=quiet))
    require_usable_reward(check)


def _watched(session: PolicySession, *, quiet: bool) -> NextIdeaTraining | None:
    signals: list[int] = []
    say = print_nothing if quiet else print_message

    def follow(child: Child) -> None:
        with stopped_by_signals(child, signals):
            for event in child.events():
                if line := _line(event):
                    say(line)

    try:
        return asyncio.run(train_policy_session(session, follow, say))
    except TrainingStopped as stop:
        raise StoppedError(str(stop), (signals or [2])[0]) from None


def _line(event: Mapping[str, Any]) -> str:
    """An event as a line of progress; empty for one that is not shown."""
    if event["kind"] == "phase":
        return f"{str(event['what']).capitalize()} …"
    if event["kind"] == "begins":
        return f"Training from step {event['step']:,} of {event['of']:,}"
    if event["kind"] == "measured":
        point = event["point"]
        return f"Held-out return after step {point['step']:,}: {number(point['mean_return'])}"
    if event["kind"] == "step" and (event["step"] % max(1, event["of"] // _LINES) == 0 or event["step"] == event["of"]):
        return f"step {event['step']:,} of {event['of']:,}, mean return {number(event['returns'])}"
    return ""


def _show_plan(session: PolicySession) -> None:
    recipe = session.job.recipe
    records = session.data.card.splits[0].records
    grpo = recipe.grpo
    steps = grpo.steps or max(1, round(grpo.epochs * records / grpo.mini_batch))
    print_line(
        f"Tasks: {records:,}; updates: about {steps:,}; trajectories of one sampling: {grpo.tasks * grpo.generations:,}"
    )
    calls = grpo.tasks * grpo.generations * recipe.episode.copies * (recipe.episode.ideas - 1)
    if recipe.needs_models:
        times = 2 if recipe.episode.both_orders else 1
        print_line(f"Calls of models for one sampling: at most {calls:,} comments and {calls * times:,} rewards")
    print_line(f"Base: {recipe.base}")
    print_line(f"Command: {session.command}")


def _show(session: PolicySession, training: NextIdeaTraining | None, *, as_json: bool) -> None:
    if training is None:
        print_line("This machine's share is done. The first machine reports.")
        return
    if as_json:
        print_json(training.model_dump(mode="json") | {"folder": str(session.folder)})
        return
    if training.points:
        print_table(HEADS, point_rows(training.points))
    print_line(headline(training))
    for line in watch_lines(training.steps):
        print_line(line)
    print_line(f"Written to {session.folder}: report.html shows the returns and the watch.")
    print_line(f"To use it: novum train export {session.folder} --name {session.job.name}")
