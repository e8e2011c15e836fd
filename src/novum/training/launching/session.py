"""One training of a reviewer model: prepared, planned, run in processes of its own, merged, registered and reported.

The command line and the Python interface call the same functions. How progress is shown is passed in as `follow`.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from novum.core.trained import TRAINED_FILE
from novum.errors import BadInput, NovumError
from novum.llm.offline import check_name
from novum.llm.offline.trained import TrainedReceipt, trained_models
from novum.training.finetuning.finishing import build_report, remove_intermediate_files
from novum.training.finetuning.job import JOB, LOCK, LOG, Launch, TuningJob, has_started, read_job, write_job
from novum.training.finetuning.review_set import ReviewSet, open_set
from novum.training.finetuning.selection import select_training_rows
from novum.training.launching.child import Child
from novum.training.launching.command import CommandLine, Nodes, command_line
from novum.training.launching.estimate import TrainingEstimate, estimate
from novum.training.launching.fitting import LAUNCHES, check_machine, check_together, this_machine
from novum.training.recipes import Recipe, read_recipe
from novum.training.report.page import write_training
from novum.training.report.records import TrainingReport
from novum.training.weights.trained_folder import read_trained

Follow = Callable[[Child], None]
"""Reads a child's events to their end. It may call `child.stop()`."""


class TrainingStopped(NovumError):
    """The training was stopped before its end. The checkpoint is saved, and the same call resumes it."""


@dataclass(frozen=True)
class TrainingOptions:
    """What a user chooses. None and empty values stand for the recipe's own."""

    recipe: str = "cpu"
    """Name of a built-in recipe, or a TOML file."""
    name: str | None = None
    """The trained model is used as `judge:NAME`; by default the name of the folder."""
    base: str | None = None
    overrides: Sequence[str] = ()
    """Recipe settings as `key=value`."""
    seed: int | None = None
    launch: str = "one"
    processes: int = 1
    resume: bool = False
    """Continue the training in the folder with the recipe that it was started with."""


@dataclass(frozen=True)
class TrainingSession:
    """One training in one folder. `max_minutes`: it stops by then, with a checkpoint."""

    job: TuningJob
    folder: Path
    reviews: ReviewSet
    max_minutes: float | None = None
    nodes: Nodes = field(default_factory=Nodes)

    @property
    def command(self) -> CommandLine:
        """The command that trains, with its environment variables."""
        return command_line(self.job, self.folder, this_machine(), self.max_minutes, self.nodes)


@dataclass(frozen=True)
class TrainingPlan:
    """What a training would take, and what its data lack."""

    estimate: TrainingEstimate
    notes: tuple[str, ...]


def prepare_training(
    data: Path, folder: Path, models_folder: Path, options: TrainingOptions, *, max_minutes: float | None = None,
    nodes: Nodes | None = None,
) -> TrainingSession:  # fmt: skip
    """The session for a data set of `novum data build judge`. Raises BadInput for contradicting options."""
    reviews = open_set(data)
    earlier = read_job(folder) if folder.is_dir() else None
    if options.resume and earlier is None:
        raise BadInput(f"There is no training in {folder} to resume: omit --resume to start one.")
    if options.resume and (options.overrides or options.base is not None or options.seed is not None):
        raise BadInput("--resume uses the recipe of the interrupted training: omit --option, --base and --seed.")
    resumed = earlier if options.resume else None
    if resumed:
        recipe = resumed.recipe
    else:
        recipe = _with_full_path(read_recipe(options.recipe, options.base, options.overrides, options.seed))
    job = TuningJob(
        name=_model_name(options.name or (resumed.name if resumed else "") or folder.resolve().name),
        data=str(data.resolve()),
        digest=reviews.digest,
        recipe=recipe,
        models_folder=str(models_folder.resolve()),
        launch=resumed.launch if resumed and options.launch == "one" else _launch(options.launch),
        processes=resumed.processes if resumed and options.processes == 1 else options.processes,
    )
    check_together(job.recipe, job.launch, job.processes)
    return TrainingSession(job, folder, reviews, max_minutes, nodes or Nodes())


def plan_training(session: TrainingSession) -> TrainingPlan:
    """Steps, tokens and memory of a training. Raises BadInput when no row can be used."""
    recipe = session.job.recipe
    rows = select_training_rows(session.reviews, recipe)
    about = session.reviews.about("train")
    expected = estimate(about, rows.training, recipe, session.job.launch, session.job.processes)
    notes = []
    if rows.left_tasks:
        notes.append(f"The data have no rows for these tasks, which are skipped: {', '.join(rows.left_tasks)}.")
    if recipe.held_out.rows and not rows.held_out:
        notes.append(f"There are no {recipe.held_out.split} rows, so nothing is evaluated during training.")
    if recipe.held_out.choosing_rows and not rows.choosing:
        notes.append("There are no validation rows, so the last adapter is used, not the best.")
    if recipe.held_out.papers and not rows.rated:
        notes.append(_no_ratings(session.reviews))
    return TrainingPlan(expected, (*notes, *_name_conflicts(session)))


def train(
    session: TrainingSession, follow: Follow | None = None, note: Callable[[str], None] = lambda line: None
) -> TrainingReport | None:
    """Trains or resumes, then merges, registers and reports. None on every machine of a cluster but the first.

    `note` is called with a line before a step that takes long.

    Raises BadInput when the folder holds something else or is in use, TrainingStopped when it was stopped with its
    checkpoint saved, and NovumError when the processes fail or the trained model cannot be exported.
    """
    check_folder(session.folder, session.job)
    check_machine(session.job.recipe, session.job.launch, this_machine())
    with _exclusive(session):
        if not _is_finished(session.folder):
            _run_processes(session, follow or _ignore_events)
        return None if session.nodes.this else _export_and_report(session, note)


