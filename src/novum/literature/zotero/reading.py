"""Adding a library of Zotero, or a collection, to the library: everything at first, later what changed."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from novum.core import Paper, Value
from novum.core.concurrency import run_concurrently
from novum.errors import BadInput
from novum.literature.entry import ImportReport, Reject
from novum.literature.fetching.gathering import GatheringResult
from novum.literature.importing.rejects import FOLDER, RejectsFile
from novum.literature.library import Library
from novum.literature.sources.json_responses import entries_of, nested_object, objects
from novum.literature.zotero.client import ZoteroNotFoundError, ZoteroResponse
from novum.literature.zotero.items import is_part, item_entry, item_key
from novum.literature.zotero.library import ZoteroLibrary

READING = 1
"""Increased when more is read from items: everything is then read again."""
_AT_ONCE = 4
"""Full texts requested at the same time: the most that Zotero asks clients to have under way."""
_LONGEST_FULL_TEXT = 4_000_000
"""Characters."""
ZoteroProgress = Callable[[str, int, int | None], None]
"""Is called with what is read, the number of items so far, and the total if it is known."""


class ZoteroReport(Value):
    """The result of `add_zotero`."""

    report: ImportReport = ImportReport()
    unchanged: bool = False
    """Whether nothing changed in Zotero since the last time, so that no item was requested."""
    since: bool = False
    """Whether only what changed since the last time was requested."""
    parts: int = 0
    """Notes and attachments that stand by themselves; they are no papers and are not among the rejects."""
    full_texts: int = 0
    """Papers whose full text was added."""
    rejects_file: Path | None = None
    citations: GatheringResult | None = None
    """What services added along citations, if they were asked."""


class _Position(Value):
    """The version of Zotero's library up to which a place was read."""

    version: int
    reading: int = READING

    @classmethod
    def of(cls, library: Library, name: str) -> Self | None:
        try:
            known = cls.model_validate_json(library.get_note(name) or "")
        except ValidationError:  # none, or one of another version
            return None
        return known if known.reading == READING else None


async def add_zotero(
    library: Library,
    zotero: ZoteroLibrary,
    collection: str = "",
    *,
    full_texts: bool = False,
    fresh: bool = False,
    progress: ZoteroProgress = lambda what, done, total: None,
) -> ZoteroReport:
    """Adds the papers of a library of Zotero, or of a collection and those below it.

    Items of other types are listed as rejects. Later calls request what changed since, as the web API's versions tell;
    the versions of the program on this computer do not count what is not synchronised, so there everything is read
    each time. `full_texts`: also the texts that Zotero indexed of the papers' files, where the library has none yet.
    `fresh`: read everything again. What Zotero deletes stays in the library. An interrupted call leaves the papers
    added so far, and is repeated from its beginning. Raises SourceError, LibraryError, and BadInput for a collection
    that does not exist.
    """
    scopes = [f"/collections/{one.key}" for one in await zotero.find(collection)] if collection else [""]
    rejects = RejectsFile(library.folder / FOLDER, "zotero")
    work = _ZoteroImport(library, zotero, rejects, progress, fresh)
    try:
        for scope in scopes:
            await work.read(scope)
        if full_texts:
            for scope in scopes:
                await work.read_full_texts(scope)
    except ZoteroNotFoundError as error:
        raise BadInput(f"There is no library {zotero.owner} at Zotero: check the number.") from error
    finally:
        rejects.close()
    return work.result()


async def zotero_papers(library: Library, zotero: ZoteroLibrary, collection: str = "") -> list[Paper]:
    """The papers of the library that were added from these items of Zotero. Raises as `add_zotero` does."""
    scopes = [f"/collections/{one.key}" for one in await zotero.find(collection)] if collection else [""]
    keys = [key for scope in scopes for key in await _keys(zotero, f"{zotero.path}{scope}/items/top")]
    found = await asyncio.to_thread(library.by_names, [("key", key) for key in dict.fromkeys(keys)])
    return list({paper.id: paper for paper in found.values()}.values())


async def _keys(zotero: ZoteroLibrary, path: str) -> list[str]:
    """The keys of items as the library stores them. The program on this computer does not say whose items they are in a
    list of keys alone."""
    if zotero.client.local:
        return [item_key(item) async for page in zotero.client.pages(path) for item in objects(page.value)]
    listed = (await zotero.client.get(path, {"format": "keys"})).body.decode("ascii", "replace")
    return [f"zotero:{zotero.owner}/{key}" for key in listed.split()]


