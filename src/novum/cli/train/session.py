"""A training from the command line: planned, carried out by a process of its own, exported, reported."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from novum.errors import BadInput, NovumError

if TYPE_CHECKING:
    from novum.core.trained import TrainedModel
    from novum.training.finetuning.job import TuningJob
    from novum.training.finetuning.review_set import ReviewSet
    from novum.training.launching.child import Child
    from novum.training.launching.command import CommandLine, Nodes
    from novum.training.launching.estimate import Estimate
    from novum.training.report.records import TrainingReport

_GIGABYTE = 1e9
_SAVED = "Stopped. What was learnt is kept in {folder}: the same command goes on from there."


@dataclass(frozen=True)
class Session:
    """What the command line asked for."""

    job: TuningJob
    folder: Path
    reviews: ReviewSet
    max_minutes: float | None
    nodes: Nodes
    quiet: bool


def show_plan(session: Session, *, as_json: bool) -> None:
    """What would be run, and what it would take."""
    from novum.cli.shell.terminal import say, say_json
    from novum.training.launching.fitting import this_machine

    plan, notes = _plan(session)
    command = _command(session)
    if as_json:
        told = {"command": list(command.words), "variables": dict(command.variables), "notes": notes}
        say_json(plan.model_dump(mode="json") | told)
        return
    say(f"Rows: {plan.rows:,}, of which {plan.cut:,} are cut to {session.job.recipe.lengths.sequence:,} tokens")
    say(f"Steps: {plan.steps:,}; tokens: about {plan.tokens:,}, as the data set counts them")
    size = f"{plan.parameters / _GIGABYTE:.2g} billion parameters" if plan.parameters else "of unknown size"
    memory = f"about {plan.gigabytes:g} GB in each process" if plan.gigabytes else "unknown"
    say(f"Base: {session.job.recipe.base}, {size}; memory: {memory}")
    if not this_machine().cards:
        say("No GPU is seen here: it would be computed by the processor.")
    for note in notes:
        say(note)
    say(f"Command: {command}")


def carry_out(session: Session, *, as_json: bool) -> None:
    """Trains, or goes on; merges, names and reports."""
    from novum.cli.shell.terminal import tell
    from novum.training.launching.fitting import check_machine, this_machine

    check_machine(session.job.recipe, session.job.launch, this_machine())
    _, notes = _plan(session)
    if not session.quiet:
        for note in notes:
            tell(note)
    with _alone(session):
        done = _finished(session.folder)
        if done is None:
            _trained(session)
        if session.nodes.this:
            _end_of_share(session, as_json=as_json)
            return
        report = _exported(session)
    _show(session, report, as_json=as_json)


def _end_of_share(session: Session, *, as_json: bool) -> None:
    """On every machine but the first, which merges, names and reports."""
    from novum.cli.shell.terminal import say, say_json

    if as_json:
        say_json({"folder": str(session.folder), "node": session.nodes.this})
    else:
        say("The share of this machine is done; the first one merges and reports.")


def _plan(session: Session) -> tuple[Estimate, list[str]]:
    """Raises BadInput where there is nothing to learn from."""
    from novum.training.finetuning.checkpoint_choice import choose
    from novum.training.launching.estimate import estimate

    recipe = session.job.recipe
    chosen = choose(session.reviews, recipe)
    about = session.reviews.about("train")
    found = estimate(about, chosen.training, recipe, session.job.launch, session.job.processes)
    notes = []
    if chosen.left_tasks:
        notes.append(f"Not in these data, and left out: {', '.join(chosen.left_tasks)}.")
    if recipe.held_out.rows and not chosen.held_out:
        notes.append(f"There are no {recipe.held_out.split} rows, so nothing is measured along the way.")
    if recipe.held_out.choosing_rows and not chosen.choosing:
        notes.append("There are no validation rows, so the last adapter is kept, not the best.")
    if recipe.held_out.papers and not chosen.rated:
        notes.append(_no_ratings(session.reviews))
    return found, [*notes, *_renamed(session)]


def _renamed(session: Session) -> Iterator[str]:
    """Whose name it takes."""
    from novum.llm.offline.trained import trained

    name, place = session.job.name, session.folder.resolve()
    for each in trained(Path(session.job.models_folder)) if session.job.recipe.keeping.merge else ():
        if each.name == name and Path(each.folder) != place:
            yield f"judge:{name} stands for {each.folder} now, and will for this one: --name gives it another name."


def _no_ratings(reviews: ReviewSet) -> str:
    if reviews.rating_at == "start":
        return "No held-out paper has a rating, so there is no curve of expected ratings."
    return (
        "Ratings do not stand at the start of these reviews, so there is no curve of expected ratings: for one, build "
        "the data with `novum data build judge … --rating start`."
    )


def _command(session: Session) -> CommandLine:
    from novum.training.launching.command import command_line
    from novum.training.launching.fitting import this_machine

    return command_line(session.job, session.folder, this_machine(), session.max_minutes, session.nodes)


@contextmanager
def _alone(session: Session) -> Iterator[None]:
    """One training at a time in a folder. Raises BadInput where another is at work, or it cannot be written."""
    from filelock import FileLock, Timeout

    from novum.cli.train.folder import make_room
    from novum.training.finetuning.job import LOCK, write_job

    try:
        session.folder.mkdir(parents=True, exist_ok=True)
        if session.nodes.this:
            yield
            return
        with FileLock(session.folder / LOCK, timeout=0):
            make_room(session.folder, session.job)
            write_job(session.job, session.folder)
            yield
    except Timeout as error:
        raise BadInput(f"Another training is at work in {session.folder}: wait for it, or name another one.") from error
    except OSError as error:
        raise BadInput(
            f"{session.folder} cannot be written: {error.strerror or error}. Free some space or name another folder."
        ) from error


def _finished(folder: Path) -> TrainedModel | None:
    """What was trained there to its end."""
    from novum.core.trained import TRAINED_FILE
    from novum.training.weights.trained_folder import read_trained

    if not (folder / TRAINED_FILE).exists():
        return None
    found = read_trained(folder)
    return found if found.finished else None


def _trained(session: Session) -> None:
    """Raises StoppedError, with everything kept, when the user stopped it."""
    from novum.cli.shell.interrupt import StoppedError
    from novum.cli.train.progress import shown
    from novum.training.finetuning.job import LOG
    from novum.training.launching.child import Child

    show, end = shown(quiet=session.quiet)
    child = Child(_command(session), session.folder / LOG)
    try:
        with _stopped_by_signals(child) as heard:
            for event in child.events():
                show(event)
        child.check()
    finally:
        end()
        child.close()
    if child.asked_to_stop:
        raise StoppedError(_SAVED.format(folder=session.folder), heard[0])


@contextmanager
def _stopped_by_signals(child: Child) -> Iterator[list[int]]:
    """The numbers of the signals that were heard."""
    heard: list[int] = []

    def hear(number: int, _: object) -> None:
        from novum.cli.shell.terminal import tell

        heard.append(number)
        tell("Stopping after this step; once more to stop at once." if not child.asked_to_stop else "Stopping.")
        child.stop()

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield heard
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _exported(session: Session) -> TrainingReport:
    """Merged and named where the recipe wants it, and reported in any case."""
    from novum.training.finetuning.finishing import report_of, tidy
    from novum.training.report.files import write_training
    from novum.training.weights.trained_folder import read_trained

    folder, job = session.folder, session.job
    report = report_of(folder, session.reviews, job)
    write_training(report, folder)
    model = report.model
    if job.recipe.keeping.merge and not (model.merged or model.gguf):
        _export(session)
    if model.finished:
        tidy(folder)
    return report.model_copy(update={"model": read_trained(folder)})


def _export(session: Session) -> None:
    """In a process of its own, whose memory goes with it. Raises NovumError with the reason in one line."""
    from novum.cli.shell.interrupt import StoppedError
    from novum.cli.shell.terminal import tell

    folder = session.folder.absolute()
    command = [sys.executable, "-m", "novum", "train", "export", str(folder), "--name", session.job.name]
    if not session.quiet:
        tell("Merging the adapter into the base …")
    try:
        ended = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own interpreter
    except KeyboardInterrupt:
        raise StoppedError("Stopped. The model is trained; the same command merges it.") from None
    if ended.returncode:
        said = ended.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {ended.returncode}"]
        raise NovumError(
            f"The model is trained, but not exported: {said[-1].removeprefix('novum: ')} Then: novum train export "
            f"{shlex.quote(str(folder))} --name {session.job.name}"
        )


def _show(session: Session, report: TrainingReport, *, as_json: bool) -> None:
    from novum.cli.shell.terminal import say, say_json, say_table
    from novum.training.report.phrases import HEADS, caveat, headline, rows

    model = report.model
    if as_json:
        say_json(model.model_dump(mode="json") | {"folder": str(session.folder)})
        return
    say_table(HEADS, rows(model))
    say(f"{headline(model)} {caveat(report)}".rstrip())
    say(f"Written to {session.folder}: its report.html shows the curves.")
    for line in _ways_to_ask(session, model):
        say(line)


def _ways_to_ask(session: Session, model: TrainedModel) -> Sequence[str]:
    from novum.cli.train.export import how_to_ask
    from novum.llm.offline.trained import trained

    name, place = session.job.name, session.folder.resolve()
    known = trained(Path(session.job.models_folder))
    receipt = next((each for each in known if each.name == name and Path(each.folder) == place), None)
    if receipt is None:
        return [f"Use it after: novum train export {shlex.quote(str(session.folder))} --name {name}"]
    return how_to_ask(session.folder, model, receipt)
