"""The report of an ideation run as Markdown."""
