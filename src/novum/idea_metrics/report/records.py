"""The report on scored ideas as a record: every number that its page shows."""

from __future__ import annotations

from novum.core.record import Value
from novum.core.scorecard import Scorecard
from novum.idea_metrics.dissimilarity import Novelty
from novum.idea_metrics.reference_pair_counts import Atypicality
from novum.statistics.records import Estimate

WHOLES = ("creativity", "satisfaction", "combined")
"""What parts are weighed together to."""


class MeasureInfo(Value):
    """What the ideas were measured by."""

    name: str
    made: str
    """ISO 8601."""
    papers: int
    """That it learnt from."""
    years: tuple[int, int] | None
    """The first and the last of them; None where no year is known."""
    embedder: str
    originality: str
    """Which way the Creativity Index has it: published or corrected."""


class ScoredIdea(Value):
    """One idea with all that is said of it."""

    card: Scorecard
    novelty: Novelty | None = None
    """Against the literature; None where that was not asked for."""
    atypicality: Atypicality | None = None
    """Of the papers that it builds on; None likewise."""


class ScoringReport(Value):
    """All ideas in the order in which they are shown."""

    measure: MeasureInfo
    ideas: tuple[ScoredIdea, ...]
    means: dict[str, Estimate]
    """Of the wholes and, scaled, of the parts, over the ideas of which they are known; with several ideas a 95%
    interval over ideas."""
    sorted_by: str = ""
    left_out: tuple[str, ...] = ()
    """What could not be read as an idea, and why."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of all parts, in the order of the first card."""
        return tuple(dict.fromkeys(name for each in self.ideas for name in each.card.parts))

    @property
    def known(self) -> tuple[str, ...]:
        """Those that can be said of some idea; there is nothing to list of the others."""
        return tuple(name for name in self.parts if self.means[name].value is not None)
