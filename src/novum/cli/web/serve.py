"""`novum serve`: serves the workbench."""

from __future__ import annotations

import ssl
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_line
from novum.errors import BadInput
from novum.extras import need
from novum.settings import load_settings
from novum.web.options import WebOptions


@examples(
    "novum serve",
    "novum serve --port 9000",
    "novum serve --host 0.0.0.0 --name lab.example.org --certificate cert.pem --key key.pem",
)
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on. What others can reach needs the access token.")]
    = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="Port; 0: any free one.")] = 8765,
    token: Annotated[
        str, typer.Option(help="Access token of your own, at least 16 characters.", envvar="NOVUM_WEB_TOKEN")
    ] = "",
    name: Annotated[
        list[str] | None, typer.Option(help="Further host name, as of a proxy; needs the access token; repeatable.")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="TLS certificate, PEM.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="Private key of the certificate, PEM.")] = None,
) -> None:  # fmt: skip
    """Serve the workbench: ideas, library, leaderboards and studies in the browser.

    Ctrl-C ends it. Runs that were started in it go on, and are shown again when it is back.
    """
    need("web", "fastapi", "uvicorn", "sse_starlette", "python_multipart", what="The workbench")
    if token and len(token) < 16:
        raise BadInput("--token is too short to be safe: give at least 16 characters, or leave it out.")
    if (certificate is None) != (key is None):
        raise BadInput("--certificate and --key go together: name both files.")
    for file in (certificate, key):
        if file is not None and not file.is_file():
            raise BadInput(f"There is no file {file}.")
    if certificate is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
        except OSError as error:
            why = getattr(error, "reason", None) or error.strerror
            raise BadInput(f"{certificate} and {key} are no certificate and key in PEM ({why}).") from error
    options = WebOptions(host=host, port=port, token=token, names=tuple(name or ()))
    server = import_module("novum.web.server")  # its packages may be missing, which was found out above
    server.serve(options, load_settings(), print_line, certificate=str(certificate or ""), key=str(key or ""))
