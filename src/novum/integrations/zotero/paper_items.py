"""Papers as items of Zotero: finding those that are there, and making those that are not."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Sequence

from novum.core import Paper
from novum.literature import Library
from novum.literature.identity import same_by_identifier, same_by_title, squeezed
from novum.literature.importing.record import UnusableRecord
from novum.literature.sources.json_responses import objects
from novum.literature.zotero.items import item_entry
from novum.literature.zotero.library import ZoteroLibrary
from novum.reports.sanitizing import clean, clean_line

TAG = {"tag": "Novum"}
"""On everything that Novum creates, so that it can be found and deleted together."""
_KEY_CHARACTERS = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
"""Of the keys of Zotero's objects, which have eight of them."""
_KEY = re.compile(rf"[{_KEY_CHARACTERS}]{{8}}")
_MOST_SEARCHED = 100
"""Papers that are searched by title, a request each."""
_LONGEST_NAME = 250
_VENUE = {"journalArticle": "publicationTitle", "conferencePaper": "proceedingsTitle", "preprint": "repository"}


def object_key(*parts: str) -> str:
    """The key of an object that Novum creates: always the same for the same parts, so that it is created once."""
    number = int.from_bytes(hashlib.blake2b("\n".join(parts).encode(), digest_size=16).digest(), "big")
    key = ""
    for _ in range(8):
        number, place = divmod(number, len(_KEY_CHARACTERS))
        key += _KEY_CHARACTERS[place]
    return key


async def find_items(zotero: ZoteroLibrary, library: Library, papers: Sequence[Paper]) -> dict[str, str]:
    """The keys of the items of these papers, by the id of the paper, as far as Zotero has them.

    Papers that were added from this library of Zotero are known by their items; others are searched by their title.
    Raises SourceError.
    """
    known = await _known_items(zotero, library)
    current = await asyncio.to_thread(lambda: {paper.id: library.get(paper.id) for paper in papers})
    found = {wanted: known[stored.id] for wanted, stored in current.items() if stored and stored.id in known}
    for paper in [paper for paper in papers if paper.id not in found][:_MOST_SEARCHED]:
        if key := await _search(zotero, paper):
            found[paper.id] = key
    return found


async def _known_items(zotero: ZoteroLibrary, library: Library) -> dict[str, str]:
    """Keys of items by the id of the paper that was added from them."""
    listed = await zotero.client.get(f"{zotero.path}/items/top", {"format": "keys"})
    keys = _KEY.findall(listed.body.decode("ascii", "replace"))
    names = {("key", f"zotero:{zotero.owner}/{key}"): key for key in keys}
    papers = await asyncio.to_thread(library.by_names, names)
    return {paper.id: names[name] for name, paper in papers.items()}


async def _search(zotero: ZoteroLibrary, paper: Paper) -> str:
    parameters = {"q": clean_line(paper.title), "qmode": "titleCreatorYear", "limit": "10"}
    answer = await zotero.client.get(f"{zotero.path}/items/top", parameters)
    for item in objects(answer.value):
        try:
            other = item_entry(item).paper
        except UnusableRecord:
            continue
        key = item.get("key")
        if isinstance(key, str) and _KEY.fullmatch(key) and _is_same(paper, other):
            return key
    return ""


def _is_same(paper: Paper, other: Paper) -> bool:
    shared = dict(paper.ids.items()).items() & dict(other.ids.items()).items()
    if shared:
        return same_by_identifier(paper, other)
    return squeezed(paper.title) == squeezed(other.title) and same_by_title(paper, other)


def paper_item(paper: Paper, key: str, collection: str) -> dict[str, object]:
    """A new item of a paper."""
    kind = _kind(paper)
    extra = [("arXiv", paper.ids.arxiv), ("PMID", paper.ids.pmid), ("PMCID", paper.ids.pmcid)]
    fields = {
        "title": clean_line(paper.title),
        _VENUE[kind]: clean_line(paper.venue) or ("arXiv" if kind == "preprint" else ""),
        "date": paper.date.isoformat() if paper.date else str(paper.year or ""),
        "abstractNote": clean(paper.abstract),
        "DOI": clean_line(paper.ids.doi or ""),
        "url": clean_line(paper.ids.url or ""),
        "extra": "\n".join(f"{name}: {clean_line(value)}" for name, value in extra if value),
    }
    return {
        "key": key,
        "version": 0,
        "itemType": kind,
        **fields,
        "creators": [_creator(name) for each in paper.authors if (name := clean_line(each))],
        "tags": [TAG],
        "collections": [collection] if collection else [],
    }


def _kind(paper: Paper) -> str:
    if paper.ids.acl:
        return "conferencePaper"
    is_preprint = paper.ids.arxiv and (not paper.venue or "arxiv" in paper.venue.lower())
    return "preprint" if is_preprint else "journalArticle"


def _creator(name: str) -> dict[str, str]:
    first, _, last = name[:_LONGEST_NAME].rpartition(" ")
    names = {"firstName": first, "lastName": last} if first else {"name": last}
    return {"creatorType": "author", **names}
