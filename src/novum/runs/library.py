"""Adding papers from services, files and PDFs to a library, then embedding and indexing everything new.

Each function can be interrupted at any time and called again: added papers are stored, and it continues from there.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from novum.core import Value
from novum.errors import BadInput, SourceError
from novum.lab import Workplace, open_source, source_client
from novum.literature import Embedder, Filters, Library, import_file
from novum.literature.cluster import Apply, ClusterEmbedder, apply_locally, workers
from novum.literature.fetching.full_texts import FullTextResult, add_full_texts, full_text_services
from novum.literature.fetching.gathering import GatheringResult, follow_citations, gather
from novum.literature.fetching.saved_searches import SavedSearch, saved_searches
from novum.literature.fetching.updating import SearchUpdate, update_library
from novum.literature.importing.progress import FileReport, ImportProgressReport
from novum.literature.pdf.folder import import_pdfs
from novum.literature.sources import Search, Source, key_of
from novum.literature.zotero.library import ZoteroLibrary, zotero_client
from novum.literature.zotero.place import ZoteroPlace
from novum.literature.zotero.reading import (
    AddedPlace,
    ZoteroReport,
    add_zotero,
    added_places,
    remember_place,
    zotero_papers,
)
from novum.llm.embeddings import RemoteEmbedder

FillingProgress = Callable[[str, int, int | None, str], None]
"""Is given what is worked on (a source, a file), how much is done, of how much if known, and the same in words."""
MOST_PDF_READERS = 4
"""PDFs read at once: each may take almost a gigabyte of memory."""


def no_progress(what: str, done: int, total: int | None, words: str) -> None:
    """Ignores progress."""


class FilesResult(Value):
    """The result of importing files: a report for each that could be read, and the reasons why others could not."""

    reports: tuple[FileReport, ...] = ()
    refused: tuple[str, ...] = ()


class PdfsResult(Value):
    """The result of reading PDFs: a report for each folder, and remarks on single files."""

    reports: tuple[FileReport, ...] = ()
    remarks: tuple[str, ...] = ()


async def add_from_sources(
    place: Workplace,
    search: Search,
    names: Sequence[str] = (),
    *,
    steps: int = 0,
    fresh: bool = False,
    progress: FillingProgress = no_progress,
) -> GatheringResult:
    """Adds what the services of these names find, then follows citations for `steps` steps (0 to 2).

    Without names: the setting `sources`, else `usual_sources`. `fresh`: do not use responses stored within a week.
    Raises BadInput for an unknown name or a search that a service cannot make, SourceError when all services fail.
    """
    chosen = chosen_sources(place, names)
    async with source_client(place.settings) as client:
        result = await gather(
            place.library,
            client,
            chosen,
            search,
            steps=steps,
            age=0 if fresh else None,
            progress=Rate("papers", progress),
        )
    await embed_and_index(place.library, progress)
    return result


def chosen_sources(place: Workplace, names: Sequence[str]) -> list[Source]:
    """The services of these names, or those that are asked when none is named. Raises BadInput for an unknown name."""
    return [open_source(place.settings, name) for name in dict.fromkeys(names or usual_sources(place))]


def usual_sources(place: Workplace) -> list[str]:
    """The services that the setting `sources` names, else those that answer without a key, and Semantic Scholar if its
    key is set."""
    scholar = open_source(place.settings, "semantic-scholar")
    named = place.settings.live_sources(single=False)
    return list(named) or [*([scholar.name] if key_of(scholar) else []), "openalex", "arxiv"]


async def add_files(
    place: Workplace,
    files: Sequence[Path],
    *,
    ray: str | None = None,
    fresh: bool = False,
    progress: FillingProgress = no_progress,
) -> FilesResult:
    """Adds files and folders of papers. One that cannot be read does not affect the others.

    `ray`: address of a Ray cluster that reads and embeds. `fresh`: read again what has not changed since.
    """
    reports, refused = [], []
    with workers(ray) as apply:
        for file in files:
            try:
                reports.append(read_into(place.library, file, fresh=fresh, progress=progress, apply=apply))
            except BadInput as reason:
                refused.append(str(reason))
        await embed_and_index(place.library, progress, apply if ray else None)
    return FilesResult(reports=tuple(reports), refused=tuple(refused))


def read_into(
    library: Library,
    file: Path,
    *,
    fresh: bool = False,
    progress: FillingProgress = no_progress,
    apply: Apply = apply_locally,
) -> FileReport:
    """Adds one file or folder of papers, without embedding them. Raises BadInput when it cannot be read."""

    def report(now: ImportProgressReport) -> None:
        words = f"{now.records:,} records, {now.rate:,.0f} a second"
        progress("reading", now.bytes_read, now.bytes_total, f"{now.file}: {words}")

    return import_file(library, file, progress=report, again=fresh or None, apply=apply)


async def add_pdfs(
    place: Workplace,
    folders: Sequence[Path],
    *,
    grobid: str | None = None,
    fresh: bool = False,
    progress: FillingProgress = no_progress,
) -> PdfsResult:
    """Adds the PDFs of folders, with full texts and references. `grobid`: URL of the server that reads them, by default
    the setting `grobid`; empty: they are read here. `fresh`: read again what has not changed since."""
    rate = Rate("PDFs", progress)
    remarks: list[str] = []
    reports = [
        await import_pdfs(
            place.library, folder, grobid=_grobid(place, grobid), say=remarks.append, again=fresh,
            workers=min(MOST_PDF_READERS, os.cpu_count() or 1), progress=partial(rate, str(folder)),
        )
        for folder in folders
    ]  # fmt: skip
    await embed_and_index(place.library, progress)
    return PdfsResult(reports=tuple(reports), remarks=tuple(remarks))


class ZoteroUpdate(ZoteroReport):
    """The result of reading a place of Zotero again."""

    place: str
    problem: str = ""
    """Why it could not be read; empty when it could."""


async def update_from_zotero(place: Workplace, *, progress: FillingProgress = no_progress) -> list[ZoteroUpdate]:
    """Reads every library and collection of Zotero that was added for what changed since. One that cannot be read does
    not affect the others."""
    updates = []
    for one in await asyncio.to_thread(added_places, place.library):
        try:
            named = ZoteroPlace.read(one.place)
            done = await add_from_zotero(place, named, full_texts=one.full_texts, progress=progress)
            updates.append(ZoteroUpdate(**dict(done), place=one.place))
        except (SourceError, BadInput) as error:
            updates.append(ZoteroUpdate(place=one.place, problem=str(error)))
    return updates


async def add_from_zotero(
    place: Workplace,
    named: ZoteroPlace,
    *,
    full_texts: bool = False,
    steps: int = 0,
    limit: int = 200,
    names: Sequence[str] = (),
    fresh: bool = False,
    progress: FillingProgress = no_progress,
) -> ZoteroReport:
    """Adds a library of Zotero, or a collection of it; later calls, what changed since.

    `full_texts`: also the texts of files that Zotero indexed. `steps` (0 to 2): steps along citations from all of its
    papers, of which Zotero knows none, by the services of `names` (by default those of `chosen_sources`); each adds at
    most `limit` papers. `fresh`: read everything again. Raises BadInput, SourceError.
    """
    chosen = chosen_sources(place, names) if steps else []
    async with zotero_client(named, place.settings.values.source_addresses, os.environ) as client:
        zotero = await ZoteroLibrary.open(client, named)
        done = await add_zotero(
            place.library,
            zotero,
            named.collection,
            full_texts=full_texts,
            fresh=fresh,
            progress=Rate("items", progress),
        )
        papers = await zotero_papers(place.library, zotero, named.collection) if steps else []
    await asyncio.to_thread(remember_place, place.library, AddedPlace(place=str(named), full_texts=full_texts))
    if papers:
        async with source_client(place.settings) as services:
            found = await follow_citations(
                place.library,
                services,
                chosen,
                papers,
                steps=steps,
                limit=limit,
                age=0 if fresh else None,
                progress=Rate("papers", progress),
            )
        done = done.model_copy(update={"citations": found})
    await embed_and_index(place.library, progress)
    return done


async def update_from_sources(
    place: Workplace, names: Sequence[str] = (), *, progress: FillingProgress = no_progress
) -> list[SearchUpdate]:
    """Repeats the saved searches for what became public since; with `names`, at these services alone. Raises BadInput
    when no search was saved, SourceError when all services fail."""
    named = [open_source(place.settings, name).name for name in names]
    only = _searches_of(await asyncio.to_thread(saved_searches, place.library), named)
    async with source_client(place.settings) as client:
        updates = await update_library(
            place.library,
            client,
            only=only,
            source=partial(open_source, place.settings),
            progress=Rate("papers", progress),
        )
    await embed_and_index(place.library, progress)
    return updates


async def add_full_texts_on(
    place: Workplace,
    topic: str,
    count: int = 20,
    filters: Filters | None = None,
    *,
    grobid: str | None = None,
    progress: FillingProgress = no_progress,
) -> FullTextResult:
    """Fetches and reads open copies of the `count` papers of the library that fit a topic best. Raises SourceError when
    nothing came and a service could not be asked."""
    papers = [hit.paper for hit in await place.library.search(topic, count, filters or Filters())]
    settings = place.settings.values
    services = full_text_services(settings.source_addresses, contact=settings.contact)
    async with source_client(place.settings) as client:
        return await add_full_texts(
            place.library, client, services, papers, grobid=_grobid(place, grobid), progress=Rate("papers", progress)
        )


async def embed_library(
    library: Library,
    embedder: Embedder,
    *,
    keep: bool = False,
    ray: str | None = None,
    progress: FillingProgress = no_progress,
) -> None:
    """Embeds all papers with `embedder` and indexes them; `keep`: keep the vectors of the embedder before. Raises
    BadInput for a cluster (`ray`) and an embedder that is reached over the network."""
    check_cluster(embedder, ray)
    papers = library.unembedded(embedder.name).papers
    rate = Rate("papers", progress)
    rate(embedder.name, 0, papers)
    with workers(ray) as apply:
        await library.embed_with(
            _on_cluster(embedder, apply), lambda done: rate(embedder.name, done, papers), keep=keep
        )
    await embed_and_index(library, progress)


def check_cluster(embedder: Embedder, ray: str | None) -> None:
    """Raises BadInput for a cluster and an embedder behind a network interface: many machines would be no faster."""
    if ray and isinstance(embedder, RemoteEmbedder):
        raise BadInput(f"{embedder.name} is reached over the network, not computed on a cluster: leave --ray out.")


async def embed_and_index(
    library: Library, progress: FillingProgress = no_progress, apply: Apply | None = None
) -> None:
    """Embeds and indexes what is new, which takes minutes for a million papers. `apply`: the workers that embed, if not
    this process; they are not used for an embedder that is reached over the network."""
    left = library.unembedded(library.embedder.name).papers
    if left:
        rate = Rate("papers", progress)
        rate("embedding", 0, left)
        await _embed(library, lambda done: rate("embedding", done, left), apply)
        progress("indexing", 0, None, f"{left:,} papers")
    await library.index()


class Rate:
    """Reports counts with their rate: `1,200 of 5,000 papers, 14 a second`. `clock`: seconds that only grow."""

    def __init__(self, noun: str, progress: FillingProgress, clock: Callable[[], float] = time.monotonic) -> None:
        self._noun = noun
        self._progress = progress
        self._clock = clock
        self._started = clock()

    def __call__(self, what: str, done: int, total: int | None) -> None:
        seconds = self._clock() - self._started
        speed = f", {done / seconds:,.0f} a second" if seconds > 1 and done > seconds else ""
        of = f" of {total:,}" if total else ""
        self._progress(what, done, total, f"{done:,}{of} {self._noun}{speed}")


async def _embed(library: Library, report: Callable[[int], None], apply: Apply | None) -> None:
    embedder = library.embedder
    other = library.get_note("embedder") not in {None, embedder.name}
    if apply is None or isinstance(embedder, RemoteEmbedder) or other:
        await library.embed(report)  # refuses to mix the vectors of two embedders
    else:
        await library.embed_with(_on_cluster(embedder, apply), report, keep=True)


def _on_cluster(embedder: Embedder, apply: Apply) -> Embedder:
    return embedder if apply is apply_locally else ClusterEmbedder(embedder, apply)


def _grobid(place: Workplace, named: str | None) -> str:
    return place.settings.values.grobid if named is None else named


def _searches_of(searches: Sequence[SavedSearch], names: Sequence[str]) -> list[SavedSearch]:
    """The searches with these sources alone; all sources when none is named. Raises BadInput when none is left."""
    if not names:
        return list(searches)
    narrower = [
        one.model_copy(update={"asked": {name: day for name, day in one.asked.items() if name in names}})
        for one in searches
    ]
    if not any(one.asked for one in narrower):
        raise BadInput(
            f"No saved search used {' or '.join(names)}. `novum library searches` lists the searches with their "
            "services."
        )
    return [one for one in narrower if one.asked]
