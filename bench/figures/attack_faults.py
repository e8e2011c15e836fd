"""Servers that fail: every run ends with a complete report, and with the same results where answers allow it.

The shares are those of a bad day of a model server: 30 % malformed answers, 5 % refusals for now (429), and 1 % each of
500, web pages, requests that hang, dropped connections; 0.5 % empty answers. Which request fails is a function of the
question and of how often it was sent, so a run can be repeated. A malformed answer comes at most twice in a row, as a
question is repaired at most twice; a second run has no such mercy, and only has to end with a report.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from figures.attack_commands import COMMANDS, Command, finished, last_line, prepared_folder
from figures.attack_kills import undisturbed_outcome
from figures.attack_server import AttackServer, Fault, Faults
from figures.row import Bench, Row

_MOST_IN_A_ROW = 2
_HUNG_FOR = "2"
"""Seconds after which a request counts as hung: shorter than anybody would set it, so that the benchmark ends."""
_PAGE = "<html><body>Bad gateway</body></html>"
_MIX = (
    (0.30, Fault("malformed", content='{"answer": ')),
    (0.05, Fault("429", status=429, body='{"error": {"message": "slow down"}}', headers={"Retry-After": "0"})),
    (0.01, Fault("500", status=500, body='{"error": {"message": "internal"}}')),
    (0.01, Fault("web page", body=_PAGE)),
    (0.01, Fault("hangs", hang=True)),
    (0.01, Fault("dropped", drop=True)),
    (0.005, Fault("empty", content="")),
)


def faulty(seed: int, command: Command, *, merciful: bool = True) -> Faults:
    """The mix above. `merciful`: the third request of a question is never malformed or empty."""

    def decide(body: Mapping[str, Any], question: str, attempt: int) -> Fault | None:
        if command.is_free_text(str(body["messages"])):
            attempt += _MOST_IN_A_ROW
        draw = random.Random(f"{seed} {question} {attempt}").random()  # repeatable, not secret
        for share, fault in _MIX:
            draw -= share
            if draw < 0:
                unusable = fault.content is not None
                return None if merciful and unusable and attempt > _MOST_IN_A_ROW else fault
        return None

    return decide


def faults(bench: Bench) -> list[Row]:
    """Each command as often as there are measurements, against both servers."""
    return [row for command in COMMANDS for row in (*_merciful(bench, command), _without_mercy(bench, command))]


def _merciful(bench: Bench, command: Command) -> list[Row]:
    undisturbed, calls = undisturbed_outcome(bench.home, command, f"{command.name}-faultless")
    same, codes, problems, forced, ratios = 0, [], [], [], []
    for seed in range(bench.runs):
        server = command.server(faults=faulty(seed, command))
        code, stdout, stderr, folder = _disturbed(bench.home, command, server, f"{command.name}-faulty-{seed}")
        codes.append(code)
        same += code == 0 and command.outcome(folder, stdout) == undisturbed
        problems += [last_line(stderr)] if code else []
        ratios.append(server.requests / calls)
        forced.append((calls + server.faults.total()) / calls)
    complete, worst = codes.count(0), max(ours / least for ours, least in zip(ratios, forced, strict=True))
    shares = f"requests / undisturbed {max(ratios):.2f}, of which faults force {max(forced):.2f}"
    name = f"{command.name}, faults"
    return [
        Row(f"{name}: complete", f"{complete}/{bench.runs}", "all", complete == bench.runs, "; ".join(problems)),
        Row(f"{name}: results as undisturbed", f"{same}/{bench.runs}", "all", same == bench.runs),
        Row(f"{name}: requests / those that faults force", f"{worst:.2f}", "<= 1.5", worst <= 1.5, shares),
    ]


def _without_mercy(bench: Bench, command: Command) -> Row:
    complete, problems = 0, []
    for seed in range(bench.runs):
        server = command.server(faults=faulty(seed, command, merciful=False))
        code, _, stderr, _ = _disturbed(bench.home, command, server, f"{command.name}-merciless-{seed}")
        complete += code == 0
        problems += [last_line(stderr)] if code else []
    title = f"{command.name}, faults without a limit: complete"
    return Row(title, f"{complete}/{bench.runs}", "all", complete == bench.runs, "; ".join(problems))


def _disturbed(base: Path, command: Command, server: AttackServer, name: str) -> tuple[int, str, str, Path]:
    folder = prepared_folder(base, name)
    with server:
        code, stdout, stderr = finished(command.start(folder, server, NOVUM_STALL_SECONDS=_HUNG_FOR))
    return code, stdout, stderr, folder
