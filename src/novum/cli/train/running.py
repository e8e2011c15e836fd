"""What the commands that train share: options, progress, the plan of a dry run, and the result."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.interrupt import StoppedError
from novum.cli.shell.options import A_PAIR, panel_option
from novum.cli.shell.terminal import print_json, print_line, print_message, print_nothing, print_table
from novum.cli.train.export import how_to_use
from novum.cli.train.progress import training_progress
from novum.core.trained import Kind
from novum.reports.phrases import duration
from novum.settings import load_settings
from novum.training.launching.child import Child
from novum.training.launching.command import Nodes, is_for_gpus
from novum.training.launching.estimate import TrainingEstimate
from novum.training.launching.fitting import this_machine
from novum.training.launching.session import (
    TrainingOptions,
    TrainingPlan,
    TrainingSession,
    TrainingStopped,
    check_folder,
    plan_training,
    prepare_training,
    receipt_of,
    train,
)
from novum.training.report.phrases import caveat, headline, heads, rows
from novum.training.report.records import TrainingReport

_MANY = "Several processes"
_GIGABYTE = 1e9
_NO_GPU = {
    False: "No GPU was found: the processor would do the work.",
    True: "No GPU was found here, and this training needs one: run the same command on a machine that has it.",
}
Out = Annotated[Path, typer.Option(metavar="DIR", help="The folder of the model.", show_default=False)]


@dataclass(frozen=True)
class TrainOptions:
    """Options of every command that trains, except the data set, the folder and the recipe."""

    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Use it by this name. Default: the folder's name.")
    ] = None
    base: Annotated[
        str | None,
        typer.Option(metavar="NAME|DIR", help="Another base: offline:NAME, local:NAME, a folder, a name on the hub."),
    ] = None
    sets: Annotated[
        list[str] | None, typer.Option("--option", metavar=A_PAIR, help="Change a setting of the recipe; repeatable.")
    ] = None
    seed: Annotated[int | None, typer.Option(min=0, help="Random seed. Default: the recipe's.")] = None
    max_minutes: Annotated[float | None, typer.Option(min=0.1, help="Stop after N minutes, with a checkpoint.")] = None
    launch: Annotated[
        str | None,
        panel_option(
            _MANY, "One process, or the way in which several share the work. Default: the recipe's.",
            metavar="one|ddp|fsdp|deepspeed-2|deepspeed-3",
        ),
    ] = None  # fmt: skip
    processes: Annotated[
        int | None, panel_option(_MANY, "Processes on all machines together, one for each GPU.", min=1)
    ] = None
    nodes: Annotated[int, panel_option(_MANY, "Number of machines.", min=1)] = 1
    node: Annotated[int, panel_option(_MANY, "Number of this machine, from 0.", min=0)] = 0
    main_node: Annotated[str, panel_option(_MANY, "Address of the first machine.", metavar="HOST:PORT")] = ""
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the training in the folder, with its own recipe.")
    ] = False
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only print the command, and the parameters, memory, time and energy it takes."),
    ] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False


def run_training(kind: Kind, data: Path, out: Path, recipe: str, given: TrainOptions, sets: Sequence[str] = ()) -> None:
    """Trains, or prints the plan. `sets`: settings of the recipe that the command itself decides."""
    options = TrainingOptions(
        recipe, given.name, given.base, (*sets, *(given.sets or ())), given.seed, given.launch or "",
        given.processes or 0, given.resume, kind,
    )  # fmt: skip
    session = prepare_training(
        data, out, load_settings().models_folder, options, max_minutes=given.max_minutes,
        nodes=Nodes(given.nodes, given.node, given.main_node),
    )  # fmt: skip
    quiet = given.quiet or given.as_json
    if not given.dry_run:
        check_folder(session.folder, session.job)
    plan = plan_training(session)
    if given.dry_run:
        show_plan(session, plan, as_json=given.as_json)
        return
    for note in () if quiet else plan.notes:
        print_message(note)
    _show(session, watched(session, quiet=quiet), as_json=given.as_json)


def watched(session: TrainingSession, *, quiet: bool) -> TrainingReport | None:
    """Trains with progress on stderr. The first Ctrl-C stops after the current step, the second at once."""
    signals: list[int] = []
    show, end = training_progress(quiet=quiet)

    def follow(child: Child) -> None:
        try:
            with stopped_by_signals(child, signals):
                for event in child.events():
                    show(event)
        finally:
            end()

    try:
        return train(session, follow, print_nothing if quiet else print_message)
    except TrainingStopped as stop:
        raise StoppedError(str(stop), (signals or [signal.SIGINT])[0]) from None


@contextmanager
def stopped_by_signals(child: Child, received: list[int]) -> Iterator[None]:
    """Passes Ctrl-C on to the child, and notes the signals in `received`."""

    def stop(number: int, _: object) -> None:
        received.append(number)
        print_message(
            "Stopping." if child.stop_requested else "Stopping after this step. Press Ctrl-C again to stop at once."
        )
        child.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def show_plan(session: TrainingSession, plan: TrainingPlan, *, as_json: bool) -> None:
    """Prints what a training would take."""
    recipe, expected, command = session.job.recipe, plan.estimate, session.command
    if as_json:
        run = {"command": list(command.words), "variables": dict(command.variables), "notes": list(plan.notes)}
        print_json(expected.model_dump(mode="json") | run)
        return
    print_line(f"Rows: {expected.rows:,}, of which {expected.cut:,} are cut to {recipe.lengths.sequence:,} tokens")
    print_line(f"Steps: {expected.steps:,}; tokens: about {expected.tokens:,}, as counted in the data set")
    for line in _needs(recipe.base, expected):
        print_line(line)
    if not this_machine().cards:
        print_line(_NO_GPU[is_for_gpus(session.job)])
    for note in plan.notes:
        print_line(note)
    print_line(f"Command: {command}")


def _needs(base: str, expected: TrainingEstimate) -> Iterator[str]:
    size = f"{expected.parameters / _GIGABYTE:.2g} billion parameters" if expected.parameters else "unknown size"
    memory = f"about {expected.gigabytes:g} GB for each process" if expected.gigabytes else "unknown"
    yield f"Base: {base}, {size}; memory: {memory}"
    if expected.trained and expected.parameters:
        share = expected.trained / expected.parameters
        yield f"Trained: about {expected.trained:,} parameters, {share:.2%} of the base"
    if expected.hours is not None:
        energy = f"; energy: about {expected.kilowatt_hours:.2g} kWh" if expected.kilowatt_hours else ""
        yield f"Time: about {duration(3600 * expected.hours)} on {expected.device}{energy}"
    if expected.fits is not None and expected.device_gigabytes:
        verdict = "fits" if expected.fits else "does NOT fit"
        yield f"Each process {verdict} into {expected.device_gigabytes:.0f} GB ({expected.device})"


def _show(session: TrainingSession, report: TrainingReport | None, *, as_json: bool) -> None:
    if report is None:
        if as_json:
            print_json({"folder": str(session.folder), "node": session.nodes.this})
        else:
            print_line("This machine's share is done. The first machine merges and reports.")
        return
    model = report.model
    if as_json:
        print_json(model.model_dump(mode="json") | {"folder": str(session.folder)})
        return
    print_table(heads(model), rows(model))
    print_line(f"{headline(model)} {caveat(report)}".rstrip())
    print_line(f"Written to {session.folder}: report.html shows the curves.")
    receipt = receipt_of(session)
    export = f"To use it: novum train export {shlex.quote(str(session.folder))} --name {session.job.name}"
    for line in how_to_use(session.folder, model, receipt) if receipt else [export]:
        print_line(line)
