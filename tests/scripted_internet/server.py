"""The scripted internet: one server on loopback that plays the literature services, each under its own path.

with ScriptedInternet(papers=2000) as internet:
    source = OpenAlex(internet.address("openalex"))
    …
    assert internet.log[0].kind == "search"
"""

from __future__ import annotations

import asyncio
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Self

from aiohttp import web

from tests.scripted_internet.arxiv import ScriptedArxiv
from tests.scripted_internet.corpus import Corpus
from tests.scripted_internet.crossref import ScriptedCrossref
from tests.scripted_internet.dblp import ScriptedDblp
from tests.scripted_internet.europe_pmc import ScriptedEuropePmc
from tests.scripted_internet.literature import literature_of
from tests.scripted_internet.openalex import ScriptedOpenAlex
from tests.scripted_internet.semantic_scholar import ScriptedSemanticScholar
from tests.scripted_internet.service import Call, Reply, Rules, ScriptedService

SERVICES = (
    ScriptedOpenAlex,
    ScriptedCrossref,
    ScriptedEuropePmc,
    ScriptedArxiv,
    ScriptedSemanticScholar,
    ScriptedDblp,
)
Fault = Literal["refused", "503", "429", "403", "hangs", "html", "old form", "cut"]
"""`refused`: no connection; `html`: the page of a proxy with status 200; `old form`: yesterday's form; `cut`: the
answer breaks off."""
_PROXY_PAGE = (
    b"<!DOCTYPE html><html><head><title>Sign in to the network</title></head><body>Please sign in.</body></html>"
)


@dataclass(frozen=True)
class LoggedRequest:
    """One request that came in, and what became of it."""

    service: str
    kind: str
    words: str
    path: str
    parameters: Mapping[str, str]
    about: tuple[int, ...]
    """Numbers of the papers that it names."""
    found: int
    """Number of papers in the answer."""
    status: int
    cost: float
    """US dollars."""
    began: float
    """Seconds since the server began."""
    seconds: float
    """Until it was answered."""
    with_key: bool


