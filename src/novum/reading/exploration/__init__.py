"""Exploring the literature with a question: search, read passages, search again where something is missing (XPLOR)."""

from novum.reading.exploration.answering import answer_from_evidence
from novum.reading.exploration.explore import ask, explore, explore_weakness
from novum.reading.exploration.live_search import LiveSearch, ReadingLab
from novum.reading.exploration.open_problems import with_prospects
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.passages import Passage, split_paper
from novum.reading.exploration.session import ExplorationSession

__all__ = [
    "ExplorationSession",
    "ExploreOptions",
    "LiveSearch",
    "Passage",
    "ReadingLab",
    "answer_from_evidence",
    "ask",
    "explore",
    "explore_weakness",
    "split_paper",
    "with_prospects",
]
