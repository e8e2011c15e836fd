"""Models that were trained here, by name: where each lies, and whether it runs on this machine or must be served."""

from __future__ import annotations

import difflib
from pathlib import Path

from pydantic import ValidationError

from novum.core import Value
from novum.core.trained import Purpose
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.private import make_private_folder
from novum.llm.offline.lock import exclusive_lock
from novum.llm.offline.receipt import Receipt, sha256_of
from novum.llm.offline.store import check_name

_END = ".trained.json"


class TrainedReceipt(Value):
    """A trained model as the models folder knows it. Its files stay where training left them."""

    name: str
    purpose: Purpose
    base: str
    folder: str
    """Absolute."""
    weights: Receipt | None = None
    """Its GGUF file, hash taken when it was registered; None where there is none."""
    serve: str = ""
    """The command that serves it, where it has to be served."""

    @property
    def called(self) -> str:
        """The name under which it is used: `judge:NAME` for a reviewer, else `local:NAME`."""
        return f"{'judge' if self.purpose == 'judge' else 'local'}:{self.name}"


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
        name: f"What is noted of judge:{name} cannot be read ({_path(name, models_folder)}): register its folder again "
        f"with `novum train export FOLDER --name {name} --no-merged --no-gguf`, or delete that file."
        for name in _names(models_folder)
        if _read(name, models_folder) is None
    }


def find_trained(name: str, models_folder: Path) -> TrainedReceipt:
    """Raises `BadInput` when no model of this name was trained here."""
    receipt = _read(name, models_folder)
    if receipt is None:
        raise _unknown(name, models_folder)
    return receipt


def remove_receipt(name: str, models_folder: Path) -> TrainedReceipt:
    """Removes the name; the model's folder stays. Raises `BadInput` when there is none."""
    receipt = find_trained(name, models_folder)
    _path(name, models_folder).unlink(missing_ok=True)
    return receipt


def trained_state(receipt: TrainedReceipt) -> str:
    """In a few words, for lists; nothing is hashed."""
    folder = Path(receipt.folder)
    try:
        if not folder.is_dir():
            return "its folder is gone"
        if receipt.weights is None:
            return "to be served"
        return "ready" if receipt.weights.untouched(folder) else "its file is gone or changed"
    except OSError:  # a place that may not be looked at
        return "its folder cannot be read"


def locate_trained(name: str, models_folder: Path) -> Path:
    """The checked GGUF file of a trained model.

    Raises `BadInput`, in one line with what to do, when it is unknown, its folder or file is gone or changed, or it has
    none and must be served.
    """
    receipt = find_trained(name, models_folder)
    folder = Path(receipt.folder)
    if not folder.is_dir():
        raise BadInput(
            f"The folder of judge:{name} is not there any more ({folder}). Say where it lies now: `novum train export "
            f"FOLDER --name {name} --no-merged --no-gguf`, or forget it: `novum models remove judge:{name}`."
        )
    if receipt.weights is None:
        raise BadInput(
            f"judge:{name} has no file for the runtime on this machine: serve it (`{receipt.serve}`) and name it with "
            f"its address, judge:{name}@http://HOST:8000/v1."
        )
    return _checked(receipt, receipt.weights, folder, models_folder)


def hash_of(name: str, models_folder: Path) -> str:
    """The start of the hash of its GGUF file; empty where there is none, or no such model."""
    receipt = _read(name, models_folder)
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
        return TrainedReceipt.model_validate_json(_path(name, models_folder).read_bytes())
    except (BadInput, OSError, ValidationError):
        return None


def _write(receipt: TrainedReceipt, models_folder: Path) -> None:
    path = _path(receipt.name, models_folder)
    write_atomic(path, receipt.model_dump_json(indent=2))


def _unknown(name: str, models_folder: Path) -> BadInput:
    if damaged := unreadable_receipts(models_folder).get(name):
        return BadInput(damaged)
    names = [receipt.name for receipt in trained_models(models_folder)]
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"Did you mean judge:{close[0]}? " if close else ""
    there = f"There are {', '.join(f'judge:{each}' for each in names)}." if names else "None was trained here yet."
    return BadInput(
        f"No model judge:{name} was trained here. {hint}{there} Train one with `novum train judge`, register a trained "
        f"folder with `novum train export FOLDER --name NAME`, or give its address: judge:NAME@http://HOST:8000/v1."
    )
