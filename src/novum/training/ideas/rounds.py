"""Iterative training (DBLP study, section 4.4, algorithm 1): ideas on random topics, ranks, new pairs, DPO, evaluation.

Every stage leaves a file in the folder of its round, so that the same call resumes where an earlier one ended.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import random
import shlex
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import orjson
from pydantic import ValidationError

from novum.core import normal_title
from novum.core.version import installed_version
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.folder import CARD, atomic_folder
from novum.files.inputs import read_plain
from novum.files.tables import write_jsonl
from novum.lab import Workplace
from novum.llm import ModelName
from novum.training.finetuning.preferences.data_set import PreferenceSet, open_preferences
from novum.training.ideas.building import prompt_on_topic
from novum.training.ideas.card import RoundCard
from novum.training.ideas.evaluation import EntrantModel, Evaluated, EvaluationSettings, evaluate
from novum.training.ideas.pairing import RoundPairs, pair_ideas
from novum.training.ideas.round_records import IterateTask, IterationReport, RoundResult, stop_reason
from novum.training.ideas.scoring import Objective, Scorer, read_objective
from novum.training.ideas.writing import WritingSettings, WrittenIdea, runs_here, write_ideas
from novum.training.launching.session import TrainingOptions, TrainingSession, check_possible, prepare_training
from novum.training.preferences.files import ABOUT, DATA
from novum.training.preferences.rows import PROMPT
from novum.training.recipes import read_recipe

TASK, PAIRS, MODEL, RESULT = "iterate.json", "pairs", "model", "result.json"
_RECORDS = "held-out.records.jsonl"
_PATIENCE_SECONDS = 20.0
_MEASURED = ("held_out.split=validation", "held_out.choosing_rows=0")
"""The pairs that a round holds out are for its report; its last adapter is used."""
_VALIDATION = 5
"""Of so many chosen ideas, the pairs of one are for validation."""
Result = TypeVar("Result")


class Stages(Protocol):
    """How the stages of a round are carried out, and what is said of them: by the command line, or from Python."""

    def run(self, job: Callable[[Workplace], Awaitable[Result]]) -> Result:
        """The result of a job in a workplace."""
        ...

    def train(self, session: TrainingSession) -> object:
        """Trains to the end. Raises when it is stopped."""
        ...

    def note(self, line: str) -> None:
        """A line about the next stage."""
        ...


@dataclass(frozen=True)
class _Loop:
    task: IterateTask
    folder: Path
    models_folder: Path
    stages: Stages

    @property
    def objective(self) -> Objective:
        return read_objective(self.task.objective, self.task.alpha, self.task.beta)

    def writing(self, samples: int, seed: int, by_round: int) -> WritingSettings:
        """How the model of a round writes ideas. A server has it under the name of the round."""
        task = self.task
        server = served_name(task.server, by_round)
        return WritingSettings(samples, task.most_tokens, task.temperature, task.top_p, seed, task.batch, server)

    def place(self, number: int) -> Path:
        """The folder of a round."""
        return self.folder / f"round-{number}"


def run_rounds(task: IterateTask, folder: Path, models_folder: Path, stages: Stages) -> IterationReport:
    """Carries out the rounds that are still to be done. The last round stops where the held-out score no longer rises,
    or diversity collapses.

    Raises BadInput when this machine cannot train by the recipe, when the folder holds something else, or when the
    first round gives no pairs. The first two are found before a model is asked anything.
    """
    loop = _Loop(task, folder, models_folder, stages)
    check_possible(_options(loop, 1, task.model), models_folder)
    _claim(task, folder)
    results = [_evaluated(loop, RoundResult(number=0))]
    while not (why := stop_reason(results, task)):
        number, model = len(results), _model_of(loop, len(results) - 1)
        pairs, result = _new_pairs(loop, number, model)
        if pairs is None:
            return _finish(loop, results, f"round {number} gave too few new pairs ({result.pairs})")
        stages.note(f"Round {number}: training on {result.pairs_in_all} pairs")
        session = _training(loop, number, model, pairs)
        stages.train(session)
        results.append(_evaluated(loop, result))
    return _finish(loop, results, why)


def _claim(task: IterateTask, folder: Path) -> None:
    """Notes the task in the folder. Raises BadInput where the folder holds another one, or something else."""
    file = folder / TASK
    try:
        earlier = IterateTask.model_validate_json(read_plain(file))
    except FileNotFoundError:
        if folder.exists() and any(folder.iterdir()):
            raise BadInput(f"{folder} exists and holds something else: name a new folder.") from None
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(file, task.model_dump_json(indent=1))
        return
    except (OSError, ValidationError) as error:
        raise BadInput(f"{file} cannot be read: name another folder.") from error
    but = {"rounds": task.rounds}
    if earlier.model_copy(update=but) != task:
        differs = [name for name in IterateTask.model_fields if getattr(earlier, name) != getattr(task, name)]
        raise BadInput(
            f"{folder} holds other rounds ({', '.join(name.replace('_', '-') for name in differs)} differ): name "
            "another folder, or repeat the command that made them. Only --rounds may change."
        )


def served_name(server: str, number: int) -> str:
    """The model of a round on a server: the name as given, with the number of the round after the first."""
    if not server or not number:
        return server
    name, mark, address = server.partition("@")
    return f"{name}-round-{number}{mark}{address}"


async def _check_served(workplace: Workplace, loop: _Loop, number: int, model: str) -> None:
    """Raises BadInput, with what to do, where a server does not have the model of a round yet."""
    if not loop.task.server or not number:
        return
    name = ModelName.parse(served_name(loop.task.server, number))
    endpoint = await workplace.connections.endpoint(name)
    listed = await endpoint.get("/models", _PATIENCE_SECONDS)
    entries = listed.get("data", []) if isinstance(listed, dict) else []
    if name.model not in {str(each.get("id")) for each in entries if isinstance(each, dict)}:
        line = shlex.join(["vllm", "serve", str(Path(model) / "merged"), "--served-model-name", name.model])
        raise BadInput(
            f"Round {number} is trained. {name.base_url} does not serve it yet: start `{line}` there, then run the "
            "same command again."
        )


def _model_of(loop: _Loop, number: int) -> str:
    return loop.task.model if number == 0 else str(loop.place(number) / MODEL)


def _evaluated(loop: _Loop, result: RoundResult) -> RoundResult:
    """The result of a round, with its held-out measures."""
    number, place = result.number, loop.place(result.number)
    if (known := _read_result(place)) is not None:
        return known
    name = _model_of(loop, number)
    loop.stages.note(f"Round {number}: evaluating on {len(loop.task.held_out)} topics that are never trained on")
    done = loop.stages.run(lambda workplace: _evaluate(workplace, loop, number, name))
    entrant = done.entrants[-1]
    whole = result.model_copy(
        update={
            "model": name, "scores": entrant.scores, "diversity": entrant.diversity, "usable": entrant.usable,
            "win": entrant.win,
        }
    )  # fmt: skip
    write_jsonl((record.model_dump(mode="json") for record in done.records), place / _RECORDS)
    write_atomic(place / RESULT, whole.model_dump_json(indent=1))
    return whole


async def _evaluate(workplace: Workplace, loop: _Loop, number: int, model: str) -> Evaluated:
    """The model of a round beside the one that the rounds began with."""
    task = loop.task
    await _check_served(workplace, loop, number, model)
    settings = EvaluationSettings(
        loop.objective, loop.writing(task.held_out_samples, task.seed, number), task.judges, task.metrics, task.seed
    )
    entrants = [EntrantModel("round 0", loop.task.model)] if number else []
    first = loop.place(0)
    if entrants:
        entrants[0] = dataclasses.replace(entrants[0], ideas=_ideas_of(first / _RECORDS))
    return await evaluate(
        workplace, [*entrants, EntrantModel(f"round {number}", model)], task.held_out, settings, loop.place(number)
    )


def _ideas_of(file: Path) -> list[WrittenIdea]:
    rows = [orjson.loads(line) for line in read_plain(file).splitlines()]
    return [
        WrittenIdea(topic=row["topic"], sample=row["sample"], title=row["title"], abstract=row["abstract"])
        for row in rows
    ]


def _read_result(place: Path) -> RoundResult | None:
    try:
        return RoundResult.model_validate_json(read_plain(place / RESULT))
    except (OSError, ValidationError):
        return None


def _new_pairs(loop: _Loop, number: int, model: str) -> tuple[Path | None, RoundResult]:
    """The data set of a round: the pairs of all rounds until now. None where there are too few new ones."""
    place = loop.place(number) / PAIRS
    note = loop.place(number) / "pairs.json"
    if place.is_dir() and note.exists():
        return place, RoundResult.model_validate_json(read_plain(note))
    topics = _topics_of_round(loop.task, number)
    loop.stages.note(f"Round {number}: {loop.task.samples} ideas on each of {len(topics)} topics")
    found = loop.stages.run(lambda workplace: _ranked(workplace, loop, number, model, topics))
    result = RoundResult(
        number=number, ideas=len(topics) * loop.task.samples, pairs=len(found.pairs), left_out=dict(found.left_out)
    )
    if len(found.pairs) < loop.task.fewest_pairs:
        return None, result
    new = _rows(loop, found)
    rows = [*_sampled(_earlier_rows(loop, number), loop.task, len(new)), *new]
    splits = _split(rows)
    result = result.model_copy(update={"pairs_in_all": len(rows)})
    _write_set(loop, number, model, splits, place)
    write_atomic(note, result.model_dump_json(indent=1))
    return place, result


def _topics_of_round(task: IterateTask, number: int) -> list[str]:
    """Topics drawn by the seed; all of them, in another order, where there are no more (algorithm 1, line 3)."""
    draw = random.Random(f"{task.seed} {number}")  # noqa: S311
    return draw.sample(task.topics, min(task.topics_per_round, len(task.topics)))


async def _ranked(workplace: Workplace, loop: _Loop, number: int, model: str, topics: Sequence[str]) -> RoundPairs:
    """Lines 5 to 8 of algorithm 1."""
    task = loop.task
    writing = loop.writing(task.samples, task.seed + 7919 * number, number - 1)
    ideas = await write_ideas(workplace, model, topics, writing, loop.place(number) / "ideas.jsonl")
    scorer = Scorer(workplace, task.metrics)
    scores = await scorer.scores(loop.objective, ideas)
    rows = [idea.model_dump(mode="json") | {"score": score} for idea, score in zip(ideas, scores, strict=True)]
    write_jsonl(rows, loop.place(number) / "scores.jsonl")
    known = _known_titles(loop, number)
    return pair_ideas(
        ideas, scores, task.margin, task.top, task.most_rejected,
        lambda idea: normal_title(idea.title) in known or scorer.fitted.knows(idea.title),
    )  # fmt: skip


def _known_titles(loop: _Loop, number: int) -> set[str]:
    """Titles of earlier rounds' pairs."""
    answers = [row[side][0]["content"] for row in _earlier_rows(loop, number) for side in ("chosen", "rejected")]
    return {normal_title(text.removeprefix("Title:").partition("\n")[0]) for text in answers}


