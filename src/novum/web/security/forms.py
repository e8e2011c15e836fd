"""Protection of changes against forged requests: every form carries a token that belongs to the browser's session."""

from __future__ import annotations

from fastapi import HTTPException, Request

from novum.web.workbench import workbench_of

FIELD, HEADER = "form_token", "x-form-token"


async def require_form_token(request: Request) -> None:
    """A dependency of every route that changes something. Raises HTTPException 403 without the right token."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    given = request.headers.get(HEADER) or str((await request.form()).get(FIELD) or "")
    if not workbench_of(request).keys.is_form_token(request.state.session, given):
        raise HTTPException(403, "This page is out of date. Reload it and try again; nothing was changed.")
