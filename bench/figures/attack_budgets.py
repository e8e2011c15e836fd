"""Budgets with faults, kills and a hundred requests in flight: the server never sees more than was allowed."""

from __future__ import annotations

import random
import time

from figures.attack_commands import BULK, PATIENCE, finished, prepared_folder, recorded
from figures.attack_faults import faulty
from figures.row import Bench, Row

_KILLS = 3
_CALLS, _TOKENS = 150, 60_000
_GLANCE = 0.001


def budgets(bench: Bench) -> list[Row]:
    """Bulk runs with a limit on calls, then on tokens, each killed three times and resumed."""
    return [*_limited(bench, "calls", _CALLS), *_limited(bench, "tokens", _TOKENS)]


def _limited(bench: Bench, unit: str, limit: int) -> list[Row]:
    seen, codes = [], set()
    for seed in range(bench.runs):
        folder = prepared_folder(bench.home, f"budget-{unit}-{seed}")
        rng = random.Random(f"{unit} {seed}")  # where to kill, not secrecy
        limits = (f"--budget-{unit}", str(limit), "--count", "600")
        with BULK.server(latency=0.2, faults=faulty(seed, BULK)) as server:
            for attempt in range(_KILLS + 1):
                resume = bool(recorded(folder).runs)
                more = () if resume else limits
                process = BULK.start(
                    folder, server, *more, resume=resume, NOVUM_IN_FLIGHT="100", NOVUM_STALL_SECONDS="2"
                )
                if attempt < _KILLS:
                    goal, given_up = server.requests + rng.randint(5, 60), time.monotonic() + PATIENCE
                    while server.requests < goal and process.poll() is None and time.monotonic() < given_up:
                        time.sleep(_GLANCE)
                    process.kill()
                    process.communicate()
                else:
                    codes.add(finished(process)[0])
            seen.append(server.requests if unit == "calls" else server.tokens)
    title = f"budget of {limit:,} {unit}, {_KILLS} kills, 100 in flight: most that the server saw"
    beside = f"all runs: {', '.join(map(str, seen))}; exit codes {sorted(codes)}"
    return [Row(title, str(max(seen)), f"<= {limit}", max(seen) <= limit, beside)]
