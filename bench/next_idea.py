"""What next-idea prediction costs and learns on this machine, without a language model.

    python bench/next_idea.py                       both figures, some twenty minutes
    python bench/next_idea.py --only pipeline       throughput of the data pipeline
    python bench/next_idea.py --only learning       what GRPO learns, with controls
    python bench/next_idea.py --only learning --seeds 8 --first-seed 30

pipeline: 100 invented target papers with 30 references each, built with a model server that answers after one second,
100 calls in flight. Ideal is the number of calls divided by 100, in seconds. A second build is killed by its budget
half-way and resumed: no recorded call may be sent again.

learning: a policy of some 20,000 weights that speaks in whole words and is drawn by chance for each seed, on 24
invented tasks. The reward is the cosine with the hidden idea. Measured is the mean return, and the scores of first and
last ideas, on 12 held-out tasks: before training, after training by equation 1 (loss on all tokens), after training
on refinements alone, and after training on rewards that were exchanged at random. The same seeds are compared in pairs.
Each seed has tasks of its own. Learning rate and steps were chosen on seeds 0 and 1, with other tasks; figures are
reported for seeds from 10 on.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime as dt
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from figures.surroundings import ServerProcess, machine
from novum.core import Paper
from novum.errors import BudgetSpent
from novum.lab import Workplace
from novum.ledger import Ledger
from novum.literature import Entry, Library, Reference
from novum.runs.engine import resume, start
from novum.settings import LoadedSettings, load_settings
from novum.statistics.significance import sign_flip_test
from novum.testing.next_idea_tasks import QUICK, write_invented_policy, write_invented_tasks
from novum.training.next_idea.data.durable import NEXT_IDEA_DATA, NextIdeaTask
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.grpo.job import NextIdeaTraining, ReturnPoint
from novum.training.next_idea.session import PolicyOptions, prepare_policy, train_policy_session

TARGETS, REFERENCES, IN_FLIGHT, LATENCY = 100, 30, 100, 1.0
FIRST_SEED, TASKS_OF_A_SEED = 10, 1000
TRAININGS = {
    "all tokens (equation 1)": ("episode.loss_on=all",),
    "refinements alone": ("episode.loss_on=refinements",),
    "shuffled rewards": ("episode.loss_on=all", "roles.reward=shuffled"),
}


def invented_literature() -> Iterator[Entry]:
    """References, each cited by one target, and targets of one year."""
    for target in range(TARGETS):
        keys = [f"{target}/{number}" for number in range(REFERENCES)]
        for number, key in enumerate(keys):
            words = " ".join(f"word{target}x{number}x{each}" for each in range(20))
            yield Entry(paper=Paper(title=f"Study {key} of {words[:40]}", year=2020, abstract=f"On {words}."), key=key)
        words = " ".join(f"goal{target}x{each}" for each in range(20))
        paper = Paper(title=f"Target {target} on {words[:40]}", year=2025, date=dt.date(2025, 1, 1), abstract=words)
        links = tuple(Reference(scheme="key", value=key) for key in keys)
        yield Entry(paper=paper, key=f"target/{target}", references=links)


async def build(settings: LoadedSettings, folder: Path) -> None:
    """One data set."""
    async with Workplace(settings) as workplace:
        task = NextIdeaTask(folder=str(folder), settings=NextIdeaSettings(since=dt.date(2025, 1, 1)), force=True)
        await start(NEXT_IDEA_DATA, workplace, task)


async def finish(settings: LoadedSettings, run_id: str) -> None:
    """The rest of a build that was stopped."""
    async with Workplace(settings) as workplace:
        await resume(NEXT_IDEA_DATA, workplace, run_id)


def pipeline(home: Path) -> None:
    """Throughput, and what a stopped build sends again."""
    with Library.open(home / "library") as library:
        library.add(invented_literature())
        asyncio.run(library.index())
    with ServerProcess(LATENCY) as server:

        def settings(ledger: str, calls: int | None = None) -> LoadedSettings:
            given = {"home": str(home), "ledger": str(home / ledger), "writer": server.model, "in_flight": IN_FLIGHT,
                     "budget_calls": calls}  # fmt: skip
            return load_settings(given, environment={}, folder=home)

        began = time.perf_counter()
        asyncio.run(build(settings("whole.sqlite"), home / "whole"))
        seconds, answered = time.perf_counter() - began, server.counts()["answered"]
        ideal = answered / IN_FLIGHT * LATENCY
        print(
            f"{answered:,} calls for {TARGETS} targets in {seconds:.1f} s; ideal {ideal:.1f} s: {ideal / seconds:.0%}"
        )
        with contextlib.suppress(BudgetSpent):
            asyncio.run(build(settings("halves.sqlite", answered // 2), home / "halves"))
        with Ledger.open(home / "halves.sqlite") as ledger:
            [run] = ledger.runs()
        asyncio.run(finish(settings("halves.sqlite"), run.id))
        sent = server.counts()["answered"]
        with Ledger.open(home / "halves.sqlite") as ledger:
            keys = Counter(call.key for call in ledger.calls(run.id))
        print(f"stopped half-way and resumed: {sent:,} calls sent, {len(keys):,} recorded, "
              f"{sum(many > 1 for many in keys.values())} of them twice")  # fmt: skip


def trained(home: Path, data: Path, seed: int, steps: int, name: str, changes: Sequence[str]) -> NextIdeaTraining:
    """One training. Every training of a seed begins with the same weights."""
    base = home / f"base-{seed}"
    if not base.exists():
        write_invented_policy(base, seed)
    options = PolicyOptions("cpu", base=str(base), overrides=[*QUICK, f"grpo.steps={steps}", *changes], seed=seed)
    folder = home / f"{name.split(maxsplit=1)[0]}-{seed}"
    session = prepare_policy(data, folder, load_settings({"home": str(home)}, environment={}, folder=home), options)
    training = asyncio.run(
        train_policy_session(session, lambda child: Counter(each["kind"] for each in child.events()) and None)
    )
    assert training is not None, "one machine"
    return training


def told(point: ReturnPoint) -> str:
    """A point in figures."""
    scores = f"first idea {point.first_score or 0:.3f}, last idea {point.last_score or 0:.3f}"
    return f"return {point.mean_return or 0:+.3f}, {scores}"


def learning(home: Path, seeds: Sequence[int], steps: int) -> None:
    """Returns before and after training, with controls, seed by seed."""
    points: dict[str, list[ReturnPoint]] = {"untrained": [], **{name: [] for name in TRAININGS}}
    for place, seed in enumerate(seeds):
        data = write_invented_tasks(home / f"tasks-{seed}", first=TASKS_OF_A_SEED * seed)
        for name, changes in TRAININGS.items():
            training = trained(home, data, seed, steps, name, changes)
            points[name].append(training.points[-1])
            if not points["untrained"][place:]:
                points["untrained"].append(training.points[0])
        for name in points:
            print(f"seed {seed}, {name:24} {told(points[name][place])}", flush=True)
    for name in TRAININGS:
        for control in ("untrained", "shuffled rewards"):
            if control != name:
                compare(name, control, points)


def compare(name: str, control: str, points: dict[str, list[ReturnPoint]]) -> None:
    """Paired differences over seeds, with an exact sign-flip test."""
    for field in ("mean_return", "last_score"):
        pairs = zip(points[name], points[control], strict=True)
        gains = [(getattr(one, field) or 0.0) - (getattr(other, field) or 0.0) for one, other in pairs]
        print(
            f"{name} against {control}: {field} {mean(gains):+.3f}, p = {sign_flip_test(gains):.3f} over "
            f"{len(gains)} seeds"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("pipeline", "learning"))
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--steps", type=int, default=90)
    chosen = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        if chosen.only != "learning":
            pipeline(Path(folder))
        if chosen.only != "pipeline":
            learning(Path(folder), range(chosen.first_seed, chosen.first_seed + chosen.seeds), chosen.steps)


if __name__ == "__main__":
    main()
