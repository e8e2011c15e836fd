"""The workbench under load: viewers of a live run, browsing beside them, lost events and memory; loopback only.

    python bench/web.py                     # 200 viewers, 20 requests a second, 60 seconds
    python bench/web.py --minutes 10

A server process serves a home of its own; this process is its load. The run writes events to the ledger as a run does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from novum.ledger import Ledger, Run
from novum.literature import Library, install_starter

PATHS = ("/", "/runs", "/library/results?q=graph+neural+networks", "/library", "/compare", "/studies", "/leaderboards")
EVENTS_A_SECOND = 5.0


@dataclass
class Measured:
    """What the load saw."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: int = 0
    first: float = 0.0
    """Seconds that the first page after the start took."""
    received: list[list[int]] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--rate", type=float, default=20.0, help="requests a second beside the viewers")
    parser.add_argument("--minutes", type=float, default=1.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="novum-bench-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        with Library.open(home / "library") as library:
            install_starter(library)
            asyncio.run(library.index())
        server = started(home)
        try:
            measured, emitted = asyncio.run(load(home, server, options))
        finally:
            server.process.terminate()
            server.process.wait()
    report(measured, emitted, options)


@dataclass
class Server:
    """The server and its address."""

    process: subprocess.Popen[str]
    address: str


def started(home: Path) -> Server:
    environment = os.environ | {"NOVUM_HOME": str(home), "NOVUM_SOURCES": "none"}
    process = subprocess.Popen(
        [sys.executable, "-m", "novum", "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    for line in process.stdout or ():
        if found := re.search(r"http://[\d.]+:\d+", line):
            return Server(process, found[0])
    raise SystemExit("the server did not start")


async def load(home: Path, server: Server, options: argparse.Namespace) -> tuple[Measured, int]:
    measured = Measured()
    with Ledger.open(home / "ledger.sqlite") as ledger:
        record = ledger.start_run("ideate", "a run under load", {"method": "rag", "options": {}, "settings": {}})
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(server.address, connector=connector) as session:
            await request(session, "/", measured)
            measured.first = measured.seconds.pop("/")[0]
            viewers = [asyncio.create_task(view(session, record.id, measured)) for _ in range(options.viewers)]
            await asyncio.sleep(2)
            end = time.monotonic() + 60 * options.minutes
            writer = asyncio.create_task(emit(Run(ledger, record), end))
            await asyncio.gather(browse(session, record.id, measured, options.rate, end), watch(server, measured, end))
            emitted = await writer
            await ledger.written()
            ledger.end_run(record.id, "stopped")
            await asyncio.wait_for(asyncio.gather(*viewers), 60)
    return measured, emitted


async def emit(run: Run, end: float) -> int:
    """Writes events at a steady pace; returns how many."""
    number = 0
    while time.monotonic() < end:
        with run.step(f"step {number % 12}"):
            pass
        number += 2
        await asyncio.sleep(2 / EVENTS_A_SECOND)
    return number


async def view(session: aiohttp.ClientSession, run_id: str, measured: Measured) -> None:
    """Follows the run to its end, and notes the number of each event."""
    numbers: list[int] = []
    rest = b""
    async with session.get(f"/runs/{run_id}/events", timeout=aiohttp.ClientTimeout(total=None)) as response:
        async for chunk in response.content.iter_any():
            *messages, rest = (rest + chunk).split(b"\r\n\r\n")
            numbers += [int(each.split(b'"number":')[1].split(b",")[0]) for each in messages if b"event: event" in each]
            if any(b"event: ended" in each for each in messages):
                break
    measured.received.append(numbers)


async def browse(session: aiohttp.ClientSession, run_id: str, measured: Measured, rate: float, end: float) -> None:
    """Requests pages at a steady rate, whether or not earlier ones have been answered."""
    pending: set[asyncio.Task[None]] = set()
    paths = [*PATHS, f"/runs/{run_id}"]
    number = 0
    while time.monotonic() < end:
        task = asyncio.create_task(request(session, paths[number % len(paths)], measured))
        pending.add(task)
        task.add_done_callback(pending.discard)
        number += 1
        await asyncio.sleep(1 / rate)
    await asyncio.gather(*pending)


async def request(session: aiohttp.ClientSession, path: str, measured: Measured) -> None:
    began = time.perf_counter()
    try:
        async with session.get(path) as response:
            await response.read()
            measured.errors += response.status >= 400
    except (aiohttp.ClientError, TimeoutError):
        measured.errors += 1
    measured.seconds.setdefault(path.partition("?")[0], []).append(time.perf_counter() - began)


async def watch(server: Server, measured: Measured, end: float) -> None:
    """Notes the memory of the server every few seconds, in megabytes."""
    while time.monotonic() < end:
        measured.memory.append(await asyncio.to_thread(memory_of, server.process.pid))
        await asyncio.sleep(3)


def memory_of(pid: int) -> float:
    """The resident memory of a process, in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def report(measured: Measured, emitted: int, options: argparse.Namespace) -> None:
    every = sorted(each for times in measured.seconds.values() for each in times)
    print(f"{options.viewers} viewers, {options.rate:g} requests/s, {options.minutes:g} min, {os.cpu_count()} cores")
    print(f"  the first page after the start: {1000 * measured.first:.0f} ms")
    for path, times in measured.seconds.items():
        p95 = sorted(times)[int(0.95 * len(times))]
        print(f"  {path[:28]:<30} median {1000 * statistics.median(times):5.0f} ms   p95 {1000 * p95:5.0f} ms")
    print(
        f"  all pages: p95 {1000 * every[int(0.95 * len(every))]:.0f} ms of {len(every):,} requests, "
        f"{measured.errors} errors"
    )
    whole = list(range(1, emitted + 1))
    complete = sum(numbers == whole for numbers in measured.received)
    print(f"  events: {emitted} emitted; {complete} of {len(measured.received)} viewers received each exactly once")
    quarter = max(len(measured.memory) // 4, 1)
    first, last = (
        statistics.median(part) for part in (measured.memory[quarter : 2 * quarter], measured.memory[-quarter:])
    )
    print(f"  memory: {first:.0f} MB in the second quarter, {last:.0f} MB in the last")


if __name__ == "__main__":
    main()
