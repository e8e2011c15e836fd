"""What a training process is told, and the names of the files in the folder of a trained model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from novum.core.record import Value
from novum.core.trained import TRAINED_FILE
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.training.recipes.recipe import Recipe

Launch = Literal["one", "ddp", "fsdp", "deepspeed-2", "deepspeed-3"]
JOB, CURVES, LOG, LOCK, CUTS = "job.json", "curves.jsonl", "log.txt", ".lock", "cuts.json"
ADAPTER, CHECKPOINTS, TOKENS = "adapter", "checkpoints", ".tokens"


class TuningJob(Value):
    """One training: the same job in the same folder goes on where it stopped."""

    name: str
    data: str
    """The folder of the data set."""
    digest: str
    """Of the data set's card."""
    recipe: Recipe
    models_folder: str
    launch: Launch = "one"
    processes: int = 1

    def same_as(self, other: TuningJob) -> bool:
        """Would end in the same model: a set may have moved, and a machine have another folder of models."""
        apart = {"data": "", "models_folder": ""}
        return self.model_copy(update=apart) == other.model_copy(update=apart)


def write_job(job: TuningJob, folder: Path) -> None:
    """Raises OSError."""
    write_atomic(folder / JOB, job.model_dump_json(indent=1))


def read_job(folder: Path) -> TuningJob | None:
    """None where no training was begun. Raises BadInput where its file cannot be read."""
    try:
        return TuningJob.model_validate_json((folder / JOB).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder / JOB} cannot be read, so the training there cannot go on: name another folder."
        ) from error


def has_started(folder: Path) -> bool:
    """Whether anything was measured or learnt there yet."""
    return (folder / TRAINED_FILE).exists() or ((folder / CURVES).exists() and (folder / CURVES).stat().st_size > 0)


def digest_of(card: bytes) -> str:
    """Of a data set's card, whatever folder the set was written to."""
    told = json.loads(card)
    told.pop("folder", None)
    return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8).hexdigest()