def _earlier_rows(loop: _Loop, number: int) -> list[dict[str, Any]]:
    """The pairs of the round before, which has those of all rounds before it; in the first round those of --pairs."""
    if number > 1:
        return _rows_in(open_preferences(loop.place(number - 1) / PAIRS), ("train", "validation"))
    return _rows_in(open_preferences(Path(loop.task.pairs)), ("train",)) if loop.task.pairs else []


def _sampled(rows: Sequence[dict[str, Any]], task: IterateTask, new: int) -> list[dict[str, Any]]:
    """As many of the earlier rows as the recipe leaves beside `new` ones, which are always trained on."""
    most = read_recipe(task.recipe, sets=task.overrides, kind="dpo").rows.most
    if most is None or len(rows) + new <= most:
        return list(rows)
    draw = random.Random(f"earlier {task.seed}")  # noqa: S311
    return [rows[at] for at in sorted(draw.sample(range(len(rows)), max(0, most - new)))]


def _rows_in(data: PreferenceSet, splits: Sequence[str]) -> list[dict[str, Any]]:
    return [pair.model_dump() for split in splits for pair in data.pairs(split)]


def _rows(loop: _Loop, found: RoundPairs) -> list[dict[str, Any]]:
    prompt = loop.stages.run(_prompt_of)
    return [
        {
            "prompt": prompt_on_topic(prompt, pair.topic),
            "chosen": [{"role": "assistant", "content": pair.chosen.text}],
            "rejected": [{"role": "assistant", "content": pair.rejected.text}],
        }
        for pair in found.pairs
    ]


