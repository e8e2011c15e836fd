"""Ideas that a command names, with messages about those that are left out; and the entrants of tables of ideas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from novum.cli.shell.arguments import print_import_log
from novum.cli.shell.terminal import print_message
from novum.errors import BadInput
from novum.reports.phrases import count
from novum.runs.idea_sources import IdeaReader, SourcedIdea, pool_of
from novum.settings import load_settings

_LONGEST_NAME = 180
"""Characters of an entrant, with room for a number."""


def pooled_ideas(names: Sequence[str], topic: str = "") -> list[SourcedIdea]:
    """The ideas of these sources, each once. Raises BadInput where a source cannot be read."""
    reader = IdeaReader(load_settings(), topic)
    pool = pool_of(names, reader)
    print_import_log(reader.log)
    print_repeated(pool.repeated)
    return list(pool.ideas)


def print_repeated(number: int) -> None:
    """Prints how many ideas are left out because they were read before, if any."""
    if number:
        print_message(f"Left out: {count(number, 'idea')} identical to an earlier one.")


def check_not_a_source(out: Path, sources: Iterable[str], doing: str) -> None:
    """Raises BadInput where writing `out` would overwrite the ideas of a source. `doing`: such as `select from`."""
    if any(out.resolve() == Path(name).resolve() for name in sources):
        raise BadInput(f"--out {out} would overwrite the ideas to {doing}: name another file.")


def unwritable(out: Path, run_id: str, error: OSError) -> BadInput:
    """The error for a table of a finished run that cannot be written."""
    return BadInput(
        f"{out} cannot be written: {error.strerror or error}. Name another file by --out: "
        f"`novum runs resume {run_id} --out FILE` writes it again without new calls."
    )


class EntrantNames:
    """Names of entrants for a table. An entrant has one idea on a topic where entrants compete: further ones are
    numbered. Memory grows with the number of names, not of ideas."""

    def __init__(self) -> None:
        self._used: Counter[tuple[str, str]] = Counter()

    def name(self, topic: str, *candidates: object) -> str:
        """A name that is free on this topic, from the first candidate with printable characters."""
        first = next(filter(None, map(_plain, candidates)), "idea")
        stem, _, end = first.rpartition(" ")
        while True:
            self._used[topic, first] += 1
            number = self._used[topic, first]
            if number > 1 and not self._used[topic, f"{first} {number}"]:
                return f"{first} {number}"
            if number == 1 and not (end.isdecimal() and self._used[topic, stem] >= int(end)):
                return first


def _plain(name: object) -> str:
    if not isinstance(name, str):
        return ""
    return " ".join("".join(char for char in name if char.isprintable()).split())[:_LONGEST_NAME]
