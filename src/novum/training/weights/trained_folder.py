"""The folder of a trained model: what its `trained.json` says, and where its parts lie."""

from __future__ import annotations

from pathlib import Path, PurePath

from novum.core.trained import TRAINED_FILE, TrainedModel
from novum.errors import BadInput
from novum.files.atomic import write_atomic

ADAPTER_WEIGHTS = "adapter_model.safetensors"


def is_trained(folder: Path) -> bool:
    """Whether a model was trained there."""
    return (folder / TRAINED_FILE).is_file()


def read_trained(folder: Path) -> TrainedModel:
    """Raises `BadInput` where there is no trained model, or what is said of it cannot be read."""
    try:
        model = TrainedModel.model_validate_json((folder / TRAINED_FILE).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(
            f"{folder} holds no trained model (no {TRAINED_FILE}): name a folder that `novum train judge` made."
        ) from None
    except (OSError, ValueError) as error:  # also a name that no folder can have
        raise BadInput(
            f"{folder / TRAINED_FILE} cannot be read: train the model again, or bring the file back."
        ) from error
    for part in (model.adapter, model.merged, model.gguf):
        if PurePath(part).is_absolute() or ".." in PurePath(part).parts:
            raise BadInput(f"{folder / TRAINED_FILE} names {part}, which lies outside its folder: it is not used.")
    return model


def write_trained(model: TrainedModel, folder: Path) -> TrainedModel:
    """Puts it in place as a whole."""
    write_atomic(folder / TRAINED_FILE, model.model_dump_json(indent=2))
    return model


def adapter_of(folder: Path, model: TrainedModel) -> Path | None:
    """The folder of its adapter, where there is one."""
    adapter = folder / model.adapter
    return adapter if (adapter / ADAPTER_WEIGHTS).is_file() else None


def merged_of(folder: Path, model: TrainedModel) -> Path | None:
    """The folder of the merged model, where there is one."""
    return folder / model.merged if model.merged and (folder / model.merged).is_dir() else None


def gguf_of(folder: Path, model: TrainedModel) -> Path | None:
    """Its file for llama.cpp, where there is one."""
    return folder / model.gguf if model.gguf and (folder / model.gguf).is_file() else None
