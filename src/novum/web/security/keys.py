"""The secret of a workbench, and what is derived from it: tokens against forged requests, and the access cookie."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from novum.files.inputs import read_plain
from novum.files.private import make_private_folder

SESSION = "novum_session"
ACCESS = "novum_access"
"""Names of the two cookies."""
_BYTES = 32


class Keys:
    """Signs with one secret. The secret outlives the process, so that open pages work after a restart."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def stored_in(cls, folder: Path) -> Keys:
        """The secret in a folder that only its owner can read; it is drawn at first."""
        make_private_folder(folder)
        file = folder / "secret"
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls(read_plain(file))
        with os.fdopen(handle, "wb") as out:
            secret = secrets.token_bytes(_BYTES)
            out.write(secret)
        return cls(secret)

    def form_token(self, session: str) -> str:
        """What every form of a browser session must carry."""
        return self._sign("form", session)

    def is_form_token(self, session: str, token: str) -> bool:
        """Whether a form was made for this session; in constant time."""
        return bool(session) and hmac.compare_digest(self.form_token(session).encode(), token.encode())

    def access_cookie(self, token: str) -> str:
        """The cookie of a browser that knows the access token."""
        return self._sign("access", token)

    def may_enter(self, token: str, cookie: str) -> bool:
        """Whether a cookie was given for this token; in constant time."""
        return hmac.compare_digest(self.access_cookie(token).encode(), cookie.encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.new(self._secret, f"{purpose} {text}".encode(), hashlib.sha256).hexdigest()


def new_session() -> str:
    """An unguessable name of a browser session."""
    return secrets.token_urlsafe(24)
