"""Writes the ideas of a run to Zotero: a note for each, in a collection or the library itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from novum.core import Candidate, IdeationReport, Paper, Value
from novum.errors import BadInput, SourceError
from novum.integrations.zotero.note import note_html, papers_cited
from novum.integrations.zotero.paper_items import TAG, find_items, object_key, paper_item
from novum.lab import Workplace
from novum.literature import Library
from novum.literature.sources.json_responses import nested_object
from novum.literature.zotero.client import ZoteroClient
from novum.literature.zotero.library import ZoteroLibrary, zotero_client
from novum.literature.zotero.place import PREFIX, ZoteroPlace, is_zotero

_AT_ONCE = 10
"""Objects of one request. Zotero takes 50, but notes are long."""
_EXISTS = 412
"""The code of an object that is there already, since it is created as version 0."""


class ZoteroExport(Value):
    """The result of `write_ideas`."""

    place: str
    """`users/12` or `groups/34`, with the path of the collection."""
    notes: int = 0
    """Notes that were created."""
    notes_present: int = 0
    """Notes that an earlier command had created. They are not changed: they may have been edited."""
    items: int = 0
    """Items of papers that were created."""
    linked: int = 0
    """Papers whose items the notes are linked to."""


@dataclass
class _Written:
    """What became of objects that were sent."""

    created: list[str] = field(default_factory=list)
    present: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


async def export_ideas(
    place: Workplace, outcome: object, run_id: str, to: str, *, with_papers: bool = False
) -> ZoteroExport:
    """Writes the ideas of a stored run, by its outcome, to `to`: `zotero:`, `zotero:COLLECTION` and so on, with the key
    in the environment. Raises BadInput for another place, and for a run without ideas; otherwise as `write_ideas`."""
    named = zotero_place(to)
    if not isinstance(outcome, IdeationReport):
        raise BadInput(f"Run {run_id} is no run of `novum ideate`: the ideas of such runs can be written to Zotero.")
    if not outcome.ideation.candidates:
        raise BadInput(f"Run {run_id} has no idea yet. Continue it: novum runs resume {run_id}")
    async with zotero_client(named, place.settings.values.source_addresses, os.environ) as client:
        return await write_ideas(client, named, place.library, outcome, with_papers=with_papers)


def zotero_place(to: str) -> ZoteroPlace:
    """The place that `to` names. Raises BadInput for what is none."""
    if not is_zotero(to):
        raise BadInput(f"{to} is no place for ideas: write {PREFIX} or {PREFIX}COLLECTION for notes in Zotero.")
    return ZoteroPlace.read(to)


async def write_ideas(
    client: ZoteroClient, named: ZoteroPlace, library: Library, report: IdeationReport, *, with_papers: bool = False
) -> ZoteroExport:
    """Creates a note for each idea of a run, with links to the items of its papers.

    `with_papers`: also creates items for the papers of the chains and of citations that Zotero does not have. Repeating
    it creates nothing twice: the keys of notes and items follow from the idea, the run and the library. Raises BadInput
    when Zotero cannot be written or has no such collection, SourceError.
    """
    zotero = await ZoteroLibrary.open(client, named)
    zotero.check_writable()
    collection = (await zotero.find(named.collection))[0] if named.collection else None
    writer = _Writer(zotero, collection.key if collection else "")
    papers = _papers(report)
    keys = await find_items(zotero, library, papers)
    items = await writer.add_papers([paper for paper in papers if paper.id not in keys], keys) if with_papers else 0
    notes = await writer.add_notes(report, keys)
    return ZoteroExport(
        place="/".join(filter(None, (zotero.owner, collection.path if collection else ""))),
        notes=len(notes.created),
        notes_present=len(notes.present),
        items=items,
        linked=len(keys),
    )


class _Writer:
    """Writes to one collection, or to the library itself where `collection` is empty."""

    def __init__(self, zotero: ZoteroLibrary, collection: str) -> None:
        self._zotero = zotero
        self._collection = collection

    async def add_papers(self, papers: Sequence[Paper], keys: dict[str, str]) -> int:
        """Creates items of papers, and adds them to `keys`. Returns how many."""
        new = {object_key("paper", self._zotero.owner, paper.id): paper for paper in papers}
        written = await self._send([paper_item(paper, key, self._collection) for key, paper in new.items()], "item")
        keys |= {new[key].id: key for key in (*written.created, *written.present)}
        return len(written.created)

    async def add_notes(self, report: IdeationReport, keys: Mapping[str, str]) -> _Written:
        return await self._send([self._note(report, one, keys) for one in report.ideation.candidates], "note")

    def _note(self, report: IdeationReport, candidate: Candidate, keys: Mapping[str, str]) -> dict[str, object]:
        owner = self._zotero.owner
        cited = [keys[paper.id] for paper in papers_cited(report, candidate) if paper.id in keys]
        links = {paper: f"{_selecting(owner)}/items/{key}" for paper, key in keys.items()}
        related = [f"http://zotero.org/{owner}/items/{key}" for key in dict.fromkeys(cited)]
        return {
            "key": object_key("note", owner, self._collection, report.account.run_id, candidate.idea.id),
            "version": 0,
            "itemType": "note",
            "note": note_html(report, candidate, links),
            "tags": [TAG],
            "collections": [self._collection] if self._collection else [],
            "relations": {"dc:relation": related} if related else {},
        }

    async def _send(self, objects: Sequence[dict[str, object]], noun: str) -> _Written:
        written = _Written()
        for start in range(0, len(objects), _AT_ONCE):
            some = list(objects[start : start + _AT_ONCE])
            answer = (await self._zotero.client.post(f"{self._zotero.path}/items", some)).value
            _sort(answer, [str(each["key"]) for each in some], written)
        if written.failed:
            done = f"{len(written.created)} of {len(objects)} {noun}s were written"
            raise SourceError(
                f"Zotero refused a {noun} ({written.failed[0]}); {done}. Repeat the command for the rest."
            )
        return written


def _sort(answer: object, keys: Sequence[str], written: _Written) -> None:
    """Reads Zotero's report on the objects of one request, which names them by their place."""
    report = answer if isinstance(answer, Mapping) else {}
    created, failed = nested_object(report, "success"), nested_object(report, "failed")
    for place, key in enumerate(keys):
        reason = failed.get(str(place))
        if str(place) in created:
            written.created.append(key)
        elif isinstance(reason, Mapping) and reason.get("code") == _EXISTS:
            written.present.append(key)
        else:
            said = str(reason.get("message"))[:160] if isinstance(reason, Mapping) else "it said nothing of it"
            written.failed.append(said)


def _papers(report: IdeationReport) -> list[Paper]:
    """All papers that the notes name, each once."""
    cited = (paper for candidate in report.ideation.candidates for paper in papers_cited(report, candidate))
    return list({paper.id: paper for paper in cited}.values())


def _selecting(owner: str) -> str:
    """The beginning of addresses that select an item in the program."""
    return "zotero://select/library" if owner.startswith("users/") else f"zotero://select/{owner}"
