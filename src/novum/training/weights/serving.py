"""The commands that serve a trained model on a machine with a GPU."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from novum.core.trained import TrainedModel
from novum.files.inputs import read_plain
from novum.training.weights.base import OFFLINE
from novum.training.weights.trained_folder import adapter_of, is_trained, merged_of, read_trained

_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""Values that vLLM accepts for `--max-lora-rank`."""


def serve_lines(folder: Path, model: TrainedModel, name: str) -> list[str]:
    """`vllm serve …` commands after which its name with the address `@http://HOST:8000/v1` works; the simplest first.

    The merged model if it exists; and the adapter on its base, so that several adapters share one base, if vLLM can
    load it. An empty list means that the adapter must be merged first.
    """
    lines = []
    if merged := merged_of(folder, model):
        lines.append(shlex.join(["vllm", "serve", str(merged.resolve()), "--served-model-name", name]))
    adapter = adapter_of(folder, model)
    # A base of the models folder is a converted GGUF in an internal folder: users should not have to find it.
    base = _served_base(model)
    if adapter and base and (rank := _rank(adapter)):
        options = ["--enable-lora", "--max-lora-rank", str(rank)]
        modules = ["--lora-modules", f"{name}={adapter.resolve()}"]
        lines.append(shlex.join(["vllm", "serve", base, *options, *modules]))
    return lines


def _served_base(model: TrainedModel) -> str:
    """The base as vLLM can load it: of a model trained here, its merged weights. Empty where there are none."""
    folder = Path(model.base).expanduser()
    if not is_trained(folder):
        return "" if model.base.startswith(OFFLINE) else model.base
    merged = merged_of(folder, read_trained(folder))
    return str(merged.resolve()) if merged else ""


def _rank(adapter: Path) -> int | None:
    """The value for `--max-lora-rank`; None for an adapter that vLLM cannot load."""
    try:
        config: dict[str, Any] = json.loads(read_plain(adapter / "adapter_config.json"))
        ranks = [int(config["r"]), *map(int, (config.get("rank_pattern") or {}).values())]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if (
        config.get("peft_type", "LORA") != "LORA"
        or config.get("modules_to_save")
        or config.get("use_dora")
        or config.get("bias", "none") != "none"
    ):
        return None
    return next((rank for rank in _RANKS if rank >= max(ranks)), None)
