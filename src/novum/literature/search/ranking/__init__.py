"""Orders of papers beyond likeness to a question: variety, citations, what a field turns to and from."""
