"""Full texts: where open copies are looked for, in which order, and what is never fetched."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from novum.core import Identifiers, Paper
from novum.errors import SourceError
from novum.http.public_addresses import is_public
from novum.literature import Entry, Library
from novum.literature.fetching.full_texts import FullTextResult, add_full_texts, full_text_services
from novum.literature.fetching.open_pdfs import NoPdfError, OpenPdfs
from novum.literature.services.client import SourceClient
from novum.literature.sources.open_copies import OpenAlexCopies
from tests.cli.test_library_add import pdf
from tests.literature.sources.conftest import Said, Service, said

BEES = Paper(title="On the dance of bees", year=2019, ids=Identifiers(doi="10.1000/bee"))
NAMES = ("arxiv", "europe-pmc", "openalex", "unpaywall", "core")
MAIL = "me@example.org"
ARTICLE = b"""<!DOCTYPE article SYSTEM "a.dtd"><article><body><p>They dance in eights.</p></body></article>"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        opened.add([Entry(BEES)])
        yield opened


@pytest.fixture
def search(service: Service, library: Library, client: Callable[..., SourceClient]) -> Callable[..., FullTextResult]:
    """Looks for full texts at the local service alone."""
    service.on("/search", said({"hitCount": 0, "resultList": {"result": []}}))
    service.on("/works/doi:10.1000%2Fbee", said({"id": "https://openalex.org/W1", "locations": []}))
    service.on("/10.1000/bee", said({"doi": "10.1000/bee", "oa_locations": []}))
    service.on("/search/works/", said({"totalHits": 0, "results": []}))

    def run(*papers: Paper, contact: str = MAIL, key: str = "a key of CORE", named: bool = True) -> FullTextResult:
        keys = {"CORE_API_KEY": key} if key else {}
        services = full_text_services(dict.fromkeys(NAMES, service.address), contact=contact, environment=keys)
        if not named:
            services = type(services)(**{**vars(services), "configured": ()})

        async def work() -> FullTextResult:
            async with client(contact=contact, environment=keys) as asking:
                return await add_full_texts(library, asking, services, papers or [BEES])

        return asyncio.run(work())

    return run


def copy_at(service: Service, *paths: str) -> Said:
    """A work of OpenAlex with open PDFs at these paths of the local service."""
    locations = [{"is_oa": True, "pdf_url": f"{service.address}{path}"} for path in paths]
    return said({"best_oa_location": locations[0], "locations": [{"is_oa": False, "pdf_url": "http://x/"}, *locations]})


def test_europe_pmc_gives_the_text_of_an_open_article_that_it_knows_by_doi(
    service: Service, library: Library, search: Callable[..., FullTextResult]
):
    record = {"source": "MED", "id": "5", "pmid": "5", "pmcid": "PMC7", "doi": "10.1000/bee", "title": BEES.title}
    service.on("/search", said({"hitCount": 1, "resultList": {"result": [{**record, "pubYear": "2019"}]}}))
    service.on("/PMC7/fullTextXML", Said(ARTICLE))
    done = search()
    assert (done.read, done.by_service, done.problems) == (1, {"Europe PMC": 1}, ())
    assert "They dance in eights." in str(library.full_text(BEES.id))
    found = library.by_identifier("pmcid", "PMC7")
    assert found is not None
    assert found.id == BEES.id


def test_an_open_pdf_that_openalex_knows_is_fetched_read_and_not_fetched_again(
    service: Service, library: Library, search: Callable[..., FullTextResult]
):
    service.on("/works/doi:10.1000%2Fbee", copy_at(service, "/page.pdf", "/moved.pdf"))
    service.on("/page.pdf", Said(b"<html>" + b"Sign in first. " * 200))
    service.on("/moved.pdf", Said(b"", 302, {"Location": "/real"}))
    service.on("/real", Said(pdf("Another Title")))
    done = search()
    assert (done.read, done.by_service) == (1, {"OpenAlex": 1})
    assert "they stay folded" in str(library.full_text(BEES.id))
    asked = len(service.asked)
    assert search().held == 1
    assert len(service.asked) == asked


def test_unpaywall_and_core_are_asked_for_what_the_others_do_not_know(
    service: Service, library: Library, search: Callable[..., FullTextResult]
):
    core = [{"doi": "10.1000/other", "downloadUrl": f"{service.address}/other.pdf"}]
    core += [{"doi": "https://doi.org/10.1000/BEE", "downloadUrl": f"{service.address}/core.pdf"}]
    gone = {"url_for_pdf": f"{service.address}/gone.pdf"}
    service.on("/10.1000/bee", said({"doi": "10.1000/bee", "best_oa_location": gone, "oa_locations": [gone]}))
    service.on("/search/works/", said({"totalHits": 2, "results": core}))
    service.on("/core.pdf", Said(pdf("x")))
    done = search()
    assert done.by_service == {"CORE": 1}
    by_path = {asked.path: asked for asked in service.asked}
    assert by_path["/10.1000/bee"].query == {"email": MAIL}
    assert by_path["/search/works/"].headers["Authorization"] == "Bearer a key of CORE"
    assert by_path["/search/works/"].query["q"] == 'doi:"10.1000/bee"'
    assert "Authorization" not in by_path["/core.pdf"].headers
    assert by_path["/core.pdf"].query == {}
    assert "/other.pdf" not in by_path


