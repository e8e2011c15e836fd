"""RIS and NBIB: what databases and reference managers write comes in whole, whatever their dialect."""

from __future__ import annotations

import codecs
import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput
from novum.literature import Entry, Library, Reject, export, import_file, read_file
from novum.literature.importing.nbib import read_nbib
from novum.literature.importing.ris import read_ris


def ris(*lines: str) -> list[Entry | Reject]:
    return list(read_ris("\n".join(lines), "refs.ris", "here"))


def one(*lines: str) -> Paper:
    (read,) = ris("TY  - JOUR", "TI  - Folding Sheets of Paper", *lines, "ER  - ")
    assert isinstance(read, Entry)
    return read.paper


def titles(read: list[Entry | Reject]) -> list[str]:
    return [each.paper.title for each in read if isinstance(each, Entry)]


# RIS


def test_a_reference_with_everything_that_is_kept() -> None:
    (read,) = ris(
        "TY  - JOUR",
        "ID  - byron2019",
        "AU  - Byron, Ada K.",
        "AU  - Hopper, Grace, Jr.",
        "TI  - Folding &amp; <i>Creasing</i>",
        "JF  - Journal of Sheets",
        "JO  - J Sheets",
        "PY  - 2019",
        "DA  - 2019/05/12/",
        "SN  - 1234-5678",
        "DO  - https://doi.org/10.1000/ABC.1",
        "UR  - https://pubmed.ncbi.nlm.nih.gov/31000001/",
        "KW  - *paper",
        "KW  - paper",
        "AB  - Sheets are folded",
        "and creased,",
        "",
        "twice.",
        "C1  - An address",
        "ER  - ",
    )
    assert isinstance(read, Entry)
    paper = read.paper
    assert (paper.title, paper.venue, paper.year) == ("Folding & Creasing", "Journal of Sheets", 2019)
    assert paper.authors == ("Ada K. Byron", "Grace Hopper Jr.")
    assert (paper.date, paper.fields) == (dt.date(2019, 5, 12), ("paper",))
    assert paper.ids == Identifiers(doi="10.1000/abc.1", pmid="31000001")
    assert paper.abstract == "Sheets are folded and creased, twice."
    assert (read.key, read.line) == ("here/byron2019", 1)


@pytest.mark.parametrize(
    ("lines", "year", "day"),
    [
        (["PY  - 2019"], 2019, None),
        (["Y1  - 2019///"], 2019, None),
        (["Y1  - 2019/05/12/Spring"], 2019, dt.date(2019, 5, 12)),
        (["PY  - 2019/05//"], 2019, None),
        (["PY  - 2019", "DA  - 2019/05/01/"], 2019, dt.date(2019, 5, 31)),
        (["PY  - 2019", "DA  - 2019/01/01/"], 2019, None),
        (["PY  - 2019", "DA  - 2019 May 12"], 2019, dt.date(2019, 5, 12)),
        (["PY  - 2019", "DA  - May 12"], 2019, None),
        (["DA  - 12 May 2019"], 2019, dt.date(2019, 5, 12)),
        (["PY  - May 12, 2019"], 2019, dt.date(2019, 5, 12)),
        (["PY  - in press"], None, None),
        (["PY  - 2019/13/45/"], 2019, None),
        (["PY  - 2019", "DA  - 2024/03/02/", "Y2  - 2024/03/02/"], 2019, None),
    ],
)
def test_a_day_counts_only_where_it_is_certain(lines: list[str], year: int | None, day: dt.date | None) -> None:
    assert (one(*lines).year, one(*lines).date) == (year, day)


def test_a_missing_end_does_not_join_two_papers() -> None:
    read = ris("TY  - JOUR", "TI  - First", "TY  - JOUR", "TI  - Second", "ER  - ", "TY  - CONF", "TI  - Third")
    assert titles(read) == ["First", "Second", "Third"]


def test_what_databases_write_between_references_is_passed_over() -> None:
    read = ris(
        "Record #1 of 2", "Provider: Somebody", "", "TY  - JOUR", "TI  - First", "ER  - ",
        "Search Strategy: folding", "C1  - Database: <1980 to 2024>", "2. ", "TY  - JOUR", "TI  - Second", "ER  -",
    )  # fmt: skip
    assert titles(read) == ["First", "Second"]


def test_a_wrapped_line_that_looks_like_a_tag_is_text() -> None:
    assert one("AB  - We study", "AI - based folding of", "CO - rrugated sheets").abstract == (
        "We study AI - based folding of CO - rrugated sheets"
    )


def test_one_blank_before_the_hyphen_is_understood_where_the_whole_file_is_so() -> None:
    read = ris("TY - JOUR", "TI - Edited by Hand", "AU - Byron, Ada", "PY -2001", "ER -")
    (entry,) = read
    assert isinstance(entry, Entry)
    assert (entry.paper.title, entry.paper.authors, entry.paper.year) == ("Edited by Hand", ("Ada Byron",), 2001)


