"""The table of run kinds: what engine carries a stored run on, and which function of the command line shows it.

Adding a kind is one row. Other packages add theirs as a `RunKindEntry` under the entry-point group `novum.run_kinds`.
Modules are named as strings and imported when used: benchmarks and commands stand above this package.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from novum.errors import BadInput
from novum.ledger import RunRecord
from novum.registry import announced_by_packages
from novum.runs.engine import RunKind

GROUP = "novum.run_kinds"


@dataclass(frozen=True)
class RunKindEntry:
    """A row of the table. `kind` and `show` are written `module:NAME`."""

    name: str
    """The kind of a run as the ledger stores it."""
    description: str
    kind: str
    """The RunKind."""
    show: str
    """A function of the outcome and the `OutputOptions`, which prints the outcome and writes its files."""
    method: str = ""
    """The method of the run, where runs of one stored kind are of several RunKinds."""
    command: str = ""
    """The command that shows a stopped run as far as it came."""
    page: str = ""
    """A function as `show` that writes the page of the report, where `show` leaves it to a command of its own."""

    def load(self) -> RunKind[Any, Any]:
        """The RunKind."""
        found = _load(self.kind)
        assert isinstance(found, RunKind), f"{self.kind} is not a RunKind"
        return found

    def load_show(self) -> Any:
        """The function that shows an outcome."""
        return _load(self.show)

    def load_page(self) -> Any:
        """The function that writes the page; None where `show` has written everything."""
        return _load(self.page) if self.page else None


def _entry(
    name: str, description: str, kind: str, show: str, method: str = "", command: str = "", page: str = ""
) -> RunKindEntry:
    writes = f"novum.cli.{page}" if page else ""
    return RunKindEntry(name, description, f"novum.{kind}", f"novum.cli.{show}", method, command, writes)


RUN_KINDS = (
    _entry("ideate", "ideas on a topic", "runs.ideation:IDEATION", "ideas.session:deliver"),
    _entry("steer", "ideas changed on a researcher's word", "runs.steering:STEERING", "ideas.session:deliver"),
    _entry("explore", "an answer from the literature", "runs.exploration:EXPLORATION", "ideas.session:deliver"),
    _entry("bulk", "ideas in bulk", "runs.bulk:BULK", "ideas.bulk:show"),
    _entry("review", "reviews of ideas", "runs.review:REVIEW", "ideas.review:show"),
    _entry("filter", "ideas reviewed and ranked", "runs.filter:FILTER", "ideas.filter:show"),
    _entry("judge", "win rates of ideas", "runs.judge:WIN_RATE", "judge.commands:show_stored"),
    _entry("judge", "ideas judged by a rubric", "runs.judge:RUBRIC_MARKS", "judge.commands:show_stored", "rubric"),
    _entry(
        "arena", "an arena of idea generators", "benchmarks.arena.durable:ARENA", "arena.session:show_and_write",
        command="novum arena score", page="arena.reports:write_page",
    ),
    _entry(
        "arena-topics", "topics for an arena", "benchmarks.arena.durable:ARENA_TOPICS",
        "arena.commands:show_stored_topics",
    ),
    _entry(
        "liveidea", "models measured on divergent thinking", "benchmarks.liveidea.durable:LIVEIDEA",
        "liveidea.session:show_and_write", command="novum liveidea score",
        page="liveidea.reports:write_page",
    ),
    _entry(
        "foresight", "ideas compared with later papers", "benchmarks.foresight.durable:FORESIGHT",
        "foresight.session:show_and_write", command="novum foresight report",
    ),
    _entry(
        "judge-evaluation", "judges compared with real reviews", "benchmarks.judge_evaluation.durable:JUDGE_EVALUATION",
        "judge.evaluate_session:show", command="novum judge report",
    ),
    _entry(
        "judge-validation", "judges compared with people", "benchmarks.judge_validation.durable:JUDGE_VALIDATION",
        "judge.validate:show_stored",
    ),
    _entry("judge-data", "a data set of reviews", "training.reviews.durable:JUDGE_DATA", "data.judge:show_stored"),
    _entry(
        "next-idea-data", "a data set of next-idea tasks", "training.next_idea.data.durable:NEXT_IDEA_DATA",
        "data.next_idea:show_stored",
    ),
    _entry(
        "reward-check", "a check of reward models", "training.next_idea.reward_check:REWARD_CHECK",
        "train.check_reward:show",
    ),
    _entry(
        "next-idea-evaluation", "an evaluation on next-idea tasks",
        "training.next_idea.evaluation.durable:NEXT_IDEA_EVALUATION", "next_idea.commands:show",
    ),
)  # fmt: skip


CONTINUED_BY = {
    "next-idea-training": "Repeat its command `novum train next-idea`: it resumes from the last checkpoint.",
    "next-idea-environment": "Another trainer played these episodes: start that one again.",
}
"""Runs that only hold the calls of a training, and how each is continued."""


def entry_of(record: RunRecord) -> RunKindEntry:
    """The row of a stored run. Raises BadInput for a kind that no installed package knows."""
    method = record.params.get("method")
    built_in = [each for each in RUN_KINDS if each.name == record.kind and each.method in ("", method)]
    if built_in:
        return max(built_in, key=lambda each: each.method)
    announced = announced_by_packages(GROUP, accepts=lambda entry: isinstance(entry, RunKindEntry))
    for entry in announced.things.values():
        if entry.name == record.kind:
            return entry  # type: ignore[no-any-return]
    if record.kind in CONTINUED_BY:
        raise BadInput(f"Run {record.id} holds the calls of a training. {CONTINUED_BY[record.kind]}")
    raise BadInput(
        f"Run {record.id} is of the kind {record.kind!r}, which is not known here. Install the package that adds it."
    )


def entry_named(name: str, method: str = "") -> RunKindEntry:
    """The row of a built-in kind. Raises BadInput for a name that there is not."""
    for entry in RUN_KINDS:
        if entry.name == name and entry.method == method:
            return entry
    raise BadInput(f"There is no kind of run called {name[:40]!r}.")


def command_for(name: str) -> str:
    """The command that shows a stopped run of this kind as far as it came; empty where there is none."""
    return next((entry.command for entry in RUN_KINDS if entry.name == name), "")


def _load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
