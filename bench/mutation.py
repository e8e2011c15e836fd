"""Mutation testing: how many deliberate faults in prompts and methods the tests notice.

    python bench/mutation.py                                  150 faults in prompts, 150 in methods; about an hour
    python bench/mutation.py --only prompts --sample 40 --seed 7
    python bench/mutation.py --files methods/rag.py prompts/rag/rag_idea.md --sample 1000

Faults are drawn from all that are possible, by the seed. For each, the tests that use the function or the prompt are
run on a copy of the project until one fails, and the slow tests of the same files where none does. Faults that survive
are listed. Most prompts are compared to the letter
with stored renderings, which notice any change.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from figures.mutants import OF, Mutant
from figures.row import Row, table
from figures.surroundings import machine

ROOT = Path(__file__).parent.parent
COPIED = ("src", "tests", "bench", "docs", "pyproject.toml", "README.md", "CHANGELOG.md", "Makefile")
TESTS = ("tests/methods", "tests/prompts", "tests/reading", "tests/judges", "tests/benchmarks", "tests/runs")
ALWAYS = ("tests/prompts/test_answer_forms.py", "tests/methods/test_options.py")
"""Tests of what functions declare, which no call of them shows."""
MOST_ALIVE = 5.0
"""Percent."""
_TESTS_OF_A_FAULT = 120
_NOTHING_TO_RUN = 5
"""Exit status of pytest without a test."""
_LONGEST = 300.0
"""Seconds for the tests of one fault; a fault that makes them take longer counts as noticed."""
_INCLUDED = re.compile(r'{% include "_(.+?)\.md" %}')


@dataclass(frozen=True)
class Fault:
    """A mutant of one file, by its path below `src/novum`."""

    file: str
    mutant: Mutant

    def __str__(self) -> str:
        return f"{self.file}:{self.mutant.line}: {self.mutant.change[:160]}"


# -- which tests use what ----------------------------------------------------------------------------------------------


def uses_of(copy: Path, processes: int) -> dict[str, list[str]]:
    """Function or prompt -> tests. Raises SystemExit where the tests fail without a fault."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["-p", "figures.touched_by_tests", "-n", str(processes), *TESTS]
        done = _pytest(copy, command, NOVUM_TOUCHED=folder)
        if done.returncode:
            raise SystemExit(f"The tests fail without a fault:\n{done.stdout[-3000:]}")
        uses: defaultdict[str, set[str]] = defaultdict(set)
        for file in Path(folder).iterdir():
            for test, names in json.loads(file.read_text("utf-8")).items():
                for name in names:
                    uses[name].add(test)
    return {name: sorted(tests) for name, tests in uses.items()}


def tests_of(fault: Fault, uses: dict[str, list[str]], includes: dict[str, set[str]]) -> list[str]:
    """Tests that use the file of the fault, those that use the function itself first."""
    if fault.file.endswith(".py"):
        names = [name for name in uses if name.startswith(f"{fault.file}:")]
    else:
        stem = _name_of(fault.file)
        names = sorted(includes.get(stem.removeprefix("_"), set()) if stem.startswith("_") else {stem})
    few_first = sorted(names, key=lambda name: len(uses.get(name, [])))
    return list(dict.fromkeys(test for name in few_first for test in uses.get(name, [])))[:_TESTS_OF_A_FAULT]


def _name_of(file: str) -> str:
    stem = Path(file).stem
    return f"small/{stem}" if Path(file).parent.name == "small" else stem


def including(prompts: Path) -> dict[str, set[str]]:
    """Passage -> prompts that include it, also by way of other passages."""
    texts = {_name_of(str(file)): file.read_text("utf-8") for file in prompts.rglob("*.md")}
    direct = {name: set(_INCLUDED.findall(text)) for name, text in texts.items()}

    def passages(name: str) -> set[str]:
        return direct[name] | {far for each in direct[name] for far in passages(f"_{each}")}

    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in texts:
        for passage in passages(name):
            found[passage].add(name)
    return dict(found)


