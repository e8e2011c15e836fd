"""Reports for people: HTML, Markdown, BibTeX and a notebook card, rendered from records alone."""
