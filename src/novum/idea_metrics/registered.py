"""All metrics by name, in the order in which they are reported: built-in ones, then those of other packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

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
from novum.registry import announced_by_packages

BUILT_IN: tuple[type[IdeaMetric], ...] = (
    Originality, Feasibility, Impact, Confidence, PastPerformance,
    KeywordRelevance, Readability, Coherence, Diversity, Feedback,
)  # fmt: skip
GROUP = "novum.idea_metrics"
"""Entry points of this group name classes of the form of `novum.idea_metrics.metric.IdeaMetric`. Their numbers are
reported too, and count in no composite until `novum metrics tune` gives them a weight."""


@cache
def registered_metrics() -> Mapping[str, type[IdeaMetric]]:
    """Metrics by name. Another package cannot replace a built-in metric."""
    own = {kind.name: kind for kind in BUILT_IN}
    found = announced_by_packages(GROUP, accepts=lambda kind: isinstance(getattr(kind, "name", None), str))
    announced = {kind.name: kind for kind in found.things.values()}
    return own | {name: kind for name, kind in announced.items() if name not in own}