# -- one fault ---------------------------------------------------------------------------------------------------------


def noticed(copy: Path, fault: Fault, tests: Sequence[str]) -> bool:
    """Whether one of the tests fails with the fault in place."""
    place = copy / "src" / "novum" / fault.file
    whole = place.read_text("utf-8")
    place.write_text(fault.mutant.text, "utf-8")
    try:
        always = ALWAYS if fault.file.endswith(".py") else ()
        files = sorted({test.partition("::")[0] for test in tests})
        return _one_fails(copy, [*always, *tests]) or _one_fails(copy, ["-m", "slow", *files])
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_text(whole, "utf-8")


def _one_fails(copy: Path, arguments: Sequence[str]) -> bool:
    named = [each for each in arguments if each.startswith("tests/")]
    return bool(named) and _pytest(copy, ["-n", "0", "-x", *arguments]).returncode not in {0, _NOTHING_TO_RUN}


def _pytest(copy: Path, arguments: Sequence[str], **more: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(copy / "src"), str(copy / "bench")])
    quiet = ["-q", "-p", "no:cacheprovider", "-m", "not slow", "--no-header"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *arguments],
        cwd=copy, env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | more,
        capture_output=True, text=True, timeout=None if more else _LONGEST, check=False,
    )  # fmt: skip


# -- all ---------------------------------------------------------------------------------------------------------------


def faults_in(files: Sequence[str]) -> list[Fault]:
    """Every fault that can be made in these files."""
    found: list[Fault] = []
    for file in files:
        place = ROOT / "src" / "novum" / file
        found += [Fault(file, mutant) for mutant in OF[place.suffix](place.read_text("utf-8"))]
    return found


def files_of(area: str) -> list[str]:
    """Prompts with their passages, or the modules of methods."""
    source, ending = ROOT / "src" / "novum", ".md" if area == "prompts" else ".py"
    return sorted(str(file.relative_to(source)) for file in (source / area).rglob(f"*{ending}"))


def copied(to: Path) -> Path:
    """A copy of the project that faults may be made in."""
    for name in COPIED:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(place, to / name)
    return to


def survivors(faults: Sequence[Fault], copies: Sequence[Path], uses: dict[str, list[str]]) -> Iterator[Fault]:
    """Faults that no test notices, as they are found."""
    includes = including(ROOT / "src" / "novum" / "prompts")
    free: SimpleQueue[Path] = SimpleQueue()
    for each in copies:
        free.put(each)

    def lives(fault: Fault) -> bool:
        copy = free.get()
        try:
            return not noticed(copy, fault, tests_of(fault, uses, includes))
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        for fault, alive in zip(faults, pool.map(lives, faults), strict=True):
            if alive:
                print(f"alive: {fault}", flush=True)
                yield fault


def main() -> None:
    """Draw faults, run the tests on each, and print what survives."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", choices=("prompts", "methods"), default=["prompts", "methods"])
    options.add_argument("--files", nargs="+", help="these files below src/novum only")
    options.add_argument("--sample", type=int, default=150, help="faults of each area")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--processes", type=int, default=2)
    chosen = options.parse_args()
    print(machine())
    areas = {"files": chosen.files} if chosen.files else {area: files_of(area) for area in chosen.only}
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="novum-mutation-") as folder:
        copies = [copied(Path(folder) / str(number)) for number in range(chosen.processes)]
        uses = uses_of(copies[0], chosen.processes)
        for area, files in areas.items():
            possible = faults_in(files)
            drawn = random.Random(chosen.seed).sample(possible, min(chosen.sample, len(possible)))
            alive = list(survivors(drawn, copies, uses))
            percent = 100 * len(alive) / max(len(drawn), 1)
            figure = f"{area}: faults that no test notices, {len(alive)} of {len(drawn)} drawn of {len(possible):,}"
            rows.append(Row(figure, f"{percent:.1f}%", f"<= {MOST_ALIVE:.0f}%", percent <= MOST_ALIVE))
    print(f"\n{table(rows)}\n\n{machine()}")


if __name__ == "__main__":
    main()
