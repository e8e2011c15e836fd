"""Runs that are killed again and again, and resumed to their end, on a quiet and on a busy machine.

Asked again means: a question is answered once more although an answer to it had been sent in full. Nothing that stands
on the ledger may be asked again. An answer sent more than `GRACE` seconds before its process was killed should stand
there. Each process has a key of its own, so that the server knows which one it answered.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures.attack_commands import COMMANDS, PATIENCE, Command, finished, last_line, prepared_folder, recorded
from figures.attack_server import Answered, AttackServer
from figures.row import Bench, Row

KILLS_PER_RUN = 5
GRACE = 0.1
"""Seconds."""
_BUSY_LOOPS = 8
_FLOOR_REQUESTS, _FLOOR_IN_FLIGHT = 200, 32
"""As the busiest of the commands has them."""
_GLANCE = 0.001
_KEYS = [f"key-of-process-{number}" for number in range(KILLS_PER_RUN)]


@dataclass
class Tally:
    """What was seen over all killed runs."""

    kills: int = 0
    runs: int = 0
    different: list[str] = field(default_factory=list)
    paid_twice: int = 0
    asked_again: list[float] = field(default_factory=list)
    """Seconds from the first answer of a question asked again to the kill after it."""


def kills(bench: Bench) -> list[Row]:
    """For each command as many killed runs as there are measurements, first alone, then beside busy loops."""
    rows: list[Row] = []
    for loops in (0, _BUSY_LOOPS):
        tally = Tally()
        with busy_loops(loops):
            for command in COMMANDS:
                undisturbed, calls = undisturbed_outcome(bench.home, command, f"{command.name}-{loops}-alone")
                for seed in range(bench.runs):
                    folder = prepared_folder(bench.home, f"{command.name}-{loops}-{seed}")
                    rng = random.Random(f"{command.name} {loops} {seed}")  # where to kill, not secrecy
                    _killed_run(folder, command, undisturbed, calls, rng, tally)
            floor = [wait for seed in range(bench.runs) for wait in _killed_floor(bench.home, f"floor-{loops}-{seed}")]
        rows += _rows(tally, f"{loops} busy loops" if loops else "quiet", floor)
    return rows


def undisturbed_outcome(base: Path, command: Command, name: str) -> tuple[Any, int]:
    """The outcome of a run that nothing disturbs, and the number of its calls."""
    folder = prepared_folder(base, name)
    with command.server() as server:
        code, stdout, stderr = finished(command.start(folder, server))
        assert code == 0, stderr
        return command.outcome(folder, stdout), len(server.answered)


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """So many processes that do nothing but compute, ended with the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def _killed_run(folder: Path, command: Command, undisturbed: Any, calls: int, rng: random.Random, tally: Tally) -> None:
    killed_at: dict[str, float] = {}
    with command.server() as server:
        for key in _KEYS:
            process = command.start(folder, server, resume=bool(recorded(folder).runs), NOVUM_SERVER_KEY=key)
            goal = len(server.answered) + rng.randint(1, max(1, 2 * calls // (KILLS_PER_RUN + 1)))
            if at := _killed_when_answered(process, server, goal):
                killed_at[key] = at
        code, stdout, stderr = finished(command.start(folder, server, resume=bool(recorded(folder).runs)))
        answered = list(server.answered)
    tally.runs += 1
    tally.kills += len(killed_at)
    tally.paid_twice += sum(times - 1 for times in recorded(folder).keys.values())
    tally.asked_again += _asked_again(answered, killed_at)
    if code:
        tally.different.append(f"{command.name}: {last_line(stderr)}")
    elif command.outcome(folder, stdout) != undisturbed:
        tally.different.append(f"{command.name}: other results")


def _killed_floor(base: Path, name: str) -> list[float]:
    """The same for a client that does nothing but record responses: the waits of `_asked_again`."""
    client = [sys.executable, str(Path(__file__).with_name("recording_client.py"))]
    rng, killed_at = random.Random(name), dict[str, float]()  # where to kill, not secrecy
    with AttackServer(latency=0.005) as server:
        arguments = [server.base_url, str(base / f"{name}.sqlite"), str(_FLOOR_REQUESTS), str(_FLOOR_IN_FLIGHT)]
        for key in [*_KEYS, "last"]:
            command = [*client, *arguments, key]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if key == "last":
                assert process.wait(PATIENCE) == 0, process.communicate()[1]
                break
            goal = len(server.answered) + rng.randint(1, 2 * _FLOOR_REQUESTS // (KILLS_PER_RUN + 1))
            if at := _killed_when_answered(process, server, goal):
                killed_at[key] = at
        return _asked_again(list(server.answered), killed_at)


def _killed_when_answered(process: subprocess.Popen[str], server: AttackServer, goal: int) -> float | None:
    """Kills the process once `goal` answers were sent in all. When the signal was sent; None if it had ended before.

    A busy machine takes long to clear the process away. It does nothing in that time, so it does not count.
    """
    given_up = time.monotonic() + PATIENCE
    while len(server.answered) < goal and process.poll() is None and time.monotonic() < given_up:
        time.sleep(_GLANCE)
    ended, at = process.poll() is not None, time.time()
    process.kill()
    process.communicate()
    return None if ended else at


def _asked_again(answered: Sequence[Answered], killed_at: Mapping[str, float]) -> list[float]:
    """For each question answered again: seconds from its earlier answer to the kill of the process that got it, below
    zero where it was killed before, infinite where it was not killed."""
    earlier: dict[str, Answered] = {}
    waits = []
    for answer in answered:
        if first := earlier.get(answer.question):
            waits.append(killed_at.get(first.key, float("inf")) - first.at)
        earlier[answer.question] = answer
    return waits


def _rows(tally: Tally, where: str, floor: Sequence[float]) -> list[Row]:
    same, late = tally.runs - len(tally.different), sum(wait > GRACE for wait in tally.asked_again)
    at_least = f"a client that only records, killed {KILLS_PER_RUN} times a run: {sum(wait > GRACE for wait in floor)}"
    title = f"{tally.kills} kills, {where}"
    again = f"{title}: answers sent > {GRACE} s before the kill and asked again"
    within = f"sent later than that or in flight: {len(tally.asked_again) - late}; {at_least}"
    return [
        Row(f"{title}: same results", f"{same}/{tally.runs}", "all", not tally.different, "; ".join(tally.different)),
        Row(f"{title}: answers recorded twice", str(tally.paid_twice), "0", tally.paid_twice == 0),
        Row(again, str(late), "0", late == 0, within),
    ]
