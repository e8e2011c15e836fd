"""The stored concept map of a library, in a folder beside its other indexes: plain memory-mapped columns.

Each build is a new folder; a small card, replaced atomically, names the current one. So readers continue with the build
that they opened, and an interrupted build changes nothing.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary, finalize

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, JsonValue, ValidationError

from novum.core import Value
from novum.errors import BadInput
from novum.files.arrays import ColumnForm, ModelState, load_json, map_columns, save_columns, save_json
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.literature import Library
from novum.literature.search.locking import linked_copy, writable
from novum.opportunities.settings import OpportunitySettings

FORM = 4
"""Version of the columns and their meaning; a folder of another version is built again."""
CARD = "card.json"
_FORMS = "columns.json"
_LARGEST = 2**20


class ConceptMapCard(Value):
    """The card of a build. `library`, `change`: version of the library; `year`: of the newest papers, at whose end the
    forecast is made; `unlearnt`: why there is no forecast, or empty."""

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
    """Hash of the list of near-synonyms."""
    idle: int = 0
    """Number of the user's lines in it that name an unknown concept."""


def map_folder(library_folder: Path) -> Path:
    """The folder of the concept map of a library."""
    return library_folder / "index" / "opportunities"


_copies: WeakKeyDictionary[Library, Path] = WeakKeyDictionary()


def usable_map_folder(library: Library) -> Path:
    """The folder of the concept map of a library; if it cannot be written, a temporary copy of it, made of links, which
    is deleted with the library."""
    folder = map_folder(library.folder)
    if writable(folder):
        return folder
    if library not in _copies:
        _copies[library] = linked_copy(folder)
        finalize(library, shutil.rmtree, _copies[library], ignore_errors=True)
    return _copies[library]


def read_card(folder: Path) -> ConceptMapCard | None:
    """The card of a folder; None where it is missing, damaged or of another form, so that the map must be built
    again."""
    try:
        file = folder / CARD
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        card = ConceptMapCard.model_validate_json(read_plain(file).decode("utf-8"))
    except (OSError, ValueError, ValidationError, RecursionError):
        return None
    return card if card.form == FORM else None


class BuildFolder:
    """The folder of a new build; `finish` makes it the current one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"build-{secrets.token_hex(4)}"
        self.inside = folder / self.name
        self._forms: dict[str, ColumnForm] = {}
        with write_errors_as_bad_input(folder):
            self.inside.mkdir(parents=True)

    def columns(self, group: str, columns: Mapping[str, NDArray[np.generic]]) -> None:
        """Writes each column as a file in the folder `group`."""
        with write_errors_as_bad_input(self.folder):
            for name, form in save_columns(self.inside / group, columns).items():
                self._forms[f"{group}/{name}"] = form

    def lines(self, name: str, lines: list[str]) -> None:
        """Writes a list of strings as JSON."""
        with write_errors_as_bad_input(self.folder):
            save_json(self.inside / f"{name}.json", [*lines], ensure_ascii=False)

    def state(self, name: str, state: ModelState) -> None:
        """Writes the state of a fitted model."""
        self.columns(name, state.arrays)
        with write_errors_as_bad_input(self.folder):
            save_json(self.inside / f"{name}.facts.json", dict(state.facts))
            for file, content in state.files.items():
                (self.inside / name / file).write_bytes(content)

    def finish(self, card: ConceptMapCard) -> None:
        """Makes this build the current one, and deletes older builds."""
        with write_errors_as_bad_input(self.folder):
            save_json(self.inside / _FORMS, {**self._forms})
            write_atomic(self.folder / CARD, card.model_dump_json(indent=1))
        for other in self.folder.glob("build-*"):
            if other.name != self.name:
                shutil.rmtree(other, ignore_errors=True)

    def abandon(self) -> None:
        """Deletes an unfinished build."""
        shutil.rmtree(self.inside, ignore_errors=True)


@contextmanager
def write_errors_as_bad_input(folder: Path) -> Iterator[None]:
    """Turns errors of the file system while a folder is written into BadInput with one clear line."""
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"The concepts cannot be written to {folder} ({error.strerror or error}): check that the disk "
            "has space and is writable, then run this again. The folder is derived from the library and can be "
            "deleted."
        ) from error


def columns(folder: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Memory-mapped columns by name. Raises OSError or ValueError where one is missing or does not have the size, shape
    and type that were written."""
    return map_columns(folder, names, _forms(folder.parent))


def has_columns(folder: Path) -> bool:
    """Whether the folder has columns. Raises OSError or ValueError where the build is damaged."""
    return any(name.startswith(f"{folder.name}/") for name in _forms(folder.parent))


def _forms(inside: Path) -> dict[str, JsonValue]:
    """Type and shape of every column of a build."""
    forms: dict[str, JsonValue] = load_json(inside / _FORMS, dict)
    return forms


def lines(file: Path) -> list[str]:
    """A stored list of strings. Raises OSError or ValueError where it is missing or damaged."""
    strings: list[str] = load_json(file, list)
    if not set(map(type, strings)) <= {str}:
        raise ValueError(f"{file.name} is not a list of texts")
    return strings


def state(folder: Path, name: str) -> ModelState:
    """The stored state of a fitted model. Raises OSError or ValueError where it is missing or damaged."""
    inside = folder / name
    arrays = columns(inside, sorted(key.split("/")[1] for key in _forms(folder) if key.startswith(f"{name}/")))
    files = {file.name: read_plain(file) for file in sorted(inside.glob("*.json"))}
    return ModelState(arrays, load_json(folder / f"{name}.facts.json", dict), files)
