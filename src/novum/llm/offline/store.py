"""The models folder: install, look up, register and remove weights files; none is used before its hash was checked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from novum.errors import BadInput, ModelUnreachable
from novum.files.inputs import check_input
from novum.files.private import make_private_folder
from novum.llm.offline.catalogue import CATALOGUE, ENCODERS, Installable
from novum.llm.offline.lock import exclusive_lock
from novum.llm.offline.receipt import Receipt, converted_folder, read_receipt, receipt_path, sha256_of, write_receipt
from novum.llm.offline.sources import DownloadError, Progress

Catalogue = Mapping[str, Installable]

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
_GGUF = b"GGUF"


def installed_models(models_folder: Path) -> list[Receipt]:
    """Every model whose weights are there, by name; `receipt.untouched(models_folder)`: its hash still holds."""
    names = sorted(path.name.removesuffix(".receipt.json") for path in models_folder.glob("*.receipt.json"))
    receipts = (read_receipt(name, models_folder) for name in names)
    return [receipt for receipt in receipts if receipt and receipt.file(models_folder).is_file()]


def locate_model(name: str, models_folder: Path, catalogue: Catalogue = CATALOGUE) -> Path:
    """The weights of an installed or registered model, its hash verified.

    Raises `BadInput` when it is not installed, unknown, or no longer the file that it was.
    """
    if name in ENCODERS and name not in catalogue:
        raise BadInput(
            f"The model {name} turns texts into vectors and writes nothing: choose one of {', '.join(catalogue)}."
        )
    receipt = read_receipt(name, models_folder)
    if receipt and receipt.untouched(models_folder):
        return receipt.file(models_folder)
    model = catalogue.get(name)
    if model is None and receipt is None:
        raise _unknown(name, catalogue)
    path = receipt.file(models_folder) if receipt else models_folder / (model.file_name if model else name)
    if not path.is_file():
        raise BadInput(f"The offline model {name} is not there ({path}): {_remedy(name, model)}.")
    if sha256_of(path) != (model.sha256 if model else receipt.sha256 if receipt else ""):
        raise BadInput(f"{path} is not the file that was checked for {name}: {_remedy(name, model)}.")
    write_receipt(_receipt_for(model, path) if model else _with_present_time(receipt, path), models_folder)
    return path


def install(name: str, models_folder: Path, progress: Progress | None = None, catalogue: Catalogue = CATALOGUE) -> Path:
    """The verified weights of a catalogue model, fetched from its first source that has them if not there yet.

    Raises `BadInput` for an unknown name or a folder that cannot be written (full disk), `ModelUnreachable` when no
    source could deliver. Safe to call from several processes at once: one fetches, the others wait for it.
    """
    model = catalogue.get(name)
    if model is None:
        raise _unknown(name, catalogue)
    try:
        make_private_folder(models_folder)
        with exclusive_lock(models_folder / f".{name}.lock"):
            if _is_intact(model, models_folder, catalogue):
                return models_folder / model.file_name
            return _fetch_from_first(model, models_folder, progress or _silent)
    except OSError as error:
        raise BadInput(
            f"Cannot write the model {name} to {models_folder}: {error.strerror or error}. It needs "
            f"{_megabytes(model.size_bytes)} (twice that while installing): make room, or set NOVUM_HOME elsewhere."
        ) from error


def register(path: Path, name: str, models_folder: Path) -> Receipt:
    """A user's own GGUF file under a name of their choice. The file stays where it is; its hash is taken now."""
    check_name(name, {*CATALOGUE, *ENCODERS})
    check_input(path)
    if not path.is_file():
        raise BadInput(f"There is no file {path}: give the path of a GGUF model file.")
    with path.open("rb") as file:
        if file.read(len(_GGUF)) != _GGUF:
            raise BadInput(f"{path} is not a GGUF file: convert the model to GGUF first, or choose another file.")
    make_private_folder(models_folder)
    look = path.resolve().stat()
    receipt = Receipt(
        name=name,
        title=path.stem,
        path=str(path.resolve()),
        sha256=sha256_of(path),
        size_bytes=look.st_size,
        mtime_ns=look.st_mtime_ns,
        licence="the user's own file",
        own=True,
    )
    return write_receipt(receipt, models_folder)


