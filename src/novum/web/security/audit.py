"""One line for each change that a browser made: when, who, what, and with which result. No form content is written."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

from novum.credentials.redaction import redact
from novum.errors import BadInput
from novum.files.private import make_private_folder


class AuditLog:
    """Lines of JSON in a file that only its owner can read. Raises BadInput where it is a link or no file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()
        make_private_folder(file.parent)
        try:
            os.close(self._opened())
        except OSError as error:
            raise BadInput(
                f"{file} cannot be written: {error.strerror}. It must be a file and no link: move it away."
            ) from error

    def write(self, *, method: str, path: str, status: int, client: str, session: str) -> None:
        """Adds one line. The session is named by a hash: the log must not let its reader act as a browser."""
        name = hashlib.sha256(session.encode()).hexdigest()[:12] if session else ""
        line = {
            "at": round(time.time(), 3), "method": method, "path": path, "status": status, "client": client,
            "session": name,
        }  # fmt: skip
        # Where it cannot be written any more, the change is made already.
        with self._lock, suppress(OSError), os.fdopen(self._opened(), "w", encoding="utf-8") as out:
            out.write(redact(json.dumps(line, ensure_ascii=False)) + "\n")

    def _opened(self) -> int:
        """Neither follows a link nor waits for the reader of a pipe."""
        guards = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        return os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | guards, 0o600)
