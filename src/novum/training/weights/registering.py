"""Register a trained model, so that it can be used as `judge:NAME`."""

from __future__ import annotations

from pathlib import Path

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.llm.offline.receipt import Receipt, sha256_of
from novum.llm.offline.trained import TrainedReceipt, register_trained
from novum.training.weights.serving import serve_lines
from novum.training.weights.trained_folder import gguf_of, read_trained

_MAGIC = b"GGUF"


def register(folder: Path, name: str, models_folder: Path) -> TrainedReceipt:
    """Record in the models folder where `judge:NAME` is and how it is run. Its files stay where they are.

    With a GGUF file the model runs on this machine; otherwise `judge:NAME` needs the address of a server. An entry of
    the same name is replaced; its files are not deleted.

    Raises `BadInput` for an invalid name, and for a folder with nothing that can be run or served.
    """
    model = read_trained(folder)
    weights = _weights(folder, model, name)
    lines = serve_lines(folder, model, name)
    if weights is None and not lines:
        raise BadInput(f"{folder} has no files to run or serve: run `novum train export {folder} --name {name}`.")
    receipt = TrainedReceipt(
        name=name,
        purpose=model.purpose,
        base=model.base,
        folder=str(folder.resolve()),
        weights=weights,
        serve=lines[0] if lines else "",
    )
    return register_trained(receipt, models_folder)


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
