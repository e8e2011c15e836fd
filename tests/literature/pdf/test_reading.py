"""PDFs as papers: what stands on their pages, in the order in which a person reads it."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.literature.pdf import PdfDocument, entry_of
from novum.literature.pdf.document import read_document
from novum.literature.pdf.extraction import extract
from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.spans import PageText, PdfText, TextSpan
from tests.literature.pdf.samples import heron_pages, heron_paper
from tests.literature.pdf.writing import Text, column, pdf


def read(tmp_path: Path, content: bytes, name: str = "paper.pdf") -> PdfDocument:
    (tmp_path / name).write_bytes(content)
    return read_document(extract(tmp_path / name), name)


@pytest.fixture
def herons(tmp_path: Path) -> PdfDocument:
    """The sample paper, with a stamp of arXiv in its margin."""
    return read(tmp_path, heron_paper(stamp="arXiv:1906.00017v2 [q-bio.PE] 1 Jun 2019"))


def test_title_and_authors_are_read_from_the_first_page(herons: PdfDocument) -> None:
    assert herons.title == "What Herons Are Waiting For: A Study from a Boat"
    assert herons.authors == ("Ada Lovelace", "Béla van der Meer")


def test_the_left_column_is_read_before_the_right_whatever_the_order_in_the_file(herons: PdfDocument) -> None:
    introduction = herons.sections[0].text
    assert "until the fish arrive and the wait is over. That is the whole of our method" in introduction


def test_sections_come_with_heading_number_and_level(herons: PdfDocument) -> None:
    found = [(section.number, section.heading, section.level) for section in herons.sections]
    assert found == [
        ("1", "Introduction", 1),
        ("2", "Methods", 1),
        ("2.1", "Boats and Birds", 2),
        ("", "Acknowledgements", 1),
    ]


def test_a_word_broken_at_the_end_of_a_line_is_made_whole_but_a_compound_keeps_its_hyphen(herons: PdfDocument) -> None:
    assert herons.abstract.endswith("A state-of-the-art telescope shows an example of patience in every bird.")


def test_running_heads_page_numbers_and_footers_are_no_text_but_tell_venue_and_year(herons: PdfDocument) -> None:
    assert "Notes on Wading Birds" not in herons.text
    assert "Proceedings of the Meeting" not in herons.text
    assert (herons.venue, herons.year) == ("Proceedings of the Meeting on Birds", 2019)


def test_labels_of_a_figure_stay_out_of_the_sentences_and_its_caption_follows_the_paragraph(
    herons: PdfDocument,
) -> None:
    assert "beak" not in herons.text
    assert herons.sections[0].text.endswith("simple one to repeat.\n\nFigure 1: A heron that stands.")


def test_references_are_split_and_read(herons: PdfDocument) -> None:
    titles = [work.title for work in herons.references]
    assert titles == [
        "Patience of wading birds in cold water",
        "Counting without disturbing: A guide",
        "What do herons see?",
    ]
    assert herons.references[0].authors == ("Anna Marsh", "Ben Reed")
    assert [work.year for work in herons.references] == [2011, 2015, 2018]
    assert herons.references[1].arxiv == "1501.00042"
    assert herons.references[2].doi == "10.1000/heron.7"


def test_the_entry_cites_by_doi_else_by_arxiv_id_else_by_title(herons: PdfDocument) -> None:
    entry = entry_of(herons, "paper.pdf")
    assert [(cited.scheme, cited.value) for cited in entry.references] == [
        ("title", "Patience of wading birds in cold water"),
        ("arxiv", "1501.00042"),
        ("doi", "10.1000/heron.7"),
    ]


def test_the_full_text_is_markdown(herons: PdfDocument) -> None:
    text = entry_of(herons, "paper.pdf").full_text or ""
    assert text.startswith("# What Herons Are Waiting For")
    for heading in ("\n## Abstract\n", "\n## 1 Introduction\n", "\n### 2.1 Boats and Birds\n", "\n## References\n"):
        assert heading in text


def test_a_stamp_in_the_margin_gives_the_arxiv_id(herons: PdfDocument) -> None:
    assert herons.ids.arxiv == "1906.00017"


@pytest.mark.parametrize(
    ("name", "scheme", "value", "year"),
    [
        ("N18-3011.pdf", "acl", "N18-3011", 2018),
        ("P79-1001.pdf", "acl", "P79-1001", 1979),
        ("2020.acl-main.207.pdf", "acl", "2020.acl-main.207", 2020),
        ("1706.03762v5.pdf", "arxiv", "1706.03762", 2019),  # what the pages say of the year counts more
    ],
)
def test_names_of_files_are_known_by_their_registries(
    tmp_path: Path, name: str, scheme: str, value: str, year: int
) -> None:
    document = read(tmp_path, heron_paper(), name)
    assert (getattr(document.ids, scheme), document.year) == (value, year)


def test_a_doi_on_the_first_page_is_the_papers(tmp_path: Path) -> None:
    first, *others = heron_pages()
    marked = [[*first, Text(60, 20, "https://doi.org/10.1000/WADING.1", 8)], *others]
    assert read(tmp_path, pdf(marked)).ids.doi == "10.1000/wading.1"


PLAIN = [column("Some words, all of one size, and no title\nabove them to be seen by anyone at all.", 60, 700)]


def test_metadata_give_the_title_only_where_the_pages_show_none(tmp_path: Path) -> None:
    assert read(tmp_path, heron_paper(title="Something Else")).title.startswith("What Herons")
    assert read(tmp_path, pdf(PLAIN, title="A Hidden Title", author="Ada Lovelace")).title == "A Hidden Title"


@pytest.mark.parametrize("garbage", ["Microsoft Word - final3.doc", "untitled", "paper.dvi", "ms_v2_final", "12"])
def test_a_title_left_over_by_a_program_is_not_believed(tmp_path: Path, garbage: str) -> None:
    document = read(tmp_path, pdf(PLAIN, title=garbage), "waiting.pdf")
    assert document.title == "waiting"
    assert document.remarks == ("no title was found: the file's name stands for it",)


def test_one_column_is_read_as_one(tmp_path: Path) -> None:
    prose = "\n".join(
        f"Line {number} runs from the left edge of the page to the right edge, as it should." for number in range(20)
    )
    page = [Text(120, 780, "On Single Columns", 17, bold=True), *column(f"# 1 Introduction\n{prose}", 60, 740)]
    (section,) = read(tmp_path, pdf([page])).sections
    assert [word for word in section.text.split() if word.isdecimal()] == [str(number) for number in range(20)]


NUMBERED = """
# REFERENCES
[1] A. Marsh and B. Reed, "Patience of wading birds," Journal of
    Lakes, vol. 4, pp. 11-19, 2011.
