"""What was made of a library, in a folder beside its other indexes: plain columns that are mapped, not read.

Each build is a folder of its own; a small card, replaced in one step, says which one holds. So whoever reads goes on
with what was opened, and a build that was cut off has changed nothing.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, JsonValue, ValidationError

from novum.core import Value
from novum.errors import BadInput
from novum.idea_metrics.metric import State
from novum.opportunities.settings import OpportunitySettings

FORM = 4
"""Raised whenever the columns or their meaning change: an older folder is then built anew."""
CARD = "card.json"
_FORMS = "columns.json"
_KIND = r"[<|][ifbuS]\d{1,4}"
"""Types of columns: numbers and short texts."""
_LARGEST = 2**20


class Card(Value):
    """What a build rests on. `change`, `library`: of the library's rows; `year`: the last of its papers, from which it
    is forecast; `learnt`: why there is no model, or nothing."""

    form: int = FORM
    build: str = Field(pattern=r"^build-[0-9a-f]{8}$")
    library: str
    change: int
    embedder: str
    settings: OpportunitySettings
    year: int
    papers: int
    undated: int
    concepts: int
    edges: int
    entries: int
    titles_only: bool
    variants: int
    synonyms: int
    pairs_learnt: int = 0
    joined_learnt: int = 0
    attention: bool = False
    unlearnt: str = ""
    listed: str = ""
    """Digest of the list of near-synonyms."""
    idle: int = 0
    """Lines of a user in it that name what is no concept."""


def place(library_folder: Path) -> Path:
    """Where it lies for a library."""
    return library_folder / "index" / "opportunities"


def read_card(folder: Path) -> Card | None:
    """None where there is none, or one that is damaged or of another form: it is then built anew."""
    try:
        file = folder / CARD
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        card = Card.model_validate_json(file.read_text("utf-8"))
    except (OSError, ValueError, ValidationError, RecursionError):
        return None
    return card if card.form == FORM else None


class Build:
    """A folder that is being written; `finish` makes it the one that holds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"build-{secrets.token_hex(4)}"
        self.inside = folder / self.name
        self._forms: dict[str, list[JsonValue]] = {}
        with told(folder):
            self.inside.mkdir(parents=True)

    def columns(self, group: str, columns: Mapping[str, NDArray[np.generic]]) -> None:
        """Each as a file of its own."""
        with told(self.folder):
            (self.inside / group).mkdir(exist_ok=True)
            for name, column in columns.items():
                whole = np.ascontiguousarray(column)
                np.save(self.inside / group / f"{name}.npy", whole, allow_pickle=False)
                self._forms[f"{group}/{name}"] = [whole.dtype.str, *whole.shape]

    def lines(self, name: str, lines: list[str]) -> None:
        """Strings without line ends."""
        with told(self.folder):
            (self.inside / f"{name}.json").write_text(json.dumps(lines, ensure_ascii=False), "utf-8", "surrogatepass")

    def state(self, name: str, state: State) -> None:
        """What a model has learnt."""
        self.columns(name, state.arrays)
        with told(self.folder):
            (self.inside / f"{name}.facts.json").write_text(json.dumps(dict(state.facts)), "utf-8")
            for file, content in state.files.items():
                (self.inside / name / file).write_bytes(content)

    def finish(self, card: Card) -> None:
        """From now on this is what holds; older builds go."""
        with told(self.folder):
            (self.inside / _FORMS).write_text(json.dumps(self._forms), "utf-8")
            fresh = self.folder / f".{CARD}.{secrets.token_hex(4)}"
            fresh.write_text(card.model_dump_json(indent=1), "utf-8")
            fresh.replace(self.folder / CARD)
        for other in self.folder.glob("build-*"):
            if other.name != self.name:
                shutil.rmtree(other, ignore_errors=True)

    def abandon(self) -> None:
        """It came to nothing."""
        shutil.rmtree(self.inside, ignore_errors=True)


class told:  # noqa: N801  reads like a word
    """Turn what the system says while a folder is written into one line for people: BadInput."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise BadInput(
                f"The concepts cannot be written to {self._folder} ({error.strerror or error}): check that the disk "
                "has space and is writable, then run this again. The folder is derived from the library and can be "
                "deleted."
            ) from error


def columns(folder: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Mapped columns by name. Raises OSError or ValueError where one is missing, or is not of the size, shape and type
    that were written."""
    forms = _forms(folder.parent)
    return {name: _column(folder / f"{name}.npy", forms.get(f"{folder.name}/{name}")) for name in names}


def has_columns(folder: Path) -> bool:
    """Whether any were written there. Raises OSError or ValueError likewise."""
    return any(name.startswith(f"{folder.name}/") for name in _forms(folder.parent))


def _forms(inside: Path) -> dict[str, JsonValue]:
    """Type and shape of every column of a build."""
    read = json.loads((inside / _FORMS).read_text("utf-8"))
    if not isinstance(read, dict):
        raise ValueError(f"{_FORMS} is damaged")
    return read


def _column(file: Path, form: JsonValue) -> NDArray[Any]:
    """Nothing of a file is read before its head is the one that such a column has: numpy trusts heads."""
    match form:
        case [str(kind), *shape] if re.fullmatch(_KIND, kind):
            sizes = tuple(size for size in shape if isinstance(size, int) and size >= 0)
        case _:
            raise ValueError(f"{file.parent.name}/{file.name} was never written")
    head = BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": kind, "fortran_order": False, "shape": sizes})
    with file.open("rb") as stream:
        begins = stream.read(head.tell())
    if begins != head.getvalue() or file.stat().st_size != head.tell() + np.dtype(kind).itemsize * prod(sizes):
        raise ValueError(f"{file.parent.name}/{file.name} is not as it was written")
    found: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    return found


def lines(file: Path) -> list[str]:
    """Raises OSError or ValueError likewise."""
    read = json.loads(file.read_text("utf-8", "surrogatepass"))
    if not isinstance(read, list) or not set(map(type, read)) <= {str}:
        raise ValueError(f"{file.name} is no list of texts")
    return read


def state(folder: Path, name: str) -> State:
    """Raises OSError or ValueError likewise."""
    inside = folder / name
    arrays = columns(inside, sorted(key.split("/")[1] for key in _forms(folder) if key.startswith(f"{name}/")))
    files = {file.name: file.read_bytes() for file in sorted(inside.glob("*.json"))}
    facts = json.loads((folder / f"{name}.facts.json").read_text("utf-8"))
    if not isinstance(facts, dict):
        raise ValueError(f"{name} holds no facts")
    return State(arrays, facts, files)
