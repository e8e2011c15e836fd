"""`novum library full-texts`: PDFs of papers that the library knows, fetched from arXiv and read."""

from __future__ import annotations

import json

import pytest

import novum.cli.library.full_texts  # noqa: F401  once loaded, a command does not announce itself on stderr
from novum.core import Identifiers, Paper
from novum.literature import Entry, Library
from tests.cli.test_library_add import pdf
from tests.local_service import Said, Service, said

FOLDING = Paper(title="Sheets that Fold Themselves", year=2024, ids=Identifiers(arxiv="2401.00001"))
CUTTING = Paper(title="Sheets that Are Cut", year=2020)


@pytest.fixture
def arxiv(home):
    running = Service()
    (home / "novum.toml").write_text(f'[source_addresses]\narxiv = "{running.address}"\n')
    yield running
    running.close()


@pytest.fixture
def library(home):
    with Library.open(home / "library") as opened:
        opened.add([Entry(FOLDING), Entry(CUTTING)])
        yield opened


def test_the_pdf_of_a_paper_is_fetched_once_and_read_as_that_paper(here, arxiv, library):
    arxiv.on("/pdf/2401.00001", Said(pdf("Another Title on the Page")))
    papers = library.size().papers
    first = here("library", "full-texts", "sheets of paper")
    assert first.code == 0
    assert "1 full text read" in first.out
    assert "without an open copy" in first.out
    assert "they stay folded" in library.full_text(FOLDING.id)
    assert library.find("Another Title on the Page") is None
    assert library.size().papers == papers
    again = json.loads(here("library", "full-texts", "sheets of paper", "--json").out)
    assert (again["read"], again["held"]) == (0, 1)
    assert len(arxiv.asked) == 1


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Said(b"nothing", status=404), "arXiv has no PDF of 2401.00001"),
        (Said(b"<html>Come back later</html>"), "arXiv has no PDF of 2401.00001"),
    ],
    ids=["missing", "no PDF"],
)
def test_what_cannot_be_had_is_told_in_a_line_and_nothing_is_lost(here, arxiv, library, answer, told):
    arxiv.on("/pdf/2401.00001", answer)
    papers = library.size().papers
    done = here("library", "full-texts", "sheets")
    assert done.code == 0
    assert any(told in line for line in done.lines)
    assert library.full_text(FOLDING.id) is None
    assert library.size().papers == papers
    assert not list((library.folder / "pdf").glob("*.pdf"))


def test_an_open_article_of_europe_pmc_needs_no_pdf(here, home, library):
    service = Service()
    names = ("arxiv", "europe-pmc", "openalex", "unpaywall", "core")
    addresses = "\n".join(f'{name} = "{service.address}"' for name in names)
    (home / "novum.toml").write_text(f"[source_addresses]\n{addresses}\n")
    library.add([Entry(Paper(title="Sheets in Living Cells", year=2021, ids=Identifiers(doi="10.1000/sheets")))])
    record = {"source": "MED", "id": "5", "pmcid": "PMC5", "doi": "10.1000/sheets", "title": "Sheets in living cells."}
    service.on("/search", said({"hitCount": 1, "resultList": {"result": [record | {"pubYear": "2021"}]}}))
    service.on("/PMC5/fullTextXML", Said(b"<article><body><p>Cells fold their sheets.</p></body></article>"))
    service.on("/pdf/2401.00001", Said(pdf("Sheets that Fold Themselves")))
    done = here("library", "full-texts", "sheets")
    service.close()
    assert done.code == 0
    assert "2 full texts read (1 from Europe PMC, 1 from arXiv)" in done.out
    assert any("Sheets that Are Cut: no open copy found (neither a DOI nor" in line for line in done.lines)
    found = library.by_identifier("pmcid", "PMC5")
    assert "Cells fold their sheets." in library.full_text(found.id)
