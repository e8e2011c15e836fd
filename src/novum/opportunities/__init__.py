"""What a literature has not joined yet: its concepts over time, and which pairs of them papers will join next. No model
of language is asked.

`building.build` makes what is kept of a library, `concept_map.ConceptMap` opens it, `evaluation` holds forecasts of
past years against what came.
"""