def test_an_empty_tag_does_not_take_the_next_line_with_it() -> None:
    assert one("JF  - Letters", "SP  -", "VL  - 8").venue == "Letters"


@pytest.mark.parametrize(
    ("lines", "ids"),
    [
        (["DO  - 10.1000/a(b)c."], {"doi": "10.1000/a(b)c"}),
        (["M3  - doi: 10.1000/xyz"], {"doi": "10.1000/xyz"}),
        (["UR  - https://dx.doi.org/10.1000/xyz"], {"doi": "10.1000/xyz"}),
        (["N1  - Erratum of 10.1000/other; arXiv:1706.03762"], {}),
        (["UR  - http://arxiv.org/abs/1706.03762v5"], {"arxiv": "1706.03762"}),
        (["DO  - 10.48550/arXiv.1706.03762"], {"arxiv": "1706.03762", "doi": "10.48550/arxiv.1706.03762"}),
        (["JO  - arXiv preprint arXiv:hep-th/9901001"], {"arxiv": "hep-th/9901001"}),
        (["UR  - https://aclanthology.org/P02-1040.pdf"], {"acl": "P02-1040"}),
        (["UR  - https://openreview.net/forum?id=abc-DEF_1"], {"openreview": "abc-DEF_1"}),
        (["C2  - PMC6412345"], {"pmcid": "PMC6412345"}),
        (["AN  - 31000001", "DP  - NLM"], {"pmid": "31000001"}),
        (["AN  - 31000001", "DB  - PsycINFO"], {}),
        (["DO  - none", "SN  - 10.1000"], {}),
    ],
)
def test_identifiers_are_found_where_programs_put_them(lines: list[str], ids: dict[str, str]) -> None:
    assert one(*lines).ids == Identifiers(**ids)


def test_editors_stand_in_for_missing_authors_and_several_names_on_one_line_are_split() -> None:
    assert one("A2  - Byron, Ada").authors == ("Ada Byron",)
    assert one("A1  - Byron, Ada; Hopper, Grace", "A2  - Nobody, N.").authors == ("Ada Byron", "Grace Hopper")
    assert one("AU  - World Health Organization").authors == ("World Health Organization",)
    assert one("A1  - Adler D.G.", "A1  - van der Berg Ö.-A.").authors == ("D.G. Adler", "Ö.-A. van der Berg")


def test_each_line_of_the_keywords_of_endnote_is_one() -> None:
    assert one("KW  - Animals", "Cell Line/drug effects", "*Paper; Folding").fields == (
        "Animals", "Cell Line/drug effects", "Paper", "Folding",
    )  # fmt: skip


def test_the_proceedings_of_a_conference_go_before_its_name() -> None:
    (read,) = ris("TY  - CONF", "TI  - Folds", "T2  - The Folding Conference", "C3  - Proceedings of Folds")
    assert isinstance(read, Entry)
    assert (read.paper.venue, one("JF  - Letters", "C3  - Nonsense").venue) == ("Proceedings of Folds", "Letters")


