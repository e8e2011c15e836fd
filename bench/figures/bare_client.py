"""The floor that our own figures stand beside: an aiohttp client that does nothing but send requests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import aiohttp
import orjson

from figures.measuring import Spent, spent_on
from figures.surroundings import ServerProcess
from novum.core.concurrency import run_concurrently


async def bare_client(server: ServerProcess, bodies: Sequence[bytes], in_flight: int) -> Spent:
    """One session, `in_flight` requests at a time; the JSON of each response is read."""
    places = asyncio.Semaphore(in_flight)
    url, headers = f"{server.base_url}/chat/completions", {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=in_flight)) as session:

        async def send(body: bytes) -> None:
            async with places, session.post(url, data=body, headers=headers) as response:
                orjson.loads(await response.read())

        return await spent_on(run_concurrently(send(body) for body in bodies))
