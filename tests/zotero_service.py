"""Plays Zotero on this machine: libraries with versions, pages with links, keys, refusals, and writing by key."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

KEY = "a-key-of-a-user-9f8e7d"
USER = 12


@dataclass
class Answer:
    """What is sent instead of the usual answer."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Request:
    """What was asked."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


def paper(key: str, title: str, **more: object) -> dict[str, object]:
    """The data of a journal article."""
    return {"key": key, "itemType": "journalArticle", "title": title, "creators": [], "date": "2020", **more}


class ZoteroService:
    """`local`: as the program on a computer: no key, users/0, no limit of pages, nothing can be written."""

    def __init__(self, *, local: bool = False) -> None:
        self.local = local
        self.version = 0
        self.items: dict[str, dict[str, object]] = {}
        self.versions: dict[str, int] = {}
        self.collections: dict[str, dict[str, object]] = {}
        self.texts: dict[str, str] = {}
        self.access: dict[str, object] = {"user": {"library": True, "notes": True, "write": True}}
        self.owner = f"users/{USER}"
        self.largest_page = 100
        self.asked: list[Request] = []
        self.instead: list[Answer] = []
        """Sent first, one for each request."""
        self.extra_headers: dict[str, str] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}" + ("/api" if self.local else "")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def put(self, *items: dict[str, object]) -> None:
        """Adds or changes items, as a user of Zotero does: one new version of the library."""
        self.version += 1
        for data in items:
            self.items[str(data["key"])] = data
            self.versions[str(data["key"])] = self.version

    def collect(self, key: str, name: str, parent: str = "") -> None:
        """Adds a collection."""
        self.collections[key] = {"key": key, "name": name, "parentCollection": parent or False}

    def paths(self, method: str = "GET") -> list[str]:
        """The paths that were asked."""
        return [each.path for each in self.asked if each.method == method]

    def answer(self, asked: Request) -> Answer:
        with self._lock:
            self.asked.append(asked)
            if self.instead:
                return self.instead.pop(0)
            return self._answer(asked)

    def _answer(self, asked: Request) -> Answer:
        path = asked.path.removeprefix("/api") if self.local else asked.path
        if not self.local and asked.headers.get("Zotero-API-Version") != "3":
            return Answer(400, b"no version")
        if not self.local and asked.headers.get("Zotero-API-Key") not in {None, KEY}:
            return Answer(403, b"Invalid key")
        if path == "/keys/current":
            return self._json({"key": KEY, "userID": USER, "username": "ada", "access": self.access})
        owner = "users/0" if self.local else self.owner
        if not path.startswith(f"/{owner}/"):
            return Answer(404, b"Not found")
        if not self.local and "Zotero-API-Key" not in asked.headers and self.owner.startswith("users"):
            return Answer(403, b"Forbidden")
        rest = path.removeprefix(f"/{owner}/")
        if asked.method == "POST":
            return self._write(asked)
        return self._read(rest, asked)

    def _read(self, rest: str, asked: Request) -> Answer:
        unless = asked.headers.get("If-Modified-Since-Version")
        if unless is not None and int(unless) >= self.version:
            return Answer(304)
        if rest == "fulltext":
            return self._json(dict.fromkeys(self.texts, 1))
        if rest.endswith("/fulltext"):
            key = rest.split("/")[1]
            return self._json({"content": self.texts[key]}) if key in self.texts else Answer(404, b"Not found")
        if rest == "collections":
            return self._page([{"key": key, "data": data} for key, data in self.collections.items()], asked)
        return self._list(rest, asked)

    def _list(self, rest: str, asked: Request) -> Answer:
        keys = list(self.items)
        parts = rest.split("/")
        if parts[0] == "collections":
            keys = [key for key in keys if parts[1] in self.items[self._top(key)].get("collections", ())]
        if parts[-1] == "top":
            keys = [key for key in keys if "parentItem" not in self.items[key]]
        if kind := asked.query.get("itemType"):
            keys = [key for key in keys if self.items[key]["itemType"] == kind]
        if wanted := asked.query.get("q"):
            keys = [key for key in keys if wanted.lower() in str(self.items[key].get("title", "")).lower()]
        keys = [key for key in keys if self.versions[key] > int(asked.query.get("since", 0))]
        if asked.query.get("format") == "keys":
            return Answer(200, "\n".join(keys).encode(), self._versioned())
        return self._page([self.shown(key) for key in keys], asked)

    def _top(self, key: str) -> str:
        return str(self.items[key].get("parentItem", key))

    def shown(self, key: str) -> dict[str, object]:
        """An item as the API shows it."""
        owner, number = self.owner.split("/")
        library = {"type": owner.removesuffix("s"), "id": int(number)}
        return {"key": key, "version": self.versions[key], "library": library, "meta": {}, "data": self.items[key]}

    def _page(self, found: list[dict[str, object]], asked: Request) -> Answer:
        start = int(asked.query.get("start", 0))
        size = int(asked.query.get("limit", len(found) or 1))
        size = size if self.local else min(size, self.largest_page)
        headers = self._versioned() | {"Total-Results": str(len(found))}
        if start + size < len(found):
            following = urlencode(asked.query | {"start": str(start + size)})
            base = self.address.removesuffix("/api")
            headers["Link"] = (
                f'<{base}{asked.path}?{following}>; rel="next", <https://www.zotero.org/>; rel="alternate"'
            )
        return Answer(200, json.dumps(found[start : start + size]).encode(), headers)

    def _write(self, asked: Request) -> Answer:
        access = self.access.get("user") if self.owner.startswith("users") else self.access.get("groups", {}).get("all")
        if self.local:
            return Answer(400, b"Endpoint does not support method")
        if not isinstance(access, dict) or not access.get("write"):
            return Answer(403, b"Write access denied")
        objects = json.loads(asked.body)
        if len(objects) > 50:
            return Answer(413, b"Cannot add more than 50 items at a time")
        report: dict[str, dict[str, object]] = {"successful": {}, "success": {}, "unchanged": {}, "failed": {}}
        self.version += 1
        for place, data in enumerate(objects):
            self._create(str(place), data, report)
        return self._json(report)

    def _create(self, place: str, data: dict[str, object], report: dict[str, dict[str, object]]) -> None:
        key = str(data["key"])
        if "version" not in data:
            report["failed"][place] = {"key": key, "code": 428, "message": "'version' property must be provided"}
        elif key in self.items:
            report["failed"][place] = {"key": key, "code": 412, "message": "Item has been modified since version 0"}
        elif len(str(data.get("note", ""))) > 500_000:
            report["failed"][place] = {"code": 413, "message": "Note '=x...' too long"}
        else:
            self.items[key], self.versions[key] = data, self.version
            report["successful"][place], report["success"][place] = self.shown(key), key

    def _json(self, value: object) -> Answer:
        return Answer(200, json.dumps(value).encode(), self._versioned())

    def _versioned(self) -> dict[str, str]:
        return {"Last-Modified-Version": str(self.version), "Content-Type": "application/json"}

    def _handler(service) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - the inner class has a self of its own
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                query, headers = dict(parse_qsl(parts.query)), dict(self.headers)
                answer = service.answer(Request(self.command, parts.path, query, headers, body))
                self.send_response(answer.status)
                for name, value in (answer.headers | service.extra_headers).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            do_POST = do_GET  # noqa: N815 - the name that the server looks for

            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

        return Handler
