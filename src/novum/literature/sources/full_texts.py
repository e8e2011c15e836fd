"""Full texts of papers of the library: their PDFs are downloaded from arXiv once, and read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from novum.core import Paper, Value
from novum.errors import SourceError
from novum.literature.entry import Entry, Reject
from novum.literature.library import Library
from novum.literature.pdf.folder import read_pdfs
from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.client import SourceClient

FOLDER = "pdf"
"""Subfolder of the library's folder for PDFs."""
FullTextProgress = Callable[[str, int, int], None]
"""Is called with what is done, how many are done, and of how many."""


class FullTextResult(Value):
    """The result of `add_full_texts`."""

    held: int = 0
    """Papers that had a full text before."""
    elsewhere: int = 0
    """Papers without arXiv number."""
    read: int = 0
    links: int = 0
    """New citation links, from lists of references."""
    problems: tuple[str, ...] = ()
    """A line for each PDF that could not be downloaded or read."""


async def add_full_texts(
    library: Library,
    client: SourceClient,
    arxiv: Arxiv,
    papers: Sequence[Paper],
    *,
    grobid: str = "",
    progress: FullTextProgress = lambda what, done, total: None,
) -> FullTextResult:
    """Downloads and reads the PDFs of those `papers` that have no full text. No PDF is downloaded twice.

    Title and authors in the PDF are ignored, since the paper is known. Raises SourceError when arXiv refuses before
    anything was downloaded, LibraryError.
    """
    without = [paper for paper in papers if library.full_text(paper.id) is None]
    wanted = [paper for paper in without if arxiv.pdf_url(paper)]
    fetched, problems = await _fetch(library, client, arxiv, wanted, progress)
    read = links = 0
    for one in await _read(fetched, grobid, progress):
        if isinstance(one, Reject):
            problems.append(str(one))
            continue
        links += (await asyncio.to_thread(library.add, [one], arxiv.title)).links
        read += 1
    return FullTextResult(
        held=len(papers) - len(without),
        elsewhere=len(without) - len(wanted),
        read=read,
        links=links,
        problems=tuple(problems),
    )


async def _fetch(
    library: Library, client: SourceClient, arxiv: Arxiv, papers: Sequence[Paper], progress: FullTextProgress
) -> tuple[dict[Path, Paper], list[str]]:
    """The PDFs that were downloaded, with their papers, and problems."""
    folder = library.folder / FOLDER
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    fetched: dict[Path, Paper] = {}
    problems: list[str] = []
    for done, paper in enumerate(papers, 1):
        file = folder / f"arxiv-{(paper.ids.arxiv or '').replace('/', '-')}.pdf"
        try:
            if await client.file(arxiv, arxiv.pdf_url(paper) or "", file):
                fetched[file] = paper
            else:
                problems.append(f"{paper.title}: arXiv has no PDF of {paper.ids.arxiv}.")
        except SourceError as error:
            if client.is_disabled(arxiv) and not fetched:
                raise
            problems.append(f"{paper.title}: {error}")
            if client.is_disabled(arxiv):
                break
        progress("fetching", done, len(papers))
    return fetched, problems


async def _read(fetched: dict[Path, Paper], grobid: str, progress: FullTextProgress) -> list[Entry | Reject]:
    """The papers with the text and the references of their PDFs."""
    if not fetched:
        return []
    reading = read_pdfs(
        next(iter(fetched)).parent,
        files=list(fetched),
        grobid=grobid,
        progress=lambda done, total: progress("reading", done, total),
    )
    papers = iter(fetched.values())
    entries: list[Entry | Reject] = []
    async for one in reading:
        paper = next(papers)
        entries.append(one if isinstance(one, Reject) else replace(one, paper=paper))
    return entries
