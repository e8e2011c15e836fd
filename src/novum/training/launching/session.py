"""One training: prepared, planned, run in processes of its own, merged, registered and reported.

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

from novum.core.trained import TRAINED_FILE, Kind, model_name
from novum.errors import BadInput, NovumError
from novum.llm.offline import check_name
from novum.llm.offline.trained import TrainedReceipt, find_trained, trained_models
from novum.training.finetuning.finishing import remove_intermediate_files
from novum.training.finetuning.job import JOB, LOCK, LOG, Launch, TuningJob, has_started, read_job, write_job
from novum.training.finetuning.kinds import KINDS, TrainingData, TrainingKind
from novum.training.launching.child import Child
from novum.training.launching.command import CommandLine, Nodes, command_line
from novum.training.launching.estimate import TrainingEstimate, check_memory, estimate
from novum.training.launching.fitting import LAUNCHES, Machine, check_machine, check_together, this_machine
from novum.training.recipes import Recipe, read_recipe
from novum.training.report.page import write_training
from novum.training.report.records import TrainingReport
from novum.training.weights.model_cards import write_model_cards
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
    """The trained model is used as `judge:NAME` or `local:NAME`; by default the name of the folder."""
    base: str | None = None
    overrides: Sequence[str] = ()
    """Recipe settings as `key=value`."""
    seed: int | None = None
    launch: str = ""
    processes: int = 0
    """Empty and 0: those of the recipe."""
    resume: bool = False
    """Continue the training in the folder with the recipe that it was started with."""
    kind: Kind = "judge"


@dataclass(frozen=True)
class TrainingSession:
    """One training in one folder. `max_minutes`: it stops by then, with a checkpoint."""

    job: TuningJob
    folder: Path
    data: TrainingData
    max_minutes: float | None = None
    nodes: Nodes = field(default_factory=Nodes)

    @property
    def kind(self) -> TrainingKind:
        """The kind of the training."""
        return KINDS[self.job.kind]

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
    """The session for a data set of `novum data build`. Raises BadInput for contradicting options."""
    kind = KINDS[options.kind]
    opened: TrainingData = kind.open(data)
    earlier = read_job(folder) if folder.is_dir() else None
    if options.resume and earlier is None:
        raise BadInput(f"There is no training in {folder} to resume: omit --resume to start one.")
    if options.resume and (options.overrides or options.base is not None or options.seed is not None):
        raise BadInput("--resume uses the recipe of the interrupted training: omit --option, --base and --seed.")
    resumed = earlier if options.resume else None
    name = _model_name(options.name or (resumed.name if resumed else "") or folder.resolve().name)
    job = _job(options, models_folder, resumed)
    job = job.model_copy(update={"name": name, "data": str(data.resolve()), "digest": opened.digest})
    return TrainingSession(job, folder, opened, max_minutes, nodes or Nodes())


def _job(options: TrainingOptions, models_folder: Path, resumed: TuningJob | None) -> TuningJob:
    """The job without its name and data. Raises BadInput for contradicting options."""
    if resumed:
        recipe = resumed.recipe
    else:
        base = options.base and folder_of_name(options.base, models_folder)
        recipe = _with_full_path(read_recipe(options.recipe, base, options.overrides, options.seed, options.kind))
    job = TuningJob(
        name="",
        kind=options.kind,
        data="",
        digest="",
        recipe=recipe,
        models_folder=str(models_folder.resolve()),
        launch=_launch(options.launch or (resumed.launch if resumed else recipe.device.launch)),
        processes=options.processes or (resumed.processes if resumed else _processes(options.launch, recipe)),
    )
    check_together(job.recipe, job.launch, job.processes)
    return job


def check_possible(options: TrainingOptions, models_folder: Path) -> None:
    """Raises BadInput where a training by these options cannot run on this machine: before data for it are made."""
    _check_on(this_machine(), _job(options, models_folder, None))


def _check_on(machine: Machine, job: TuningJob) -> None:
    check_machine(job.recipe, job.launch, machine)
    check_memory(job, machine)


def plan_training(session: TrainingSession) -> TrainingPlan:
    """Steps, tokens and memory of a training. Raises BadInput when no row can be used."""
    job = session.job
    rows = session.kind.plan(session.data, job.recipe)
    return TrainingPlan(estimate(rows.lengths, job, this_machine()), (*rows.notes, *_name_conflicts(session)))


def train(
    session: TrainingSession, follow: Follow | None = None, note: Callable[[str], None] = lambda line: None
) -> TrainingReport | None:
    """Trains or resumes, then merges, registers and reports. None on every machine of a cluster but the first.

    `note` is called with a line before a step that takes long.

    Raises BadInput when the folder holds something else or is in use, TrainingStopped when it was stopped with its
    checkpoint saved, and NovumError when the processes fail or the trained model cannot be exported.
    """
    check_folder(session.folder, session.job)
    _check_on(this_machine(), session.job)
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


def _processes(launch: str, recipe: Recipe) -> int:
    """The number of processes where none is named: that of the recipe, for its own launch."""
    return recipe.device.processes if launch in {"", recipe.device.launch} else 1


def folder_of_name(base: str, models_folder: Path) -> str:
    """The folder of `local:NAME` or `judge:NAME`; any other base unchanged. Raises BadInput for an unknown name."""
    provider, mark, name = base.partition(":")
    return find_trained(name, models_folder, provider).folder if mark and provider in {"local", "judge"} else base


def _name_conflicts(session: TrainingSession) -> Iterator[str]:
    """A note when another trained model has this name and would lose it."""
    name, folder = session.job.name, session.folder.resolve()
    for each in trained_models(Path(session.job.models_folder)) if session.job.recipe.keeping.merge else ():
        if each.name == name and Path(each.folder) != folder:
            known = model_name(each.purpose, name)
            yield f"{known} is now {each.folder}, and the name will be this model's: --name gives it another name."


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
    report = session.kind.report(folder, session.data, job)
    write_training(report, folder)
    model = report.model
    if _wants_export(folder, job):
        note("Exporting the model …" if job.recipe.tuning == "full" else "Merging the adapter into the base …")
        _export(folder.absolute(), job.name)
    write_model_cards(folder)
    if model.finished:
        remove_intermediate_files(folder)
    return report.model_copy(update={"model": read_trained(folder)})


def _wants_export(folder: Path, job: TuningJob) -> bool:
    """Whether the model is still to be merged, written for llama.cpp, and registered, as far as that is possible."""
    model = read_trained(folder)
    known = any(Path(each.folder) == folder.resolve() for each in trained_models(Path(job.models_folder)))
    done = bool(model.merged or model.gguf) if job.recipe.tuning == "lora" else known
    return job.recipe.keeping.merge and not done


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
    """The entry in the models folder by which the name is this session's model; None when there is none."""
    name, folder = session.job.name, session.folder.resolve()
    known = trained_models(Path(session.job.models_folder))
    return next((each for each in known if each.name == name and Path(each.folder) == folder), None)
