"""What anybody could say of a text without having learnt anything: what a metric has to beat."""

from __future__ import annotations

import math

from novum.core import Subject
from novum.idea_metrics.readability import counted

LENGTH, READABILITY, TITLE_LENGTH = "length", "readability", "title length"


def length(subject: Subject) -> float:
    """Words of the text; NaN where there is none."""
    return float(len(subject.text.split())) or math.nan


def readability(subject: Subject) -> float:
    """Flesch reading ease of the text, higher is easier; NaN where it has none."""
    count = counted(subject.text)
    return math.nan if count is None else count.ease


def title_length(subject: Subject) -> float:
    """Words of the title."""
    return float(len(subject.title.split())) or math.nan


BASELINES = {LENGTH: length, READABILITY: readability, TITLE_LENGTH: title_length}
"""By name. The part `readability` of a model is the same number, and is told as a baseline."""
