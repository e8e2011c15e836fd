"""The records of one run, under one name: they live in `core`, so that reports can render them, and the columns that
numbers are computed from in `metrics`.
"""

from novum.benchmarks.liveidea.records import (
    FLUENCY,
    IDEA_DIMENSIONS,
    Anchor,
    AnchorSet,
    Effort,
    Fate,
    IdeaRecord,
    JudgeAssignment,
    JudgementRecord,
    Keyword,
    LiveIdeaProtocol,
    LiveIdeaRun,
    LostJudge,
    NoSeat,
)
from novum.benchmarks.liveidea.statistics.columns import NOBODY, judgements_of, words_of_rows

__all__ = [
    "FLUENCY",
    "IDEA_DIMENSIONS",
    "NOBODY",
    "Anchor",
    "AnchorSet",
    "Effort",
    "Fate",
    "IdeaRecord",
    "JudgeAssignment",
    "JudgementRecord",
    "Keyword",
    "LiveIdeaProtocol",
    "LiveIdeaRun",
    "LostJudge",
    "NoSeat",
    "judgements_of",
    "words_of_rows",
]
