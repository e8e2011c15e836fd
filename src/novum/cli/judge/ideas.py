"""Ideas that a command names, as pairs to compare."""

from __future__ import annotations

from pathlib import Path

from novum.cli.ideas.sources import pooled_ideas
from novum.cli.shell.terminal import print_message
from novum.core import Idea
from novum.errors import BadInput
from novum.reports.phrases import count
from novum.runs import judge
from novum.runs.idea_sources import ideation_of
from novum.runs.judge import Contest
from novum.settings import load_settings


def ideas_of(name: str) -> list[Idea]:
    """The ideas of a run or file, in its order: best first, where they are ranked. Raises BadInput where there are
    none."""
    ideas = [one.idea for one in pooled_ideas([name])]
    if not ideas:
        raise BadInput(f"{name} holds no idea. Name a run of `novum ideate`, its report.json, or a table of ideas.")
    return ideas


def contest_between(subject: str, baseline: str) -> Contest:
    """Pairs the ideas of two runs or files by topic and number. Raises BadInput where they have no topic in common."""
    first, second = _names(subject, baseline)
    sides = [[idea for idea in ideas_of(name) if idea.topic.strip()] for name in (subject, baseline)]
    contest, alone = judge.contest_between(first, sides[0], second, sides[1])
    if contest is None:
        raise BadInput(f"{subject} and {baseline} have no topic in common: ideas are compared on the same topic.")
    if alone:
        print_message(f"{count(alone, 'idea')} left out: without a counterpart on the same topic.")
    return contest


def contests_of_steps(name: str) -> list[Contest]:
    """Each later draft of the ideas of a run against the first. Raises BadInput where no idea has an earlier draft."""
    contests = judge.contests_of_drafts(ideation_of(name, load_settings()))
    if not contests:
        raise BadInput(f"No idea of {name} has an earlier draft: there are no steps to compare.")
    return contests


def _names(subject: str, baseline: str) -> tuple[str, str]:
    """Short names of the two sides that differ from each other."""
    one, other = Path(subject).stem or subject, Path(baseline).stem or baseline
    if one in {other, "report"} or other == "report":
        one, other = subject, baseline
    return (one, other) if one != other else (f"{one} (1)", f"{other} (2)")
