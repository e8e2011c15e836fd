"""Models that were trained here, by name: where each lies, and whether it runs on this machine or must be served."""

from __future__ import annotations

import difflib
from pathlib import Path

from pydantic import ValidationError

from novum.core import Value
from novum.core.trained import Purpose, model_name, provider_of
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.files.private import make_private_folder
from novum.llm.offline.lock import exclusive_lock
from novum.llm.offline.receipt import Receipt, sha256_of
from novum.llm.offline.store import check_name

_END = ".trained.json"


class TransformersModel(Value):
    """A model that Transformers runs on this machine: its folder or its name on the hub, and an adapter on it."""

    model: str
    adapter: str = ""


class TrainedReceipt(Value):
    """A trained model as the models folder knows it. Its files stay where training left them."""

    name: str
    purpose: Purpose
    base: str
    folder: str
    """Absolute."""
    weights: Receipt | None = None
    """Its GGUF file, hash taken when it was registered; None where there is none."""
    transformers: TransformersModel | None = None
    """What Transformers runs where there is no GGUF file; None where it must be served."""
    serve: str = ""
    """The command that serves it, where it has to be served."""

    @property
    def called(self) -> str:
        """The name by which it is used: `judge:NAME` or `local:NAME`."""
        return model_name(self.purpose, self.name)


def register_trained(receipt: TrainedReceipt, models_folder: Path) -> TrainedReceipt:
    """Registers it under its name, in place of what had the name before. Raises `BadInput` for an impossible name."""
    check_name(receipt.name)
    make_private_folder(models_folder)
    with exclusive_lock(models_folder / f".{receipt.name}{_END}.lock"):
        _write(receipt, models_folder)
    return receipt


def trained_models(models_folder: Path) -> list[TrainedReceipt]:
    """Every trained model that was registered, by name, its files there or not."""
    return [receipt for receipt in (_read(name, models_folder) for name in _names(models_folder)) if receipt]


def unreadable_receipts(models_folder: Path) -> dict[str, str]:
    """Names whose note cannot be read, so that they stand for nothing, with a line that says what to do."""
    return {
        name: f"What is noted of the trained model {name} cannot be read ({_path(name, models_folder)}): register its "
        f"folder again with `novum train export FOLDER --name {name} --no-merged --no-gguf`, or delete that file."
        for name in _names(models_folder)
        if _read(name, models_folder) is None
    }


def find_trained(name: str, models_folder: Path, provider: str | None = "judge") -> TrainedReceipt:
    """Raises `BadInput` when no model of this name was trained here, or one that is used under another provider than
    `judge` or `local`; None: either."""
    receipt = _read(name, models_folder)
    if receipt is None:
        raise _unknown(name, models_folder, provider or "judge")
    if provider and provider_of(receipt.purpose) != provider:
        raise BadInput(f"{provider}:{name} was trained for something else: it is {receipt.called}.")
    return receipt


def remove_receipt(name: str, models_folder: Path) -> TrainedReceipt:
    """Removes the name; the model's folder stays. Raises `BadInput` when there is none."""
    receipt = find_trained(name, models_folder, None)
    _path(name, models_folder).unlink(missing_ok=True)
    return receipt


def trained_state(receipt: TrainedReceipt) -> str:
    """In a few words, for lists; nothing is hashed."""
    folder = Path(receipt.folder)
    try:
        if not folder.is_dir():
            return "its folder is gone"
        if receipt.weights is None:
            return "runs with Transformers" if receipt.transformers else "to be served"
        return "ready" if receipt.weights.untouched(folder) else "its file is gone or changed"
    except OSError:  # a place that may not be looked at
        return "its folder cannot be read"


def locate_trained(name: str, models_folder: Path, provider: str = "judge") -> Path | TransformersModel:
    """The checked GGUF file of a trained model, or what Transformers runs where it has none.

    Raises `BadInput`, in one line with what to do, when it is unknown, its folder or file is gone or changed, or it has
    none and must be served.
    """
    receipt = find_trained(name, models_folder, provider)
    folder, called = Path(receipt.folder), receipt.called
    if not folder.is_dir():
        raise BadInput(
            f"The folder of {called} is not there any more ({folder}). Say where it lies now: `novum train export "
            f"FOLDER --name {name} --no-merged --no-gguf`, or forget it: `novum models remove {called}`."
        )
    if receipt.weights is None and receipt.transformers:
        return receipt.transformers
    if receipt.weights is None:
        raise BadInput(
            f"{called} has no file for the runtime on this machine: serve it (`{receipt.serve}`) and name it with "
            f"its address, {called}@http://HOST:8000/v1."
        )
    return _checked(receipt, receipt.weights, folder, models_folder)


def hash_of(name: str, models_folder: Path) -> str:
    """The start of the hash of its weights; empty where there is none, or no such model."""
    receipt = _read(name, models_folder)
    if receipt and receipt.transformers and receipt.weights is None:
        files = sorted(Path(receipt.transformers.adapter or receipt.transformers.model).glob("*.safetensors"))
        return sha256_of(files[0])[:16] if files else ""
    return receipt.weights.sha256[:16] if receipt and receipt.weights else ""


def _checked(receipt: TrainedReceipt, weights: Receipt, folder: Path, models_folder: Path) -> Path:
    path = weights.file(folder)
    if weights.untouched(folder):
        return path
    if not path.is_file() or sha256_of(path) != weights.sha256:
        raise BadInput(
            f"{path} is {'not the file that was registered' if path.is_file() else 'not there any more'}: make it anew "
            f"with `novum train export {folder} --name {receipt.name}`."
        )
    looked = weights.model_copy(update={"mtime_ns": path.stat().st_mtime_ns})
    _write(receipt.model_copy(update={"weights": looked}), models_folder)
    return path


def _path(name: str, models_folder: Path) -> Path:
    return models_folder / f"{name}{_END}"


def _names(models_folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(_END) for path in models_folder.glob(f"[!.]*{_END}"))


def _read(name: str, models_folder: Path) -> TrainedReceipt | None:
    try:
        check_name(name)  # a name from outside must not lead elsewhere
        return TrainedReceipt.model_validate_json(read_plain(_path(name, models_folder)))
    except (BadInput, OSError, ValidationError):
        return None


def _write(receipt: TrainedReceipt, models_folder: Path) -> None:
    path = _path(receipt.name, models_folder)
    write_atomic(path, receipt.model_dump_json(indent=2))


def _unknown(name: str, models_folder: Path, provider: str) -> BadInput:
    if damaged := unreadable_receipts(models_folder).get(name):
        return BadInput(damaged)
    known = {each.name: each.called for each in trained_models(models_folder)}
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {known[close[0]]}? " if close else ""
    there = f"There are {', '.join(known.values())}." if known else "None was trained here yet."
    called, command = f"{provider}:{name}", "judge" if provider == "judge" else "sft"
    return BadInput(
        f"No model {called} was trained here. {hint}{there} Train one with `novum train {command}`, register a trained "
        f"folder with `novum train export FOLDER --name NAME`, or give its address: "
        f"{provider}:NAME@http://HOST:8000/v1."
    )
