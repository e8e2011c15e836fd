"""One training of a policy: prepared, its reward model checked, run in processes of its own, exported, and reported.

The command line and the Python interface call the same functions. How progress is shown is passed in as `follow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.lab import Workplace
from novum.ledger import Ledger
from novum.llm.offline import check_name
from novum.runs.engine import check_models, settings_to_repeat
from novum.settings import LoadedSettings
from novum.training.finetuning.job import CHECKPOINTS, JOB, LOCK, LOG, Launch
from novum.training.launching.child import Child
from novum.training.launching.command import CommandLine, Nodes, command_line
from novum.training.launching.fitting import LAUNCHES, check_machine, check_together, this_machine
from novum.training.launching.session import TrainingStopped
from novum.training.next_idea.data.files import NextIdeaSet, open_next_ideas
from novum.training.next_idea.grpo.job import NextIdeaJob, NextIdeaTraining, read_next_idea_job
from novum.training.next_idea.grpo.models import role_of
from novum.training.next_idea.grpo.recipe import NEXT_IDEA_RECIPES, NextIdeaRecipe
from novum.training.next_idea.report.training_page import write_training_page
from novum.training.next_idea.reward_check import RewardCheck, RewardCheckTask
from novum.training.recipes.reading import read_recipe_of

RUN_KIND = "next-idea-training"
_MODULE, _OUTCOME = "novum.training.next_idea.grpo", "training.json"
Follow = Callable[[Child], None]


@dataclass(frozen=True)
class PolicyOptions:
    """What a user chooses. None and empty values stand for the recipe's own."""

    recipe: str = "cpu"
    name: str | None = None
    base: str | None = None
    overrides: Sequence[str] = ()
    seed: int | None = None
    launch: str = "one"
    processes: int = 1
    resume: bool = False


@dataclass(frozen=True)
class PolicySession:
    """One training in one folder."""

    job: NextIdeaJob
    folder: Path
    data: NextIdeaSet
    settings: LoadedSettings
    max_minutes: float | None = None
    nodes: Nodes = field(default_factory=Nodes)

    @property
    def command(self) -> CommandLine:
        """The command that trains, with its environment variables."""
        return command_line(self.job, self.folder, this_machine(), self.max_minutes, self.nodes, _MODULE)

    @property
    def reward_check(self) -> RewardCheckTask | None:
        """The check of the reward model that comes before a training; None where no model is the reward, where the
        recipe turns it off, and where a training is resumed."""
        recipe = self.job.recipe
        if recipe.roles.reward != "model" or not recipe.check_pairs or (self.folder / CHECKPOINTS).exists():
            return None
        named = recipe.roles.reward_model or str(self.settings.model_roles().judges[0])
        return RewardCheckTask(data=self.job.data, models=(named,), pairs=recipe.check_pairs)


def require_usable_reward(check: RewardCheck) -> None:
    """Raises BadInput for a reward model that does not tell real ideas from generated ones."""
    [candidate] = check.candidates
    if not candidate.usable:
        raise BadInput(
            f"{candidate.model} does not tell real ideas from generated ones, so its rewards may mean nothing. Name "
            "another with --judge or roles.reward_model, check more ideas with --option check_pairs=N, or go on with "
            "--skip-check."
        )


def prepare_policy(
    data: Path, folder: Path, settings: LoadedSettings, options: PolicyOptions, *, max_minutes: float | None = None,
    nodes: Nodes | None = None,
) -> PolicySession:  # fmt: skip
    """The session for a data set of `novum data build next-idea`. Raises BadInput for what cannot be carried out."""
    tasks = open_next_ideas(data)
    earlier = read_next_idea_job(folder) if folder.is_dir() else None
    if options.resume and earlier is None:
        raise BadInput(f"There is no training in {folder} to resume: omit --resume to start one.")
    if not tasks.card.splits[0].records:
        raise BadInput(f"{data} has no training tasks: build more, or lower --validation and --test.")
    recipe = earlier.recipe if options.resume and earlier else read_recipe_of(
        NEXT_IDEA_RECIPES, options.recipe, options.base, options.overrides, options.seed
    )  # fmt: skip
    name = (options.name or (earlier.name if options.resume and earlier else "") or folder.resolve().name).lower()
    check_name(name)
    job = NextIdeaJob(
        name=name,
        data=str(data.resolve()),
        digest=tasks.digest,
        recipe=_with_full_path(recipe),
        models_folder=str(settings.models_folder.resolve()),
        launch=_launch(options.launch),
        processes=options.processes,
        run_id=earlier.run_id if earlier else "",
    )
    check_together(job.recipe, job.launch, job.processes)
    return PolicySession(job, folder, tasks, settings, max_minutes, nodes or Nodes())