[2] C. van der Berg, "Counting without disturbing," 2015.
[3] D. Finch, E. Crane, and F. Gull, "What do herons see?" in Proc.
    Birds, 2018, pp. 1-2.
"""
SPACED = """
# References
Marsh, A. and Reed, B. Patience of wading birds. Journal
of Lakes, 4:11-19, 2011.

van der Berg, C. Counting without disturbing. Lake Press,
2015.

Finch, D., Crane, E., and Gull, F. What do herons see? In
Proceedings of Birds, 2018.
"""


@pytest.mark.parametrize("listed", [NUMBERED, SPACED], ids=["numbered", "spaced"])
def test_bibliographies_of_other_forms_are_read_too(tmp_path: Path, listed: str) -> None:
    first, second, _ = heron_pages()
    works = read(tmp_path, pdf([first, second, column(listed, 60, 780)])).references
    assert [(work.title.rstrip("?"), work.year) for work in works] == [
        ("Patience of wading birds", 2011),
        ("Counting without disturbing", 2015),
        ("What do herons see", 2018),
    ]
    assert [work.authors for work in works] == [
        ("A. Marsh", "B. Reed"),
        ("C. van der Berg",),
        ("D. Finch", "E. Crane", "F. Gull"),
    ]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (["an exam-", "ple of it"], "an example of it"),
        (["state-of-the-", "art"], "state-of-the-art"),
        (["the Citation-", "Based objective"], "the Citation-Based objective"),
        (["a self-super-", "vised model"], "a self-supervised model"),
        (["GPT-", "4"], "GPT-4"),
        (["pages 1132–", "1146"], "pages 1132–1146"),
        (["see https://a.org/b/", "c.html"], "see https://a.org/b/c.html"),
        (["plain", "words"], "plain words"),
    ],
)
def test_lines_are_joined_as_their_words_were(lines: list[str], whole: str) -> None:
    assert Vocabulary.of(["supervised learning is old", *lines]).join(lines) == whole


def test_the_document_itself_tells_how_it_writes_a_word() -> None:
    compound = Vocabulary.of(["a token-level objective", "and more"])
    assert compound.join(["the token-", "level loss"]) == "the token-level loss"
    assert (
        Vocabulary.of(["a tokenlevel objective", "and more"]).join(["the token-", "level loss"])
        == "the tokenlevel loss"
    )


PLACES = st.floats(-1000, 2000, allow_nan=False)
SPANS = st.builds(
    TextSpan,
    text=st.text(string.printable + "éß∑†", min_size=1, max_size=30).filter(str.strip),
    left=PLACES,
    right=PLACES,
    base=PLACES,
    size=st.sampled_from([1.0, 6.0, 9.0, 10.0, 12.0, 17.0, 300.0]),
    bold=st.booleans(),
    italic=st.booleans(),
    spaced=st.booleans(),
)
PAGES = st.builds(PageText, width=st.just(595.0), height=st.just(842.0), spans=st.lists(SPANS, max_size=25).map(tuple))


@settings(max_examples=30, deadline=None)
@given(st.lists(PAGES, min_size=1, max_size=3))
def test_whatever_lies_wherever_on_a_page_becomes_a_document_and_an_entry(pages: list[PageText]) -> None:
    entry = entry_of(read_document(PdfText(tuple(pages), len(pages)), "any.pdf"), "any.pdf")
    assert entry.paper.title
