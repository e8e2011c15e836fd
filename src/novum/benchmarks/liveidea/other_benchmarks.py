"""Scores of another benchmark for the models of a run, read from CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence

from novum.benchmarks.liveidea.panel import same_model
from novum.errors import BadInput
from novum.files.tables import columns_by_name, csv_from_text

LARGEST = 5_000_000
"""Characters; a leaderboard has a few hundred lines."""
_MODEL = ("model", "name", "model name")
_SCORE = ("score", "average", "global average", "rating", "elo")


def read_benchmark_scores(text: str, file: str, models: Sequence[str], column: str = "") -> dict[str, float]:
    """Scores by the names of `models`, from a CSV with a column for the model and one for its score.

    `column`: the name of the score's column when it is not score, average or rating. A model may be written with or
    without its provider and organisation. Unknown models and lines without a number are left out; of several lines for
    a model the first counts. Raises BadInput when a column is missing or no model is known.
    """
    if len(text) > LARGEST:
        raise BadInput(f"{file} has over {LARGEST:,} characters: give a CSV with one line a model.")
    score = (column.strip().casefold().replace("_", " "),) if column else _SCORE
    with csv_from_text(text, file) as rows:
        names = rows.fieldnames or ()
        columns = columns_by_name(names, {"model": _MODEL, "score": score})
        if len(columns) < 2:
            raise BadInput(
                f"{file} has the columns {', '.join(names) or '(none)'}: name them model and {column or 'score'}, or "
                "name the column of the score by --outside-column."
            )
        listed = [((row[columns["model"]] or "").strip(), _number(row[columns["score"]])) for row in rows]
    scores = {
        model: value
        for model in models
        for name, value in reversed(listed)
        if name and value is not None and same_model(model, name)
    }
    if not scores:
        raise BadInput(
            f"{file} knows none of the {len(models)} models of this run, such as {models[0] if models else '(none)'}: "
            "write their names as the run does."
        )
    return scores


def _number(cell: str | None) -> float | None:
    try:
        value = float((cell or "").strip().removesuffix("%").replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None
