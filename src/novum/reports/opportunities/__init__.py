"""Reports of opportunities: a page with a map of concepts, data, BibTeX, and a summary for other reports."""
