"""Which family a model is of, by its name: needed to see whether judges favour texts of their own kind."""

from __future__ import annotations

import re
from collections.abc import Mapping

from novum.benchmarks.arena.records import ArenaRun

_FIRST_WORD = re.compile(r"[^\W\d_]+")


def family_of(model: str) -> str:
    """The first word of the model's own name: `openai:gpt-5.5` and `openrouter:openai/gpt-4.1` are both `gpt`."""
    own = model.partition("@")[0].rpartition("/")[2].rpartition(":")[2]
    found = _FIRST_WORD.search(own)
    return found[0].casefold() if found else ""


def families_in(run: ArenaRun, told: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Of judges, and of entrants: as `told`, else by names. Whoever ran a method here wrote with the run's writer; who
    wrote the ideas of a file is known only when it is told.
    """
    writer = run.account.models.get("writer", "") if run.account else ""
    made = {each.name: family_of(writer) for each in run.entrants if each.method and writer}
    judges = {name: told.get(name) or family_of(name) for name in run.judges}
    entrants = {each.name: told.get(each.name) or made.get(each.name, "") for each in run.entrants}
    return ({name: each for name, each in judges.items() if each}, {n: each for n, each in entrants.items() if each})
