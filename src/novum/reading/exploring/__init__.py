"""Exploring the literature with a question: search, read passages, search again where something is missing (XPLOR)."""

from novum.reading.exploring.answering import answered
from novum.reading.exploring.explore import ask, explore, explore_weakness
from novum.reading.exploring.live import Desk, LiveSearch
from novum.reading.exploring.options import ExploreOptions
from novum.reading.exploring.passages import Passage, cut
from novum.reading.exploring.prospects import with_prospects
from novum.reading.exploring.session import Session

__all__ = [
    "Desk",
    "ExploreOptions",
    "LiveSearch",
    "Passage",
    "Session",
    "answered",
    "ask",
    "cut",
    "explore",
    "explore_weakness",
    "with_prospects",
]
