"""Charts of all reports: their style, the record of a chart, and drawing them to files."""
