"""The list of near-synonyms as a file that a user may edit: one line a name, three columns, tabs between.

Lines that say `found` are written anew at each build. What a user changes, adds or takes away is kept: a changed or new
line holds as it stands, and a pair that was taken away is not merged again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.opportunities.synonyms import KEPT_APART, Synonym, chain

FILE, OFFERED = "synonyms.tsv", "synonyms.offered.tsv"
"""The list, and beside it what was last written there, by which a user's edits are known."""
_FOUND = "found"
_LARGEST = 16 * 2**20
_HEAD = """\
# Names that count as one concept: name, tab, the concept that it counts as, tab, why.
# Edit freely; the next `novum opportunities build` holds to it. "-" in the second column keeps a name apart.
# Lines that begin with "found" in the third column are written anew at each build; take one away and it stays away.
"""


def read_list(file: Path) -> tuple[Synonym, ...]:
    """All lines of such a file; none where there is no file. Raises BadInput, with the line, for what is no line of
    it."""
    return tuple(_numbered(file).values())


def _numbered(file: Path) -> dict[int, Synonym]:
    """By number of the line."""
    try:
        if not file.is_file():
            return {}
        if file.stat().st_size > _LARGEST:
            raise BadInput(f"{file} is larger than any list of synonyms: put it aside, and build again.")
        lines = file.read_text("utf-8-sig").splitlines()  # some editors begin a file with a mark
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as text ({error}): save it as UTF-8, or put it aside.") from error
    results = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    read = {number: _line(file, number, line) for number, line in results}
    seen: dict[str, int] = {}
    for number, each in read.items():
        if seen.setdefault(each.name, number) != number:
            raise BadInput(
                f"{file}, lines {seen[each.name]} and {number}: {each.name[:80]!r} occurs twice. Remove one of them."
            )
    return read


def _line(file: Path, number: int, line: str) -> Synonym:
    cells = [" ".join(cell.lower().split()) for cell in line.rstrip().split("\t")]
    if not 2 <= len(cells) <= 3 or not cells[0] or not cells[1]:
        raise BadInput(
            f"{file}, line {number}: a name, a tab, and the concept that it counts as (or -) are wanted there, and a "
            f"reason after another tab if you like; there is {line[:80]!r}."
        )
    if cells[0] == cells[1]:
        raise BadInput(f"{file}, line {number}: {cells[0][:80]!r} cannot count as itself; write - to keep it apart.")
    return Synonym(name=cells[0], concept=cells[1], why=cells[2] if len(cells) == 3 else "")


def edits(folder: Path) -> tuple[Synonym, ...]:
    """What the user decided: lines that are not as they were written, and pairs that were taken away. Raises BadInput
    as `read_list` does, and where lines go round."""
    if not (folder / FILE).is_file():
        return ()
    now = _numbered(folder / FILE)
    offered = {each.name: each for each in read_list(folder / OFFERED)}
    own = {at: each for at, each in now.items() if offered.get(each.name) != each or not each.why.startswith(_FOUND)}
    _check_ends(folder / FILE, own)
    gone = {name for name, each in offered.items() if each.why.startswith(_FOUND)} - {
        each.name for each in now.values()
    }
    apart = [Synonym(name=name, concept=KEPT_APART, why="taken away") for name in sorted(gone)]
    return (*own.values(), *apart)


def digest(listed: bytes) -> str:
    """By which a build knows the list that it held to."""
    return hashlib.sha256(listed).hexdigest()


def _check_ends(file: Path, own: Mapping[int, Synonym]) -> None:
    goes = {each.name: each.concept for each in own.values() if each.concept != KEPT_APART}
    for number, each in own.items():
        passed = chain(each.name, goes)
        if passed[-1] in goes:
            raise BadInput(
                f"{file}, line {number}: {each.name[:80]!r} counts as {each.concept[:80]!r}, and that in the end goes "
                f"round to {goes[passed[-1]][:80]!r} again. Take one of these lines away."
            )


def save(folder: Path, listed: str, own: tuple[Synonym, ...]) -> None:
    """Write the list, each file in one step: a full disk must not cost what a user wrote. `own`: the edits that were
    held to; where there are others by now, the list is left as it is, for the next build. Raises OSError."""
    try:
        if edits(folder) != own:
            return
    except BadInput:
        return  # it is being written
    for name in (FILE, OFFERED):
        write_atomic(folder / name, listed.encode())


def written(found: Iterable[Synonym], own: Iterable[Synonym]) -> str:
    """The file: the user's lines first."""
    theirs = {each.name: each for each in own}
    lines = [(each.name, each.concept, _reason(each)) for each in theirs.values()]
    lines += [(each.name, each.concept, f"{_FOUND}: {each.why}") for each in found if each.name not in theirs]
    return _HEAD + "".join("\t".join(cells) + "\n" for cells in lines)


def _reason(own: Synonym) -> str:
    """A line that was changed is the user's from then on, whatever it said before."""
    return "yours" if not own.why or own.why.startswith(_FOUND) else own.why
