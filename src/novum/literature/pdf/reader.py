"""Reads PDFs in a child process, one after the other. A child that a file has ended is replaced for the next one."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from novum.literature.pdf.document import PdfDocument
from novum.literature.pdf.limits import PdfLimits, Unreadable, wait_until_larger

_LONGEST_ANSWER = 64_000_000
"""Bytes of one document."""
_KEPT = frozenset(("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT"))
_LAST_BREATH = 5.0
"""Seconds for a child that did not answer to end."""
_START = 60.0
"""Seconds for the child to import what it needs, on a busy machine."""
_TO_START = 256 << 20
"""Bytes of memory that the child may take for that."""


class PdfReader:
    """`async with PdfReader() as reader: document = await reader.read(path)`. Reads one PDF at a time."""

    def __init__(self, limits: PdfLimits | None = None) -> None:
        self.limits = limits or PdfLimits()
        self._child: Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def read(self, path: Path) -> PdfDocument:
        """Raises Unreadable, saying why, within the limits whatever the file holds."""
        child, waiting = await self._running()
        assert child.stdin
        assert child.stdout
        try:
            async with asyncio.timeout(self.limits.seconds + waiting):
                child.stdin.write(json.dumps({"path": str(path)}).encode() + b"\n")
                await child.stdin.drain()
                answer = await self._watched(child, child.stdout.readline())
        except TimeoutError:
            await self.close()
            raise Unreadable(f"it was not read within {self.limits.seconds:g} seconds") from None
        except (ValueError, ConnectionError) as error:
            await self.close()
            raise Unreadable(f"its text takes more than {_LONGEST_ANSWER:,} bytes") from error
        except (asyncio.CancelledError, Unreadable):
            await self.close()
            raise
        return _document(answer) if answer.endswith(b"\n") else await self._died(child)

    async def _watched(self, child: Process, answering: Coroutine[Any, Any, bytes]) -> bytes:
        """The answer of the child. Raises Unreadable when its memory grows beyond the limit before."""
        answer = asyncio.create_task(answering)
        watch = asyncio.create_task(wait_until_larger(child.pid, self.limits.memory + _TO_START))
        try:
            await asyncio.wait((answer, watch), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            raise Unreadable(f"reading it takes more than {self.limits.memory >> 20:,} MiB of memory")
        finally:
            answer.cancel()
            watch.cancel()

    async def close(self) -> None:
        """Ends the child. Harmless when there is none."""
        child, self._child = self._child, None
        if child is None:
            return
        with suppress(ProcessLookupError):
            child.kill()
        if child.stdin:
            child.stdin.close()
        await child.wait()

    async def _running(self) -> tuple[Process, float]:
        """The child, and the seconds that it may take to start."""
        if self._child and self._child.returncode is None:
            return self._child, 0.0
        self._child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "novum.literature.pdf.worker",
            self.limits.model_dump_json(),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=_LONGEST_ANSWER,
            env=_environment(),
            start_new_session=True,  # Ctrl-C in the terminal is for us; we end the child ourselves
        )
        return self._child, _START

    async def _died(self, child: Process) -> PdfDocument:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_BREATH):
                await child.wait()
        await self.close()
        raise Unreadable(_cause(child.returncode or 0, self.limits))


def _environment() -> dict[str, str]:
    """The variables that an interpreter needs, without keys, as the file may be hostile. One thread computes, so that a
    pool of threads does not use up the memory."""
    kept = {name: value for name, value in os.environ.items() if name.upper() in _KEPT}
    return kept | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _cause(code: int, limits: PdfLimits) -> str:
    """Why a child ended. `code`: its exit code, or the negative number of a signal."""
    if code < 0:
        if -code == signal.SIGXCPU:
            return f"reading it takes more than {limits.cpu:,} seconds of computing"
        memory = f"{limits.memory >> 20:,} MiB of memory"
        return f"PDFium broke down over it ({signal.Signals(-code).name}): it is damaged, or takes more than {memory}"
    return f"its layout is too much for us (the reader ended with code {code}); a GROBID server may know better"


def _document(answer: bytes) -> PdfDocument:
    said = orjson.loads(answer)
    if "reject" in said:
        raise Unreadable(said["reject"])
    return PdfDocument.model_validate(said["document"])
