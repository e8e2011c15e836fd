"""Arrays with JSON facts on disk. Nothing in these files can run code, and nothing is believed before it is checked.

Two forms: one `.safetensors` file, read into memory; or a folder of `.npy` columns, which are mapped and not read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from novum.files.inputs import open_plain, read_plain

_CHECKSUM = "checksum"
_COLUMN_TYPE = r"[<|][ifbuS]\d{1,4}"
"""Types that a column may have: numbers and short byte strings."""

ColumnForm = list[JsonValue]
"""Type and shape of a column, as they are stored beside it: `["<f4", 1000, 768]`."""


@dataclass(frozen=True)
class ModelState:
    """What a fitted model has learnt: arrays, small JSON facts, and files that a library writes in its own format."""

    arrays: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content by file name."""

    def number(self, name: str) -> float:
        """A fact that is a number. Raises KeyError when it is missing, ValueError when it is something else."""
        value = self.facts[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{name} is no number")
        return float(value)

    def texts(self, name: str) -> list[str]:
        """A fact that is a list of texts. Raises KeyError when it is missing, ValueError when it is something else."""
        value = self.facts[name]
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ValueError(f"{name} is no list of texts")
        return [str(each) for each in value]


def save_state(folder: Path, name: str, state: ModelState) -> None:
    """Writes `NAME.safetensors`, `NAME.json` and the folder `NAME` with the files. The JSON has a checksum of all.
    Raises OSError."""
    from safetensors.numpy import save  # noqa: PLC0415  most commands never need it

    # Not `save_file`: its errors are no OSError, and only the owner may read what it writes.
    arrays = save({key: np.ascontiguousarray(array) for key, array in state.arrays.items()})
    (folder / f"{name}.safetensors").write_bytes(arrays)
    facts = dict(state.facts)
    save_json(folder / f"{name}.json", {**facts, _CHECKSUM: _checksum(arrays, facts, state.files)})
    for file, content in state.files.items():
        (folder / name).mkdir(exist_ok=True)
        (folder / name / file).write_bytes(content)


def load_state(folder: Path, name: str) -> ModelState:
    """Reads what `save_state` wrote. Raises OSError or ValueError when it is missing or damaged."""
    from safetensors import SafetensorError  # noqa: PLC0415  most commands never need it
    from safetensors.numpy import load  # noqa: PLC0415

    stored = read_plain(folder / f"{name}.safetensors")
    beside = folder / name
    files = {each.name: read_plain(each) for each in sorted(beside.iterdir())} if beside.is_dir() else {}
    facts = load_json(folder / f"{name}.json", dict)
    checksum = facts.pop(_CHECKSUM, None)  # models of former versions have none
    if checksum is not None and checksum != _checksum(stored, facts, files):
        raise ValueError(f"{name} is not as it was written")
    try:
        return ModelState(load(stored), facts, files)
    except SafetensorError as error:
        raise ValueError(str(error)) from error


def _checksum(arrays: bytes, facts: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    digest = hashlib.blake2b(arrays, digest_size=16)
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    digest.update(json.dumps(facts, sort_keys=True).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def save_columns(folder: Path, columns: Mapping[str, NDArray[np.generic]]) -> dict[str, ColumnForm]:
    """Writes each column as `NAME.npy` in a folder, and returns their forms for `map_column`. Raises OSError."""
    folder.mkdir(exist_ok=True)
    forms: dict[str, ColumnForm] = {}
    for name, column in columns.items():
        contiguous = np.ascontiguousarray(column)
        np.save(folder / f"{name}.npy", contiguous, allow_pickle=False)
        forms[name] = [contiguous.dtype.str, *contiguous.shape]
    return forms


def map_column(file: Path, form: JsonValue) -> NDArray[Any]:
    """A column as a read-only memory map.

    NumPy trusts the header of a file, so it is compared first with the header that a column of this form has. Raises
    OSError, or ValueError when type, shape or size differ.
    """
    match form:
        case [str(kind), *shape] if re.fullmatch(_COLUMN_TYPE, kind):
            sizes = tuple(size for size in shape if isinstance(size, int) and size >= 0)
        case _:
            raise ValueError(f"{file.parent.name}/{file.name} was never written")
    header = BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": kind, "fortran_order": False, "shape": sizes})
    with open_plain(file) as stream:
        start = stream.read(header.tell())
    if start != header.getvalue() or file.stat().st_size != header.tell() + np.dtype(kind).itemsize * prod(sizes):
        raise ValueError(f"{file.parent.name}/{file.name} is not as it was written")
    mapped: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    return mapped


def map_columns(folder: Path, names: Iterable[str], forms: Mapping[str, JsonValue]) -> dict[str, NDArray[Any]]:
    """Columns of a folder by name. `forms`: by "FOLDER/NAME". Raises as `map_column` does."""
    return {name: map_column(folder / f"{name}.npy", forms.get(f"{folder.name}/{name}")) for name in names}


def save_json(file: Path, value: JsonValue, *, ensure_ascii: bool = True) -> None:
    """Writes JSON; lone surrogates are stored as they are. Raises OSError."""
    file.write_text(json.dumps(value, ensure_ascii=ensure_ascii), "utf-8", "surrogatepass")


def load_json(file: Path, kind: type[Any], largest: int = 256 * 2**20) -> Any:
    """Reads JSON of a kind (`dict`, `list`) from a file of at most `largest` bytes. Raises OSError or ValueError."""
    if file.stat().st_size > largest:
        raise ValueError(f"{file.name} is far too large")
    try:
        value = json.loads(read_plain(file).decode("utf-8", "surrogatepass"))
    except RecursionError as error:
        raise ValueError(f"{file.name} is nested too deeply") from error
    if not isinstance(value, kind):
        raise ValueError(f"{file.name} does not hold a {kind.__name__}")
    return value
