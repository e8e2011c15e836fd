"""A GROBID server reads where there is one; whatever it answers, the paper is read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from novum.errors import BadInput, SourceError
from novum.literature import Entry, Reject
from novum.literature.pdf import PdfDocument
from novum.literature.pdf.folder import read_pdfs
from novum.literature.pdf.grobid import Grobid
from novum.literature.pdf.tei import read_tei
from tests.literature.pdf.samples import heron_paper

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>
 <fileDesc><titleStmt><title level="a" type="main">Herons, as a Server Reads Them</title></titleStmt>
 <sourceDesc><biblStruct><analytic>
  <author><persName><forename type="first">Ada</forename><surname>Lovelace</surname></persName></author>
  <author><affiliation><orgName>University of the Lake</orgName></affiliation></author>
  <idno type="DOI">10.1000/HERON.1</idno></analytic>
  <monogr><imprint><date type="published" when="2019-05-01"/></imprint></monogr>
  <idno type="arXiv">arXiv:1906.00017v2[q-bio.PE]</idno></biblStruct></sourceDesc></fileDesc>
 <profileDesc><abstract><div><p>We count herons.</p></div></abstract></profileDesc></teiHeader>
 <text><body>
  <div><head n="1">Introduction</head><p>Herons are <ref type="bibr">birds</ref>.</p><p>They wait.</p></div>
  <div><head n="1.1">Boats</head><p>A boat drifts.</p></div></body>
 <back><div type="acknowledgement"><div><head>Thanks</head><p>To the lake.</p></div></div>
  <div type="references"><listBibl>
   <biblStruct><analytic><title level="a" type="main">Patience of wading birds</title>
     <author><persName><forename>Anna</forename><surname>Marsh</surname></persName></author></analytic>
     <monogr><title level="j">Lakes</title><imprint><date when="2011"/></imprint></monogr>
     <note type="raw_reference">Anna Marsh. 2011. Patience of wading birds. Lakes.</note></biblStruct>
   <biblStruct><monogr><title/></monogr>
     <note type="raw_reference">Dora Finch. 2018. What do herons see? arXiv:1801.00001.</note></biblStruct>
  </listBibl></div></back></text></TEI>"""


def test_tei_is_read_as_a_document() -> None:
    document = read_tei(TEI.encode(), "N18-3011.pdf")
    assert document.title == "Herons, as a Server Reads Them"
    assert document.authors == ("Ada Lovelace",)
    assert (document.year, document.abstract) == (2019, "We count herons.")
    assert dict(document.ids.items()) == {"doi": "10.1000/heron.1", "arxiv": "1906.00017", "acl": "N18-3011"}
    assert [(section.number, section.heading, section.level, section.text) for section in document.sections] == [
        ("1", "Introduction", 1, "Herons are birds.\n\nThey wait."),
        ("1.1", "Boats", 2, "A boat drifts."),
        ("", "Thanks", 1, "To the lake."),
    ]


def test_a_reference_that_grobid_could_not_read_is_read_from_its_raw_text() -> None:
    known, raw = read_tei(TEI.encode()).references
    assert (known.title, known.authors, known.year) == ("Patience of wading birds", ("Anna Marsh",), 2011)
    assert (raw.title, raw.year, raw.arxiv) == ("What do herons see?", 2018, "1801.00001")


BOMB = '<!DOCTYPE TEI [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize("answer", ["", "no XML", "<TEI/>", TEI[:400], TEI.replace("<TEI ", BOMB + "<TEI ", 1)])
def test_what_is_no_tei_or_hides_entities_is_refused(answer: str) -> None:
    with pytest.raises(ValueError, match=r"TEI|XML"):
        read_tei(answer.encode())


Answer = Callable[[int], web.Response]
Use = Callable[[str], Awaitable[object]]


async def with_server(answer: Answer, use: Use) -> tuple[object, list[dict[str, str]]]:
    """A server that gives its n-th answer by `answer(n)`; what `use` made of its address, and what it was sent."""
    sent: list[dict[str, str]] = []

    async def process(request: web.Request) -> web.Response:
        form = await request.post()
        upload = form["input"]
        assert isinstance(upload, web.FileField)
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        sent.append(fields | {"head": upload.file.read(5).decode()})
        return answer(len(sent))

    app = web.Application(client_max_size=10_000_000)
    app.router.add_post("/api/processFulltextDocument", process)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        port = runner.addresses[0][1]
        return await use(f"http://127.0.0.1:{port}"), sent
    finally:
        await runner.cleanup()


def tei(_: int) -> web.Response:
    return web.Response(text=TEI, content_type="application/xml")


@pytest.fixture
def herons(tmp_path: Path) -> Path:
    path = tmp_path / "herons.pdf"
    path.write_bytes(heron_paper())
    return path


def read_by(address: str, herons: Path, waits: list[float]) -> Awaitable[PdfDocument]:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def read() -> PdfDocument:
        async with Grobid(address, sleep=sleep) as grobid:
            return await grobid.read(herons)

    return read()


def test_the_pdf_is_sent_and_nothing_is_looked_up_elsewhere(herons: Path) -> None:
    document, sent = asyncio.run(with_server(tei, lambda address: read_by(address, herons, [])))
    assert isinstance(document, PdfDocument)
    assert document.title == "Herons, as a Server Reads Them"
    assert sent == [
        {"consolidateHeader": "0", "consolidateCitations": "0", "includeRawCitations": "1", "head": "%PDF-"}
    ]


def test_a_busy_server_is_waited_for(herons: Path) -> None:
    def busy_at_first(number: int) -> web.Response:
        return tei(number) if number == 3 else web.Response(status=503, headers={"Retry-After": "7"})

    waits: list[float] = []
    document, sent = asyncio.run(with_server(busy_at_first, lambda address: read_by(address, herons, waits)))
    assert isinstance(document, PdfDocument)
    assert (len(sent), waits) == (3, [7.0, 7.0])


def test_a_server_that_stays_busy_is_given_up(herons: Path) -> None:
    waits: list[float] = []
    with pytest.raises(SourceError, match="was busy for 120 seconds"):
        asyncio.run(with_server(lambda _: web.Response(status=503), lambda address: read_by(address, herons, waits)))
    assert sum(waits) <= 120


REFUSALS = {
    1: lambda: web.Response(status=500, text="no model"),
    2: lambda: web.Response(status=302, headers={"Location": "http://169.254.169.254/"}),
    3: lambda: web.Response(text="<html>", content_type="text/html"),
}


def test_what_the_server_refuses_is_read_here_and_one_line_says_so(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_bytes(heron_paper())
    said: list[str] = []

    async def read(address: str) -> list[Entry | Reject]:
        return [one async for one in read_pdfs(tmp_path, grobid=address, say=said.append)]

    found, _ = asyncio.run(with_server(lambda number: REFUSALS[number](), read))
    assert isinstance(found, list)
    assert [one.paper.title[:10] for one in found] == ["What Heron"] * 3
    assert len(said) == 3
    assert all("is read without GROBID" in line for line in said)


def test_a_server_that_is_not_there_costs_nothing_but_a_line(herons: Path) -> None:
    said: list[str] = []

    async def read() -> list[Entry | Reject]:
        return [one async for one in read_pdfs(herons, grobid="http://127.0.0.1:9", say=said.append)]

    assert isinstance(asyncio.run(read())[0], Entry)
    assert "cannot be reached" in said[0]


def test_an_address_that_is_none_is_refused_at_once(herons: Path) -> None:
    with pytest.raises(BadInput, match="no address of a GROBID server"):
        Grobid("localhost:8070")
