"""Predicts how reviewers would rate a title and abstract, relative to the submissions of its venue and year.

A linear model of the words and the style of reviewed papers (the scores of the DBLP study do not agree with reviewers;
see `docs/metric-validity.md`). It says how wrong it may be, and gives no score to a text unlike those of its fit.
"""

from novum.idea_metrics.review_rating.model import ASPECTS, RatingModel, ReviewedText
from novum.idea_metrics.review_rating.storage import (
    default_rating_model,
    load_rating_model,
    rating_model,
    save_rating_model,
)
from novum.idea_metrics.review_rating.training import fit_rating_model

__all__ = [
    "ASPECTS",
    "RatingModel",
    "ReviewedText",
    "default_rating_model",
    "fit_rating_model",
    "load_rating_model",
    "rating_model",
    "save_rating_model",
]
