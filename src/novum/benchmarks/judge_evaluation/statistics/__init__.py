"""Statistics of the reviewer evaluation alone."""
