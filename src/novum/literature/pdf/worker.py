"""The child process that reads PDFs: `python -m novum.literature.pdf.worker LIMITS`. Started by `reader.py` only.

Each line of its input is a request, `{"path": …}`; for each it writes one line, `{"document": …}` or `{"reject": …}`.
A file that is too much for it ends it: it neither knows how to defend itself nor has anything to lose.
"""

from __future__ import annotations

import json
import math
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from novum.literature.pdf.document import read_document
from novum.literature.pdf.extraction import extract
from novum.literature.pdf.limits import PdfLimits, Unreadable

try:
    import resource
except ImportError:  # Windows has no such limits: the parent's clock alone holds there
    resource = None  # type: ignore[assignment]


def main() -> None:
    """Answer until the input ends."""
    limits = PdfLimits.model_validate_json(sys.argv[1])
    answers = _own_output()
    _limit_memory(limits.memory)
    for line in sys.stdin:
        _allow_cpu(limits.cpu)
        answers.write(json.dumps(_answer(Path(json.loads(line)["path"]), limits)) + "\n")
        answers.flush()


def _own_output() -> TextIO:
    """Only ours: whatever a library prints must not pass for an answer."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return answers


def _answer(path: Path, limits: PdfLimits) -> dict[str, object]:
    try:
        document = read_document(extract(path, limits.pages), path.name)
    except Unreadable as error:
        return {"reject": str(error)}
    except OSError as error:
        return {"reject": f"it cannot be opened: {error.strerror or error}"}
    except (MemoryError, RecursionError):
        return {"reject": f"reading it takes more than {limits.memory >> 20:,} MiB of memory"}
    if not document.abstract and not any(section.text for section in document.sections):
        return {"reject": "nothing on its pages reads as text; a scan may need OCR (`ocrmypdf`)"}
    return {"document": document.model_dump(mode="json")}


def _limit_memory(memory: int) -> None:
    if resource is None:
        return
    with suppress(OSError, ValueError):  # some systems have these limits by name only
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_in_use() + memory, resource.RLIM_INFINITY))


def _in_use() -> int:
    """Bytes of address space taken already."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _allow_cpu(seconds: int) -> None:
    """So much more than what was used until now; beyond it the system ends this process."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    with suppress(OSError, ValueError):
        until = math.ceil(used.ru_utime + used.ru_stime) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
