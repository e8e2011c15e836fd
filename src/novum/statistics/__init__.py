"""Statistics that several parts of Novum use: pure functions of arrays and records, no I/O, no model calls."""
