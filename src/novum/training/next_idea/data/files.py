"""A data set of next-idea prediction as a folder: one table for each split, the card, and the README."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from novum.core.research_context import NEXT_IDEA_SPLITS, NextIdeaRecord, NextIdeaSplit
from novum.errors import BadInput
from novum.files.folder import CARD, atomic_folder, check_place
from novum.files.inputs import open_plain, read_plain
from novum.training.next_idea.data.card import NextIdeaCard, render_card

DATA, README = "data", "README.md"


def check_next_idea_folder(folder: Path, *, force: bool) -> None:
    """Raise BadInput if a data set cannot be written to `folder`. Called before anything is spent."""
    check_place(folder, NextIdeaCard, "a set of next-idea tasks", force=force)


def write_next_ideas(records: Sequence[NextIdeaRecord], card: NextIdeaCard, folder: Path, *, force: bool) -> None:
    """Write the whole set, or nothing. Raises BadInput when the folder cannot be written."""
    check_next_idea_folder(folder, force=force)
    with atomic_folder(folder, [DATA]) as place:
        for split in NEXT_IDEA_SPLITS:
            lines = [each.model_dump_json() for each in records if each.split == split]
            text = "".join(f"{line}\n" for line in lines)
            (place / DATA / f"{split}.jsonl").write_text(text, encoding="utf-8", errors="replace")
        (place / README).write_text(render_card(card), encoding="utf-8", errors="replace")
        (place / CARD).write_text(card.model_dump_json(indent=1), encoding="utf-8", errors="replace")


@dataclass(frozen=True)
class NextIdeaSet:
    """A data set on disk."""

    folder: Path
    card: NextIdeaCard
    digest: str

    def records(self, split: NextIdeaSplit) -> list[NextIdeaRecord]:
        """All records of a split. Raises BadInput for a line that cannot be read."""
        return list(self._read(split))

    def record(self, name: str) -> NextIdeaRecord:
        """The record with this id, or whose target has this id; the beginning of an id is enough if it is the only one.
        Raises BadInput."""
        every = [record for split in NEXT_IDEA_SPLITS for record in self._read(split)]
        exact = [each for each in every if name in (each.id, each.target_id)]
        found = exact or [each for each in every if name and each.id.startswith(name)]
        if not found:
            raise BadInput(f"{self.folder} has no record {name!r}. Its records are: {_listing(every)}.")
        if len(found) > 1 and not exact:
            raise BadInput(f"{name!r} is the beginning of several ids: {_listing(found)}.")
        return found[0]

    def _read(self, split: NextIdeaSplit) -> Iterator[NextIdeaRecord]:
        file, seen = self.folder / DATA / f"{split}.jsonl", set[str]()
        try:
            with io.TextIOWrapper(open_plain(file), encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    record = _parsed(line, file, number)
                    if record.id in seen:
                        raise BadInput(f"{file}:{number}: the record {record.id} is there twice. Remove the line.")
                    seen.add(record.id)
                    yield record
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(
                f"{file} cannot be read: {error}. Build the set again: novum data build next-idea"
            ) from error


def open_next_ideas(folder: Path) -> NextIdeaSet:
    """The data set in a folder. Raises BadInput when there is none."""
    try:
        content = read_plain(folder / CARD)
        card = NextIdeaCard.model_validate_json(content)
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder} holds no set of next-idea tasks: build one with `novum data build next-idea --out {folder}`."
        ) from error
    return NextIdeaSet(folder, card, hashlib.blake2b(content, digest_size=8).hexdigest())


def _parsed(line: str, file: Path, number: int) -> NextIdeaRecord:
    try:
        return NextIdeaRecord.model_validate_json(line)
    except ValidationError as error:
        raise BadInput(
            f"{file}:{number} is not a record of next-idea prediction ({error.errors()[0]['msg']}). Build the set "
            "again, or remove the line."
        ) from error


def _listing(records: Sequence[NextIdeaRecord]) -> str:
    named = ", ".join(each.id for each in records[:5])
    return f"{named}, …" if len(records) > 5 else named or "none"
