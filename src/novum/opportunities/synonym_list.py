"""The list of near-synonyms as a file that a user may edit: one line for each name, three columns separated by tabs.

Lines with the reason `found` are rewritten by each build. Edits of the user are kept: a changed or new line is
followed, and a pair whose line was deleted is not merged again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.opportunities.synonyms import SEPARATE, Synonym, chain

FILE, OFFERED = "synonyms.tsv", "synonyms.offered.tsv"
"""The list, and beside it a copy of what was last written, which shows the user's edits."""
_FOUND = "found"
_LARGEST = 16 * 2**20
_HEAD = """\
# Names that count as one concept: name, tab, the concept that it counts as, tab, why.
# Edit freely; the next `novum opportunities build` follows it. "-" in the second column keeps a name separate.
# Lines that begin with "found" in the third column are rewritten by each build; delete one to keep its pair separate.
"""


def read_list(file: Path) -> tuple[Synonym, ...]:
    """All lines of such a file; none where there is no file. Raises BadInput with the number of a line that cannot be
    read."""
    return tuple(_lines_by_number(file).values())


def _lines_by_number(file: Path) -> dict[int, Synonym]:
    try:
        if not file.is_file():
            return {}
        if file.stat().st_size > _LARGEST:
            raise BadInput(f"{file} is too large for a list of synonyms: move it away, and build again.")
        lines = read_plain(file).decode("utf-8-sig").splitlines()  # some editors write a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as text ({error}): save it as UTF-8, or move it away.") from error
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    synonyms = {number: _synonym(file, number, line) for number, line in numbered}
    seen: dict[str, int] = {}
    for number, each in synonyms.items():
        if seen.setdefault(each.name, number) != number:
            raise BadInput(
                f"{file}, lines {seen[each.name]} and {number}: {each.name[:80]!r} occurs twice. Remove one of them."
            )
    return synonyms


def _synonym(file: Path, number: int, line: str) -> Synonym:
    cells = [" ".join(cell.lower().split()) for cell in line.rstrip().split("\t")]
    if not 2 <= len(cells) <= 3 or not cells[0] or not cells[1]:
        raise BadInput(
            f"{file}, line {number}: expected a name, a tab, the concept that it counts as (or -), and optionally a "
            f"tab and a reason, not {line[:80]!r}."
        )
    if cells[0] == cells[1]:
        raise BadInput(f"{file}, line {number}: {cells[0][:80]!r} cannot count as itself; write - to keep it separate.")
    return Synonym(name=cells[0], concept=cells[1], why=cells[2] if len(cells) == 3 else "")


def edits(folder: Path) -> tuple[Synonym, ...]:
    """The user's decisions: changed and new lines, and deleted pairs. Raises BadInput as `read_list` does, and where
    lines form a cycle."""
    if not (folder / FILE).is_file():
        return ()
    now = _lines_by_number(folder / FILE)
    offered = {each.name: each for each in read_list(folder / OFFERED)}
    own = {at: each for at, each in now.items() if offered.get(each.name) != each or not each.why.startswith(_FOUND)}
    _check_cycles(folder / FILE, own)
    present = {each.name for each in now.values()}
    deleted = sorted(name for name, each in offered.items() if each.why.startswith(_FOUND) and name not in present)
    return (*own.values(), *(Synonym(name=name, concept=SEPARATE, why="taken away") for name in deleted))


def digest(listed: bytes) -> str:
    """A hash by which a build recognises the list that it followed."""
    return hashlib.sha256(listed).hexdigest()


def _check_cycles(file: Path, own: Mapping[int, Synonym]) -> None:
    concept_of = {each.name: each.concept for each in own.values() if each.concept != SEPARATE}
    for number, each in own.items():
        names = chain(each.name, concept_of)
        if names[-1] in concept_of:
            raise BadInput(
                f"{file}, line {number}: {each.name[:80]!r} counts as {each.concept[:80]!r}, which leads back to "
                f"{concept_of[names[-1]][:80]!r}. Delete one of these lines."
            )


def save(folder: Path, listed: str, own: tuple[Synonym, ...]) -> None:
    """Writes the list, each file atomically, so that a full disk does not destroy the user's edits. `own`: the edits
    that the build followed; where there are others by now, the list is left unchanged for the next build. Raises
    OSError."""
    try:
        if edits(folder) != own:
            return
    except BadInput:
        return  # the user is writing it
    for name in (FILE, OFFERED):
        write_atomic(folder / name, listed.encode())


def list_text(synonyms: Iterable[Synonym], own: Iterable[Synonym]) -> str:
    """The text of the file: the user's lines, then the other synonyms."""
    edited = {each.name: each for each in own}
    lines = [(each.name, each.concept, _reason(each)) for each in edited.values()]
    lines += [(each.name, each.concept, f"{_FOUND}: {each.why}") for each in synonyms if each.name not in edited]
    return _HEAD + "".join("\t".join(cells) + "\n" for cells in lines)


def _reason(own: Synonym) -> str:
    """The reason of a line of the user; a changed line becomes the user's."""
    return "yours" if not own.why or own.why.startswith(_FOUND) else own.why
