"""Ratings that a model finds likeliest, worked out from its weights by a process of its own: it needs what training
needs, and the memory goes with it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import orjson
from pydantic import ValidationError

from novum.benchmarks.judge_evaluation.data import EvaluationSet, JudgedPaper
from novum.benchmarks.judge_evaluation.task import RatedReviewer
from novum.core import shorten
from novum.core.record import Value
from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput, ModelError
from novum.prompts import FENCE, Prompt, PromptBook

MODULE = "novum.training.finetuning.rate"
_MOST_VALUES = 60
"""Ratings that are tried: each takes a pass over the answer's first line."""


class _Ratings(Value):
    """What the process writes."""

    ratings: tuple[float | None, ...]


def rated_reviewers(named: Sequence[str]) -> tuple[RatedReviewer, ...]:
    """Those named, and beside each trained one the base that it was made from. Raises BadInput for a folder that holds
    no trained model."""
    found: dict[str, RatedReviewer] = {}
    for name in named:
        folder = Path(name)
        if not folder.is_dir():
            found.setdefault(name, RatedReviewer(place=name, name=_called(name)))
            continue
        place = str(folder.resolve())
        if not (folder / TRAINED_FILE).is_file():
            found.setdefault(place, RatedReviewer(place=place, name=_called(folder.name)))
            continue
        trained = trained_in(folder)
        found.setdefault(place, RatedReviewer(place=place, name=_called(trained.name)))
        base = found.get(trained.base) or RatedReviewer(place=trained.base, name=_called(trained.base))
        made = tuple(dict.fromkeys((*base.of, _called(trained.name))))
        found[base.place] = base.model_copy(update={"of": made})
    return tuple(found.values())


def trained_in(folder: Path) -> TrainedModel:
    """What a folder says of the model in it. Raises BadInput."""
    try:
        return TrainedModel.model_validate_json((folder / TRAINED_FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(f"{folder / TRAINED_FILE} cannot be read: name the folder of a trained model.") from error


async def expected_ratings(
    reviewer: RatedReviewer, given: EvaluationSet, book: PromptBook, models_folder: Path, *, whole: bool
) -> tuple[float | None, ...]:
    """One for each judged paper. Raises ModelError when the process fails, BadInput without what it needs."""
    prompt = book.get("judge_original_review" if whole else "judge_idea_review")
    values = sorted(given.lessons.values)
    if len(values) > _MOST_VALUES:
        values = values[:: -(-len(values) // _MOST_VALUES)]
    asked = {
        "model": reviewer.place,
        "models_folder": str(models_folder),
        "conversations": [_conversation(prompt, paper) for paper in given.judged],
        "values": values,
    }
    with tempfile.TemporaryDirectory() as place:
        questions, answers = Path(place) / "asked.json", Path(place) / "ratings.json"
        questions.write_bytes(orjson.dumps(asked))
        await _run(reviewer, [str(questions), str(answers)])
        try:
            told = _Ratings.model_validate_json(answers.read_bytes())
        except (OSError, ValidationError) as error:
            raise ModelError(
                f"{reviewer.place} could not be rated: its process wrote nothing that can be read."
            ) from error
    if len(told.ratings) != len(given.judged):
        raise ModelError(
            f"{reviewer.place} could not be rated: {len(told.ratings)} ratings for {len(given.judged)} papers."
        )
    return told.ratings


async def _run(reviewer: RatedReviewer, files: list[str]) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, *files, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        _, told = await child.communicate()
    except asyncio.CancelledError:
        child.kill()
        await child.wait()
        raise
    if child.returncode:
        lines = [line for line in told.decode("utf-8", "replace").splitlines() if line.strip()]
        why = shorten(lines[-1], 400) if lines else f"exit code {child.returncode}"
        raise ModelError(f"The ratings that {reviewer.place} finds likeliest could not be worked out: {why}")


def _conversation(prompt: Prompt, paper: JudgedPaper) -> list[dict[str, str]]:
    """As in training, with a fence word that is the same whenever it is asked."""
    needs = {"title": paper.shown.title, "abstract": paper.shown.abstract}
    fence = paper.outcome.id.rpartition("-")[2][:8]
    return [
        {"role": each.role, "content": each.content.replace(FENCE, fence)} for each in prompt.render(needs).messages
    ]


def _called(name: str) -> str:
    return f"{name}, likeliest rating"
