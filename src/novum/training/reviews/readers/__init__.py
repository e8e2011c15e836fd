"""One reader for each layout of review data: pure functions from a parsed record to raw papers.

A reader takes a record and its place, and yields raw papers; it raises `UnusableRecord` with the reason if there are
none. `layouts` selects the reader of a record; `reading` opens files and folders.
"""
