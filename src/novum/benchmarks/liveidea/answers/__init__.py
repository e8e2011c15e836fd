"""What models answer in LiveIdeaBench, read: an idea, three scores, or a letter. Pure functions, bounded time.

Nothing is guessed: what cannot be read for certain has a reason, and says whether asking again may help.
"""

from novum.benchmarks.liveidea.answers.grade import GRADES, read_grade
from novum.benchmarks.liveidea.answers.idea import PAPER_LENGTHS, RELEASED_LENGTHS, Fate, IdeaAnswer, Lengths, read_idea
from novum.benchmarks.liveidea.answers.outcome import LONGEST, Outcome, Reading, Why
from novum.benchmarks.liveidea.answers.refusal import refuses, refuses_as_released
from novum.benchmarks.liveidea.answers.scores import ScoreAnswer, read_scores
from novum.benchmarks.liveidea.answers.word_count import count_words

__all__ = [
    "GRADES",
    "LONGEST",
    "PAPER_LENGTHS",
    "RELEASED_LENGTHS",
    "Fate",
    "IdeaAnswer",
    "Lengths",
    "Outcome",
    "Reading",
    "ScoreAnswer",
    "Why",
    "count_words",
    "read_grade",
    "read_idea",
    "read_scores",
    "refuses",
    "refuses_as_released",
]
