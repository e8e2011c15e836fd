"""Papers from files: one file per format, each a pure reader from lines to entries and rejects."""

from novum.literature.importing.files import import_file, read_file

__all__ = ["import_file", "read_file"]
