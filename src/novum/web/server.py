"""Serve the workbench: check where it may be reached from, print its address, run the server."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from novum.errors import BadInput
from novum.settings import LoadedSettings
from novum.web.app import create_app
from novum.web.options import WebOptions
from novum.web.workbench import Workbench

_BACKLOG = 1024
_KEEP_ALIVE = 75
"""Seconds; longer than browsers and proxies keep a connection, so that none is closed while a request is on its way."""


def serve(options: WebOptions, settings: LoadedSettings, say: Callable[[str], None], *, certificate: str = "",
          key: str = "") -> None:  # fmt: skip
    """Serves until SIGINT or SIGTERM. `say` receives the address. Raises BadInput where the address is taken,
    and what the ledger or the library raise.

    Where others may reach the pages, an access token is required, and one is drawn where none is given.
    """
    home = settings.values.home
    if home.exists() and not os.access(home, os.W_OK):
        raise BadInput(
            f"The workbench keeps its jobs in {home}, which cannot be written. Name another one: NOVUM_HOME=…"
        )
    if options.needs_token and not options.token:
        options = replace(options, token=secrets.token_urlsafe(24))
    options = replace(options, tls=bool(certificate), warm=True)
    with _bound(options) as listener:
        lines = announcement(replace(options, port=listener.getsockname()[1]))
        app = create_app(options, settings)
        workbench: Workbench = app.state.workbench
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="on",
            timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=2,
            ssl_certfile=certificate or None, ssl_keyfile=key or None,
        )  # fmt: skip
        logging.getLogger("uvicorn.error").addFilter(lambda _: workbench.failure is None)  # it is raised below
        try:
            _Announced(config, lines, say).run(sockets=[listener])
        finally:
            if workbench.failure is not None:
                raise workbench.failure


class _Announced(uvicorn.Server):
    """Says its address when the first page can be answered, and not before."""

    def __init__(self, config: uvicorn.Config, lines: list[str], say: Callable[[str], None]) -> None:
        super().__init__(config)
        self._lines, self._say = lines, say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts serving."""
        await super().startup(sockets)
        for line in self._lines if self.started else ():
            self._say(line)


def announcement(options: WebOptions) -> list[str]:
    """What is printed when the server starts: its address, and a warning where others on the network could listen."""
    scheme = "https" if options.tls else "http"
    host = "localhost" if options.host in ("0.0.0.0", "::") else options.host  # noqa: S104  # only compared
    host = f"[{host}]" if ":" in host else host
    query = f"/?token={options.token}" if options.token else "/"
    lines = [f"Novum is at {scheme}://{host}:{options.port}{query}"]
    lines += [f"Under {name} its address ends in the same way: {query}" for name in options.names]
    if not options.local and not options.tls:
        lines.append(
            "Warning: without TLS, others on the network can read what you do and the token. Put a proxy with TLS in "
            "front, or give --certificate and --key."
        )
    return lines


def _bound(options: WebOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as error:
        listener.close()
        raise BadInput(
            f"{options.host}:{options.port} cannot be used: {error.strerror or error}. Name another port: novum serve "
            f"--port {options.port + 1}"
        ) from error
    listener.listen(_BACKLOG)
    return listener
