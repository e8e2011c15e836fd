"""The folder of a trained model: its `trained.json`, and the paths of its parts."""

from __future__ import annotations

import json
from pathlib import Path, PurePath

from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain

ADAPTER_WEIGHTS, ADAPTER_CONFIG = "adapter_model.safetensors", "adapter_config.json"


def is_trained(folder: Path) -> bool:
    """Whether `folder` holds a trained model."""
    return (folder / TRAINED_FILE).is_file()


def read_trained(folder: Path) -> TrainedModel:
    """Read `trained.json`. Raises `BadInput` if it is missing or damaged, or names a path outside of `folder`."""
    try:
        model = TrainedModel.model_validate_json(read_plain(folder / TRAINED_FILE))
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(
            f"{folder} holds no trained model (no {TRAINED_FILE}): name a folder that `novum train` made."
        ) from None
    except (OSError, ValueError) as error:  # also an invalid folder name
        raise BadInput(
            f"{folder / TRAINED_FILE} cannot be read: train the model again, or restore the file."
        ) from error
    for part in (model.adapter, model.merged, model.gguf):
        if PurePath(part).is_absolute() or ".." in PurePath(part).parts:
            raise BadInput(f"{folder / TRAINED_FILE} names {part}, which lies outside its folder: it is not used.")
    return model


def write_trained(model: TrainedModel, folder: Path) -> TrainedModel:
    """Write `trained.json`, complete or not at all, and return `model`."""
    write_atomic(folder / TRAINED_FILE, model.model_dump_json(indent=2))
    return model


def can_be_merged(folder: Path, model: TrainedModel) -> bool:
    """Whether the model is complete, or has an adapter that can be merged into its base."""
    try:
        config = json.loads(read_plain(folder / model.adapter / ADAPTER_CONFIG)) if model.adapter else {}
    except (OSError, ValueError):  # reported when the adapter is loaded
        return True
    return not isinstance(config, dict) or config.get("peft_type", "LORA") == "LORA"


def adapter_of(folder: Path, model: TrainedModel) -> Path | None:
    """The folder of the adapter, or None if it does not exist."""
    adapter = folder / model.adapter
    return adapter if (adapter / ADAPTER_WEIGHTS).is_file() else None


def merged_of(folder: Path, model: TrainedModel) -> Path | None:
    """The folder of the merged model, or None if it does not exist."""
    return folder / model.merged if model.merged and (folder / model.merged).is_dir() else None


def gguf_of(folder: Path, model: TrainedModel) -> Path | None:
    """The GGUF file, or None if it does not exist."""
    return folder / model.gguf if model.gguf and (folder / model.gguf).is_file() else None
