"""The child process that reads PDFs: `python -m novum.literature.pdf.worker LIMITS`. Started by `reader.py` only.

Each line of its input is a request, `{"path": …}`; for each it writes one line, `{"document": …}` or `{"reject": …}`.
A file that is too much for it ends it; the parent starts another one for the next file.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TextIO

from novum.literature.pdf.document import read_document
from novum.literature.pdf.extraction import extract
from novum.literature.pdf.limits import PdfLimits, ResourceLimits, Unreadable


def main() -> None:
    """Answers until the input ends."""
    limits = PdfLimits.model_validate_json(sys.argv[1])
    answers = _own_output()
    try:
        enforced = ResourceLimits(limits)
    except Unreadable as error:
        enforced, refusal = None, str(error)
    for line in sys.stdin:
        answer = _answer(Path(json.loads(line)["path"]), limits, enforced) if enforced else {"reject": refusal}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _own_output() -> TextIO:
    """The standard output for answers alone: what a library prints must not be taken for one."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return answers


def _answer(path: Path, limits: PdfLimits, enforced: ResourceLimits) -> dict[str, object]:
    try:
        enforced.allow_cpu()
        document = read_document(extract(path, limits.pages), path.name)
    except Unreadable as error:
        return {"reject": str(error)}
    except OSError as error:
        return {"reject": f"it cannot be opened: {error.strerror or error}"}
    except (MemoryError, RecursionError):
        return {"reject": f"reading it takes more than {enforced.memory >> 20:,} MiB of memory"}
    if not document.abstract and not any(section.text for section in document.sections):
        return {"reject": "nothing on its pages reads as text; a scan may need OCR (`ocrmypdf`)"}
    return {"document": document.model_dump(mode="json")}


if __name__ == "__main__":
    main()
