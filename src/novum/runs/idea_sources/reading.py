"""Read the ideas of runs, reports, tables and text files, one after the other or as one pool."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.inputs import open_input
from novum.files.tables import SUFFIXES, ImportLog, read_rows
from novum.idea_metrics.subject_rows import LONGEST
from novum.runs.idea_sources.rows import NO_TEXT, SourcedIdea, idea_of_row, idea_of_text
from novum.runs.idea_sources.stored import FORMS, ideas_of_run
from novum.settings import LoadedSettings

RANK = "rank"
"""The position in the source as a score: 1 for the first, near 0 for the last."""
MOST_POOLED = 50_000
"""Ideas in one pool: comparing each with each takes time that grows with the square."""
_STDIN = "-"
_NO_WORDS = "it has no text"


@dataclass
class IdeaReader:
    """Reads ideas. `topic`: of texts and rows without one. `log`: which ideas cannot be used, and why."""

    settings: LoadedSettings
    topic: str = ""
    log: ImportLog = field(default_factory=ImportLog)

    def read(self, names: Iterable[str]) -> Iterator[SourcedIdea]:
        """The ideas of these sources, one in memory at a time. Raises BadInput where a source cannot be read."""
        for name in names:
            yield from self._read(name)

    def text(self, text: str, name: str) -> Iterator[SourcedIdea]:
        """The idea of a text, if it has one. `name`: of the text, for messages."""
        idea = idea_of_text(_checked(text, name), "", self.topic)
        self.log.rows += 1
        return self._logged(name, idea, _NO_WORDS)

    def _read(self, name: str) -> Iterator[SourcedIdea]:
        place = Path(name)
        try:
            exists, is_folder = place.exists(), place.is_dir()
        except (OSError, ValueError):  # too long for a name, or with a character that no name has
            exists = is_folder = False
        if name == _STDIN:
            return self.text(_decoded(sys.stdin.buffer.read, "stdin"), "stdin")
        if is_folder or (exists and place.suffix.lower() == ".json") or _may_be_run(name, exists):
            return self._run(name)
        if not exists:
            raise BadInput(f"There is no file or run {name[:80]!r}. {FORMS}")
        return self._table(place) if place.suffix.lower() in SUFFIXES else self._text_file(place)

    def _run(self, name: str) -> Iterator[SourcedIdea]:
        for number, each in enumerate(ideas_of_run(name, self.settings), 1):
            self.log.rows += 1
            yield from self._logged(f"{name}, idea {number}", each if each.subject.whole else None, _NO_WORDS)

    def _table(self, file: Path) -> Iterator[SourcedIdea]:
        for number, row in self.log.each(read_rows(file), file.name):
            where = f"{file.name}, row {number}"
            try:
                idea = idea_of_row(row, str(file), self.topic)
            except ValueError as error:  # of pydantic too
                self.log.refuse(where, first_error(error))
            else:
                yield from self._logged(where, idea, NO_TEXT)

    def _text_file(self, file: Path) -> Iterator[SourcedIdea]:
        try:
            with open_input(file) as opened:
                text = _decoded(opened.read, str(file))
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror or error}. {FORMS}") from error
        yield from (replace(each, source=str(file)) for each in self.text(text, str(file)))

    def _logged(self, where: str, idea: SourcedIdea | None, why: str) -> Iterator[SourcedIdea]:
        if idea is None:
            self.log.refuse(where, why)
        else:
            yield idea


@dataclass(frozen=True)
class IdeaPool:
    """Ideas without repetitions. `repeated`: the number of ideas left out because they are identical to another."""

    ideas: Sequence[SourcedIdea]
    repeated: int


def pool_of(names: Sequence[str], reader: IdeaReader) -> IdeaPool:
    """All ideas of these sources in their order, each once, with their position in the source as the score `rank`.

    Raises BadInput where a source cannot be read, or where there are too many ideas.
    """
    unique: dict[str, SourcedIdea] = {}
    repeated = 0
    for name in names:
        for each in _ranked(list(reader.read([name]))):
            repeated += each.idea.id in unique
            unique.setdefault(each.idea.id, each)
            if len(unique) > MOST_POOLED:
                raise BadInput(
                    f"At most {MOST_POOLED:,} ideas in one pool: split them, and select from each part first."
                )
    return IdeaPool(list(unique.values()), repeated)


def _ranked(ideas: list[SourcedIdea]) -> Iterator[SourcedIdea]:
    """With the position in the source as a score; a column `rank` gives it, where all rows have one."""
    given = [each.scores.get(RANK) for each in ideas]
    known = [place for place in given if place is not None]
    places = known if len(known) == len(ideas) else [float(place) for place in range(1, len(ideas) + 1)]
    order = {place: above for above, place in reversed(list(enumerate(sorted(places))))}
    for each, place in zip(ideas, places, strict=True):
        yield replace(each, scores={**each.scores, RANK: 1 - order[place] / len(ideas)})


def _may_be_run(name: str, exists: bool) -> bool:
    """Whether it could be the id of a run, or a part of one: words and paths are not."""
    return not exists and re.fullmatch(r"[\w-]{1,80}", name) is not None


def _decoded(read: Callable[[int], bytes], name: str) -> str:
    """The text of a file, read no further than an idea can be long. Raises BadInput if it is not text."""
    content = read(4 * LONGEST + 1)
    text = content.decode("utf-8-sig", "replace")
    if "\0" in text or text.count("\ufffd") > 0.1 * max(len(text), 1):
        raise BadInput(f"{name} is not text in UTF-8. {FORMS}")
    return text


def _checked(text: str, name: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"{name} has more than {LONGEST:,} characters, too many for one idea: shorten it to the idea.")
    return text
