"""Files that appear whole under their names or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path


def write_whole(contents: Mapping[Path, str | bytes]) -> None:
    """All to temporary names first, so that a disk filling up halfway leaves an older report as it was.

    Text is written as UTF-8, half surrogate pairs as question marks. Raises OSError when something cannot be written;
    the folders must be there.
    """
    temporary = {path.with_name(f".{path.name}.{secrets.token_hex(4)}"): path for path in contents}
    try:
        for there, path in temporary.items():
            _write(there, contents[path])
        for there, path in temporary.items():
            there.replace(path)
    finally:
        for there in temporary:
            there.unlink(missing_ok=True)


def _write(path: Path, content: str | bytes) -> None:
    with path.open("wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        file.flush()
        os.fsync(file.fileno())