class ScriptedInternet:
    """Use as a context manager. `latency` 1 takes as long as the real services, 0 answers at once.

    `log` holds every request in order of arrival, `spent` the dollars at OpenAlex, by key.
    """

    def __init__(
        self, *, papers: int = 50_000, seed: int = 1, latency: float = 0.0, rules: Rules | None = None, port: int = 0
    ) -> None:
        """`rules`: by default the pace of requests is watched only when there is a latency."""
        self.rules = rules or Rules(paced=latency > 0)
        self.literature = literature_of(papers, seed)
        self.corpus: Corpus = self.literature.corpus
        self.log: list[LoggedRequest] = []
        self.faults: dict[str, Fault] = {}
        self.latency = latency
        self._services: dict[str, ScriptedService] = {each.name: each(self.literature, self.rules) for each in SERVICES}
        self._in_flight: Counter[str] = Counter()
        self._random = random.Random(seed)
        self._port = port
        self._began = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="internet", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop and self._stop:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    # For tests

    def address(self, service: str) -> str:
        """Where a source finds its service; a port at which nobody listens when the service refuses connections."""
        return f"http://127.0.0.1:{_dead_port() if self.faults.get(service) == 'refused' else self._port}/{service}"

    @property
    def addresses(self) -> dict[str, str]:
        """For the setting `source_addresses`."""
        return {name: self.address(name) for name in self._services}

    @property
    def spent(self) -> Mapping[str, float]:
        """US dollars at OpenAlex, by key; the empty key is everybody without one."""
        openalex = self._services["openalex"]
        assert isinstance(openalex, ScriptedOpenAlex), "by its name"
        return openalex.spent

    def asked(self, service: str = "", kind: str = "") -> list[LoggedRequest]:
        """The requests to a service, of a kind; all of them without."""
        return [one for one in self.log if service in ("", one.service) and kind in ("", one.kind)]

    def put_out_of_order(self, service: str, fault: Fault) -> None:
        """From now on the service answers like this."""
        self.faults[service] = fault

    def put_in_order(self) -> None:
        """All services work again."""
        self.faults.clear()

    def forget(self) -> None:
        """An empty log, and everything that services remember of their users: a new day."""
        self.log.clear()
        for service in self._services.values():
            service.reset()

    def prepare(self) -> None:
        """Builds the indexes, which would otherwise make the first searches slow."""
        literature = self.literature
        literature.titles.score(["a"])
        literature.texts.similarity("a")
        literature.by_author("a")
        self.corpus.number_of("doi", "a")

    # Serving

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=2**20)
        app.router.add_route("*", "/{service}{path:.*}", self._handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self._port).start()
        self._port = int(runner.addresses[0][1])
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        name, _, _ = request.path.strip("/").partition("/")
        service = self._services.get(name)
        if service is None:
            return web.Response(status=404, text="no such service")
        began = time.monotonic()
        self._in_flight[name] += 1
        try:
            call = await self._call(request, service, began)
            fault = self.faults.get(name)
            reply = _broken(service.reply(call), service, fault)
            await asyncio.sleep(self._random.uniform(*service.typical_seconds(call)) * self.latency)
            self._note(name, call, reply, began)
            if fault == "hangs":
                await asyncio.Event().wait()
            if fault in ("refused", "cut"):
                return await _cut_off(request, reply if fault == "cut" else None)
            return _response(reply)
        finally:
            self._in_flight[name] -= 1

    async def _call(self, request: web.Request, service: ScriptedService, began: float) -> Call:
        path = request.rel_url.raw_path.removeprefix(f"/{service.name}")
        for prefix in service.prefixes:
            path = path.removeprefix(prefix)
        return Call(
            method=request.method,
            path=path,
            pairs=tuple(request.query.items()),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.read(),
            at=began,
            length=len(request.path_qs),
            in_flight=self._in_flight[service.name],
        )

    def _note(self, name: str, call: Call, reply: Reply, began: float) -> None:
        keys = {"api_key", "api-key"} & call.query.keys() or {
            "x-api-key",
            "crossref-plus-api-token",
        } & call.headers.keys()
        self.log.append(
            LoggedRequest(
                service=name,
                kind=reply.kind,
                words=reply.words,
                path=call.path,
                parameters=call.query,
                about=reply.about,
                found=reply.found,
                status=reply.status,
                cost=reply.cost,
                began=began - self._began,
                seconds=time.monotonic() - began,
                with_key=bool(keys),
            )
        )


def _broken(reply: Reply, service: ScriptedService, fault: Fault | None) -> Reply:
    """What a service out of order answers in place of this."""
    match fault:
        case "503":
            return Reply(b"<html><body><h1>503 Service Unavailable</h1></body></html>", 503, content_type="text/html")
        case "429":
            return Reply(b'{"message":"Too Many Requests"}', 429, {"Retry-After": "3600"})
        case "403":
            return Reply(b'{"message":"Forbidden"}', 403)
        case "html":
            return Reply(_PROXY_PAGE, content_type="text/html")
        case "old form":
            return Reply(service.yesterday(reply.body), reply.status, content_type=reply.content_type)
    return reply


async def _cut_off(request: web.Request, reply: Reply | None) -> web.StreamResponse:
    """Half of a reply, or nothing, and then the end of the connection."""
    response = web.StreamResponse()
    if reply is not None:
        response.content_length = len(reply.body)
        await response.prepare(request)
        await response.write(reply.body[: len(reply.body) // 2])
    if request.transport is not None:
        request.transport.abort()
    return response


def _response(reply: Reply) -> web.Response:
    headers = {"Content-Type": reply.content_type, **reply.headers}
    return web.Response(body=reply.body, status=reply.status, headers=headers)


def _dead_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
