"""Indexes derived from the rows: they follow the rows, can be thrown away, and are rebuilt when needed."""
