"""All parts by name, in the order in which they are told: those of the paper, then what other packages add."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from novum.scoring.coherence import Coherence
from novum.scoring.confidence import Confidence
from novum.scoring.diversity import Diversity
from novum.scoring.feasibility import Feasibility
from novum.scoring.feedback import Feedback
from novum.scoring.impact import Impact
from novum.scoring.keyword_relevance import KeywordRelevance
from novum.scoring.originality import Originality
from novum.scoring.part import Part
from novum.scoring.past_performance import PastPerformance
from novum.scoring.readability import Readability

OWN: tuple[type[Part], ...] = (
    Originality, Feasibility, Impact, Confidence, PastPerformance,
    KeywordRelevance, Readability, Coherence, Diversity, Feedback,
)  # fmt: skip
GROUP = "novum.scoring"
"""Entry points of this group name classes like ours (`novum.scoring.part.Part`); their numbers stand beside the
paper's and count in no composite until `novum metrics tune` gives them a weight."""


@cache
def known_parts() -> Mapping[str, type[Part]]:
    """By name. One of another package cannot take a name of ours."""
    own = {kind.name: kind for kind in OWN}
    announced = {kind.name: kind for kind in (each.load() for each in entry_points(group=GROUP))}
    return own | {name: kind for name, kind in announced.items() if name not in own}
