"""Identical commands at the same moment, on one home: each question is paid once, and all of them end."""

from __future__ import annotations

from figures.attack_commands import IDEATE, finished, last_line, prepared_folder
from figures.row import Bench, Row


def identical(bench: Bench) -> list[Row]:
    """Two and eight at once, as often as there are measurements."""
    rows = []
    for count in (2, 8):
        paid_twice, ended, problems, outcomes = 0, 0, [], []
        for seed in range(bench.runs):
            folder = prepared_folder(bench.home, f"identical-{count}-{seed}")
            with IDEATE.server(latency=0.1) as server:
                running = [IDEATE.start(folder, server) for _ in range(count)]
                for code, stdout, stderr in map(finished, running):
                    ended += code == 0
                    problems += [last_line(stderr)] if code else []
                    outcomes += [IDEATE.outcome(folder, stdout)] if code == 0 else []
                paid_twice += len(server.answered_twice())
        title = f"{count} identical ideate at once"
        same = all(each == outcomes[0] for each in outcomes)
        rows += [
            Row(f"{title}: questions paid twice", str(paid_twice), "0", paid_twice == 0),
            Row(
                f"{title}: ended well",
                f"{ended}/{count * bench.runs}",
                "all",
                ended == count * bench.runs,
                "; ".join(problems),
            ),
            Row(f"{title}: same results", "yes" if same else "no", "yes", same),
        ]
    return rows