async def train_policy_session(
    session: PolicySession, follow: Follow, note: Callable[[str], None] = lambda line: None
) -> NextIdeaTraining | None:
    """Trains or resumes, and reports. None on every machine of a cluster but the first.

    Raises BadInput when the folder holds something else or is in use, ModelRefusedUs when a model has no key,
    TrainingStopped when it was stopped with its checkpoint saved, NovumError when the processes fail.
    """
    check_policy_folder(session.folder, session.job)
    check_machine(session.job.recipe, session.job.launch, this_machine())
    if session.job.recipe.needs_models:
        session = await _with_run(session)
    with _exclusive(session):
        if not _finished(session.folder):
            _run_processes(session, follow)
        if session.nodes.this:
            return None
        training = read_training(session.folder)
        write_training_page(training, session.folder)
        note(f"Written to {session.folder}.")
        return training


def read_training(folder: Path) -> NextIdeaTraining:
    """The outcome of a training. Raises BadInput where there is none."""
    try:
        return NextIdeaTraining.model_validate_json(read_plain(folder / _OUTCOME))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"{folder} holds no finished training on next-idea tasks: run `novum train next-idea`."
        ) from error


def check_policy_folder(folder: Path, job: NextIdeaJob) -> None:
    """Raises BadInput when `folder` is neither free nor holds this same training."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a new folder.")
    earlier = read_next_idea_job(folder)
    if earlier is None:
        if folder.exists() and any(file.name not in {LOCK, f".{JOB}"} for file in folder.iterdir()):
            raise BadInput(f"{folder} exists and holds something else: name a new folder.")
    elif not job.same_as(earlier) and ((folder / _OUTCOME).exists() or (folder / "checkpoints").exists()):
        raise BadInput(f"{folder} holds another training: name another folder, or continue it with --resume.")


async def _with_run(session: PolicySession) -> PolicySession:
    """The session with a run in the ledger for the calls of models, opened anew when it is resumed. A missing key or
    price is found here, before anything is loaded."""
    roles = session.job.recipe.roles
    async with Workplace(session.settings) as workplace:
        named = [role_of(each) for each in (roles.comment_model, roles.reward_model)]
        judges = workplace.model_settings.roles.judges
        await check_models(workplace, [judges[0] if each == "judge" else each for each in named])  # type: ignore[misc]
        repeat = settings_to_repeat(workplace) | {"home": str(session.settings.values.home)}
        params = {"method": session.job.name, "options": session.job.recipe.model_dump(mode="json"), "settings": repeat}
        if session.job.run_id:
            record = workplace.ledger.reopen_run(session.job.run_id)
        else:
            record = workplace.ledger.start_run(RUN_KIND, f"training of {session.job.name}", params)  # type: ignore[arg-type]
    job = session.job.model_copy(update={"run_id": record.id, "settings": repeat})
    return PolicySession(job, session.folder, session.data, session.settings, session.max_minutes, session.nodes)


@contextmanager
def _exclusive(session: PolicySession) -> Iterator[None]:
    """One training at a time in a folder."""
    try:
        session.folder.mkdir(parents=True, exist_ok=True)
        if session.nodes.this:
            yield
            return
        with FileLock(session.folder / LOCK, timeout=0):
            check_policy_folder(session.folder, session.job)
            write_atomic(session.folder / JOB, session.job.model_dump_json(indent=1))
            yield
    except Timeout as error:
        raise BadInput(f"Another training runs in {session.folder}: wait for it, or name another folder.") from error
    except OSError as error:
        raise BadInput(f"{session.folder} cannot be written: {error.strerror or error}. Free some space.") from error


def _run_processes(session: PolicySession, follow: Follow) -> None:
    child = Child(session.command, session.folder / LOG)
    status, reason = "failed", "the training process failed"
    try:
        follow(child)
        child.check()
        status, reason = ("stopped", "stopped by you") if child.stop_requested else ("finished", "")
    finally:
        child.close()
        if session.job.run_id:
            with Ledger.open(session.settings.ledger_place) as ledger:
                ledger.end_run(session.job.run_id, status, reason)  # type: ignore[arg-type]
    if child.stop_requested:
        raise TrainingStopped(f"Stopped. The checkpoint is in {session.folder}: the same command resumes it.")


def _finished(folder: Path) -> bool:
    return (folder / _OUTCOME).exists() and read_training(folder).model.finished


def _with_full_path(recipe: NextIdeaRecipe) -> NextIdeaRecipe:
    folder = Path(recipe.base).expanduser()
    return recipe.model_copy(update={"base": str(folder.resolve())}) if folder.is_dir() else recipe


def _launch(name: str) -> Launch:
    launch = next((known for known in LAUNCHES if known == name), None)
    if launch is None:
        raise BadInput(f"--launch {name!r} is none of {', '.join(LAUNCHES)}.")
    return launch
