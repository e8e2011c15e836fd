"""Another benchmark's scores, read from CSV, for the models of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from novum.benchmarks.liveidea.panel import same_model
from novum.errors import BadInput
from novum.files.tables import csv_from_text

LARGEST = 5_000_000
"""Characters; a leaderboard has some hundred lines."""
_MODEL = ("model", "name", "model name")
_SCORE = ("score", "average", "global average", "rating", "elo")


def read_benchmark_scores(text: str, file: str, models: Sequence[str], column: str = "") -> dict[str, float]:
    """Scores by the names of `models`, of a CSV with a column for the model and one for its score.

    `column` names the score's where it is not score, average or rating. A model may be written with or without its
    provider and organisation. Models that the file does not know, and lines without a number, are left out; of several
    lines for one model the first counts. Raises BadInput where the columns are missing or no model is known.
    """
    if len(text) > LARGEST:
        raise BadInput(f"{file} has over {LARGEST:,} characters: give a CSV with one line a model.")
    with csv_from_text(text, file) as rows:
        model, score = _columns(rows.fieldnames or (), file, column)
        theirs = [(name.strip(), value) for row in rows if (name := row.get(model)) and (value := _number(row, score))]
    scores = {ours: value for ours in models for name, value in reversed(theirs) if same_model(ours, name)}
    if not scores:
        raise BadInput(
            f"{file} knows none of the {len(models)} models of this run, such as {models[0] if models else '(none)'}: "
            "write their names as the run does."
        )
    return {name: float(value) for name, value in scores.items()}


def _columns(names: Sequence[str], file: str, wanted: str) -> tuple[str, str]:
    known = {name.strip().casefold().replace("_", " "): name for name in reversed(names)}
    model = next((known[each] for each in _MODEL if each in known), None)
    scores = (wanted.strip().casefold().replace("_", " "),) if wanted else _SCORE
    score = next((known[each] for each in scores if each in known), None)
    if model is None or score is None:
        raise BadInput(
            f"{file} has the columns {', '.join(names) or '(none)'}: name them model and "
            f"{wanted or 'score'}, or name the column of the score by --outside-column."
        )
    return model, score


def _number(row: Mapping[str, str | None], column: str) -> str:
    """The cell where it holds a number, else nothing."""
    cell = (row.get(column) or "").strip().removesuffix("%").replace(",", ".")
    try:
        return cell if math.isfinite(float(cell)) else ""
    except ValueError:
        return ""