async def _prompt_of(workplace: Workplace) -> Any:
    return workplace.prompts.get(PROMPT)


def _split(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Training and validation pairs. Pairs with the same chosen idea are in one split."""
    chosen = list(dict.fromkeys(str(row["chosen"]) for row in rows))
    held = {text for number, text in enumerate(chosen) if number % _VALIDATION == _VALIDATION - 1}
    return {
        "train": [row for row in rows if str(row["chosen"]) not in held],
        "validation": [row for row in rows if str(row["chosen"]) in held],
        "test": [],
    }


def _write_set(loop: _Loop, number: int, model: str, splits: dict[str, list[dict[str, Any]]], folder: Path) -> None:
    card = RoundCard(
        kind="round",
        round=number,
        made=dt.datetime.now(dt.UTC).date().isoformat(),
        novum=installed_version(),
        objective=loop.objective.name,
        generator=model,
        pairs={name: len(rows) for name, rows in splits.items()},
        topics=len(_topics_of_round(loop.task, number)),
        margin=loop.task.margin,
        seed=loop.task.seed,
    )
    with atomic_folder(folder, (DATA, ABOUT)) as place:
        for name, rows in splits.items():
            write_jsonl(rows, place / DATA / f"{name}.jsonl")
        (place / CARD).write_text(json.dumps(card.model_dump(mode="json"), indent=1), encoding="utf-8")


def _training(loop: _Loop, number: int, model: str, pairs: Path) -> TrainingSession:
    """Line 11 of algorithm 1. The next round puts its adapter on top of this one."""
    options = _options(loop, number, model)
    return prepare_training(pairs, loop.place(number) / MODEL, loop.models_folder, options)


def _options(loop: _Loop, number: int, model: str) -> TrainingOptions:
    task = loop.task
    return TrainingOptions(
        recipe=task.recipe, name=f"{task.name}-round-{number}", base=model, kind="dpo", seed=task.seed + number,
        overrides=(*_MEASURED, *_unmerged(task, loop.models_folder), *task.overrides),
    )  # fmt: skip


def _unmerged(task: IterateTask, models_folder: Path) -> tuple[str, ...]:
    """Rounds are merged where a server, 4-bit weights, or llama.cpp on this machine needs it."""
    is_quantised = any("quantisation=nf4" in each for each in task.overrides) or task.recipe == "24gb"
    needs_merging = is_quantised or task.server or runs_here(task.model, models_folder)
    return () if needs_merging else ("keeping.merge=false",)


def _finish(loop: _Loop, results: Sequence[RoundResult], why: str) -> IterationReport:
    report = IterationReport(
        name=loop.task.name, task=loop.task, objective=loop.objective.name, rounds=tuple(results), stopped=why
    )
    write_atomic(loop.folder / "rounds.json", report.model_dump_json(indent=1))
    return report
