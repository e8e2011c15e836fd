"""The body of a response, read in pieces, so that neither its size nor its pace is up to the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp

from novum.credentials.redaction import redact_bytes

PDF_BEGINNING = 1024
"""Bytes in which the mark of a PDF stands."""


def is_pdf(beginning: bytes) -> bool:
    """Whether a body is a PDF, whatever the server calls it."""
    return b"%PDF-" in beginning[:PDF_BEGINNING]


class ResponseTooLarge(ValueError):
    """The body of a response is larger than allowed."""


async def read_body(response: aiohttp.ClientResponse, largest: int, stall: float | None = None) -> bytes:
    """The whole body, decompressed and without keys and passwords: servers repeat what they were sent.

    `stall`: seconds that may pass between two pieces; None: any time. Raises ResponseTooLarge as soon as there are more
    than `largest` decompressed bytes, and TimeoutError, aiohttp.ClientError or OSError as a request does.
    """
    body = bytearray()
    async for piece in body_pieces(response, stall):
        body += piece
        if len(body) > largest:
            raise ResponseTooLarge(f"a response of more than {largest:,} bytes")
    return redact_bytes(bytes(body))


async def read_beginning(response: aiohttp.ClientResponse, largest: int, stall: float | None = None) -> bytes:
    """At most the first `largest` bytes of the decompressed body, without keys and passwords. The rest is not read."""
    body = bytearray()
    async for piece in body_pieces(response, stall):
        body += piece
        if len(body) >= largest:
            response.close()
            break
    return redact_bytes(bytes(body[:largest]))


async def body_pieces(response: aiohttp.ClientResponse, stall: float | None = None) -> AsyncIterator[bytes]:
    """The decompressed body in pieces. aiohttp bounds each of them, so a few bytes never become a large piece."""
    content = response.content
    while not content.at_eof():
        if piece := content.read_nowait():  # most bodies are here at once: a time limit costs more than reading them
            yield piece
            continue
        async with asyncio.timeout(stall):
            piece = await content.readany()
        yield piece
