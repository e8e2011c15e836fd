"""One line for each change that a browser made: when, who, what, and with which result. No form content is written."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from pathlib import Path

from novum.credentials.redaction import redact
from novum.files.private import make_private_folder


class AuditLog:
    """Lines of JSON in a file that only its owner can read."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()
        make_private_folder(file.parent)

    def write(self, *, method: str, path: str, status: int, client: str, session: str) -> None:
        """Adds one line. The session is named by a hash: the log must not let its reader act as a browser."""
        name = hashlib.sha256(session.encode()).hexdigest()[:12] if session else ""
        line = {
            "at": round(time.time(), 3), "method": method, "path": path, "status": status, "client": client,
            "session": name,
        }  # fmt: skip
        with self._lock:
            handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                out.write(redact(json.dumps(line, ensure_ascii=False)) + "\n")
