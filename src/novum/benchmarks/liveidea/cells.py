"""Cells of a table as values. The input is not trusted; a cell that cannot be used raises ValueError."""

from __future__ import annotations

import json
import math
from typing import Any

from novum.benchmarks.liveidea.records import IDEA_DIMENSIONS, JudgementRecord
from novum.files.tables import Row

LONGEST_NAME = 500
"""Characters of a model's name or a keyword."""
MOST_IDEAS = 10_000
"""Limit for one model and keyword; a larger number is an error in the table."""
_BEYOND = "not on the scale"
_EMPTY = "not given"


def name_in(row: Row, *columns: str) -> str:
    """The text of the first of these columns that is not empty."""
    found = next((text for column in columns if (text := text_in(row, column).strip())), "")
    if not found:
        raise ValueError(f"no {columns[0]}")
    if len(found) > LONGEST_NAME:
        raise ValueError(f"{columns[0]} has {len(found):,} characters")
    return found


def text_in(row: Row, column: str) -> str:
    """The text of a cell; empty when there is none."""
    value = row.get(column)
    return "" if value is None else value if isinstance(value, str) else str(value)


def whole_in(row: Row, column: str) -> int:
    """A whole number from 0; 0 for an empty cell."""
    value: Any = row.get(column)
    if value in (None, ""):
        return 0
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (0 <= number < 1e15 and number.is_integer()):
        raise ValueError(f"{column} is no whole number ({str(value)[:40]!r})")
    return int(number)


def flag_in(row: Row, column: str) -> bool:
    """Whether the cell says true, 1 or yes."""
    return str(row.get(column)).strip().lower() in {"true", "1", "1.0", "yes"}


def score_of(value: object, *, released: bool) -> float | None:
    """A score from 0 (as in the published layout) to 10, or any number for a run `released`; None for anything else."""
    if value is None or isinstance(value, bool):
        return None
    try:
        score = float(str(value))
    except ValueError:
        return None
    return score if (released and math.isfinite(score)) or 0 <= score <= 10 else None


def critique_in(row: Row, model: str, keyword: str, number: int, *, released: bool) -> JudgementRecord | None:
    """One judge's scores of one idea; None for a row without a judge."""
    judge, missing = text_in(row, "critic_model")[:LONGEST_NAME], _reasons(row)
    if not judge and not missing:
        return None
    scores = {name: score_of(row.get(name), released=released) for name in IDEA_DIMENSIONS}
    for name in [each for each, score in scores.items() if score is None]:
        missing.setdefault(name, _EMPTY if row.get(name) in (None, "") else _BEYOND)
    return JudgementRecord(
        model=model,
        keyword=keyword,
        ideas=(number,),
        number=number,
        judge=judge,
        scores=scores,
        missing={name: why for name, why in missing.items() if scores.get(name, 0) is None},
        analysis=text_in(row, "critique_analysis"),
        raw=text_in(row, "raw_critique"),
        reasoning=text_in(row, "critique_reasoning"),
        calls=whole_in(row, "critic_calls"),
        prompt_tokens=whole_in(row, "critic_prompt_tokens"),
        completion_tokens=whole_in(row, "critic_completion_tokens"),
    )


def _reasons(row: Row) -> dict[str, str]:
    try:
        reasons = json.loads(text_in(row, "missing") or "{}")
    except (ValueError, RecursionError):
        return {}
    known = reasons.items() if isinstance(reasons, dict) else ()
    return {name: str(why)[:LONGEST_NAME] for name, why in known if name in IDEA_DIMENSIONS}
