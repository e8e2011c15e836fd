"""Fitted models as commands name them: by the name they were given, or by their folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.idea_metrics.model import FittedMetrics
    from novum.lab import Workplace
    from novum.settings import LoadedSettings

DEFAULT = "default"
MetricsName = Annotated[
    str, typer.Option("--metrics", metavar="NAME|FOLDER", help="The fitted model: its name, or its folder.")
]
_NAME = re.compile(r"\w[\w.-]{0,99}")


def folder_named(name: str, settings: LoadedSettings) -> Path:
    """Where a model of this name is to be. Raises BadInput for what is no name."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name[:80]!r} is no name of a model: write letters, digits, points, dashes and underlines.")
    return settings.metrics_folder / name


def folder_of(named: str, settings: LoadedSettings) -> Path:
    """The folder of a fitted model. Raises BadInput, with how to make one, where there is none."""
    from novum.idea_metrics.folder import CARD

    by_name = settings.metrics_folder / named if _NAME.fullmatch(named) else None
    for folder in (by_name, Path(named).expanduser()):
        if folder is not None and _is_file(folder / CARD):
            return folder
    there = names(settings)
    if named == DEFAULT and not there:
        raise BadInput(
            "Nothing was learnt from a library yet: run `novum metrics fit` once, which takes seconds for a thousand "
            "papers. Then the same command again."
        )
    known = f"there are: {', '.join(there)}" if there else "there is none yet (`novum metrics fit`)"
    raise BadInput(f"There is no fitted model {named[:80]!r}; {known}.")


def names(settings: LoadedSettings) -> list[str]:
    """Of all models in the workplace, in alphabetical order."""
    from novum.idea_metrics.folder import CARD

    home = settings.metrics_folder
    try:
        return sorted(each.name for each in home.iterdir() if not each.name.startswith(".") and _is_file(each / CARD))
    except OSError:  # nothing was fitted yet, or it cannot be looked at, which reading a model will tell
        return []


def load(named: str, place: Workplace) -> FittedMetrics:
    """The model, ready to score. Raises BadInput where there is none or it cannot be used."""
    from novum.idea_metrics.model import FittedMetrics

    return FittedMetrics.load(folder_of(named, place.settings), place.library.embedder)


def _is_file(place: Path) -> bool:
    try:
        return place.is_file()
    except (OSError, ValueError):  # too long for a name, or with a sign that no name has
        return False
