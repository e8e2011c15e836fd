"""What models make of papers: perspectives, relevance, insights, chains, trends."""

from novum.reading.anchors import rank_anchors
from novum.reading.bibliography import Bibliography, Labelled, OutOfSight
from novum.reading.chains import ChainBuilder, ChainLimits
from novum.reading.guide import Guide, LibraryGuide, Perspective, ReaderGuide, perspectives
from novum.reading.insight import read_paper
from novum.reading.relevance import RelevanceQuery, Relevant, relevant
from novum.reading.reservations import PaperReservations
from novum.reading.trends import labelled_insights, trends

__all__ = [
    "Bibliography",
    "ChainBuilder",
    "ChainLimits",
    "Guide",
    "Labelled",
    "LibraryGuide",
    "OutOfSight",
    "PaperReservations",
    "Perspective",
    "ReaderGuide",
    "RelevanceQuery",
    "Relevant",
    "labelled_insights",
    "perspectives",
    "rank_anchors",
    "read_paper",
    "relevant",
    "trends",
]
