"""The nouns of Novum: immutable typed records, no I/O. Everything else is built from them."""

from novum.core.account import Account, Spend
from novum.core.chain import Chain, Direction, Entity, FutureDirection, Insight, Link, Linkage, Trend
from novum.core.cost import Cost
from novum.core.evidence import (
    Concept,
    Exploration,
    ExplorationReport,
    OpenProblem,
    Reply,
    Round,
    Sentence,
    Snippet,
)
from novum.core.experiment import Experiment
from novum.core.grounding import Ground, LookUp
from novum.core.idea import DETAILS, Citation, Idea
from novum.core.ideation import (
    Candidate,
    DraftComment,
    ExperimentDraft,
    Ideation,
    IdeationReport,
    StartedFrom,
    TopicLiterature,
    closest_paper,
)
from novum.core.match import Match, Outcome, Verdict
from novum.core.novelty import ClosestPaper, NoveltyCheck, PriorWork
from novum.core.paper import Identifiers, Paper
from novum.core.rating import Rating
from novum.core.record import Record, Value, content_id
from novum.core.review import Review
from novum.core.rubric import RubricMark, RubricSheet
from novum.core.score import Score
from novum.core.scorecard import Composite, PartScore, PredictedRating, Scorecard, Subject
from novum.core.seed_origin import CriticObjection, SeedOrigin
from novum.core.text import normal_title, shorten
from novum.core.topic import TOPIC_LIMIT, Topic

__all__ = [
    "DETAILS",
    "TOPIC_LIMIT",
    "Account",
    "Candidate",
    "Chain",
    "Citation",
    "ClosestPaper",
    "Composite",
    "Concept",
    "Cost",
    "CriticObjection",
    "Direction",
    "DraftComment",
    "Entity",
    "Experiment",
    "ExperimentDraft",
    "Exploration",
    "ExplorationReport",
    "FutureDirection",
    "Ground",
    "Idea",
    "Ideation",
    "IdeationReport",
    "Identifiers",
    "Insight",
    "Link",
    "Linkage",
    "LookUp",
    "Match",
    "NoveltyCheck",
    "OpenProblem",
    "Outcome",
    "Paper",
    "PartScore",
    "PredictedRating",
    "PriorWork",
    "Rating",
    "Record",
    "Reply",
    "Review",
    "Round",
    "RubricMark",
    "RubricSheet",
    "Score",
    "Scorecard",
    "SeedOrigin",
    "Sentence",
    "Snippet",
    "Spend",
    "StartedFrom",
    "Subject",
    "Topic",
    "TopicLiterature",
    "Trend",
    "Value",
    "Verdict",
    "closest_paper",
    "content_id",
    "normal_title",
    "shorten",
]
