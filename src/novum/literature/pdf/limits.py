"""How much one PDF may cost, and how that is enforced. A PDF is a program that draws pages: it can run for ever.

The child that reads PDFs limits itself: the kernel ends it at the limit. macOS accepts a limit on memory without
enforcing it, so the parent also watches how much memory the child has, on every system.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
from contextlib import suppress
from pathlib import Path

from novum.core import Value

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

_BETWEEN_LOOKS = 0.1
"""Seconds between two looks at the memory of a child."""
_PS = Path("/bin/ps")
_UNLIMITED = "this system does not limit what reading it may take, so it was not read; a GROBID server can read it"


class Unreadable(ValueError):
    """Nothing can be read from this file; the message says why, and what to do where there is something."""


class PdfLimits(Value):
    """Of one PDF."""

    memory: int = 768 << 20
    """Bytes, on top of what the child takes to start."""
    cpu: int = 60
    """Seconds of computing."""
    seconds: float = 120.0
    """From the beginning to the end of its reading, waiting included."""
    pages: int = 300
    """Read from its beginning."""


class ResourceLimits:
    """The limits that the kernel enforces on this process. A lower limit that is there already is kept."""

    def __init__(self, limits: PdfLimits) -> None:
        """Limits the memory. Raises Unreadable where the system does not let a process limit itself."""
        if resource is None:
            raise Unreadable(_UNLIMITED)
        self._cpu = limits.cpu
        self._user_cpu, self._hard_cpu = resource.getrlimit(resource.RLIMIT_CPU)
        in_use = _address_space()
        most = _lowest(in_use + limits.memory, *resource.getrlimit(resource.RLIMIT_AS))
        self.memory = max(0, most - in_use)
        """Bytes that are left for a PDF."""
        with suppress(OSError, ValueError):
            _set(resource.RLIMIT_CORE, 0, 0)
        try:
            _set(resource.RLIMIT_AS, most, most)
        except (OSError, ValueError) as error:
            if sys.platform != "darwin":  # which may refuse what it would not enforce: there the parent watches
                raise Unreadable(_UNLIMITED) from error

    def allow_cpu(self) -> None:
        """Allows as many seconds of computing as one PDF may take from now on. Raises Unreadable."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(used.ru_utime + used.ru_stime) + self._cpu
        try:
            _set(resource.RLIMIT_CPU, _lowest(until, self._user_cpu, self._hard_cpu), self._hard_cpu)
        except (OSError, ValueError) as error:
            raise Unreadable(_UNLIMITED) from error


async def wait_until_larger(pid: int, memory: int) -> None:
    """Returns when process `pid` has more resident memory than `memory` bytes; never, if it is gone."""
    while True:
        held = _memory_in_proc(pid) if sys.platform == "linux" else await memory_by_ps(pid)
        if held > memory:
            return
        await asyncio.sleep(_BETWEEN_LOOKS)


def _memory_in_proc(pid: int) -> int:
    """Bytes of memory that a process has; -1 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return -1


async def memory_by_ps(pid: int) -> int:
    """The same on systems without /proc, such as macOS."""
    ps = await asyncio.create_subprocess_exec(_PS, "-o", "rss=", "-p", str(pid), stdout=asyncio.subprocess.PIPE)
    answer, _ = await ps.communicate()
    return int(answer) << 10 if answer.strip().isdigit() else -1


def _set(limit: int, soft: int, hard: int) -> None:
    """Sets a limit and sees whether it holds: a sandbox may ignore the call. Raises OSError or ValueError."""
    resource.setrlimit(limit, (soft, hard))
    if resource.getrlimit(limit) != (soft, hard):
        raise OSError("the limit was not taken")


def _lowest(*limits: int) -> int:
    return min(each for each in limits if each != resource.RLIM_INFINITY)


def _address_space() -> int:
    """Bytes of address space that this process has; what macOS reports is its resident memory."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
