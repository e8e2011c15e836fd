"""The report of an ideation run: HTML page, notebook card and Markdown."""
