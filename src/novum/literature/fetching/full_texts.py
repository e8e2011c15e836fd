"""Full texts of papers of the library: open copies are found and fetched once, and read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from novum.core import Identifiers, Paper, Value
from novum.errors import LibraryError, SourceError
from novum.literature.entry import Entry, Reject
from novum.literature.fetching.open_pdfs import NoPdfError, OpenPdfs
from novum.literature.library import Library
from novum.literature.pdf.folder import read_pdfs
from novum.literature.services.client import SourceClient
from novum.literature.sources.arxiv import Arxiv
from novum.literature.sources.core import Core
from novum.literature.sources.europe_pmc import EuropePmc
from novum.literature.sources.open_copies import OpenAlexCopies, OpenCopies
from novum.literature.sources.source import Page, Request, Source, key_of
from novum.literature.sources.unpaywall import Unpaywall

FOLDER = "pdf"
"""Subfolder of the library's folder for PDFs."""
FullTextProgress = Callable[[str, int, int], None]
"""Is called with what is done, how many are done, and of how many."""
CopyFinder = OpenAlexCopies | Unpaywall | Core
"""Services that know where open PDFs are."""


class FullTextResult(Value):
    """The result of `add_full_texts`."""

    held: int = 0
    """Papers that had a full text before."""
    elsewhere: int = 0
    """Papers of which no open copy was found."""
    read: int = 0
    by_service: Mapping[str, int] = {}
    """Of these, how many came from each service, by its title."""
    links: int = 0
    """New citation links, from lists of references."""
    problems: tuple[str, ...] = ()
    """A line for each paper without an open copy, for each PDF that could not be read, and for each service that could
    not be asked."""


@dataclass(frozen=True)
class FullTextServices:
    """Where full texts come from, in the order in which they are tried."""

    arxiv: Arxiv
    europe_pmc: EuropePmc
    finders: tuple[CopyFinder, ...]
    left_out: tuple[str, ...] = ()
    """A line for each service that is not asked, with what it needs."""
    configured: tuple[str, ...] = ()
    """Addresses that the user has configured: PDFs may lie at their servers, wherever these are."""


def full_text_services(
    addresses: Mapping[str, str], *, contact: str = "", environment: Mapping[str, str] | None = None
) -> FullTextServices:
    """arXiv, Europe PMC, OpenAlex, then Unpaywall with a `contact` (an e-mail address), and CORE with a key in the
    `environment` (by default that of the process). `addresses`: of mirrors, by name of the source."""

    def at(name: str) -> str:
        return addresses.get(name, "")

    finders: list[CopyFinder] = [OpenAlexCopies(at("openalex"))]
    left_out = []
    if contact:
        finders.append(Unpaywall(at("unpaywall")))
    else:
        left_out.append("Unpaywall was not asked: give an e-mail address in NOVUM_CONTACT.")
    core = Core(at("core"))
    if key_of(core, environment):
        finders.append(core)
    else:
        left_out.append(f"CORE was not asked: get a free key at {Core.key_page} and set CORE_API_KEY.")
    arxiv, europe_pmc = Arxiv(at("arxiv")), EuropePmc(at("europe-pmc"))
    return FullTextServices(arxiv, europe_pmc, tuple(finders), tuple(left_out), tuple(addresses.values()))


async def add_full_texts(
    library: Library,
    client: SourceClient,
    services: FullTextServices,
    papers: Sequence[Paper],
    *,
    grobid: str = "",
    progress: FullTextProgress = lambda what, done, total: None,
) -> FullTextResult:
    """Fetches and reads open copies of those `papers` that have no full text. No copy is downloaded twice.

    arXiv's PDF is taken first, then the text that Europe PMC has, then a PDF from anywhere of which OpenAlex, Unpaywall
    or CORE know. Title and authors in a PDF are ignored, since the paper is known. Raises SourceError when nothing came
    and a service could not be asked, LibraryError.
    """
    without = [paper for paper in papers if library.full_text(paper.id) is None]
    work = _FullTextSearch(library, client, services, progress)
    await asyncio.to_thread(_make_writable, work.folder)
    left = await work.each("arXiv", without, work.from_arxiv)
    left = await work.each("Europe PMC", await work.recognised(left), work.from_europe_pmc)
    async with OpenPdfs(services.configured) as pdfs:
        for finder in services.finders:
            left = await work.each(finder.title, left, partial(work.from_copies, finder, pdfs))
    await work.read(grobid)
    work.raise_if_nothing_came()
    return work.result(held=len(papers) - len(without), missing=left)


