"""Register a trained model, so that it can be used by its name: `judge:NAME` or `local:NAME`."""

from __future__ import annotations

from pathlib import Path

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.llm.offline.receipt import Receipt, sha256_of
from novum.llm.offline.trained import TrainedReceipt, TransformersModel, register_trained
from novum.training.weights.base import base_folder
from novum.training.weights.serving import serve_lines
from novum.training.weights.trained_folder import adapter_of, gguf_of, is_trained, merged_of, read_trained

_MAGIC = b"GGUF"


def register(folder: Path, name: str, models_folder: Path) -> TrainedReceipt:
    """Record in the models folder where the model of this name is and how it is run. Its files stay where they are.

    With a GGUF file it runs on this machine. Otherwise a model that writes ideas, or refines them, is run by
    Transformers, and one that writes reviews needs the address of a server. An entry of the same name is replaced; its
    files are not deleted.

    Raises `BadInput` for an invalid name, and for a folder with nothing that can be run or served.
    """
    model = read_trained(folder)
    weights = _weights(folder, model, name)
    lines = serve_lines(folder, model, name)
    loaded = _for_transformers(folder, model, models_folder) if weights is None and model.purpose != "judge" else None
    if weights is None and not lines and loaded is None:
        raise BadInput(f"{folder} has no files to run or serve: run `novum train export {folder} --name {name}`.")
    receipt = TrainedReceipt(
        name=name,
        purpose=model.purpose,
        base=model.base,
        folder=str(folder.resolve()),
        weights=weights,
        transformers=loaded,
        serve=lines[0] if lines else "",
    )
    return register_trained(receipt, models_folder)


def _for_transformers(folder: Path, model: TrainedModel, models_folder: Path) -> TransformersModel | None:
    """The complete model, or the adapter on its base; None where neither is there."""
    if merged := merged_of(folder, model):
        return TransformersModel(model=str(merged.resolve()))
    adapter = adapter_of(folder, model)
    if adapter is None:
        return None
    base = Path(model.base).expanduser()
    inner = merged_of(base, read_trained(base)) if is_trained(base) else None
    loaded = str(inner.resolve()) if inner else base_folder(model.base, models_folder)
    return TransformersModel(model=loaded, adapter=str(adapter.resolve()))


def _weights(folder: Path, model: TrainedModel, name: str) -> Receipt | None:
    path = gguf_of(folder, model)
    if path is None:
        return None
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise BadInput(f"{path} is not a GGUF file: write it again with `novum train export {folder}`.")
    status = path.stat()
    return Receipt(
        name=name,
        title=f"{model.purpose} on {model.base}",
        path=model.gguf,
        sha256=sha256_of(path),
        size_bytes=status.st_size,
        mtime_ns=status.st_mtime_ns,
        licence="that of its base",
        own=True,
    )
