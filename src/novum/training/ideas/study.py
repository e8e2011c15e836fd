"""The whole road of the DBLP study in one call: data, three phases of training, and all phases side by side."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from novum.core.record import Value
from novum.core.trained import CurvePoint, Kind, TrainedModel, best_point
from novum.files.folder import CARD
from novum.files.inputs import read_plain
from novum.idea_metrics.library_fit import fit_to_folder
from novum.idea_metrics.saved_models import load_model
from novum.idea_metrics.settings import FitSettings
from novum.lab import Workplace
from novum.training.ideas.card import IdeaDataCard, IdeaDataSettings
from novum.training.ideas.comparing import Comparison, ComparisonOptions, compare
from novum.training.ideas.data_set import IdeaDataTask, make_idea_set
from novum.training.ideas.evaluation import EvaluationSettings
from novum.training.ideas.round_records import IterateTask, IterationReport
from novum.training.ideas.rounds import Stages, run_rounds
from novum.training.ideas.scoring import read_objective
from novum.training.ideas.writing import WritingSettings, read_topics
from novum.training.launching.session import TrainingOptions, prepare_training
from novum.training.preferences.data_set import PreferenceTask, make_preference_set
from novum.training.preferences.records import PreferenceSettings
from novum.training.recipes import read_recipe
from novum.training.weights.trained_folder import read_trained

METRICS, IDEAS, PAIRS, HELD_OUT = "metrics", "ideas", "pairs", "held-out-topics.txt"
_SHARE = 0.25


class StudyTask(Value):
    """How large the study is. The defaults are a demonstration of well under an hour on two cores."""

    recipe: str = "cpu"
    base: str = ""
    sft: tuple[str, ...] = ("rows.most=120", "held_out.rows=12", "held_out.choosing_rows=8")
    dpo: tuple[str, ...] = ("rows.most=64", "held_out.times=1")
    iterate: tuple[str, ...] = ("rows.most=32", "held_out.times=1")
    """Settings of the recipe in each phase."""
    better: str = "published"
    """What decides which idea of a pair is better, as for `novum data build preferences`."""
    objective: str = "published"
    judges: tuple[str, ...] = ()
    topics: tuple[int, ...] = (20, 40)
    rounds: int = 1
    samples: int = 6
    evaluated: int = 4
    """Ideas of each model on each held-out topic."""
    most_tokens: int = 160
    margin: float = 0.5
    pair_margin: float = 0.3
    similarity_from: float = 0.1
    """Pairs that clearly differ, on wide topics: with a small margin a small model learns nothing that holds for other
    pairs."""
    seed: int = 0


class PhaseTraining(Value):
    """What a phase changed in its own held-out objective."""

    phase: str
    kind: Kind
    measure: str
    before: float | None
    after: float | None
    accuracy_before: float | None = None
    accuracy_after: float | None = None
    steps: int
    seconds: float
    rising: bool = False
    """Whether larger is better."""


class Study(Value):
    """The outcome of a study."""

    task: StudyTask
    data: IdeaDataCard
    trainings: tuple[PhaseTraining, ...]
    rounds: IterationReport
    phases: Comparison


def run_study(task: StudyTask, folder: Path, models_folder: Path, stages: Stages) -> Study:
    """Carries out what is still to be done. Raises BadInput where the library is too small."""
    name = folder.resolve().name.lower()
    data = _build_data(task, folder, stages)
    held_out, trained = _topics(task, folder)
    base = task.base or read_recipe(task.recipe, kind="sft").base
    first = _train(task, "sft", folder / IDEAS, folder / "phase-1", base, task.sft, name, models_folder, stages)
    second = _train(
        task, "dpo", folder / PAIRS, folder / "phase-2", str(folder / "phase-1"), task.dpo, name, models_folder, stages
    )
    rounds = run_rounds(_rounds_task(task, folder, name, held_out, trained), folder / "phase-3", models_folder, stages)
    writing = WritingSettings(task.evaluated, task.most_tokens, seed=task.seed)
    settings = EvaluationSettings(
        read_objective("published"), writing, task.judges, str((folder / METRICS).resolve()), task.seed
    )
    models = (base, str(folder / "phase-1"), str(folder / "phase-2"), rounds.best.model)
    options = ComparisonOptions(
        kind="phases", models=models, topics=str(folder / HELD_OUT), most_topics=len(held_out), recipe=task.recipe,
        names=("untrained", "phase 1: SFT", "phase 2: DPO", "phase 3: iterate"), seed=task.seed,
    )  # fmt: skip
    phases = compare(options, settings, folder / "comparison", models_folder, stages)
    trainings = (_phase("1: SFT", first), _phase("2: DPO", second), _rounds_phase(rounds))
    return Study(task=task, data=data, trainings=trainings, rounds=rounds, phases=phases)


def _build_data(task: StudyTask, folder: Path, stages: Stages) -> IdeaDataCard:
    """Metrics, papers by topic, and preference pairs, as far as they are missing."""
    folder.mkdir(parents=True, exist_ok=True)

    async def build(workplace: Workplace) -> None:
        library = workplace.library
        if not (folder / METRICS / CARD).exists():
            stages.note("Fitting the metrics")
            await fit_to_folder(library, FitSettings(seed=task.seed), folder / METRICS)
        if not (folder / IDEAS).exists():
            stages.note("Building the data of phase 1")
            await make_idea_set(workplace, IdeaDataTask(folder / IDEAS, _idea_settings(task)))
        if not (folder / PAIRS).exists():
            stages.note("Building the pairs of phase 2")
            model = load_model(str((folder / METRICS).resolve()), workplace.settings.metrics_folder, library.embedder)
            await make_preference_set(workplace, model, PreferenceTask(folder / PAIRS, _pair_settings(task)))

    stages.run(build)
    return IdeaDataCard.model_validate_json(read_plain(folder / IDEAS / CARD))


def _idea_settings(task: StudyTask) -> IdeaDataSettings:
    return IdeaDataSettings(topics=task.topics, seed=task.seed)


def _pair_settings(task: StudyTask) -> PreferenceSettings:
    return PreferenceSettings.model_validate(
        {
            "better": task.better, "apart": "topic", "topics": "lda", "margin": task.pair_margin, "overlap": 0.0,
            "similarity_from": task.similarity_from, "uses": 4, "seed": task.seed,
        }
    )  # fmt: skip


def _topics(task: StudyTask, folder: Path) -> tuple[list[str], list[str]]:
    """Topics that no preference is made on in phase 3, and the others."""
    topics = sorted(read_topics(folder / IDEAS))
    random.Random(f"study {task.seed}").shuffle(topics)  # noqa: S311
    number = max(2, round(_SHARE * len(topics)))
    held_out, others = sorted(topics[:number]), sorted(topics[number:])
    (folder / HELD_OUT).write_text("".join(f"{topic}\n" for topic in held_out), encoding="utf-8")
    return held_out, others


def _train(
    task: StudyTask, kind: Kind, data: Path, folder: Path, base: str, overrides: Sequence[str], name: str,
    models_folder: Path, stages: Stages,
) -> TrainedModel:  # fmt: skip
    options = TrainingOptions(
        recipe=task.recipe, name=f"{name}-{folder.name}", base=base, overrides=overrides, seed=task.seed, kind=kind
    )
    session = prepare_training(data, folder, models_folder, options)
    stages.note(f"{folder.name}: {kind.upper()}")
    stages.train(session)
    return read_trained(folder)


def _rounds_task(
    task: StudyTask, folder: Path, name: str, held_out: Sequence[str], topics: Sequence[str]
) -> IterateTask:
    return IterateTask(
        name=f"{name}-phase-3", model=str((folder / "phase-2").resolve()), topics=tuple(topics),
        held_out=tuple(held_out), pairs=str((folder / PAIRS).resolve()),
        rounds=task.rounds, samples=task.samples, held_out_samples=task.evaluated,
        objective=task.objective, judges=task.judges, metrics=str((folder / METRICS).resolve()), margin=task.margin,
        recipe=task.recipe, overrides=task.iterate, most_tokens=task.most_tokens, seed=task.seed,
    )  # fmt: skip


def _phase(name: str, model: TrainedModel) -> PhaseTraining:
    first, last = (_loss_of(point) for point in (model.curve[0], best_point(model.curve))) if model.curve else ({}, {})
    return PhaseTraining(
        phase=name, kind=model.kind, measure="held-out loss", before=first.get("loss"), after=last.get("loss"),
        accuracy_before=first.get("accuracy"), accuracy_after=last.get("accuracy"), steps=model.steps,
        seconds=model.seconds,
    )  # fmt: skip


def _loss_of(point: CurvePoint | None) -> dict[str, float]:
    if point is None or point.held_out_loss is None:
        return {}
    return {"loss": point.held_out_loss} | point.measures


def _rounds_phase(rounds: IterationReport) -> PhaseTraining:
    best = rounds.rounds[-1] if rounds.best.number == 0 else rounds.best
    folder = Path(best.model)
    model = read_trained(folder) if best.number else None
    return PhaseTraining(
        phase="3: iterate", kind="dpo", measure=f"{rounds.objective} on held-out topics", before=rounds.rounds[0].score,
        after=best.score, steps=model.steps if model else 0, seconds=model.seconds if model else 0, rising=True,
    )  # fmt: skip
