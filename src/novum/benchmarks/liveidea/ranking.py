"""A ranked list of models, such as LiveBench's, read from CSV: the panel is made from it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import csv_from_text

LARGEST = 5_000_000
"""Characters; a ranking has some hundred lines."""
_COLUMNS = {
    "model": ("model", "name"),
    "organisation": ("organisation", "organization", "org", "company"),
    "score": ("score", "average", "global average", "rating"),
    "base": ("base", "base model", "base_model"),
}
_NEEDED = ("model", "organisation", "score")
_EFFORT = re.compile(
    r"[-_: ](?:minimal|low|medium|high|xhigh|(?:no[-_ ]?)?thinking(?:-\d+k)?)(?:[-_ ]effort)?\Z", re.IGNORECASE
)
"""How names of variants end that differ in how much they reason."""


class RankedModel(Value):
    """One line of a ranking."""

    model: str
    organisation: str
    score: float | None
    """Higher is better. None: named by hand, in no ranking."""
    base: str
    """What variants that differ only in reasoning effort share; the model's own name where it has none."""


class RefusedLine(Value):
    """A line that is no ranked model."""

    line: int
    why: str


class Ranking(Value):
    """The models in the order of the file, and what could not be read."""

    models: tuple[RankedModel, ...]
    refused: tuple[RefusedLine, ...] = ()


def read_ranking(text: str) -> Ranking:
    """The ranking in a CSV with the columns model, organisation, score and, where there are variants, base.

    Where no base is given, names that differ only in an ending such as -high or :thinking share one. The delimiter may
    be a comma, a semicolon or a tab. Lines that cannot be read are told. Raises BadInput where the columns are missing
    or no line can be read.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A ranking of over {LARGEST:,} characters is none: give a CSV with one line a model.")
    models: list[RankedModel] = []
    refused: list[RefusedLine] = []
    with csv_from_text(text, "The ranking") as rows:
        columns = _columns(rows.fieldnames or ())
        for row in rows:
            line = rows.line_num
            try:
                models.append(_model(row, columns, {each.model for each in models}))
            except ValueError as error:
                refused.append(RefusedLine(line=line, why=str(error)))
    if not models:
        first = f" The first: line {refused[0].line}, {refused[0].why}." if refused else ""
        raise BadInput(f"The ranking names no model with a score.{first} Give at least one line with all columns.")
    return Ranking(models=_with_bases(models), refused=tuple(refused))


def _with_bases(models: Sequence[RankedModel]) -> tuple[RankedModel, ...]:
    """«mistral-medium» is a variant of nothing: an ending counts where another line has the same name without it."""
    stems = Counter(_stem(each) for each in models)
    return tuple(
        each.model_copy(update={"base": _stem(each)[0]}) if each.base == each.model and stems[_stem(each)] > 1 else each
        for each in models
    )


def _stem(model: RankedModel) -> tuple[str, str]:
    return _EFFORT.sub("", model.base).casefold(), model.organisation.casefold()


def _columns(names: Sequence[str]) -> dict[str, str]:
    """Our names of the columns to the file's."""
    found: dict[str, str] = {}
    for ours, theirs in _COLUMNS.items():
        match = next((name for name in names if name.strip().casefold() in theirs), None)
        if match is not None:
            found[ours] = match
    missing = [name for name in _NEEDED if name not in found]
    if missing:
        raise BadInput(
            f"The ranking has no column {', '.join(missing)} (it has: {', '.join(names) or 'none'}): "
            "name its columns model, organisation, score and, where there are variants, base."
        )
    return found


def _model(row: Mapping[str, str | None], columns: Mapping[str, str], known: set[str]) -> RankedModel:
    """Raises ValueError saying what is wrong with the line."""
    cells = {ours: (row.get(theirs) or "").strip() for ours, theirs in columns.items()}
    for name in _NEEDED:
        if not cells[name]:
            raise ValueError(f"no {name}")
    if cells["model"] in known:
        raise ValueError(f"{cells['model']} is there already")
    try:
        score = float(cells["score"].replace(",", "."))
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise ValueError(f"the score {cells['score'][:40]!r} is no number")
    return RankedModel(
        model=cells["model"],
        organisation=cells["organisation"],
        score=score,
        base=cells.get("base") or cells["model"],
    )
