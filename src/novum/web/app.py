"""The application of the workbench: `create_app(WebOptions())` is all that a server needs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException

from novum.core.version import installed_version
from novum.errors import BadInput, BudgetSpent, LedgerError, LibraryError, NovumError, SourceError
from novum.settings import LoadedSettings
from novum.web.options import WebOptions
from novum.web.rendering import fragment, page, static_files
from novum.web.routes import boards, library, runs, start, steering, studies
from novum.web.routes.progress import render_progress
from novum.web.security.forms import require_form_token
from novum.web.security.guard import Guard
from novum.web.workbench import NotFound, Workbench

_UNAVAILABLE = (LedgerError, LibraryError, SourceError)
ROUTERS = (start.router, runs.router, library.router, studies.router, steering.router, boards.router)


def create_app(options: WebOptions, settings: LoadedSettings | None = None) -> FastAPI:
    """The application. Ledger and library are opened when it starts. Raises NovumError for settings that cannot be
    used."""
    workbench = Workbench(options, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await workbench.open(render_progress)
        except NovumError as error:
            workbench.failure = error
            raise
        try:
            yield
        finally:
            await workbench.close()

    app = FastAPI(
        title="Novum workbench", version=installed_version(), lifespan=lifespan, docs_url=None, redoc_url=None,
        dependencies=[Depends(require_form_token)], default_response_class=HTMLResponse,
    )  # fmt: skip
    app.state.workbench = workbench
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/static/{name:path}", static_file, include_in_schema=False)
    app.add_exception_handler(NovumError, _problem)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_middleware(Guard, options=options, keys=workbench.keys, audit=workbench.audit)
    return app


async def static_file(name: str) -> Response:
    """A style sheet, script or picture of the package. Its address changes with its content."""
    if name not in static_files():
        raise HTTPException(404, "There is no such file.")
    content, kind = static_files()[name]
    return Response(content, media_type=kind, headers={"Cache-Control": "public, max-age=31536000, immutable"})


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, NovumError)
    text = " ".join([str(error), *getattr(error, "__notes__", ())])
    if request.url.path.startswith("/take/") and not isinstance(error, BadInput | NotFound):
        text = "The study cannot be shown just now. Your link stays valid: try again later."
    return _answer(request, text, _status_of(error))


def _status_of(error: NovumError) -> int:
    if isinstance(error, NotFound):
        return 404
    return 409 if isinstance(error, BudgetSpent) else 424 if isinstance(error, _UNAVAILABLE) else 400


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = "There is no such page." if error.status_code == 404 and error.detail == "Not Found" else str(error.detail)
    return _answer(request, text, error.status_code)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field = str(first["loc"][-1]) if first["loc"] else "form"
    return _answer(request, f"The field {field!r} cannot be used: {first['msg']}.", 422)


def _answer(request: Request, text: str, status: int) -> Response:
    """A problem as a page, or as a part of a page where a part was asked for."""
    if request.headers.get("hx-request"):
        return HTMLResponse(str(fragment("notices.html.j2", "notice", text)), status)
    return page(request, "problem.html.j2", status, text=text, code=status)