def check_folder(folder: Path, job: TuningJob) -> None:
    """Raises BadInput when `folder` is neither free nor holds this same training."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a new folder.")
    earlier = read_job(folder)
    if earlier is None:
        after_full_disk = {LOCK, f".{JOB}"}
        if folder.exists() and any(file.name not in after_full_disk for file in folder.iterdir()):
            raise BadInput(f"{folder} exists and holds something else: name a new folder.")
    elif not job.same_as(earlier) and has_started(folder):
        raise BadInput(
            f"{folder} holds another training ({_differences(job, earlier)}): name another folder, or continue that "
            "training with --resume."
        )


def _with_full_path(recipe: Recipe) -> Recipe:
    """A base in a folder gets its full path: it is merged and exported later, from any working directory."""
    try:
        folder = Path(recipe.base).expanduser()
        is_folder = folder.is_dir()
    except (OSError, RuntimeError, ValueError):  # not a path at all: loading the base reports it
        is_folder = False
    return recipe.model_copy(update={"base": str(folder.resolve())}) if is_folder else recipe


def _model_name(name: str) -> str:
    check_name(name.lower())
    return name.lower()


def _launch(name: str) -> Launch:
    launch = next((known for known in LAUNCHES if known == name), None)
    if launch is None:
        raise BadInput(f"--launch {name!r} is none of {', '.join(LAUNCHES)}.")
    return launch


def _name_conflicts(session: TrainingSession) -> Iterator[str]:
    """A note when another trained model has this name and would lose it."""
    name, folder = session.job.name, session.folder.resolve()
    for each in trained_models(Path(session.job.models_folder)) if session.job.recipe.keeping.merge else ():
        if each.name == name and Path(each.folder) != folder:
            yield f"judge:{name} is now {each.folder} and will be this model: --name gives it another name."


def _no_ratings(reviews: ReviewSet) -> str:
    if reviews.rating_at == "start":
        return "No held-out paper has a rating, so there is no curve of expected ratings."
    return (
        "These reviews do not begin with the rating, so there is no curve of expected ratings: for one, build the data "
        "with `novum data build judge … --rating start`."
    )


@contextmanager
def _exclusive(session: TrainingSession) -> Iterator[None]:
    """One training at a time in a folder. Raises BadInput when another one runs there, or it cannot be written."""
    try:
        session.folder.mkdir(parents=True, exist_ok=True)
        if session.nodes.this:
            yield
            return
        with FileLock(session.folder / LOCK, timeout=0):
            _clear_failed_start(session.folder, session.job)
            write_job(session.job, session.folder)
            yield
    except Timeout as error:
        raise BadInput(f"Another training runs in {session.folder}: wait for it, or name another folder.") from error
    except OSError as error:
        raise BadInput(
            f"{session.folder} cannot be written: {error.strerror or error}. Free some space or name another folder."
        ) from error


def _clear_failed_start(folder: Path, job: TuningJob) -> None:
    """Removes what a first attempt left that failed, for example with a missing base. The caller holds the lock."""
    check_folder(folder, job)  # another training may have started in the meantime
    earlier = read_job(folder)
    if earlier and not job.same_as(earlier):
        remove_intermediate_files(folder)


def _differences(job: TuningJob, earlier: TuningJob) -> str:
    differs = {
        "other data": job.digest != earlier.digest,
        "another recipe": job.recipe != earlier.recipe,
        "another name": job.name != earlier.name,
        "another launch": (job.launch, job.processes) != (earlier.launch, earlier.processes),
    }
    return ", ".join(what for what, true in differs.items() if true)


def _is_finished(folder: Path) -> bool:
    return (folder / TRAINED_FILE).exists() and read_trained(folder).finished


def _run_processes(session: TrainingSession, follow: Follow) -> None:
    child = Child(session.command, session.folder / LOG)
    try:
        follow(child)
        child.check()
    finally:
        child.close()
    if child.stop_requested:
        raise TrainingStopped(f"Stopped. The checkpoint is in {session.folder}: the same command resumes it.")


def _ignore_events(child: Child) -> None:
    for _ in child.events():
        pass


def _export_and_report(session: TrainingSession, note: Callable[[str], None]) -> TrainingReport:
    """Reports in any case; merges and registers when the recipe says so."""
    folder, job = session.folder, session.job
    report = build_report(folder, session.reviews, job)
    write_training(report, folder)
    model = report.model
    if job.recipe.keeping.merge and not (model.merged or model.gguf):
        note("Merging the adapter into the base …")
        _export(folder.absolute(), job.name)
    if model.finished:
        remove_intermediate_files(folder)
    return report.model_copy(update={"model": read_trained(folder)})


def _export(folder: Path, name: str) -> None:
    """Merges in another process, so that its memory is freed. Raises NovumError with the reason in one line."""
    command = [sys.executable, "-m", "novum", "train", "export", str(folder), "--name", name]
    try:
        ended = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - our own interpreter
    except KeyboardInterrupt:
        raise TrainingStopped("Stopped. The model is trained; the same command merges it.") from None
    if ended.returncode:
        output = ended.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {ended.returncode}"]
        raise NovumError(
            f"The model is trained, but not exported: {output[-1].removeprefix('novum: ')} Then: novum train export "
            f"{shlex.quote(str(folder))} --name {name}"
        )


def receipt_of(session: TrainingSession) -> TrainedReceipt | None:
    """The entry in the models folder by which `judge:NAME` is this session's model; None when there is none."""
    name, folder = session.job.name, session.folder.resolve()
    known = trained_models(Path(session.job.models_folder))
    return next((each for each in known if each.name == name and Path(each.folder) == folder), None)
