"""Numbers from records: pure functions, no I/O, no model calls."""

from novum.metrics.win_rate import seat_free_points, win_rates

__all__ = ["seat_free_points", "win_rates"]
