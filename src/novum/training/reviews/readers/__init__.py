"""One reader for each layout that reviews are handed on in: pure functions from a parsed record to raw papers.

A reader takes the record and where it stands, and gives raw papers; it raises `Unusable` saying why there are none.
`layouts` knows which reader understands a record; `reading` opens files and folders.
"""
