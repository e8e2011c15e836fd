"""The report on scored ideas as a record with every number of its page."""

from __future__ import annotations

from novum.core.record import Value
from novum.core.scorecard import RATING, Scorecard
from novum.idea_metrics.dissimilarity import Novelty
from novum.idea_metrics.reference_pair_counts import Atypicality
from novum.statistics.records import Estimate

WHOLES = (RATING, "creativity", "satisfaction", "combined")
"""The overall scores in the table of the report. Only the predicted rating agrees with reviewers, so it comes first."""


class MeasureInfo(Value):
    """The fitted model that scored the ideas."""

    name: str
    made: str
    """ISO 8601."""
    papers: int
    """Number of training papers."""
    years: tuple[int, int] | None
    """First and last year of the training papers; None where no year is known."""
    embedder: str
    originality: str
    """Form of originality in the Creativity Index: published or corrected."""


class ScoredIdea(Value):
    """One idea with all its scores."""

    card: Scorecard
    novelty: Novelty | None = None
    """Novelty against the literature; None where it was not requested."""
    atypicality: Atypicality | None = None
    """Atypicality of its references; None where it was not requested."""


class ScoringReport(Value):
    """All ideas in the order of the report, with means over ideas."""

    measure: MeasureInfo
    ideas: tuple[ScoredIdea, ...]
    means: dict[str, Estimate]
    """Means of composites and of scaled parts over the ideas with a known value; with several ideas a 95 % interval."""
    sorted_by: str = ""
    left_out: tuple[str, ...] = ()
    """Rows that could not be read as an idea, with the reason."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of all parts, in the order of the first card."""
        return tuple(dict.fromkeys(name for each in self.ideas for name in each.card.parts))

    @property
    def known(self) -> tuple[str, ...]:
        """Names of the parts that are known of at least one idea."""
        return tuple(name for name in self.parts if self.means[name].value is not None)
