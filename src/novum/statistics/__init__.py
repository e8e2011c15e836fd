"""Numbers from records: pure functions, no I/O, no model calls."""

from novum.statistics.retrieval import ndcg, recall, reciprocal_rank, reciprocal_rank_fusion
from novum.statistics.win_rate import seat_free_points, win_rates

__all__ = ["ndcg", "recall", "reciprocal_rank", "reciprocal_rank_fusion", "seat_free_points", "win_rates"]
