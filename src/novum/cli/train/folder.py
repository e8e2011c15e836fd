"""The folder that a training is to go to: free, or holding this very training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.training.finetuning.job import TuningJob


def check_place(folder: Path, job: TuningJob) -> None:
    """Raises BadInput where this training can neither begin nor go on in `folder`."""
    from novum.training.finetuning.job import JOB, LOCK, has_begun, read_job

    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a folder that is not there yet.")
    earlier = read_job(folder)
    if earlier is None:
        ours = {LOCK, f".{JOB}"}  # all that is left where the disk was full
        if folder.exists() and any(file.name not in ours for file in folder.iterdir()):
            raise BadInput(f"{folder} is there and holds something else: name a folder that is not there yet.")
    elif not job.same_as(earlier) and has_begun(folder):
        raise BadInput(
            f"{folder} holds another training ({_differs(job, earlier)}): name another folder, or go on with that one: "
            "--resume"
        )


def make_room(folder: Path, job: TuningJob) -> None:
    """For whoever holds the folder's lock: what a first try left that failed, as by a base that is not there, goes.

    Raises BadInput as `check_place` does: another may have begun in the meantime.
    """
    from novum.training.finetuning.finishing import tidy
    from novum.training.finetuning.job import read_job

    check_place(folder, job)
    earlier = read_job(folder)
    if earlier and not job.same_as(earlier):
        tidy(folder)


def _differs(job: TuningJob, earlier: TuningJob) -> str:
    told = {
        "other data": job.digest != earlier.digest,
        "another recipe": job.recipe != earlier.recipe,
        "another name": job.name != earlier.name,
        "another launch": (job.launch, job.processes) != (earlier.launch, earlier.processes),
    }
    return ", ".join(what for what, true in told.items() if true)
