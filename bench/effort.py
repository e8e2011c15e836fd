"""Measures the calls and tokens of every method at every effort, and writes the table of `--dry-run`.

    python bench/effort.py                     all methods, some minutes; writes src/novum/methods/effort_costs.json
    python bench/effort.py --method portfolio  this method alone; the other rows stay

`figures/effort_calls.py` says what is counted and how.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from figures.effort_calls import calls_of, levels_of
from figures.surroundings import prepare_library
from novum.methods import method_names
from novum.methods.effort_costs import TABLE_FILE

_LEFT_OUT = frozenset({"real-paper", "topic-prompt"})
"""One takes its idea from a paper, and the starter library has none that is public after a given day. The other asks
for a title and an abstract in a trained model's own form, which the scripted answers do not have."""


def _measure(folder: Path, method: str) -> dict[str, object]:
    rows = {}
    for level, options in levels_of(method).items():
        rows[level] = asyncio.run(calls_of(folder, method, options))
        calls = sum(role.get("calls", 0) for role in rows[level]["roles"].values())
        print(f"{method:16} {level:8} {calls:5} calls in {rows[level]['steps']:3} steps", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", action="append", help="only this method; repeatable")
    chosen = parser.parse_args().method or [name for name in method_names() if name not in _LEFT_OUT]
    table = json.loads(TABLE_FILE.read_text()) if TABLE_FILE.is_file() else {}
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(prepare_library(Path(folder))))
        for method in chosen:
            table[method] = _measure(Path(folder), method)
            TABLE_FILE.write_text(json.dumps(dict(sorted(table.items())), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
