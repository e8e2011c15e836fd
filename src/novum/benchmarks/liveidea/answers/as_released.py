"""Answers read as the released code reads them, for comparison: no range, bold not understood, first letter taken."""

from __future__ import annotations

import json
import re

from novum.benchmarks.liveidea.answers.grade import GRADES
from novum.benchmarks.liveidea.answers.scores import SCORED

_JSON_PLACES = (
    re.compile(r"```json(.*?)```", re.DOTALL),
    re.compile(r"```(.*?)```", re.DOTALL),
    re.compile(r"(\{[^{}]*\})"),
)
_NOT_LETTERS = re.compile(r"[^A-Za-z]")


def scores_as_released(text: str) -> dict[str, object] | None:
    """Whatever stands for each dimension, 11 and "N/A" included; None where the released code would ask again."""
    for place in _JSON_PLACES:
        found = place.search(text)
        scores = _loaded(found[1]) if found else None
        if scores is not None:
            return scores
    plain = {name: re.search(rf'"?{name}"?:\s*(\d+)', text, re.IGNORECASE) for name in SCORED}
    return None if None in plain.values() else {name: int(found[1][:18]) for name, found in plain.items() if found}


def grade_as_released(text: str) -> float | None:
    """The first letter of all: «Answer: B» is an A. None where that is no grade."""
    letters = _NOT_LETTERS.sub("", text).upper()
    return GRADES.get(letters[:1])


def _loaded(text: str) -> dict[str, object] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {name: data[name] for name in SCORED} if isinstance(data, dict) and set(SCORED) <= data.keys() else None
