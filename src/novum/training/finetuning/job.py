"""The input of a training process, and the names of the files in the folder of a trained model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from novum.core.record import Value
from novum.core.trained import TRAINED_FILE, Kind
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.training.recipes.recipe import Recipe

Launch = Literal["one", "ddp", "fsdp", "deepspeed-2", "deepspeed-3"]
JOB, CURVES, LOG, LOCK, CUTS = "job.json", "curves.jsonl", "log.txt", ".lock", "cuts.json"
ADAPTER, MERGED, CHECKPOINTS, TOKENS = "adapter", "merged", "checkpoints", ".tokens"


class TuningJob(Value):
    """One training. The same job in the same folder resumes where it stopped."""

    name: str
    kind: Kind = "judge"
    data: str
    """The folder of the data set."""
    digest: str
    """Digest of the card of the data set."""
    recipe: Recipe
    models_folder: str
    launch: Launch = "one"
    processes: int = 1

    def same_as(self, other: TuningJob) -> bool:
        """Whether both jobs train the same model. The folders of the data set and of the base models may differ."""
        no_folders = {"data": "", "models_folder": ""}
        return self.model_copy(update=no_folders) == other.model_copy(update=no_folders)


def write_job(job: TuningJob, folder: Path) -> None:
    """Write the job to `folder`. Raises OSError."""
    write_atomic(folder / JOB, job.model_dump_json(indent=1))


def read_job(folder: Path) -> TuningJob | None:
    """Read the job in `folder`; None if there is none. Raises BadInput if the file is damaged."""
    try:
        return TuningJob.model_validate_json(read_plain(folder / JOB))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder / JOB} cannot be read, so this training cannot be resumed: name another folder."
        ) from error


def has_started(folder: Path) -> bool:
    """Whether a training in `folder` has results: an evaluation or a trained model."""
    return (folder / TRAINED_FILE).exists() or ((folder / CURVES).exists() and (folder / CURVES).stat().st_size > 0)


def digest_of(card: bytes) -> str:
    """Digest of the card of a data set, independent of the folder of the data set."""
    content = json.loads(card)
    content.pop("folder", None)
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()
