"""Models trained by Novum: base, data, training curve and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import JsonValue

from novum.core.record import Value

TRAINED_FILE = "trained.json"
"""In the folder of a trained model: a `TrainedModel`."""
Purpose = Literal["judge", "ideas", "next-idea"]
"""The purpose of a model. `judge`: writing reviews; `ideas`: writing research ideas; `next-idea`: writing and refining
them."""
Kind = Literal["judge", "sft", "dpo"]
"""The kind of a training. `judge`: supervised, on reviews; `sft`: supervised, on titles and abstracts by topic; `dpo`:
on preferences between ideas."""
_PROVIDERS: Mapping[Purpose, str] = {"judge": "judge", "ideas": "local", "next-idea": "local"}


def provider_of(purpose: Purpose) -> str:
    """The provider under which models of this purpose are used: `judge` or `local`."""
    return _PROVIDERS[purpose]


def model_name(purpose: Purpose, name: str) -> str:
    """The name by which a trained model is used: `judge:NAME`, or `local:NAME` for a model that writes ideas."""
    return f"{provider_of(purpose)}:{name}"


class CurvePoint(Value):
    """Measurements after a number of steps; step 0 is the untrained base. None: not measured at that step."""

    step: int
    seconds: float
    """Time of training and measuring since the first step."""
    train_loss: float | None = None
    """Mean loss in nats per token on the training data since the previous point."""
    held_out_loss: float | None = None
    """Mean loss in nats per token on held-out completions; `by_task` has it for each task and for `all`."""
    by_task: dict[str, float] = {}
    rating_rmse: float | None = None
    """Root mean squared error of the expected rating against the mean real one, both 0 to 1, on held-out papers."""
    rating_rmse_centred: float | None = None
    """The same after the mean error is subtracted, since forms of later years may have another scale."""
    choosing_loss: float | None = None
    """Mean loss in nats per token on the validation split, by which the best adapter is selected."""
    measures: dict[str, float] = {}
    """Further held-out measures by name, such as `accuracy` and `margin` of preferences."""
    measuring: float | None = None
    """Seconds that measuring this point took."""


class TrainedModel(Value):
    """A folder with an adapter, a complete model, or both, and optionally a GGUF file. Paths are relative to it."""

    name: str
    purpose: Purpose
    kind: Kind | Literal["grpo"] = "judge"
    """`grpo`: reinforcement learning on next-idea tasks, which has recipes of its own."""
    base: str
    """The base model: `offline:smollm2-135m`, a name on a hub, or a folder."""
    data: str
    """Digest of the card of the data set."""
    tasks: tuple[str, ...] = ()
    rating_at: Literal["start", "end", "none"] = "end"
    recipe: dict[str, JsonValue] = {}
    steps: int
    seconds: float
    tokens: int
    """Tokens used in training, without padding."""
    finished: bool = True
    """False where training stopped before the end of the recipe."""
    curve: tuple[CurvePoint, ...] = ()
    versions: dict[str, str] = {}
    """Versions of the libraries used for training."""
    adapter: str = "adapter"
    """Folder of the adapter; empty where all weights were trained, which are then in `merged`."""
    merged: str = ""
    """Folder of the merged weights (safetensors); empty until merged."""
    gguf: str = ""
    """File for llama.cpp; empty until exported."""


def best_point(curve: Sequence[CurvePoint]) -> CurvePoint | None:
    """The point whose adapter is stored: the one with the smallest `choosing_loss`, the later of equals; without such
    losses the last point. Never the untrained base; None where there is no other point."""
    later = [point for point in curve if point.step > 0]
    measured = [point for point in later if point.choosing_loss is not None]
    if measured:
        return min(measured, key=lambda point: (point.choosing_loss or 0.0, -point.step))
    return later[-1] if later else None