def test_a_paper_without_a_copy_is_listed_with_what_each_service_said(
    service: Service, search: Callable[..., FullTextResult]
):
    service.on("/10.1000/bee", said({"doi": "10.1000/bee", "best_oa_location": {"url": f"{service.address}/a.pdf"}}))
    done = search()
    assert (done.read, done.elsewhere) == (0, 1)
    assert done.problems == (
        "On the dance of bees: no open copy found "
        "(OpenAlex knows no open PDF; 127.0.0.1 answers 404; CORE knows no open PDF).",
    )


def test_services_that_need_an_address_or_a_key_are_left_out_with_a_line(
    service: Service, search: Callable[..., FullTextResult]
):
    done = search(contact="", key="")
    assert [line.partition(":")[0] for line in done.problems[1:]] == ["Unpaywall was not asked", "CORE was not asked"]
    assert {asked.path for asked in service.asked} == {"/search", "/works/doi:10.1000%2Fbee"}
    assert "neither a DOI nor" in search(Paper(title="A paper of another world")).problems[0]


def test_a_service_that_is_down_does_not_keep_the_others_from_being_asked(
    service: Service, library: Library, search: Callable[..., FullTextResult]
):
    preprint = Paper(title="A preprint on bees", ids=Identifiers(arxiv="2101.00001", doi="10.1000/bee"))
    library.add([Entry(preprint)])
    service.on("/pdf/2101.00001", Said(b"", 503))
    service.on("/search", Said(b"<html>Proxy: sign in</html>"))
    service.on("/works/doi:10.1000%2Fbee", copy_at(service, "/a.pdf"))
    service.on("/a.pdf", Said(pdf("x")))
    done = search(preprint)
    assert done.by_service == {"OpenAlex": 1}
    assert any(line.startswith("arXiv failed") for line in done.problems)


def test_when_nothing_came_and_a_service_failed_that_is_an_error(
    service: Service, search: Callable[..., FullTextResult]
):
    service.on("/works/doi:10.1000%2Fbee", Said(b"", 503))
    with pytest.raises(SourceError, match="OpenAlex failed"):
        search()


def test_addresses_that_are_not_public_are_refused_also_behind_a_redirect(
    service: Service, search: Callable[..., FullTextResult]
):
    port = service.address.rpartition(":")[2]
    inside = {"best_oa_location": {"is_oa": True, "pdf_url": f"http://localhost:{port}/secret.pdf"}, "locations": []}
    service.on("/works/doi:10.1000%2Fbee", said(inside))
    service.on("/10.1000/bee", said({"doi": "x", "best_oa_location": {"url_for_pdf": f"{service.address}/s.pdf"}}))
    done = search(named=False)
    assert "localhost is not on the public internet" in done.problems[0]
    assert "127.0.0.1 is not on the public internet" in done.problems[0]
    assert not [asked for asked in service.asked if asked.path in ("/secret.pdf", "/s.pdf")]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "①②⑦.⓪.⓪.①", "127。0．0.1"])
def test_a_configured_server_opens_none_of_the_other_ports_of_its_computer(
    service: Service, other_service: Service, tmp_path: Path, host: str
):
    other_service.on("/secret.pdf", Said(pdf("x")))
    service.on("/a.pdf", Said(pdf("x")))
    configured = [service.address, service.address.replace("127.0.0.1", "localhost")]

    async def reason() -> str:
        async with OpenPdfs(configured) as pdfs:
            await pdfs.download(f"{service.address}/a.pdf", tmp_path / "a.pdf")
            with pytest.raises(NoPdfError) as refused:
                port = other_service.address.rpartition(":")[2]
                await pdfs.download(f"http://{host}:{port}/secret.pdf", tmp_path / "b.pdf")
            return str(refused.value)

    refused = host if host.isascii() else "127.0.0.1"
    assert asyncio.run(reason()) == f"{refused} is not on the public internet"
    assert other_service.asked == []
    assert [file.name for file in tmp_path.iterdir()] == ["a.pdf"]


