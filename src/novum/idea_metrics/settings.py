"""How a model is to be fitted: what the paper fixes, and what it leaves open, with stated defaults."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from novum.core.record import Value

CitationWeights = Literal["log", "count", "equal"]
OriginalityForm = Literal["published", "corrected"]


class FitSettings(Value):
    """Sections 3.1, 3.2 and 5.9 of the paper where they say something."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "default"
    clusters: Annotated[int, Field(ge=1, le=100_000)] = 150
    """K of the originality's K-means, as published."""
    top_cited: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    """Most cited papers that feasibility compares with. The paper does not say."""
    citation_weights: CitationWeights = "log"
    """How their citations weigh. The paper does not say."""
    topics: Annotated[int, Field(ge=2, le=2000)] = 50
    """Of the topic model behind coherence. The paper does not say."""
    originality: OriginalityForm = "corrected"
    """Which way of originality the Creativity Index takes: as printed, or growing with the distance."""
    seed: int = 0


AS_PUBLISHED = FitSettings()
"""Where the paper says something, what it says."""
