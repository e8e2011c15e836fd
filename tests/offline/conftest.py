"""A tiny made-up model, and the places from which it can be had."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from novum.llm.offline import Installable
from novum.llm.offline.sources import Source

WEIGHTS = b"GGUF" + bytes(range(256)) * 1024

Offer = Callable[..., dict[str, Installable]]


class WebShelf:
    """A real HTTP server with one file, which can be told to misbehave. `asked` keeps the Range of every request."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[str | None] = []
        self.status = 200
        self.cut_after: list[int] = []
        """For each of the next requests, the number of bytes after which the connection breaks."""
        self.knows_ranges = True
        shelf = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                shelf.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/model.gguf"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked = request.headers.get("Range")
        self.asked.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.knows_ranges else 0
        body = self.data[start:]
        request.send_response(206 if start else self.status)
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(self.data) - 1}/{len(self.data)}")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: self.cut_after.pop(0)] if self.cut_after else body)
        request.close_connection = True


@pytest.fixture
def shelf() -> Iterator[WebShelf]:
    shelf = WebShelf(WEIGHTS)
    thread = threading.Thread(target=shelf.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield shelf
    shelf.server.shutdown()
    shelf.server.server_close()
    thread.join()


@pytest.fixture
def offer() -> Offer:
    """A catalogue whose only model, `tiny`, is to be had from the given sources."""

    def catalogue(*sources: Source, sha256: str | None = None) -> dict[str, Installable]:
        tiny = Installable(
            name="tiny",
            title="A tiny model",
            file_name="tiny.gguf",
            sha256=sha256 or hashlib.sha256(WEIGHTS).hexdigest(),
            size_bytes=len(WEIGHTS),
            licence="Apache-2.0",
            origin="made for tests",
            context=64,
            sources=sources,
        )
        return {"tiny": tiny}

    return catalogue


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"