def _make_writable(folder: Path) -> None:
    """Makes the folder if it is not there. Raises LibraryError where nothing can be written in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_writable(folder, error.strerror) from error
    if not os.access(folder, os.W_OK):
        raise _not_writable(folder, "it may only be read")


def _not_writable(folder: Path, why: str | None) -> LibraryError:
    return LibraryError(
        f"PDFs cannot be kept in {folder} ({why}). Make it writable, or name another library by NOVUM_LIBRARY."
    )


@dataclass(eq=False)
class _FullTextSearch:
    """The state of one call of `add_full_texts`."""

    library: Library
    client: SourceClient
    services: FullTextServices
    progress: FullTextProgress
    fetched: dict[Path, tuple[Paper, str]] = field(default_factory=dict)
    """PDFs with their papers, and the service that each came from."""
    reasons: dict[str, list[str]] = field(default_factory=dict)
    """By id of a paper, why services have no copy of it."""
    failed: dict[str, str] = field(default_factory=dict)
    """By title of a service, why it is not asked any more."""
    problems: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    links: int = 0

    @property
    def folder(self) -> Path:
        return self.library.folder / FOLDER

    async def each(
        self, service: str, papers: Sequence[Paper], find: Callable[[Paper], Awaitable[bool]]
    ) -> list[Paper]:
        """Tries one service for each of these papers. Returns those of which it has no copy."""
        left = []
        for done, paper in enumerate(papers, 1):
            if service in self.failed or not await find(paper):
                left.append(paper)
            self.progress(f"fetching from {service}", done, len(papers))
        return left

    async def from_arxiv(self, paper: Paper) -> bool:
        """Whether its PDF is there now."""
        arxiv, number = self.services.arxiv, (paper.ids.arxiv or "").replace("/", "-")
        if not (url := arxiv.pdf_url(paper)):
            return False
        file = self.folder / f"arxiv-{number}.pdf"
        try:
            if await self.client.pdf(arxiv, url, file):
                self.fetched[file] = paper, arxiv.title
                return True
            self._note(paper, f"arXiv has no PDF of {paper.ids.arxiv}")
        except SourceError as error:
            self._failed(arxiv, arxiv.title, paper, error)
        return False

    async def recognised(self, papers: Sequence[Paper]) -> list[Paper]:
        """The papers with their numbers of PubMed Central, as far as Europe PMC knows them. What it says completes
        the library."""
        unknown = [name for paper in papers if not paper.ids.pmcid for name in paper.ids.items() if name[0] in _KNOWN]
        found: list[Entry] = []
        for request in self.services.europe_pmc.fetch(unknown):
            page = await self._page(self.services.europe_pmc, request)
            found += page.entries if page else ()
        await asyncio.to_thread(self.library.add, found, EuropePmc.title)
        numbers = {name: one.paper.ids.pmcid for one in found for name in one.paper.ids.items() if name[0] in _KNOWN}
        return [_numbered(paper, numbers) for paper in papers]

    async def from_europe_pmc(self, paper: Paper) -> bool:
        """Whether its text is in the library now."""
        if not (request := self.services.europe_pmc.full_text(paper)):
            return False
        page = await self._page(self.services.europe_pmc, request, paper)
        if page is None or not page.entries:
            self._note(paper, "Europe PMC has no open text of it")
            return False
        await self._take(page.entries[0], EuropePmc.title)
        return True

    async def from_copies(self, finder: CopyFinder, pdfs: OpenPdfs, paper: Paper) -> bool:
        """Whether one of the PDFs that the service knows is there now."""
        if not (request := finder.open_copies(paper)):
            return False
        page = await self._page(finder, request, paper)
        known = page.pdfs if isinstance(page, OpenCopies) else ()
        if page is not None and not known:
            self._note(paper, f"{finder.title} knows no open PDF")
        file = self.folder / f"{paper.id}.pdf"
        for url in known:
            try:
                await pdfs.download(url, file)
            except NoPdfError as reason:
                self._note(paper, str(reason))
                continue
            self.fetched[file] = paper, finder.title
            return True
        return False

    async def read(self, grobid: str) -> None:
        """Reads the PDFs, each in a process of its own, and adds their texts and references."""
        if not self.fetched:
            return
        reading = read_pdfs(
            self.folder,
            files=list(self.fetched),
            grobid=grobid,
            progress=lambda done, total: self.progress("reading", done, total),
        )
        papers = iter(self.fetched.values())
        async for one in reading:
            paper, service = next(papers)
            if isinstance(one, Reject):
                self.problems.append(str(one))
            else:
                await self._take(replace(one, paper=paper), service)

    def raise_if_nothing_came(self) -> None:
        """Raises SourceError when no text was read and a service failed."""
        if self.failed and not self.counts and not self.fetched:
            raise SourceError(" ".join(self.failed.values()))

    def result(self, held: int, missing: Sequence[Paper]) -> FullTextResult:
        """The result, with a line for each paper without a copy."""
        lines = [f"{paper.title}: no open copy found ({self._why(paper)})." for paper in missing]
        asked_by_doi = any(paper.ids.doi for paper in missing)
        lines += [*self.problems, *self.failed.values(), *(self.services.left_out if asked_by_doi else ())]
        return FullTextResult(
            held=held,
            elsewhere=len(missing),
            read=sum(self.counts.values()),
            by_service=self.counts,
            links=self.links,
            problems=tuple(lines),
        )

    async def _page(self, source: Source, request: Request, paper: Paper | None = None) -> Page | None:
        """The page of a request; None when it failed."""
        if source.title in self.failed:
            return None
        try:
            return await self.client.page(source, request)
        except SourceError as error:
            self._failed(source, source.title, paper, error)
            return None

    async def _take(self, entry: Entry, service: str) -> None:
        self.links += (await asyncio.to_thread(self.library.add, [entry], service)).links
        self.counts[service] = self.counts.get(service, 0) + 1

    def _failed(self, source: Source, title: str, paper: Paper | None, error: SourceError) -> None:
        """A service that is set aside is not asked again; another failure concerns this paper alone."""
        if self.client.is_disabled(source):
            self.failed[title] = str(error)
        elif paper:
            self._note(paper, str(error).rstrip("."))

    def _note(self, paper: Paper, reason: str) -> None:
        self.reasons.setdefault(paper.id, []).append(reason)

    def _why(self, paper: Paper) -> str:
        named = any(scheme in ("arxiv", *_KNOWN) for scheme, _ in paper.ids.items())
        nothing = "no service could be asked" if named else "neither a DOI nor a number of arXiv or PubMed is known"
        return "; ".join(self.reasons.get(paper.id, [nothing]))


_KNOWN = ("doi", "pmid")
"""Identifiers by which Europe PMC finds a paper that may be in PubMed Central."""


def _numbered(paper: Paper, numbers: Mapping[tuple[str, str], str | None]) -> Paper:
    """The paper with its number of PubMed Central, if one of its identifiers has one."""
    found = next((number for name in paper.ids.items() if (number := numbers.get(name))), None)
    return paper.but(ids=Identifiers(**{**dict(paper.ids), "pmcid": found})) if found else paper
