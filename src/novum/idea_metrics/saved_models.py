"""Fitted models stored under names: one folder each below a common folder (`metrics` in NOVUM_HOME)."""

from __future__ import annotations

import re
from pathlib import Path

from novum.errors import BadInput
from novum.idea_metrics.folder import CARD
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.review_rating.storage import rating_model
from novum.literature import Embedder

DEFAULT = "default"
_NAME = re.compile(r"\w[\w.-]{0,99}")


def new_model_folder(name: str, home: Path) -> Path:
    """The folder for a model of this name below `home`. Raises BadInput where the name cannot be one."""
    if not _NAME.fullmatch(name):
        raise BadInput(
            f"{name[:80]!r} cannot be the name of a model: use letters, digits, dots, dashes and underscores."
        )
    return home / name


def find_model_folder(named: str, home: Path) -> Path:
    """The folder of a fitted model, by its name below `home` or by its path. Raises BadInput where there is none."""
    by_name = home / named if _NAME.fullmatch(named) else None
    for folder in (by_name, Path(named).expanduser()):
        if folder is not None and _is_file(folder / CARD):
            return folder
    names = model_names(home)
    if named == DEFAULT and not names:
        raise BadInput(
            "No metrics are fitted yet: run `novum metrics fit` once, which takes seconds for a thousand papers. Then "
            "run the same command again."
        )
    known = f"there are: {', '.join(names)}" if names else "there is none yet (`novum metrics fit`)"
    raise BadInput(f"There is no fitted model {named[:80]!r}; {known}.")


def model_names(home: Path) -> list[str]:
    """The names of all models below `home`, in alphabetical order."""
    try:
        return sorted(each.name for each in home.iterdir() if not each.name.startswith(".") and _is_file(each / CARD))
    except OSError:  # nothing was fitted yet, or the folder cannot be read, which loading a model will report
        return []


def load_model(named: str, home: Path, embedder: Embedder) -> FittedMetrics:
    """A fitted model, ready to score, with the user's rating model or the one that comes with Novum. Raises BadInput
    where there is none or it cannot be used."""
    return FittedMetrics.load(find_model_folder(named, home), embedder, rating_model(home))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a character that no name has
        return False
