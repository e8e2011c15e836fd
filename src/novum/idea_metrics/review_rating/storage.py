"""Rating models on disk, and the one that comes with Novum."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from novum.errors import BadInput
from novum.files.arrays import ModelState, load_json, load_state, save_state
from novum.files.atomic import replace_folder, temporary_beside
from novum.files.private import make_private_folder
from novum.idea_metrics.review_rating.features import STYLE, WORD_FEATURES
from novum.idea_metrics.review_rating.model import AspectModel, RatingCard, RatingModel
from novum.statistics.quantile_table import QuantileTable

_FOLDER = "review-rating"
_CARD, _STATE = "card.json", "model"


def save_rating_model(model: RatingModel, folder: Path) -> None:
    """Writes a model to a folder, completely or not at all. Raises BadInput where it cannot be written."""
    new = temporary_beside(folder)
    try:
        make_private_folder(folder.parent)
        new.mkdir()
        (new / _CARD).write_text(model.card.model_dump_json(indent=1), "utf-8")
        save_state(new, _STATE, _state(model))
        replace_folder(new, folder)
    except OSError as error:
        raise BadInput(
            f"The rating model cannot be written to {folder}: {error.strerror or error}. Free disk space, or name "
            "another home (NOVUM_HOME) that you may write to."
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def load_rating_model(folder: Path) -> RatingModel:
    """Reads a model. Raises BadInput where it is missing or damaged."""
    try:
        card = RatingCard.model_validate(load_json(folder / _CARD, dict))
        return _of_state(card, load_state(folder, _STATE))
    except (OSError, ValueError, KeyError, TypeError, ValidationError, RecursionError) as error:
        raise BadInput(
            f"The rating model in {folder} is missing, damaged or of another version of Novum: delete the folder to "
            "use the one that comes with Novum, or fit it again (`novum metrics fit --target ratings FILE`)."
        ) from error


def own_model_folder(metrics_folder: Path) -> Path:
    """Where a model that a user has fitted is stored: beside the folder of metrics."""
    return metrics_folder.with_name(_FOLDER)


def rating_model(metrics_folder: Path) -> RatingModel:
    """The user's own model beside the folder of metrics, else the one that comes with Novum. Raises BadInput where the
    user's own is damaged."""
    own = own_model_folder(metrics_folder)
    return load_rating_model(own) if own.exists() else default_rating_model()


@cache
def default_rating_model() -> RatingModel:
    """The model that comes with Novum."""
    with as_file(files("novum.idea_metrics.review_rating") / "default") as folder:
        return load_rating_model(folder)


def _state(model: RatingModel) -> ModelState:
    names = list(model.aspects)
    parts = [model.aspects[name] for name in names]
    arrays: dict[str, NDArray[Any]] = {
        "words": np.stack([part.words for part in parts]).astype(np.float16),
        "style": np.stack([part.style for part in parts]),
        "constants": np.array([part.constant for part in parts]),
        "style_range": model.style_range,
        "known": np.packbits(model.known.astype(bool)),
    }
    arrays |= {f"predictions_{name}": model.aspects[name].predictions.array for name in names}
    return ModelState(arrays)


def _of_state(card: RatingCard, state: ModelState) -> RatingModel:
    arrays = {name: np.asarray(array) for name, array in state.arrays.items()}
    words, style = arrays["words"].astype(float), arrays["style"].astype(float)
    known = np.unpackbits(arrays["known"].astype(np.uint8)).astype(float)
    count = len(card.aspects)
    shapes = words.shape, style.shape, arrays["style_range"].shape, known.shape
    if shapes != ((count, WORD_FEATURES), (count, len(STYLE)), (2, len(STYLE)), (WORD_FEATURES,)):
        raise ValueError("the arrays of a rating model have other sizes")
    if "rating" not in card.aspects or not all(np.isfinite(each).all() for each in (words, style)):
        raise ValueError("a rating model has no ratings")
    aspects = {
        name: AspectModel(
            words[row], style[row], float(arrays["constants"][row]),
            QuantileTable(arrays[f"predictions_{name}"].astype(float)),
        )
        for row, name in enumerate(card.aspects)
    }  # fmt: skip
    return RatingModel(card, aspects, arrays["style_range"].astype(float), known)
