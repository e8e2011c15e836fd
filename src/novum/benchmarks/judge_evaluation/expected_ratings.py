"""Expected ratings of a model, computed from its token probabilities in a separate process, which needs the libraries
for training and frees the memory when it ends.
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
from novum.benchmarks.judge_evaluation.task import ExpectedRatingReviewer
from novum.core import shorten
from novum.core.record import Value
from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput, ModelError
from novum.files.inputs import read_plain
from novum.prompts import FENCE, Prompt, PromptBook

MODULE = "novum.training.finetuning.rate"
_MAX_VALUES = 60
"""Candidate ratings, at most: each takes a pass over the first line of the answer."""


class _Ratings(Value):
    """The output of the process."""

    ratings: tuple[float | None, ...]


def expected_rating_reviewers(named: Sequence[str]) -> tuple[ExpectedRatingReviewer, ...]:
    """The named models, and the base of each trained one. Raises BadInput for a folder without a trained model."""
    reviewers: dict[str, ExpectedRatingReviewer] = {}
    for name in named:
        folder = Path(name)
        if not folder.is_dir():
            reviewers.setdefault(name, ExpectedRatingReviewer(place=name, name=_reviewer_name(name)))
            continue
        place = str(folder.resolve())
        if not (folder / TRAINED_FILE).is_file():
            reviewers.setdefault(place, ExpectedRatingReviewer(place=place, name=_reviewer_name(folder.name)))
            continue
        trained = read_trained_model(folder)
        reviewers.setdefault(place, ExpectedRatingReviewer(place=place, name=_reviewer_name(trained.name)))
        base = reviewers.get(trained.base) or ExpectedRatingReviewer(
            place=trained.base, name=_reviewer_name(trained.base)
        )
        made = tuple(dict.fromkeys((*base.of, _reviewer_name(trained.name))))
        reviewers[base.place] = base.model_copy(update={"of": made})
    return tuple(reviewers.values())


def read_trained_model(folder: Path) -> TrainedModel:
    """The record of the trained model in a folder. Raises BadInput."""
    try:
        return TrainedModel.model_validate_json(read_plain(folder / TRAINED_FILE))
    except (OSError, ValidationError) as error:
        raise BadInput(f"{folder / TRAINED_FILE} cannot be read: name the folder of a trained model.") from error


async def expected_ratings(
    reviewer: ExpectedRatingReviewer, given: EvaluationSet, book: PromptBook, models_folder: Path, *, whole: bool
) -> tuple[float | None, ...]:
    """The expected rating of each paper. Raises ModelError when the process fails, BadInput without its libraries."""
    prompt = book.get("judge_original_review" if whole else "judge_idea_review")
    values = sorted(given.lessons.values)
    if len(values) > _MAX_VALUES:
        values = values[:: -(-len(values) // _MAX_VALUES)]
    task = {
        "model": reviewer.place,
        "models_folder": str(models_folder),
        "conversations": [_conversation(prompt, paper) for paper in given.judged],
        "values": values,
    }
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder) / "asked.json", Path(folder) / "ratings.json"
        questions.write_bytes(orjson.dumps(task))
        await _run(reviewer, [str(questions), str(answers)])
        try:
            output = _Ratings.model_validate_json(read_plain(answers))
        except (OSError, ValidationError) as error:
            raise ModelError(
                f"{reviewer.place} has no expected ratings: the output of its process cannot be read."
            ) from error
    if len(output.ratings) != len(given.judged):
        raise ModelError(
            f"{reviewer.place} has no expected ratings: {len(output.ratings)} ratings for {len(given.judged)} papers."
        )
    return output.ratings


async def _run(reviewer: ExpectedRatingReviewer, files: list[str]) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", MODULE, *files, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        _, errors = await child.communicate()
    except asyncio.CancelledError:
        child.kill()
        await child.wait()
        raise
    if child.returncode:
        lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
        why = shorten(lines[-1], 400) if lines else f"exit code {child.returncode}"
        raise ModelError(f"The expected ratings of {reviewer.place} could not be computed: {why}")


def _conversation(prompt: Prompt, paper: JudgedPaper) -> list[dict[str, str]]:
    """The conversation as in training, with a fence word that is always the same for a paper."""
    needs = {"title": paper.shown.title, "abstract": paper.shown.abstract}
    fence = paper.outcome.id.rpartition("-")[2][:8]
    return [
        {"role": each.role, "content": each.content.replace(FENCE, fence)} for each in prompt.render(needs).messages
    ]


def _reviewer_name(name: str) -> str:
    return f"{name}, likeliest rating"
