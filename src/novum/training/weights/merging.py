"""Export an adapter as a complete model: merged into its base, as safetensors and as a GGUF file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.files.atomic import replace_folder
from novum.llm.offline.lock import exclusive_lock
from novum.training.weights.adapter_shapes import check_adapter
from novum.training.weights.adapting import merge_adapter
from novum.training.weights.base import OFFLINE, base_gguf, load_base, origin_of
from novum.training.weights.gguf_file import by_hand, is_written_here, write_gguf
from novum.training.weights.libraries import need_libraries
from novum.training.weights.model_cards import write_model_cards
from novum.training.weights.saving import save
from novum.training.weights.trained_folder import can_be_merged, gguf_of, merged_of, read_trained, write_trained

ExportProgress = Callable[[str], None]
"""Called with a line of text about the next step."""

_MERGED = "merged"


def export(
    folder: Path, models_folder: Path, progress: ExportProgress = lambda _: None, *, merged: bool = True,
    gguf: bool | None = None,
) -> TrainedModel:  # fmt: skip
    """Merge the adapter in `folder` into its base, write the files, and record them in `trained.json`.

    Model cards are written beside the adapter and the merged model.

    `merged`: keep the merged model as safetensors in the folder `merged`. `gguf`: write a GGUF file; None: if the base
    was one. The base is loaded in its own precision, also if the adapter was trained on 4-bit weights. Existing files
    are replaced, each complete or not at all.

    A prefix cannot be merged: its model is returned unchanged. Where all weights were trained, only the GGUF file is
    written. Raises `BadInput` if there is no trained model or no base, or if the files cannot be written.
    """
    model = read_trained(folder)
    if not can_be_merged(folder, model):
        progress("a prefix cannot be merged into its base: it is used as it is, by Transformers")
        return model
    origin = origin_of(model)
    from_gguf = origin.startswith(OFFLINE)
    if gguf and not from_gguf:
        raise BadInput(f"{origin} is not a GGUF file, so Novum cannot write one: {by_hand(folder / _MERGED)}")
    if gguf is None:
        gguf = from_gguf
    if not merged and not gguf:
        return model
    need_libraries()
    file = base_gguf(origin, models_folder) if gguf else None
    if file and not is_written_here(file):
        progress(f"Novum cannot write a GGUF file of this kind of model: {by_hand(folder / _MERGED)}")
        file = None
    try:
        with exclusive_lock(folder / ".export.lock"):
            exported = _export(folder, read_trained(folder), models_folder, progress, merged, file)
            write_model_cards(folder)
            return exported
    except OSError as error:
        raise BadInput(
            f"Cannot export to {folder}: {error.strerror or error}. Free some space, then run "
            f"`novum train export {folder}`."
        ) from error


def _export(
    folder: Path, model: TrainedModel, models_folder: Path, progress: ExportProgress, keep: bool, file: Path | None
) -> TrainedModel:
    with _working_folder(folder) as place:
        whole = folder / _MERGED
        if model.adapter:
            progress(f"merging the adapter into {model.base}")
            whole = place / _MERGED
            _merge(folder / model.adapter, model.base, models_folder, whole)
        if file:
            progress("writing the GGUF file")
            write_gguf(whole, file, folder / f"{model.purpose}.gguf", model.name)
            model = model.model_copy(update={"gguf": f"{model.purpose}.gguf"})
        if keep and model.adapter:
            replace_folder(place / _MERGED, folder / _MERGED)
            model = model.model_copy(update={"merged": _MERGED})
    missing = {} if merged_of(folder, model) else {"merged": ""}
    missing |= {} if gguf_of(folder, model) else {"gguf": ""}
    return write_trained(model.model_copy(update=missing), folder)


@contextmanager
def _working_folder(folder: Path) -> Iterator[Path]:
    """A working folder inside `folder`, emptied of the files of an interrupted export and removed afterwards."""
    place = folder / ".merging"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _merge(adapter: Path, base: str, models_folder: Path, target: Path) -> None:
    loaded = load_base(base, models_folder, dtype="auto")
    check_adapter(adapter, base, loaded.config)
    save(merge_adapter(loaded.model, adapter), loaded.tokenizer, target)