def check_name(name: str, taken: Collection[str] = ()) -> None:
    """Raises `BadInput` where `name` can be no model's: it is part of file names."""
    if not _NAME.fullmatch(name) or name in taken:
        also = ", and no catalogue name" if taken else ""
        raise BadInput(f"{name!r} cannot name a model: use small letters, digits, `.-_`{also}.")


def remove(name: str, models_folder: Path, catalogue: Catalogue = CATALOGUE) -> None:
    """Deletes an installed model and what remains of an interrupted install; of a registered file only the receipt."""
    receipt, model = read_receipt(name, models_folder), catalogue.get(name)
    leftovers = [models_folder / model.file_name, _partial(model, models_folder)] if model else []
    if receipt is None and not any(path.exists() for path in leftovers):
        raise BadInput(f"No model {name} is installed in {models_folder}: `novum models list` shows what there is.")
    with exclusive_lock(models_folder / f".{name}.lock"):
        if receipt:
            shutil.rmtree(converted_folder(receipt.sha256, models_folder), ignore_errors=True)
        receipt_path(name, models_folder).unlink(missing_ok=True)
        for path in leftovers:
            path.unlink(missing_ok=True)
            _discard(path)
        if model:
            _notice_path(model, models_folder).unlink(missing_ok=True)


def _is_intact(model: Installable, models_folder: Path, catalogue: Catalogue) -> bool:
    try:
        locate_model(model.name, models_folder, catalogue)
    except BadInput:
        return False
    return True


def _fetch_from_first(model: Installable, models_folder: Path, progress: Progress) -> Path:
    partial = _partial(model, models_folder)
    failures = []
    for source in model.sources:
        try:
            source.fetch(partial, model.size_bytes, progress)
            progress("checking", model.size_bytes, model.size_bytes)
            if sha256_of(partial) == model.sha256:
                return _accept(model, partial, models_folder)
            _discard(partial)
            raise DownloadError("its content is not the expected file (wrong sha256)")
        except DownloadError as failure:
            failures.append(f"{source.label}: {failure}")
        except OSError:
            _discard(partial)  # a full disk is not helped by keeping half a model on it
            raise
    raise ModelUnreachable(
        f"No source could deliver the model {model.name} ({'; '.join(failures)}). Check the network and proxy and run "
        f"`novum models install {model.name}` again: it continues where it stopped."
    )


def _accept(model: Installable, partial: Path, models_folder: Path) -> Path:
    path = models_folder / model.file_name
    partial.replace(path)
    _discard(partial)
    _notice_path(model, models_folder).write_text(_notice(model), encoding="utf-8")
    write_receipt(_receipt_for(model, path), models_folder)
    return path


def _receipt_for(model: Installable, path: Path) -> Receipt:
    return Receipt(
        name=model.name,
        title=model.title,
        path=model.file_name,
        sha256=model.sha256,
        size_bytes=model.size_bytes,
        mtime_ns=path.stat().st_mtime_ns,
        licence=model.licence,
        context=model.context,
    )


def _with_present_time(receipt: Receipt | None, path: Path) -> Receipt:
    assert receipt is not None  # a model that is not in the catalogue is known by its receipt alone
    return receipt.model_copy(update={"mtime_ns": path.stat().st_mtime_ns})


def _partial(model: Installable, models_folder: Path) -> Path:
    # Named by the hash as well: what was begun for one version is never continued with another.
    return models_folder / f".{model.name}-{model.sha256[:8]}.partial"


def _discard(partial: Path) -> None:
    partial.unlink(missing_ok=True)
    shutil.rmtree(partial.with_suffix(".wheels"), ignore_errors=True)


def _notice_path(model: Installable, models_folder: Path) -> Path:
    return models_folder / f"{model.file_name}.NOTICE.txt"


def _notice(model: Installable) -> str:
    return (
        f"{model.file_name}\n{model.title}\n\nOrigin: {model.origin}\n"
        f"Licence of the weights: {model.licence} (https://www.apache.org/licenses/LICENSE-2.0)\n"
        f"sha256: {model.sha256}\nInstalled unchanged by Novum, which did not make this model.\n"
    )


def _unknown(name: str, catalogue: Catalogue) -> BadInput:
    return BadInput(f"There is no offline model {name!r}: choose one of {', '.join(catalogue)}.")


def _remedy(name: str, model: Installable | None) -> str:
    return f"run `novum models install {name}`" if model else f"run `novum models install FILE.gguf --name {name}`"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _silent(_what: str, _done: int, _total: int) -> None:
    """Nothing is reported."""
