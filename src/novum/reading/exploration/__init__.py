"""Exploring the literature with a question: search, read passages, search again where something is missing (XPLOR)."""

from novum.reading.exploration.answering import answered
from novum.reading.exploration.explore import ask, explore, explore_weakness
from novum.reading.exploration.live_search import Desk, LiveSearch
from novum.reading.exploration.open_problems import with_prospects
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.passages import Passage, cut
from novum.reading.exploration.session import Session

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