class _ZoteroImport:
    """The state of one call of `add_zotero`."""

    def __init__(
        self, library: Library, zotero: ZoteroLibrary, rejects: RejectsFile, progress: ZoteroProgress, fresh: bool
    ) -> None:
        self._library = library
        self._zotero = zotero
        self._rejects = rejects
        self._progress = progress
        self._fresh = fresh
        self._report = ImportReport(source="Zotero")
        self._counts: Counter[str] = Counter()

    def result(self) -> ZoteroReport:
        counts = self._counts
        return ZoteroReport(
            report=self._report,
            unchanged=counts["unchanged"] == counts["scopes"],
            since=counts["since"] == counts["scopes"],
            parts=counts["parts"],
            full_texts=counts["full texts"],
            rejects_file=self._rejects.written,
        )

    async def read(self, scope: str) -> None:
        """Adds the items of a collection, or of the whole library, and stores up to which version."""
        name = _note_name(self._zotero, scope)
        known = None if self._fresh else _Position.of(self._library, name)
        self._counts.update(scopes=1, since=known is not None)
        # In the order of arrival: a change while pages are read then moves no item from one page to another.
        parameters = {"sort": "dateAdded", "direction": "asc"} | ({"since": str(known.version)} if known else {})
        first: ZoteroResponse | None = None
        path = f"{self._zotero.path}{scope}/items/top"
        async for page in self._zotero.client.pages(path, parameters, unless=known.version if known else None):
            first = first or page
            if page.unchanged:
                self._counts["unchanged"] += 1
                return
            await self._take(page)
        if first and first.version is not None and not self._zotero.client.local:
            position = _Position(version=first.version)
            await asyncio.to_thread(self._library.set_note, name, position.model_dump_json())

    async def _take(self, page: ZoteroResponse) -> None:
        items = list(objects(page.value))
        papers = [item for item in items if not is_part(item)]
        start = self._counts["items"]
        entries, rejects = entries_of(enumerate(papers, start + 1), item_entry, "Zotero")
        self._counts.update(items=len(items), parts=len(items) - len(papers))
        refused = ImportReport.of_rejects("Zotero", rejects)
        self._list(refused)
        self._report += refused
        if entries:
            self._report += await asyncio.to_thread(self._library.add, entries, "Zotero", self._list)
        self._progress("Zotero", self._counts["items"], page.total)

    def _list(self, report: ImportReport) -> None:
        for reject in report.rejects:
            self._rejects.put(reject)

    async def read_full_texts(self, scope: str) -> None:
        """Adds the texts of files whose papers have none yet."""
        client, path = self._zotero.client, self._zotero.path
        indexed = (await client.get(f"{path}/fulltext", {"since": "0"})).value
        files: dict[str, str] = {}
        async for page in client.pages(f"{path}{scope}/items", {"itemType": "attachment"}):
            for item in objects(page.value):
                if isinstance(indexed, Mapping) and item.get("key") in indexed and (parent := _parent_key(item)):
                    files.setdefault(parent, str(item["key"]))
        wanted = await asyncio.to_thread(self._without_text, files)
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            await run_concurrently(self._add_text(paper, file) for paper, file in some)
            self._progress("full texts", start + len(some), len(wanted))

    def _without_text(self, files: Mapping[str, str]) -> Sequence[tuple[Paper, str]]:
        """The papers of these files that are in the library and have no full text."""
        found = self._library.by_names(("key", key) for key in files)
        known = self._library.full_texts(paper.id for paper in found.values())
        return [(paper, files[key]) for (_, key), paper in found.items() if paper.id not in known]

    async def _add_text(self, paper: Paper, file: str) -> None:
        try:
            answer = (await self._zotero.client.get(f"{self._zotero.path}/items/{file}/fulltext")).value
        except ZoteroNotFoundError:
            return
        text = answer.get("content") if isinstance(answer, Mapping) else None
        if not isinstance(text, str) or not (text := text.replace("\x00", "")).strip():
            return
        if len(text) > _LONGEST_FULL_TEXT:
            self._rejects.put(Reject(file="Zotero", line=0, reason=f"a full text of {len(text):,} characters"))
            return
        await asyncio.to_thread(self._library.set_full_text, paper.id, text)
        self._counts["full texts"] += 1


def _parent_key(file: Mapping[str, object]) -> str:
    """The key of the item that a file belongs to; empty for a file by itself."""
    parent = nested_object(file, "data").get("parentItem")
    return item_key({**file, "key": parent}) if isinstance(parent, str) else ""


class AddedPlace(Value):
    """A library or collection of Zotero that was added, so that it can be read again for what changed."""

    place: str
    """As `ZoteroPlace` writes and reads it."""
    full_texts: bool = False


def remember_place(library: Library, added: AddedPlace) -> None:
    """Stores that a place was added; the same place is stored once. Raises LibraryError."""
    library.set_note(_place_note(added), added.model_dump_json())


def added_places(library: Library) -> list[AddedPlace]:
    """The places that were added, in a fixed order. Raises LibraryError."""
    found = []
    for text in library.notes(_PLACES).values():
        with suppress(ValidationError):  # of another version
            found.append(AddedPlace.model_validate_json(text))
    return found


def forget_place(library: Library, added: AddedPlace) -> None:
    """Deletes what `remember_place` stored; the papers stay. Raises LibraryError."""
    library.delete_note(_place_note(added))


_PLACES = "zotero-place:"


def _place_note(added: AddedPlace) -> str:
    return _PLACES + hashlib.blake2b(added.place.encode(), digest_size=16).hexdigest()


def _note_name(zotero: ZoteroLibrary, scope: str) -> str:
    place = f"{zotero.client.address}{zotero.path}{scope}"
    return f"zotero:{hashlib.blake2b(place.encode(), digest_size=16).hexdigest()}"