def test_references_that_are_no_usable_paper_are_listed_with_their_line() -> None:
    read = ris("TY  - JOUR", "AU  - Nobody", "ER  - ", "", "TY  - JOUR", "TI  - RETRACTED: Gone", "ER  - ")
    assert [(each.line, each.reason) for each in read if isinstance(each, Reject)] == [
        (1, "no title"), (5, "withdrawn: 'RETRACTED: Gone'"),
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_make_no_difference(tmp_path: Path, encoding: str, ending: str) -> None:
    text = ending.join(["TY  - JOUR", "AU  - Müller, Jörg", "TI  - “Größe” – a study", "ER  - ", ""])
    path = tmp_path / "refs.ris"
    path.write_bytes(text.encode(encoding))
    (read,) = read_file(path)
    assert isinstance(read, Entry)
    assert (read.paper.title, read.paper.authors) == ("“Größe” – a study", ("Jörg Müller",))


def test_a_file_of_another_name_is_recognised_by_its_content(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "export.txt"
    path.write_bytes(codecs.BOM_UTF8 + b"Record #1\r\n\r\nTY  - JOUR\r\nTI  - First\r\nER  - \r\n")
    assert import_file(library, path).added == 1


@pytest.mark.parametrize("name", ["savedrecs.txt", "savedrecs.ris"])
def test_the_plain_text_of_web_of_science_is_named(library: Library, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI First\nER\n")
    with pytest.raises(BadInput, match="Web of Science's plain text format: export it again as RIS or BibTeX"):
        import_file(library, path)


def test_a_file_named_ris_that_is_none_says_so(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "notes.ris"
    path.write_text("Dear diary\n")
    (reject,) = import_file(library, path).rejects
    assert "no reference: in RIS each begins with a line like" in reject.reason


def test_a_hostile_file_costs_no_more_than_its_size(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "hostile.ris"
    wrapped = "word\n" * 200_000
    names = "AU  - A, B\n" * 50_000
    path.write_text(f"TY  - JOUR\nTI  - {'T' * 5000}\nTY  - JOUR\nTI  - Good\n{names}AB  - {wrapped}ER  - \n")
    report = import_file(library, path)
    assert [reject.reason[:10] for reject in report.rejects] == ["a title of", "an abstrac"]


WORDS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="<>&,;"), min_size=1, max_size=12)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
PAPERS = st.builds(
    Paper,
    title=st.lists(WORDS, min_size=1, max_size=6).map(" ".join),
    authors=st.lists(NAMES, max_size=3).map(tuple),
    year=st.none() | st.integers(1500, 2100),
    venue=NAMES | st.just(""),
    abstract=st.lists(WORDS, max_size=30).map(" ".join),
    ids=st.builds(
        Identifiers,
        doi=st.none() | st.from_regex(r"10\.[0-9]{4,9}/[a-z0-9]{1,10}", fullmatch=True),
        arxiv=st.none() | st.from_regex(r"(0[89]|1[0-9])(0[1-9]|1[0-2])\.[0-9]{4}", fullmatch=True),
    ),
)


@given(st.lists(PAPERS, max_size=4))
def test_papers_written_as_ris_come_back_the_same(papers: list[Paper]) -> None:
    read = list(read_ris("".join(export(papers, "ris")), "out.ris", "here"))
    kept = {"title", "authors", "year", "venue", "abstract"}
    if papers:
        assert [each.paper.model_dump(include=kept) for each in read if isinstance(each, Entry)] == [
            each.model_dump(include=kept) for each in papers
        ]
    for each, paper in zip(read, papers, strict=False):
        assert isinstance(each, Entry)
        assert (each.paper.ids.doi, each.paper.ids.arxiv) == (paper.ids.doi, paper.ids.arxiv)


def test_the_type_of_a_written_reference_follows_from_what_is_known() -> None:
    known = [{"venue": "Letters"}, {"ids": Identifiers(doi="10.1000/a")}, {"ids": Identifiers(arxiv="1706.03762")}, {}]
    papers = [Paper(title="Folds", year=2020, **more) for more in known]  # type: ignore[arg-type]
    types = [text.partition("\r")[0] for text in export(papers, "ris")]
    assert types == ["TY  - JOUR", "TY  - JOUR", "TY  - UNPB", "TY  - UNPB"]


@given(st.text(st.sampled_from("TYERAUI  - \n\r,;/12x\ufeff"), max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for read in (list(read_ris(text, "f", "s")), list(read_nbib(text, "f", "s"))):
        assert all(isinstance(each, Entry | Reject) for each in read)


# NBIB

RECORD = """
PMID- 31000001
OWN - NLM
PT  - Journal Article
DP  - 2019 May
DEP - 20190412
TI  - Folding of sheets under
      a load.
LID - S0000-0000(19)1 [pii]
LID - 10.1000/FOLD.1 [doi]
AB  - BACKGROUND: Sheets
      are folded.
FAU - Byron, Ada
AU  - Byron A
CN  - The Folding Group
JT  - Journal of sheets
MH  - *Paper
PMC - PMC6412345

PMID- 31000002
DP  - 1999
TI  - An older one
AU  - Hopper GB
"""


def test_records_of_pubmed_come_in_with_their_numbers(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "pubmed.nbib"
    path.write_text(RECORD)
    assert import_file(library, path).added == 2
    found = library.by_identifier("pmid", "31000001")
    assert found is not None
    assert (found.title, found.authors) == ("Folding of sheets under a load", ("Ada Byron",))
    assert (found.ids.doi, found.ids.pmcid) == ("10.1000/fold.1", "PMC6412345")
    assert (found.date, found.year, found.venue) == (dt.date(2019, 4, 12), 2019, "Journal of sheets")
    assert (found.abstract, found.fields) == ("BACKGROUND: Sheets are folded.", ("Paper",))
    older = library.find("An older one", 1999)
    assert older is not None
    assert older.authors == ("GB Hopper",)


def test_withdrawn_papers_and_notices_of_pubmed_are_left_out() -> None:
    text = "PMID- 1\nTI  - Gone\nPT  - Retracted Publication\n\nPMID- 2\nTI  - On it\nPT  - Published Erratum\n"
    assert [each.reason for each in read_nbib(text, "f", "s") if isinstance(each, Reject)] == [
        "withdrawn (PubMed 1)",
        "no paper but a notice (published erratum) about another",
    ]
