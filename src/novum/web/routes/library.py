"""The library: search as you type, filters, a paper among the papers that it cites and that cite it, and new papers."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Query, Request, UploadFile
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from novum.core import Chain, Link, Paper
from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.files.private import make_private_folder
from novum.literature import Filters, Hit
from novum.reports.ideation import findings
from novum.reports.ideation.timeline import Timeline, timeline
from novum.reports.pdf import pdf_of
from novum.reports.phrases import listed
from novum.runs.engine import ensure_library
from novum.web.live.exports import MEDIA
from novum.web.live.handouts import As, FileForm, Handout, keywords_handout, paper_handout, papers_handout
from novum.web.live.job_files import REQUEST, UPLOADS, JobRequest
from novum.web.rendering import page
from novum.web.routes.runs import framed_policy
from novum.web.routes.start import check_rate
from novum.web.security.keys import new_session
from novum.web.workbench import Bench, NotFound, Workbench

router = APIRouter(prefix="/library")
_SHOWN, _MOST_SHOWN = 25, 200
_BESIDE = 6
"""Papers on each side of a paper in the drawing of its neighbourhood."""
_LISTED = 50
READABLE = frozenset({".bib", ".bibtex", ".jsonl", ".json", ".ris", ".nbib", ".pdf", ".gz"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_REPORT = "report"


class LibrarySearch(BaseModel):
    """What the search form holds."""

    model_config = ConfigDict(extra="ignore")

    q: str = Field("", max_length=2_000)
    since: str = Field("", pattern=r"^(\d{4})?$")
    until: str = Field("", pattern=r"^(\d{4})?$")
    field: str = Field("", max_length=200)
    cited: str = Field("", pattern=r"^\d{0,7}$")
    count: int = Field(_SHOWN, ge=1, le=_MOST_SHOWN)
    form: FileForm | None = Field(None, alias="as")

    @property
    def filters(self) -> Filters:
        """The conditions on papers. Raises BadInput for a year that no calendar has."""
        try:
            since = dt.date(int(self.since), 1, 1) if self.since else None
            before = dt.date(int(self.until) + 1, 1, 1) if self.until else None
        except ValueError as error:
            raise BadInput(f"The years {self.since} to {self.until} cannot be used: {error}.") from error
        fields = (self.field,) if self.field else ()
        return Filters(since=since, before=before, fields=fields, min_citations=int(self.cited) if self.cited else None)


@router.get("")
async def library_page(request: Request, bench: Bench, search: Annotated[LibrarySearch, Query()]) -> Response:
    """The search, the counts of the library, and the ways to add papers; with `as`, the papers found as a file."""
    ensure_library(bench.place)
    if search.form is not None:
        papers = [hit.paper for hit in await _hits(bench, search)]
        return await _taken(papers_handout(f"Papers on {search.q.strip()}", papers), search.form)
    stats = await asyncio.to_thread(bench.place.library.stats)
    hits = await _hits(bench, search)
    return page(
        request, "library/library.html.j2", search=search, hits=hits, stats=stats, fields=list(stats.fields)[:40],
        years=json.dumps(_years_chart(stats.years)), jobs=_recent_jobs(bench),
    )  # fmt: skip


@router.get("/results")
async def results(request: Request, bench: Bench, search: Annotated[LibrarySearch, Query()]) -> Response:
    """The papers found: the part of the page that changes while one types."""
    ensure_library(bench.place)
    return page(request, "library/library_results.html.j2", search=search, hits=await _hits(bench, search))


@router.get("/papers/{paper_id}")
async def paper_page(request: Request, bench: Bench, paper_id: str, form: As = None) -> Response:
    """A paper: its abstract, what it cites and what cites it, and papers like it; or all that as a file."""
    library = bench.place.library
    paper = library.get(paper_id)
    if paper is None:
        raise NotFound(f"The library has no paper {paper_id[:80]!r}.")
    cited, citing = await asyncio.to_thread(library.references, paper.id), library.citing(paper.id)
    like = await library.nearest(f"{paper.title}\n{paper.gist}", 7)
    alike = [hit for hit in like if hit.paper.id != paper.id][:6]
    if form is not None:
        return await _taken(paper_handout(paper, cited, citing, [hit.paper for hit in alike]), form)
    return page(
        request, "library/paper.html.j2", paper=paper, cited=cited[-_LISTED:], citing=citing[:_LISTED],
        more=(max(len(cited) - _LISTED, 0), max(len(citing) - _LISTED, 0)),
        like=alike, line=neighbourhood(paper, cited, citing),
        missing=len(library.missing_references(paper.id)), timeline=library_timeline, find=findings, shelf=None,
    )  # fmt: skip


@router.get("/keywords")
async def keywords(
    request: Request, bench: Bench, q: Annotated[str, Query(max_length=2_000)] = "", form: As = None
) -> Response:
    """Keywords that rise and fade over the years, around a question or in the whole library."""
    ensure_library(bench.place)
    growth = await bench.place.library.keyword_growth(q, 15)
    if form is not None:
        return await _taken(keywords_handout(q, growth), form)
    return page(request, "library/keywords.html.j2", growth=growth, q=q)


@router.post("/upload", status_code=303)
async def upload(request: Request, bench: Bench, files: list[UploadFile]) -> Response:
    """Adds the papers of files: BibTeX, RIS, NBIB, JSONL, CSL-JSON, and PDFs. Leads to the page of the import."""
    check_rate(request, bench)
    given = [each for each in files if each.filename]
    if not given:
        raise BadInput("No file was chosen. Choose one or several, then press the button again.")
    if len(given) > bench.options.upload_files:
        raise BadInput(f"{len(given)} files were chosen; at most {bench.options.upload_files} are read at once.")
    names = [upload_name(each.filename or "", number) for number, each in enumerate(given, 1)]
    place = upload_folder(bench)
    try:
        paths = [await _kept(each, place, name) for each, name in zip(given, names, strict=True)]
        job = bench.jobs.launch(JobRequest(work="import", files=tuple(paths), settings=bench.job_settings()))
    except BaseException:  # also where the browser is gone: no job will remove them
        shutil.rmtree(place, ignore_errors=True)
        raise
    return RedirectResponse(f"/library/jobs/{job}", 303)


async def _kept(file: UploadFile, place: Path, name: str) -> str:
    """The path of an uploaded file that was written to the disk, for the process that reads it and then removes it."""
    path = place / ("pdfs" if name.endswith(".pdf") else "tables") / name
    make_private_folder(path.parent)
    await asyncio.to_thread(path.write_bytes, await file.read())
    return str(path)


@router.post("/fetch", status_code=303)
async def fetch(
    request: Request, bench: Bench, topic: Annotated[str, Form(max_length=2_000)] = "",
    count: Annotated[int, Form(ge=1, le=1_000)] = 100,
) -> Response:  # fmt: skip
    """Fetches papers on a topic from literature services."""
    check_rate(request, bench)
    if not topic.strip():
        raise BadInput("The topic is empty. Say what the papers should be about.")
    wanted = JobRequest(work="fetch", query=topic.strip(), count=count, settings=bench.job_settings())
    return RedirectResponse(f"/library/jobs/{bench.jobs.launch(wanted)}", 303)


@router.post("/opportunities", status_code=303)
async def opportunities(request: Request, bench: Bench, topic: Annotated[str, Form(max_length=2_000)] = "") -> Response:
    """Finds pairs of concepts around a topic that no paper links yet, with their map."""
    check_rate(request, bench)
    if not topic.strip():
        raise BadInput("The topic is empty. Say what the opportunities should be about.")
    wanted = JobRequest(work="opportunities", query=topic.strip(), count=20, settings=bench.job_settings())
    return RedirectResponse(f"/library/jobs/{bench.jobs.launch(wanted)}", 303)


@router.get("/jobs/{name}")
async def job_page(request: Request, bench: Bench, name: str) -> Response:
    """How far an import or a search for opportunities is, and what it came to with all rejects."""
    bench.jobs.reap()
    state, wanted = bench.jobs.state(name), bench.jobs.request(name)
    if state is None:
        raise NotFound("There is no such import.")
    if wanted is None:
        raise BadInput(f"What this job was to do cannot be read (jobs/{name}/{REQUEST} is damaged): start it again.")
    reports = [report for result in state.results for report in result.reports]
    remarks = [each for result in state.results for each in (*result.refused, *result.remarks, *result.aside)]
    report = (bench.jobs.folder / name / _REPORT / "report.html").is_file()
    return page(
        request, "library/library_job.html.j2", state=state, wanted=wanted, reports=reports, remarks=remarks, name=name,
        report=report,
    )  # fmt: skip


@router.get("/jobs/{name}/report/{file}")
async def job_report(bench: Bench, name: str, file: str) -> Response:
    """A file of the report that a job wrote, to be shown in a frame."""
    place = bench.jobs.folder / name / _REPORT
    written = place.iterdir() if name in bench.jobs.names() and place.is_dir() else ()
    known = {each.name: each for each in written if each.is_file()}
    if file not in known:
        raise HTTPException(404, "There is no such file.")
    content = await asyncio.to_thread(known[file].read_bytes)
    kind = MEDIA.get(known[file].suffix, "application/octet-stream")
    return Response(content, media_type=kind, headers={"Content-Security-Policy": framed_policy(content)})


@router.get("/jobs/{name}/pdf")
async def job_pdf(bench: Bench, name: str) -> Response:
    """The report that a job wrote, as PDF."""
    place = bench.jobs.folder / name / _REPORT / "report.html" if name in bench.jobs.names() else None
    if place is None or not place.is_file():
        raise HTTPException(404, "There is no such report.")
    printed = await asyncio.to_thread(lambda: pdf_of(read_plain(place).decode("utf-8")))
    headers = {"Content-Disposition": f'attachment; filename="{name}.pdf"'}
    return Response(printed, media_type="application/pdf", headers=headers)


def upload_folder(bench: Workbench) -> Path:
    """A new folder for what a browser sends, which is removed as soon as it was read."""
    return bench.folder / UPLOADS / new_session().replace("_", "-")


def upload_name(given: str, number: int, readable: frozenset[str] = READABLE) -> str:
    """A safe name for an uploaded file, which keeps its ending. Raises BadInput for a kind that cannot be read."""
    suffix = Path(given).suffix.lower()
    if suffix not in readable:
        raise BadInput(f"{given[:80]!r} cannot be read: give files that end with {listed(sorted(readable), 9)}.")
    bare = _UNSAFE.sub("-", Path(given).name).strip(".-")[-80:]
    return f"{number:02d}-{bare.lower()}"


def neighbourhood(paper: Paper, cited: Sequence[Paper], citing: Sequence[Paper]) -> Chain:
    """A paper between the most cited of the papers that it cites and of those that cite it, in order of time."""
    links = [
        *(Link(paper=each, direction="backward", reason="") for each in _most_cited(cited)),
        Link(paper=paper, direction="anchor", reason=""),
        *(Link(paper=each, direction="forward", reason="") for each in _most_cited(citing)),
    ]
    return Chain(topic="", query="", links=tuple(links))


def library_timeline(chain: Chain, width: float = 960, labelled: bool = True) -> Timeline:
    """A drawing whose papers lead to their pages in the library."""
    drawn = timeline(chain, width, labelled)
    nodes = [
        replace(node, url=f"/library/papers/{link.paper.id}")
        for node, link in zip(drawn.nodes, chain.links, strict=True)
    ]
    return replace(drawn, nodes=tuple(nodes))


def _most_cited(papers: Sequence[Paper]) -> list[Paper]:
    best = sorted(papers, key=lambda paper: -(paper.citation_count or 0))[:_BESIDE]
    return sorted(best, key=lambda paper: (paper.year or 0, paper.id))


async def _taken(handout: Handout, form: FileForm) -> Response:
    return await asyncio.to_thread(handout.answer, form)


async def _hits(bench: Workbench, search: LibrarySearch) -> list[Hit]:
    if not search.q.strip():
        return []
    return await bench.place.library.search(search.q, search.count, search.filters)


def _recent_jobs(bench: Workbench) -> list[tuple[str, JobRequest]]:
    wanted = [(name, bench.jobs.request(name)) for name in reversed(bench.jobs.names()[-30:])]
    return [(name, each) for name, each in wanted if each and each.work not in ("start", "resume")][:5]


def _years_chart(years: dict[int, int]) -> dict[str, Any]:
    """Papers by year, as Vega-Lite."""
    rows = [{"year": year, "papers": count} for year, count in sorted(years.items())]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": rows}, "width": "container", "height": 90,
        "mark": {"type": "bar", "color": "#5b93c7"},
        "encoding": {
            "x": {"field": "year", "type": "quantitative", "axis": {"format": "d", "title": None, "grid": False},
                  "scale": {"zero": False}},
            "y": {"field": "papers", "type": "quantitative", "axis": {"title": "papers", "tickCount": 3}},
            "tooltip": [{"field": "year", "type": "quantitative", "format": "d"},
                        {"field": "papers", "type": "quantitative"}],
        },
    }  # fmt: skip
