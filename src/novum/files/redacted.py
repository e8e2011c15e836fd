"""The last check of what is written: text files lose the keys and passwords of this process."""

from __future__ import annotations

from pathlib import Path

from novum.credentials.redaction import redact, redact_bytes

_TEXT = frozenset({
    ".bib", ".csv", ".html", ".json", ".jsonl", ".log", ".md", ".ndjson", ".svg", ".tex", ".toml", ".tsv", ".txt",
})  # fmt: skip
"""Endings of text files. The others are arrays, pictures and databases, which a replacement would break."""


def is_text(path: Path) -> bool:
    """Whether a file of this name holds text."""
    return path.suffix.lower() in _TEXT


def redacted(content: str | bytes, path: Path) -> str | bytes:
    """The content of a file that is about to be written to `path`."""
    if isinstance(content, str):
        return redact(content)
    return redact_bytes(content) if is_text(path) else content


def redact_file(path: Path) -> None:
    """Takes known secrets out of a text file, which is read line by line. Raises OSError."""
    with path.open("rb") as lines:
        clean = all(redact_bytes(line) is line for line in lines)
    if not clean:
        draft = path.with_name(f"{path.name}.redacted")
        with path.open("rb") as lines, draft.open("xb") as file:
            file.writelines(map(redact_bytes, lines))
        draft.replace(path)


def redact_folder(folder: Path) -> None:
    """Does so for every text file of a folder that was just written. Raises OSError."""
    for path in folder.rglob("*"):
        if is_text(path) and path.is_file() and not path.is_symlink():
            redact_file(path)