def test_a_redirect_from_a_public_server_does_not_lead_inside(service: Service, tmp_path: Path):
    port = service.address.rpartition(":")[2]
    service.on("/a.pdf", Said(b"", 302, {"Location": f"http://localhost:{port}/secret.pdf"}))
    service.on("/b.pdf", Said(b"", 302, {"Location": "file:///etc/passwd"}))
    service.on("/c.pdf", Said(b"", 302, {"Location": f"http://user:password@127.0.0.1:{port}/secret.pdf"}))

    async def reasons() -> list[str]:
        found = []
        async with OpenPdfs([service.address]) as pdfs:
            for name in ("a", "b", "c"):
                with pytest.raises(NoPdfError) as refused:
                    await pdfs.download(f"{service.address}/{name}.pdf", tmp_path / "a.pdf")
                found.append(str(refused.value))
        return found

    first, second, third = asyncio.run(reasons())
    assert first == "localhost is not on the public internet"
    assert "not a web address" in second
    assert "not a web address" in third
    assert list(tmp_path.glob("*.pdf")) == []
    assert "/secret.pdf" not in {asked.path for asked in service.asked}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Said(b"%PDF-1.4" + b" " * 5000), "sends more than 4,000 bytes"),
        (Said(b"%PDF-1.4" + b" " * 2000, cut=100), "sent no complete answer"),
        (Said(b"<html>short</html>"), "a web page instead of a PDF"),
        (Said(b""), "a web page instead of a PDF"),
        (Said(b"", 403), "answers 403"),
    ],
    ids=["large", "cut", "page", "empty", "refused"],
)
def test_what_is_no_whole_pdf_leaves_no_file(service: Service, tmp_path: Path, answer: Said, reason: str):
    service.on("/a.pdf", answer)

    async def download() -> None:
        async with OpenPdfs([service.address], largest=4000) as pdfs:
            await pdfs.download(f"{service.address}/a.pdf", tmp_path / "a.pdf")

    with pytest.raises(NoPdfError, match=reason):
        asyncio.run(download())
    assert list(tmp_path.iterdir()) == []


def test_two_requests_to_one_server_are_a_second_apart(service: Service, tmp_path: Path, time: object):
    service.on("/a.pdf", Said(pdf("x")))

    async def download() -> None:
        async with OpenPdfs([service.address], clock=time.clock, sleep=time.sleep) as pdfs:  # type: ignore[attr-defined]
            await pdfs.download(f"{service.address}/a.pdf", tmp_path / "a.pdf")
            await pdfs.download(f"{service.address}/a.pdf", tmp_path / "b.pdf")

    asyncio.run(download())
    assert time.slept == [1.0]  # type: ignore[attr-defined]


def test_a_proxy_of_the_user_may_be_anywhere_and_addresses_inside_are_refused_all_the_same(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    port = service.address.rpartition(":")[2]
    monkeypatch.setenv("http_proxy", f"http://localhost:{port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    service.on("/a.pdf", Said(pdf("x")))
    looked_up = socket.getaddrinfo

    def known_here(host: str, *rest: object, **more: object) -> object:
        """As this machine's list of hosts has it."""
        if host == "papers.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return looked_up("10.0.0.7" if host == "inside.example" else host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", known_here)

    async def download() -> None:
        async with OpenPdfs() as pdfs:
            await pdfs.download("http://papers.example/a.pdf", tmp_path / "a.pdf")
            for inside in (
                "10.0.0.1",
                "localhost",
                "localhost.",
                "printer",
                "metadata.google.internal",
                "inside.example",
            ):
                with pytest.raises(NoPdfError, match=f"{re.escape(inside)} is not on the public internet"):
                    await pdfs.download(f"http://{inside}/a.pdf", tmp_path / "b.pdf")

    asyncio.run(download())
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]
    assert [asked.headers["Host"] for asked in service.asked] == ["papers.example"]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("fe80::1%eth0", False),
    ],
)
def test_an_address_in_numbers_is_public_or_not(address: str, public: bool):
    assert is_public(address) is public


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "file:///etc/passwd", "ftp://x.org/a.pdf", "http://u:p@x.org/a.pdf", "http://[", 7],
)
def test_what_is_no_web_address_is_not_tried(address: object):
    request = OpenAlexCopies().open_copies(BEES)
    assert request is not None
    page = request.read(said({"locations": [{"is_oa": True, "pdf_url": address}]}).body)
    assert getattr(page, "pdfs", None) == ()


def test_a_copy_that_is_not_open_is_not_tried():
    request = OpenAlexCopies().open_copies(BEES)
    assert request is not None
    closed, opened = ({"is_oa": name == "b", "pdf_url": f"https://{name}.org/1.pdf"} for name in "ab")
    page = request.read(said({"best_oa_location": None, "locations": [closed, opened, opened]}).body)
    assert getattr(page, "pdfs", None) == ("https://b.org/1.pdf",)
