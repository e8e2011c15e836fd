"""Ideas that a user names: by a run, its report, a table, a text file, or a text."""

from novum.runs.idea_sources.reading import IdeaReader, pool_of
from novum.runs.idea_sources.rows import SourcedIdea, idea_of_row, idea_of_text
from novum.runs.idea_sources.stored import ideation_of

__all__ = ["IdeaReader", "SourcedIdea", "idea_of_row", "idea_of_text", "ideation_of", "pool_of"]
