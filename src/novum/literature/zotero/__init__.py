"""Zotero: a user's or group's library, read by the web API (version 3) or from the program on the same computer.

Not a source in the sense of `novum.literature.sources`: it is not searched for a topic but read as it is, only what
changed since the last time, and responses belong to one person. So it is neither cached nor searched by runs.
"""
