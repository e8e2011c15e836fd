"""All parts by name, in the order in which they are told: those of the paper, then what other packages add."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from novum.idea_metrics.coherence import Coherence
from novum.idea_metrics.confidence import Confidence
from novum.idea_metrics.diversity import Diversity
from novum.idea_metrics.feasibility import Feasibility
from novum.idea_metrics.feedback import Feedback
from novum.idea_metrics.impact import Impact
from novum.idea_metrics.keyword_relevance import KeywordRelevance
from novum.idea_metrics.metric import IdeaMetric
from novum.idea_metrics.originality import Originality
from novum.idea_metrics.past_performance import PastPerformance
from novum.idea_metrics.readability import Readability

BUILT_IN: tuple[type[IdeaMetric], ...] = (
    Originality, Feasibility, Impact, Confidence, PastPerformance,
    KeywordRelevance, Readability, Coherence, Diversity, Feedback,
)  # fmt: skip
GROUP = "novum.idea_metrics"
"""Entry points of this group name classes like ours (`novum.idea_metrics.metric.Part`); their numbers stand beside the
paper's and count in no composite until `novum metrics tune` gives them a weight."""


@cache
def registered_metrics() -> Mapping[str, type[IdeaMetric]]:
    """By name. One of another package cannot take a name of ours."""
    own = {kind.name: kind for kind in BUILT_IN}
    announced = {kind.name: kind for kind in (each.load() for each in entry_points(group=GROUP))}
    return own | {name: kind for name, kind in announced.items() if name not in own}
