"""Numbers of PubMed and PubMed Central: read in any form, written where a format has a field, found by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from novum.core import Identifiers, Paper
from novum.literature import Entry, Library, Reference, import_file
from novum.literature.entry import clean_identifier
from novum.literature.exporting import export
from novum.reports.bibtex import render_bibtex

BEES = Paper(title="On the dance of bees", year=2019, ids=Identifiers(pmid="31000001", pmcid="PMC7000001"))


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("31000001", "31000001"),
        ("PMID: 31000001", "31000001"),
        ("pmid:31000001", "31000001"),
        ("https://pubmed.ncbi.nlm.nih.gov/31000001/", "31000001"),
        ("http://www.ncbi.nlm.nih.gov/pubmed/31000001", "31000001"),
        ("https://europepmc.org/article/MED/31000001", "31000001"),
        ("0", ""),
        ("PMC31000001", ""),
        ("31000001 and more", ""),
    ],
)
def test_a_pubmed_number_is_read_from_its_addresses(written: str, number: str):
    assert clean_identifier("pmid", written) == number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("PMC7000001", "PMC7000001"),
        ("7000001", "PMC7000001"),
        ("PMCID: pmc7000001", "PMC7000001"),
        ("PMC7000001.2", "PMC7000001"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC7000001/", "PMC7000001"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7000001", "PMC7000001"),
        ("https://europepmc.org/article/PMC/PMC7000001", "PMC7000001"),
        ("https://europepmc.org/articles/PMC7000001", "PMC7000001"),
        ("PMC", ""),
        ("../PMC7000001", ""),
    ],
)
def test_a_number_of_pubmed_central_is_read_from_its_addresses(written: str, number: str):
    assert clean_identifier("pmcid", written) == number


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", json.dumps({"title": "Bees", "ids": {"pmid": "PMID 31000001", "pmcid": "7000001"}})),
        (
            "b.jsonl",
            json.dumps({"title": "Bees", "pmid": 31000001, "pmcid": "https://europepmc.org/articles/PMC7000001"}),
        ),
        ("a.bib", "@article{b, title={Bees}, pmid={31000001}, pmcid = {PMC7000001}}"),
        ("b.bib", "@article{b, title={Bees}, eprint={31000001}, eprinttype={pubmed}, pmc={PMC7000001}}"),
        ("a.csljson", json.dumps([{"id": "b", "title": "Bees", "PMID": 31000001, "PMCID": "PMC7000001"}])),
    ],
)
def test_files_of_papers_bring_their_numbers(tmp_path: Path, name: str, text: str):
    (tmp_path / name).write_text(text + "\n")
    with Library.open(tmp_path / "library") as library:
        import_file(library, tmp_path / name)
        for scheme, number in (("pmid", "https://pubmed.ncbi.nlm.nih.gov/31000001/"), ("pmcid", "PMC7000001")):
            found = library.by_identifier(scheme, number)
            assert found is not None
            assert found.title == "Bees"


@pytest.mark.parametrize("form", ["jsonl", "bibtex", "csl"])
def test_what_is_exported_is_imported_with_the_same_numbers(tmp_path: Path, form: str):
    file = tmp_path / f"papers.{ {'jsonl': 'jsonl', 'bibtex': 'bib', 'csl': 'csljson'}[form] }"
    file.write_text("".join(export([BEES], form)))
    with Library.open(tmp_path / "library") as library:
        import_file(library, file)
        again = library.by_identifier("pmid", "31000001")
    assert again is not None
    assert again.ids == BEES.ids


def test_a_report_cites_the_numbers():
    assert "pmid = {31000001}" in render_bibtex([BEES])
    assert "pmcid = {PMC7000001}" in render_bibtex([BEES])


def test_descriptions_with_one_number_are_one_paper_and_references_by_number_become_links(tmp_path: Path):
    other = Paper(title="On the dance of the bees", authors=("Zoë Nuñez",), ids=Identifiers(pmid="31000001"))
    citing = Paper(title="A second look at the hive", year=2020)
    with Library.open(tmp_path / "library") as library:
        library.add([Entry(paper=citing, references=(Reference.read("pmid:31000001", "x"),))], "a file")
        report = library.add([Entry(paper=BEES), Entry(paper=other)], "a file")
        assert (report.added, report.merged, report.links) == (1, 1, 1)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/31000001/", Reference("pmid", "31000001")),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC7000001", Reference("pmcid", "PMC7000001")),
        ("pmcid:7000001", Reference("pmcid", "PMC7000001")),
        ("https://example.org/31000001", Reference("key", "https://example.org/31000001")),
        ("31000001", Reference("key", "file/31000001")),
        ("pmid:none", Reference("key", "pmid:none")),
    ],
)
def test_a_reference_may_be_an_address_at_pubmed(written: str, read: Reference):
    assert Reference.read(written, "file") == read


def test_the_best_address_of_a_paper_without_doi_is_its_article():
    assert BEES.ids.url == "https://pmc.ncbi.nlm.nih.gov/articles/PMC7000001"
    assert Identifiers(pmid="31000001").url == "https://pubmed.ncbi.nlm.nih.gov/31000001"
    assert Identifiers(doi="10.1000/x", pmid="3").url == "https://doi.org/10.1000/x"
