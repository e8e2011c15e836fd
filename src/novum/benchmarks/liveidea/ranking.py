"""A ranked list of models, such as LiveBench's, read from CSV; the panel of judges is made from it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from novum.core.record import Value
from novum.errors import BadInput
from novum.files.tables import SkippedRow, columns_by_name, csv_from_text

LARGEST = 5_000_000
"""Characters; a ranking has a few hundred lines."""
_COLUMNS = {
    "model": ("model", "name"),
    "organisation": ("organisation", "organization", "org", "company"),
    "score": ("score", "average", "global average", "rating"),
    "base": ("base", "base model"),
}
_REQUIRED = ("model", "organisation", "score")
_EFFORT = re.compile(
    r"[-_: ](?:minimal|low|medium|high|xhigh|(?:no[-_ ]?)?thinking(?:-\d+k)?)(?:[-_ ]effort)?\Z", re.IGNORECASE
)
"""Endings of names of variants that differ in how much they reason."""


class RankedModel(Value):
    """One line of a ranking."""

    model: str
    organisation: str
    score: float | None
    """Higher is better. None: named by hand, in no ranking."""
    base: str
    """The name that variants with different reasoning effort share; the model's own name when there are none."""


class Ranking(Value):
    """The models in the order of the file, and the lines that could not be read."""

    models: tuple[RankedModel, ...]
    refused: tuple[SkippedRow, ...] = ()


def read_ranking(text: str) -> Ranking:
    """The ranking in a CSV with the columns model, organisation, score and, for variants, base.

    Without a base, names that differ only in an ending such as -high or :thinking share one. The delimiter is a comma,
    semicolon or tab. Lines that cannot be read are listed in the result. Raises BadInput when a column is missing or no
    line can be read.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A ranking of over {LARGEST:,} characters is none: give a CSV with one line a model.")
    models: dict[str, RankedModel] = {}
    refused: list[SkippedRow] = []
    with csv_from_text(text, "The ranking") as rows:
        columns = _columns(rows.fieldnames or ())
        for row in rows:
            try:
                model = _model(row, columns)
                if model.model in models:
                    raise ValueError(f"{model.model} is there already")
                models[model.model] = model
            except ValueError as error:
                refused.append(SkippedRow(where=f"line {rows.line_num}", why=str(error)))
    if not models:
        first = f" The first: {refused[0].where}, {refused[0].why}." if refused else ""
        raise BadInput(f"The ranking names no model with a score.{first} Give at least one line with all columns.")
    return Ranking(models=_with_bases([*models.values()]), refused=tuple(refused))


def _with_bases(models: Sequence[RankedModel]) -> tuple[RankedModel, ...]:
    """«mistral-medium» is a variant of nothing: an ending counts only if another line has the same name without it."""
    stems = Counter(_stem(each) for each in models)
    return tuple(
        each.model_copy(update={"base": _stem(each)[0]}) if each.base == each.model and stems[_stem(each)] > 1 else each
        for each in models
    )


def _stem(model: RankedModel) -> tuple[str, str]:
    return _EFFORT.sub("", model.base).casefold(), model.organisation.casefold()


def _columns(names: Sequence[str]) -> dict[str, str]:
    columns = columns_by_name(names, _COLUMNS)
    if missing := [name for name in _REQUIRED if name not in columns]:
        raise BadInput(
            f"The ranking has no column {', '.join(missing)} (it has: {', '.join(names) or 'none'}): "
            "name its columns model, organisation, score and, where there are variants, base."
        )
    return columns


def _model(row: Mapping[str, str | None], columns: Mapping[str, str]) -> RankedModel:
    """Raises ValueError for a line that is no ranked model."""
    cells = {name: (row.get(column) or "").strip() for name, column in columns.items()}
    if missing := next((name for name in _REQUIRED if not cells[name]), ""):
        raise ValueError(f"no {missing}")
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
