"""A web service that answers as it is told, over real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Said:
    """What the service answers. `cut`: so many bytes fewer than it announces."""

    body: bytes = b"{}"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0
    first: Callable[[], object] | None = None
    """Done before it is said."""


@dataclass(frozen=True)
class Asked:
    """What the service was asked."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


def said(value: object, **more: object) -> Said:
    """JSON as an answer."""
    return Said(json.dumps(value).encode(), **more)  # type: ignore[arg-type]


class Service:
    """`on("/works", said({…}), page="2")`: what to answer there; the last answer is repeated."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._scripts: list[tuple[str, dict[str, str], list[Said]]] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def on(self, path: str, *answers: Said, **query: str) -> None:
        """Later scripts go before earlier ones; parameters that are not named may be anything."""
        self._scripts.insert(0, (path, query, list(answers)))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, asked: Asked) -> Said:
        with self._lock:
            self.asked.append(asked)
            for path, query, answers in self._scripts:
                if path == asked.path and query.items() <= asked.query.items():
                    return answers.pop(0) if len(answers) > 1 else answers[0]
        return Said(b'{"error": "Not found"}', 404)

    def _handler(service) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - the inner class has a self of its own
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                said = service.answer(Asked(parts.path, dict(parse_qsl(parts.query)), dict(self.headers), body))
                if said.first:
                    said.first()
                self.send_response(said.status)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(said.body) + said.cut))
                self.end_headers()
                self.wfile.write(said.body)
                self.close_connection = self.close_connection or said.cut > 0

            do_POST = do_GET  # noqa: N815 - the name that the server looks for

            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

        return Handler
