"""What models answer in LiveIdeaBench, read: an idea, three scores, or a letter. Pure functions, bounded time.

Nothing is guessed: what cannot be read for certain has a reason, and says whether asking again may help.
"""

from novum.benchmarks.liveidea.answers.grade import GRADES, read_grade
from novum.benchmarks.liveidea.answers.idea import (
    PAPER_LENGTHS,
    RELEASED_LENGTHS,
    AnswerFate,
    IdeaAnswer,
    LengthLimits,
    read_idea,
)
from novum.benchmarks.liveidea.answers.outcome import LONGEST, MissingReason, ParsedValue, ReadStatus
from novum.benchmarks.liveidea.answers.scores import ScoreAnswer, read_scores
from novum.benchmarks.liveidea.answers.text import count_words, refuses, refuses_as_released

__all__ = [
    "GRADES",
    "LONGEST",
    "PAPER_LENGTHS",
    "RELEASED_LENGTHS",
    "AnswerFate",
    "IdeaAnswer",
    "LengthLimits",
    "MissingReason",
    "ParsedValue",
    "ReadStatus",
    "ScoreAnswer",
    "count_words",
    "read_grade",
    "read_idea",
    "read_scores",
    "refuses",
    "refuses_as_released",
]
