"""The training process: `python -m novum.training.next_idea.grpo FOLDER [--max-minutes N]`."""

from __future__ import annotations

import sys
from pathlib import Path

from novum.training.finetuning.__main__ import run_training
from novum.training.finetuning.events import EventWriter
from novum.training.finetuning.stopping import StopSignals


def _train(folder: Path, stopping: StopSignals, events: EventWriter) -> dict[str, object]:
    from novum.training.next_idea.grpo.process import train_policy  # noqa: PLC0415  loads torch

    model = train_policy(folder, stopping, events).model
    return {"finished": model.finished, "steps": model.steps, "seconds": model.seconds}


if __name__ == "__main__":
    sys.exit(run_training("novum.training.next_idea.grpo", _train))
