"""Settings of a fit: those that the paper states, and defaults for those that it does not."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.core.record import Value

CitationWeights = Literal["log", "count", "equal"]
OriginalityForm = Literal["published", "corrected"]


class FitSettings(Value):
    """Settings of a fit, by sections 3.1, 3.2 and 5.9 of the paper where they state them."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    clusters: Annotated[int, Field(ge=1, le=100_000)] = 150
    """Number of clusters of originality, as published."""
    top_cited: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    """Number of most cited papers of feasibility. Not stated in the paper."""
    citation_weights: CitationWeights = "log"
    """Weights of these papers by their citations. Not stated in the paper."""
    topics: Annotated[int, Field(ge=2, le=2000)] = 50
    """Number of topics of the topic model of coherence. Not stated in the paper."""
    originality: OriginalityForm = "corrected"
    """Form of originality in the Creativity Index: as printed, or growing with the distance."""
    seed: int = 0


AS_PUBLISHED = FitSettings()
"""The default settings."""
