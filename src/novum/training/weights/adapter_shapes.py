"""Whether an adapter was made for a base, by the shapes of its matrices: neither is loaded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.training.weights.trained_folder import ADAPTER_CONFIG, ADAPTER_WEIGHTS

_LAYER = re.compile(r"\.layers\.(\d+)\.")
_READS = {
    "q_proj": "hidden_size", "k_proj": "hidden_size", "v_proj": "hidden_size", "gate_proj": "hidden_size",
    "up_proj": "hidden_size", "down_proj": "intermediate_size",
}  # fmt: skip
"""Linear layers of a block, and the size that each reads from."""
_PREFIX = {"num_layers": "num_hidden_layers", "token_dim": "hidden_size"}
"""What the configuration of a prefix states of its base."""


def check_adapter(adapter: Path, base: str, config: Mapping[str, Any]) -> None:
    """Raises BadInput if the adapter in that folder is missing or cut off, or was made for another base than `base`.

    `config`: the configuration of the base. Layers of other names than those of Llama, Mistral, Qwen and Gemma are not
    compared.
    """
    if differs := next(_differences(_settings(adapter), _shapes(adapter), config), ""):
        raise BadInput(
            f"The adapter in {adapter} was made for another base than {base} ({differs}): name the base that it was "
            "trained on, or train it again."
        )


def _differences(
    settings: Mapping[str, Any], shapes: Mapping[str, Sequence[int]], config: Mapping[str, Any]
) -> Iterator[str]:
    for told, name in _PREFIX.items():
        if settings.get("peft_type") == "PREFIX_TUNING" and _differ(settings.get(told), config.get(name)):
            yield f"{name} {settings[told]}, not {config[name]}"
    layers = {int(found[1]) for key in shapes if (found := _LAYER.search(key))}
    depth = config.get("num_hidden_layers")
    if layers and not settings.get("layers_to_transform") and _differ(len(layers), depth):
        yield f"{len(layers)} layers, not {depth}"
    for key, shape in shapes.items():
        name = _READS.get(key.split(".lora_A")[0].rpartition(".")[2], "") if ".lora_A" in key else ""
        if name and _differ(shape[-1], config.get(name)):
            yield f"{name} {shape[-1]}, not {config[name]}"


def _differ(one: object, other: object) -> bool:
    """Whether both are known and not equal."""
    return one is not None and other is not None and one != other


def _settings(adapter: Path) -> Mapping[str, Any]:
    try:
        settings = json.loads(read_plain(adapter / ADAPTER_CONFIG))
    except (OSError, ValueError) as error:
        raise BadInput(f"{adapter / ADAPTER_CONFIG} cannot be read: train the adapter again.") from error
    return settings if isinstance(settings, dict) else {}


def _shapes(adapter: Path) -> Mapping[str, Sequence[int]]:
    file = adapter / ADAPTER_WEIGHTS
    if not file.is_file():
        raise BadInput(f"There is no adapter in {adapter} (no {ADAPTER_WEIGHTS}): train it again, or restore the file.")
    try:
        with safe_open(file, framework="numpy") as opened:
            return {key: opened.get_slice(key).get_shape() for key in opened.keys()}  # noqa: SIM118 - not a mapping
    except (SafetensorError, OSError) as error:
        raise BadInput(f"{file} is cut off or damaged: train the adapter again, or restore the file.") from error
