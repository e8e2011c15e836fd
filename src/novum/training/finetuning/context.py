"""What a trainer is made from, in the training process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.job import TuningJob
from novum.training.finetuning.stopping import StopSignals
from novum.training.weights.base import Base


@dataclass(frozen=True)
class TrainingContext:
    """A job in its folder, the loaded base, and the ways to the parent process."""

    job: TuningJob
    folder: Path
    base: Base
    stopping: StopSignals
    events: EventWriter
