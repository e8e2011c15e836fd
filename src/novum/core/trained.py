"""Models that were trained here: what they were made from, how the making went, and where their files lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from novum.core.record import Value

TRAINED_FILE = "trained.json"
"""In the folder of a trained model: a `TrainedModel`."""
Purpose = Literal["judge"]
"""What a model was trained for. `judge`: to write reviews."""


class CurvePoint(Value):
    """How training stood after so many steps; step 0 is the untrained base. What was not measured there is None."""

    step: int
    seconds: float
    """Of training and measuring, since the first step."""
    train_loss: float | None = None
    """Mean nats a token of what the trainer saw since the last point."""
    held_out_loss: float | None = None
    """Mean nats a token of held-out completions, by task and of all (`all`) in `by_task`."""
    by_task: dict[str, float] = {}
    rating_rmse: float | None = None
    """Of the expected rating against the mean of the real ones, 0 to 1, over held-out papers."""
    rating_rmse_centred: float | None = None
    """The same with the mean error taken off: forms of later years may have another scale."""
    choosing_loss: float | None = None
    """Mean nats a token on rows of the validation split, by which the best adapter is chosen."""


class TrainedModel(Value):
    """A folder with an adapter, and perhaps a merged model and a file for small runtimes. Paths are relative to it."""

    name: str
    purpose: Purpose
    base: str
    """`offline:smollm2-135m`, a name on a hub, or a folder."""
    data: str
    """The digest of the data set's card."""
    tasks: tuple[str, ...] = ()
    rating_at: Literal["start", "end", "none"] = "end"
    recipe: dict[str, JsonValue] = {}
    steps: int
    seconds: float
    tokens: int
    """Seen in training, padding apart."""
    finished: bool = True
    """False where training was stopped before the recipe's end."""
    curve: tuple[CurvePoint, ...] = ()
    versions: dict[str, str] = {}
    """Of the libraries that trained it."""
    adapter: str = "adapter"
    merged: str = ""
    """A folder of safetensors, once merged."""
    gguf: str = ""
    """One file for llama.cpp, once exported."""


def best_point(curve: Sequence[CurvePoint]) -> CurvePoint | None:
    """Whose adapter is kept: the one best on the rows set apart for choosing, the later of equals; without such rows,
    the last one measured. The untrained base is no choice. None where nothing was measured after it."""
    later = [point for point in curve if point.step > 0]
    chosen = [point for point in later if point.choosing_loss is not None]
    if chosen:
        return min(chosen, key=lambda point: (point.choosing_loss or 0.0, -point.step))
    return later[-1] if later else None
