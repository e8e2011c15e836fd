"""Gives a trained model its name: `judge:NAME` can be asked from then on."""

from __future__ import annotations

from pathlib import Path

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.llm.offline.receipt import Receipt, sha256_of
from novum.llm.offline.trained import TrainedReceipt, enter
from novum.training.weights.serving import serve_lines
from novum.training.weights.trained_folder import gguf_of, read_trained

_MAGIC = b"GGUF"


def register(folder: Path, name: str, models_folder: Path) -> TrainedReceipt:
    """Notes in the models folder where `judge:NAME` lies and how it is run. Its files stay where they are.

    With a GGUF file it runs on this machine when first asked; else its name needs the address of a server. A model
    that had this name before is forgotten, not deleted.
    Raises `BadInput` for an impossible name, and for a folder with nothing that could be run or served.
    """
    model = read_trained(folder)
    weights = _weights(folder, model, name)
    lines = serve_lines(folder, model, name)
    if weights is None and not lines:
        raise BadInput(
            f"{folder} has nothing yet that could be run or served: `novum train export {folder} --name {name}`."
        )
    receipt = TrainedReceipt(
        name=name,
        purpose=model.purpose,
        base=model.base,
        folder=str(folder.resolve()),
        weights=weights,
        serve=lines[0] if lines else "",
    )
    return enter(receipt, models_folder)


def _weights(folder: Path, model: TrainedModel, name: str) -> Receipt | None:
    path = gguf_of(folder, model)
    if path is None:
        return None
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise BadInput(f"{path} is not a GGUF file: make it anew with `novum train export {folder}`.")
    look = path.stat()
    return Receipt(
        name=name,
        title=f"{model.purpose} on {model.base}",
        path=model.gguf,
        sha256=sha256_of(path),
        size_bytes=look.st_size,
        mtime_ns=look.st_mtime_ns,
        licence="that of its base",
        own=True,
    )
