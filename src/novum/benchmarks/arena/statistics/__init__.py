"""Statistics of the arena alone."""
