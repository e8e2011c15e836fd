"""`novum library add`: papers from services, files and PDFs, with exact counts and nothing left out in silence."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from pathlib import Path

import pytest

import novum.cli.library.add  # noqa: F401  once loaded, a command does not announce itself on stderr
from novum.literature import Library
from tests.local_service import Said, Service, said

NAMES = ("openalex", "arxiv", "semantic-scholar")


def work(number, *cites, **more):
    """A work of OpenAlex."""
    return {
        "id": f"https://openalex.org/W{number}",
        "title": f"On the Folding of Sheet {number}",
        "publication_year": 2020,
        "referenced_works": [f"https://openalex.org/W{cited}" for cited in cites],
        **more,
    }


def works(*found, count=0):
    return said({"meta": {"count": count or len(found)}, "results": found})


def feed(*titles):
    """An answer of arXiv."""
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/2401.0000{n}v1</id><title>{title}</title><summary>About sheets.</summary>"
        f"<published>2024-01-0{n}T00:00:00Z</published><author><name>Ada Byron</name></author></entry>"
        for n, title in enumerate(titles, 1)
    )
    return Said(
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"<opensearch:totalResults>{len(titles)}</opensearch:totalResults>{entries}</feed>".encode()
    )


@pytest.fixture
def service(home):
    """Every service of papers, on this machine."""
    running = Service()
    addresses = "".join(f'{name} = "{running.address}"\n' for name in NAMES)
    (home / "novum.toml").write_text(f"[source_addresses]\n{addresses}")
    yield running
    running.close()


@pytest.fixture
def library(home):
    with Library.open(home / "library") as opened:
        yield opened


def asked(service):
    return [each for each in service.asked if each.path == "/works"]


# Services


def test_papers_of_a_service_come_in_with_exact_counts_and_can_be_searched(here, service, library):
    service.on("/works", works(work(1, 2), work(2), work(3, is_retracted=True)))
    ended = here("library", "add", "--source", "openalex", "folding sheets")
    assert ended.code == 0
    assert (
        "OpenAlex: 2 added, 0 merged with known ones, 0 known already, 1 citation link found, 1 left out" in ended.out
    )
    assert "The library holds 10 papers" in ended.out
    (line,) = (line for line in ended.lines if line.startswith("What was left out is listed in "))
    (reject,) = map(json.loads, Path(line.rpartition(" in ")[2]).read_text().splitlines())
    assert "withdrawn" in reject["reason"]
    assert "Folding of Sheet" in here("library", "search", "folding of sheets", "-k", "1").out


def test_words_days_fields_and_limits_reach_the_service(here, service):
    service.on("/works", works(*(work(number) for number in range(1, 8)), count=700))
    given = ("--since", "2018", "--before", "2024-06-01", "--limit", "5", "--fresh")
    ended = here("library", "add", "folding", "sheets", "--source", "openalex", *given)
    (question,) = asked(service)
    assert question.query["search"] == "folding sheets"
    assert "from_publication_date:2018-01-01" in question.query["filter"]
    assert "to_publication_date:2024-05-31" in question.query["filter"]
    assert "OpenAlex: 5 added" in ended.out


def test_citations_are_followed(here, service, library):
    service.on("/works", works(work(20, 1)), filter="cites:W1")
    service.on("/works", works(work(1, 10)))
    service.on("/works", works(work(10)), filter="openalex:W10")
    service.on("/works", works(work(20, 1)), filter="cites:W1")
    here("library", "add", "--source", "openalex", "folding sheets", "--with-citations", "1", "--limit", "5")
    centre = library.by_identifier("openalex", "W1")
    assert len(library.references(centre.id)) == len(library.citing(centre.id)) == 1


def test_without_a_source_those_are_asked_that_answer_somebody_without_a_key(here, service):
    service.on("/works", works(work(1)))
    service.on("/api/query", feed("Sheets That Fold Themselves"))
    ended = here("library", "add", "folding sheets")
    assert "OpenAlex: 1 added" in ended.out
    assert "arXiv: 1 added" in ended.out
    assert "Semantic Scholar" not in ended.out + ended.err


def test_with_its_key_semantic_scholar_is_asked_too(here, service, monkeypatch):
    monkeypatch.setenv("S2_API_KEY", "a-key-of-our-own")
    service.on("/works", works(work(1)))
    service.on("/api/query", feed("Sheets That Fold Themselves"))
    service.on(
        "/graph/v1/paper/search", said({"total": 1, "data": [{"paperId": "a" * 40, "title": "Folds", "year": 2020}]})
    )
    assert "Semantic Scholar: 1 added" in here("library", "add", "folding sheets").out
    (question,) = (each for each in service.asked if each.path.startswith("/graph"))
    assert question.headers["x-api-key"] == "a-key-of-our-own"


def test_the_setting_names_who_is_asked(here, service, monkeypatch):
    monkeypatch.setenv("NOVUM_SOURCES", "openalex")
    service.on("/works", works(work(1)))
    assert "arXiv" not in here("library", "add", "folding sheets").out


def test_services_that_cannot_keep_to_a_venue_are_named(here, service):
    service.on("/works", works(work(1)))
    service.on("/api/query", feed("Sheets That Fold Themselves"))
    ended = here("library", "add", "folding sheets", "--venue", "Origami")
    assert "OpenAlex and arXiv cannot be asked by venue: what comes from there is of any." in ended.lines


def test_a_service_at_a_wrong_address_is_told(here, service):
    ended = here("library", "add", "folding sheets", "--source", "openalex")
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "`source_addresses`" in ended.err


def test_a_source_that_fails_is_set_aside_in_one_line_and_the_others_go_on(here, service):
    service.on("/works", Said(b'{"message": "no"}', 401))
    service.on("/api/query", feed("Sheets That Fold Themselves"))
    ended = here("library", "add", "folding sheets", "--source", "openalex", "--source", "arxiv")
    assert ended.code == 0
    assert "arXiv: 1 added" in ended.out
    (line,) = (line for line in ended.lines if line.startswith("Not used further"))
    assert "OpenAlex wants a key" in line and "OPENALEX_API_KEY" in line


def test_when_no_source_answers_it_is_one_line_and_exit_code_2(here, service):
    service.on("/works", Said(b'{"message": "no"}', 401))
    ended = here("library", "add", "folding sheets", "--source", "openalex")
    assert (ended.code, len(ended.lines)) == (2, 1)


def test_a_paragraph_is_looked_for_and_not_taken_for_a_file(here, service):
    service.on("/works", works(work(1)))
    assert "1 added" in here("library", "add", "folding sheets " * 60, "--source", "openalex").out
    assert here("library", "add", "folding sheets " * 60).code == 0


def test_what_was_answered_within_the_week_is_not_asked_again(here, service):
    service.on("/works", works(work(1)))
    for _ in range(2):
        assert here("library", "add", "folding sheets", "--source", "openalex").code == 0
    assert len(asked(service)) == 1
    here("library", "add", "folding sheets", "--source", "openalex", "--fresh")
    assert len(asked(service)) == 2


def test_the_address_of_the_user_is_told_to_services(here, service, monkeypatch):
    monkeypatch.setenv("NOVUM_CONTACT", "ada@example.org")
    service.on("/works", works(work(1)))
    here("library", "add", "folding sheets", "--source", "openalex")
    (question,) = asked(service)
    assert question.query["mailto"] == "ada@example.org"


def test_for_programs_there_is_json_and_nothing_else(here, service):
    service.on("/works", works(work(1)))
    (report,) = json.loads(here("library", "add", "folding", "--source", "openalex", "--json").out)["reports"]
    assert (report["source"], report["added"]) == ("OpenAlex", 1)


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once_and_repeating_goes_on_without_asking_anew(start, here, service, library):
    reached, go_on = threading.Event(), threading.Event()

    def wait():
        reached.set()
        go_on.wait(300)

    service.on("/works", works(*(work(number) for number in range(1, 101)), count=150), page="1")
    service.on("/works", Said(first=wait, status=500), works(*(work(n) for n in range(101, 151)), count=150), page="2")
    process = start("library", "add", "folding sheets", "--source", "openalex", "--limit", "150")
    assert reached.wait(300)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=300)
    go_on.set()
    assert process.returncode == 130
    assert told.splitlines()[-1] == ("novum: Stopped. What was added is stored; the same command continues from there.")
    assert library.stats().papers == 108
    ended = here("library", "add", "folding sheets", "--source", "openalex", "--limit", "150")
    assert "50 added" in ended.out
    assert [each.query["page"] for each in asked(service)] == ["1", "2", "2"]


# Files


def test_what_names_a_file_is_brought_in_as_a_file(here, tmp_path):
    (tmp_path / "mine.bib").write_text(
        "@article{a, title={Good Things Come in Pairs}, author={A. Person}, year={2001}}"
    )
    assert "mine.bib: 1 added" in here("library", "add", "mine.bib").out
    assert "mine.bib: 0 added, 0 merged with known ones, 1 known already" in here("library", "import", "mine.bib").out


def test_rejects_of_a_file_are_shown_and_listed_in_their_file(here, tmp_path):
    (tmp_path / "mixed.jsonl").write_text('{"title": "Good Things Come in Pairs"}\n{"title": 5}\n')
    ended = here("library", "add", "mixed.jsonl")
    assert ended.code == 0
    assert "1 could not be read" in ended.out
    assert ended.lines[0].startswith("mixed.jsonl:2: ")
    assert "rejects" in ended.lines[-1]


def test_a_file_of_no_known_form_costs_no_other(here, tmp_path):
    (tmp_path / "mine.bib").write_text("@article{a, title={Good Things Come in Pairs}, year={2001}}")
    (tmp_path / "odd.txt").write_text("Something else.")
    ended = here("library", "add", "odd.txt", "mine.bib")
    assert ended.code == 2
    assert "mine.bib: 1 added" in ended.out
    assert "odd.txt is neither JSONL, BibTeX, RIS, NBIB nor CSL-JSON" in ended.lines[-1]


@pytest.mark.slow
def test_a_cluster_reads_files_and_embeds_what_they_hold(novum, library, tmp_path):
    lines = (json.dumps({"title": f"Sheet {n}", "year": 2000, "abstract": "It folds. " * (n % 9)}) for n in range(300))
    (tmp_path / "sheets.jsonl").write_text("\n".join((*lines, "{broken")))
    ended = novum("library", "import", "sheets.jsonl", "--ray", "local")
    assert ended.code == 0
    assert ended.lines[0].startswith("sheets.jsonl:301: ")
    assert "sheets.jsonl: 300 added" in ended.out
    assert (library.unembedded("wordllama-256").papers, library.stats().embedder) == (0, "wordllama-256")
    assert "300 known already" in novum("library", "add", "sheets.jsonl").out


MISTAKES = {
    "nothing at all": ((), "Say what to add"),
    "a file that is not there": (("refs.bib",), "There is no file refs.bib"),
    "a file beside one that is there": (("mine.bib", "other"), "There is no file other"),
    "an unknown source": (("x", "--source", "openalx"), "Did you mean openalex?"),
    "a day that is none": (("x", "--since", "lately"), "--since 'lately' is not a day"),
    "days the wrong way round": (("x", "--since", "2020", "--before", "2019"), "Exchange --since and --before"),
    "too far along citations": (("x", "--with-citations", "3"), "--with-citations"),
    "PDFs and words": (("x", "--pdf", "."), "--pdf goes by itself"),
    "a folder without PDFs": (("--pdf", "."), "holds no PDF"),
    "a cluster and words": (("x", "--ray", "local"), "--ray is for files"),
    "an empty word": (("",), "Say what to add"),
    "an e-mail address that is none": (("x",), "NOVUM_CONTACT"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_one_line(here, tmp_path, monkeypatch, mistake):
    (tmp_path / "mine.bib").write_text("@article{a, title={Good Things Come in Pairs}, year={2001}}")
    if "e-mail" in mistake:
        monkeypatch.setenv("NOVUM_CONTACT", "nobody")
    arguments, told = MISTAKES[mistake]
    ended = here("library", "add", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.lines[-1]
    assert ended.lines[-1].startswith("novum: ")


# PDFs


def pdf(title):
    """A small PDF with one page."""
    lines = [(22, title), (12, "Ada Byron"), (11, "Abstract"), (11, "We fold sheets of paper, and they stay folded.")]
    text = b"".join(
        f"BT /F1 {size} Tf 72 {700 - 40 * n} Td ({line}) Tj ET\n".encode() for n, (size, line) in enumerate(lines)
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(body)
    return body + b"xref\n0 5\n0000000000 65535 f \n" + table + end


def test_a_folder_of_pdfs_comes_in_and_is_not_read_twice(here, tmp_path, library):
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "good.pdf").write_bytes(pdf("On the Folding of Paper Sheets"))
    (folder / "bad.pdf").write_bytes(b"This is no PDF.")
    first = here("library", "add", "--pdf", "papers")
    assert first.code == 0
    assert "papers: 1 added" in first.out
    assert "1 could not be read" in first.out
    assert any("bad.pdf" in line for line in first.lines)
    assert library.full_text(library.find("On the Folding of Paper Sheets").id)
    again = here("library", "add", "--pdf", "papers")
    assert "papers: 0 added, 0 merged with known ones, 1 known already" in again.out


def test_what_came_in_is_searched_by_the_next_command(here, tmp_path, home):
    (tmp_path / "mine.bib").write_text("@article{a, title={Good Things Come in Pairs}, year={2001}}")
    here("library", "add", "mine.bib")
    with Library.open(home / "library") as library:
        (best, *_) = asyncio.run(library.search("good things in pairs"))
    assert best.paper.title == "Good Things Come in Pairs"
