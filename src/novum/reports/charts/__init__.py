"""Charts as every report of the house draws them: how they look, what one is, and how it becomes a file."""
