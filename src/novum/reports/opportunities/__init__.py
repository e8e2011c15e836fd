"""Openings as people see them: a page with the map of concepts, data, BibTeX, and the head of an ideation report."""
