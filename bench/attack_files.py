"""What broken files cost: mutated files of every import format, and bombs, each in a process of its own.

    python bench/attack_files.py                       2,000 mutated files and 50 bombs, about ten minutes
    python bench/attack_files.py --mutated 100 --bombs 0

A mutated file is imported into an empty library by a process that is forked from one that has loaded Novum: the
function is the one behind the command, and a start costs nothing. A bomb goes to `novum library add FILE` itself. Time
is that of the process; memory is the largest resident memory of it or of a process that it started.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from figures.attack_contents import BOMBS, HostileFile, bomb_content, bomb_name, mutated

LARGEST_SECONDS, LARGEST_MIB = 10.0, 1024.0
"""What one file may cost."""
_GIVEN_UP = 300
"""Seconds after which a process is ended."""
_AT_ONCE = 2
Row = dict[str, object]


def run(count_mutated: int, count_bombs: int, *, seed: int = 0) -> list[Row]:
    """A row for each file: kind, form, file, how, seconds, cpu_seconds, peak_mib, outcome (read, rejected, refused,
    crash, timeout), message, and ok: neither a crash nor beyond the limits, of which that of time is of CPU seconds."""
    numbers = [range(start, count_mutated, _AT_ONCE) for start in range(_AT_ONCE)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        rows = [row for some in pool.map(lambda each: _run_mutated(each, seed), numbers) for row in some]
    return rows + [_run_bomb(number) for number in range(count_bombs)]


def _row(
    file: HostileFile, how: str, seconds: float, cpu_seconds: float, peak_kib: float, outcome: str, message: str
) -> Row:
    mib = round(peak_kib / 1024, 1)
    ok = outcome in {"read", "rejected", "refused"} and cpu_seconds <= LARGEST_SECONDS and mib <= LARGEST_MIB
    return {
        "kind": file.kind, "form": file.form, "file": file.name, "how": how, "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu_seconds, 2), "peak_mib": mib, "outcome": outcome, "message": message[:200], "ok": ok,
    }  # fmt: skip


# -- mutated files ----------------------------------------------------------------------------------------------------


def _run_mutated(numbers: range, seed: int) -> list[Row]:
    """One process that has loaded Novum forks another for each file."""
    with tempfile.TemporaryDirectory() as folder:
        loaded = subprocess.Popen(
            [sys.executable, __file__, "--serve", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert loaded.stdin
        assert loaded.stdout
        rows = []
        for number in numbers:
            file = mutated(number, seed)
            place = Path(folder, file.name)
            place.write_bytes(file.content)
            loaded.stdin.write(f"{place}\n")
            loaded.stdin.flush()
            answer = json.loads(loaded.stdout.readline())
            rows.append(_row(file, "import in a forked process", **answer))
            place.unlink()
        loaded.stdin.close()
        loaded.wait()
    return rows


def _serve(folder: Path) -> None:
    """Imports each file that is named on standard input, in a process of its own."""
    import novum.literature.pdf.folder  # noqa: F401, PLC0415  loaded once, before the first fork
    from novum.literature import Library, import_file  # noqa: F401, PLC0415

    for number, line in enumerate(sys.stdin):
        said = folder / f"said-{number}.json"
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            signal.alarm(_GIVEN_UP)
            os._exit(_import(Path(line.strip()), folder / f"library-{number}", said))
        _, status, used = os.wait4(child, 0)
        outcome, message = _outcome(os.waitstatus_to_exitcode(status), said)
        answer = {"seconds": time.monotonic() - began} | _used(used) | {"outcome": outcome, "message": message}
        print(json.dumps(answer), flush=True)


def _import(path: Path, library: Path, said: Path) -> int:
    """The import of one file; what came of it is written to `said`. Returns 1 for an error that nobody foresaw."""
    import asyncio  # noqa: PLC0415

    from novum.errors import NovumError  # noqa: PLC0415
    from novum.literature import Library, import_file  # noqa: PLC0415
    from novum.literature.pdf.folder import import_pdfs  # noqa: PLC0415

    try:
        with Library.open(library) as opened:
            is_pdf = path.suffix == ".pdf"
            report = asyncio.run(import_pdfs(opened, path)) if is_pdf else import_file(opened, path)
        reasons = "; ".join(each.reason for each in report.rejects[:2])
        said.write_text(json.dumps(["read" if report.read > report.rejected else "rejected", reasons]))
    except NovumError as error:
        said.write_text(json.dumps(["refused", str(error)]))
    except BaseException as error:
        said.write_text(json.dumps(["crash", f"{type(error).__name__}: {error}"]))
        return 1
    return 0


def _used(used: resource.struct_rusage) -> dict[str, float]:
    return {"cpu_seconds": used.ru_utime + used.ru_stime, "peak_kib": used.ru_maxrss}


def _outcome(code: int, said: Path) -> tuple[str, str]:
    if code == -signal.SIGALRM:
        return "timeout", f"not read within {_GIVEN_UP} seconds"
    if not said.exists():
        return "crash", f"the process ended with {code}"
    outcome, message = json.loads(said.read_text())
    return outcome, message


# -- bombs ------------------------------------------------------------------------------------------------------------


def _run_bomb(number: int) -> Row:
    file = HostileFile(name := bomb_name(number), "bomb", name.partition(".")[2], b"")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, name)
        # By another process: the memory of this one would count as that of the next that it starts.
        subprocess.run([sys.executable, __file__, "--write", str(number), place], check=True)
        command = [
            sys.executable,
            "-m",
            "novum",
            "library",
            "add",
            *(["--pdf"] if place.suffix == ".pdf" else []),
            str(place),
        ]
        began = time.monotonic()
        with Path(folder, "err").open("w+b") as err:
            child = subprocess.Popen(
                command, env=os.environ | {"NOVUM_HOME": f"{folder}/home"}, stdout=subprocess.DEVNULL, stderr=err
            )
            code, used = _waited(child, began)
            err.seek(0)
            message = err.read().decode("utf-8", "replace").strip()
        seconds = time.monotonic() - began
    last = message.splitlines()[-1] if message else ""
    crash = code not in {0, 2} or "Unexpected error" in message or "Traceback" in message
    outcome = "timeout" if code == -signal.SIGKILL else "crash" if crash else "refused" if code else "read"
    return _row(file, "novum library add", seconds, **_used(used), outcome=outcome, message=last)


def _waited(child: subprocess.Popen[bytes], began: float) -> tuple[int, resource.struct_rusage]:
    """The exit code of a process, and what it and its children used. It is ended after a minute."""
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, used
        if time.monotonic() - began > _GIVEN_UP:
            child.kill()
        time.sleep(0.02)


# -- on its own -------------------------------------------------------------------------------------------------------


def _lines(rows: list[Row]) -> Iterator[str]:
    for kind in ("mutated", "bomb"):
        some = [row for row in rows if row["kind"] == kind]
        if not some:
            continue
        outcomes = {name: sum(row["outcome"] == name for row in some) for name in {str(row["outcome"]) for row in some}}
        most = {what: max(float(str(row[what])) for row in some) for what in ("seconds", "cpu_seconds", "peak_mib")}
        yield f"{len(some)} {kind}: {outcomes}; at most {most}"
        yield from (f"  NOT OK {row}" for row in some if not row["ok"])


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutated", type=int, default=2000)
    parser.add_argument("--bombs", type=int, default=len(BOMBS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        _serve(given.serve)
        return
    if given.write:
        Path(given.write[1]).write_bytes(bomb_content(int(given.write[0])))
        return
    rows = run(given.mutated, given.bombs, seed=given.seed)
    print(*_lines(rows), sep="\n")
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB were taken by the measuring process itself")


if __name__ == "__main__":
    _main()
