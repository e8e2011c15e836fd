"""Texts of services without markup, and records that are no papers left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.literature.importing.cleaning import clean_text
from novum.literature.importing.record import UnusableRecord
from novum.literature.sources.crossref import work_entry as crossref_entry
from novum.literature.sources.json_responses import clean_title, plain_text, venue_name
from novum.literature.sources.openalex import work_entry as openalex_entry
from novum.literature.sources.semantic_scholar import paper_entry

LONG = "x" * 600


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        (f'see <jats:ext-link xlink:href="https://a.example/{LONG}">here</jats:ext-link> now', "see here now"),
        ("<JATS:P>Upper</JATS:P> case", "Upper case"),
        ("<jats:sec><jats:title>Aim</jats:title><jats:p>bees <jats:italic>dance", "Aim bees dance"),
        ('cut off <jats:p xml:lang="e', "cut off"),
        ("cut off </jats:p", "cut off"),
        (f'<a href="https://a.example/{LONG}">link</a> text', "link text"),
        ("&lt;jats:p&gt;escaped&lt;/jats:p&gt;", "escaped"),
        ("&amp;lt;i&amp;gt;twice&amp;lt;/i&amp;gt; &amp;amp; more", "twice & more"),
        ('<mml:math alttext="a<b"><mml:mi>x</mml:mi></mml:math>', "x"),
        (
            "<jats:alternatives><jats:tex-math>$$x_1$$</jats:tex-math><mml:math><mml:mi>x</mml:mi></mml:math></jats:"
            "alternatives> once",
            "x once",
        ),
        ("<jats:tex-math>$x_1$</jats:tex-math> alone", "$x_1$ alone"),
        ("before <!-- a comment --> after", "before after"),
        ("p < 0.05 and q > 3", "p < 0.05 and q > 3"),
        ("for b <a there is a longer text up to the end", "for b <a there is a longer text up to the end"),
    ],
)
def test_tags_are_taken_out_whatever_their_length_and_form(marked: str, plain: str) -> None:
    assert plain_text(marked) == plain


@given(
    st.lists(st.sampled_from(["<jats:p", "<p", ">", " ", '"', "'", "a", "=", "</", "<!--", "&lt;", "i>"]), max_size=60)
)
def test_no_markup_breaks_the_cleaning(parts: list[str]) -> None:
    text = plain_text("".join(parts))
    assert clean_text(text) == text
    assert "<jats:p>" not in text


@pytest.mark.parametrize(
    "title",
    [
        "Editorial",
        "EDITORIAL BOARD",
        "Erratum to “On Bees”",
        "Corrigendum: On Bees",
        "Author Correction: On Bees",
        "Correction to: On Bees",
        "Retraction Note: On Bees",
        "Expression of Concern: On Bees",
        "Table of Contents",
        "Index to Volume 165",
        "Issue Information",
        "Book review(s)",
        "Letters to the Editor",
        "Decision letter: On Bees",
        "Editor’s evaluation: On Bees",
        "Peer Review #1 of On Bees",
    ],
)
def test_a_title_can_say_that_it_is_no_paper(title: str) -> None:
    with pytest.raises(UnusableRecord, match="no paper, by its title"):
        clean_title(title)


@pytest.mark.parametrize(
    "title",
    [
        "Correction of refractive errors in children",
        "Corrections to scaling in the Ising model",
        "Errors and Errata in Early Print",
        "Editorial bias in citation indexes",
        "Retraction of papers: a study of 500 notices",
        "Index funds and market volatility",
        "Contents of the gut of bees",
        "Review of Reviews: a Meta-Study",
        "Letters to the Editor in Victorian Newspapers",
        "Cover crops in dry regions",
    ],
)
def test_titles_that_only_begin_so_are_papers(title: str) -> None:
    assert clean_title(title) == title


@pytest.mark.parametrize(
    ("names", "venue"),
    [
        (("https://isrctn.example/", "Bee World"), "Bee World"),
        (("http://www.bee.example/vol/1",), ""),
        (("www.bees.example",), ""),
        (("journals.bees.example/a/b",), ""),
        (("arXiv.org",), "arXiv.org"),
        (("Bee World / Apiculture", "Other"), "Bee World / Apiculture"),
        ((None, "", "  ", "<i>Bee</i> World"), "Bee World"),
    ],
)
def test_an_address_is_no_venue(names: tuple[object, ...], venue: str) -> None:
    assert venue_name(*names) == venue


@pytest.mark.parametrize("kind", ["editorial", "letter", "erratum", "peer-review", "retraction", "paratext", "dataset"])
def test_openalex_says_what_is_no_paper(kind: str) -> None:
    with pytest.raises(UnusableRecord, match=f"no paper, of type {kind}: 'On Bees'"):
        openalex_entry({"title": "On Bees", "type": kind})
    assert openalex_entry({"title": "On Bees", "type": "review"}).paper.title == "On Bees"


@pytest.mark.parametrize(
    ("kinds", "reason"),
    [(["Editorial"], "of type Editorial"), (["LettersAndComments", "News"], "of type LettersAndComments, News")],
)
def test_semantic_scholar_says_what_is_no_paper(kinds: list[str], reason: str) -> None:
    with pytest.raises(UnusableRecord, match=reason):
        paper_entry({"title": "On Bees", "publicationTypes": kinds})
    assert paper_entry({"title": "On Bees", "publicationTypes": [*kinds, "JournalArticle"]}).paper.title == "On Bees"
    assert paper_entry({"title": "On Bees", "publicationTypes": None}).paper.title == "On Bees"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"type": "peer-review"}, "of type peer-review"),
        ({"type": "journal-issue"}, "of type journal-issue"),
        ({"type": "posted-content", "subtype": "letter"}, "of type letter"),
        ({"type": "posted-content", "subtype": "peer_review"}, "of type peer_review"),
    ],
)
def test_crossref_says_what_is_no_paper(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(UnusableRecord, match=reason):
        crossref_entry({"DOI": "10.1000/1", "title": ["On Bees"]} | changes)
    preprint = {"DOI": "10.1000/1", "title": ["On Bees"], "type": "posted-content", "subtype": "preprint"}
    assert crossref_entry(preprint).paper.title == "On Bees"


@pytest.mark.parametrize(
    "heading",
    [
        "<jats:title>Abstract</jats:title>",
        "<JATS:TITLE>ABSTRACT:</JATS:TITLE>",
        "<jats:sec>\n<jats:title>Summary</jats:title>",
        "&lt;jats:title&gt;Abstract&lt;/jats:title&gt;",
        "<p><b>Abstract.</b> ",
    ],
)
def test_the_heading_of_an_abstract_is_no_part_of_it(heading: str) -> None:
    record = {"DOI": "10.1000/1", "title": ["On Bees"], "abstract": f"{heading}<jats:p>Bees dance.</jats:p>"}
    assert crossref_entry(record).paper.abstract == "Bees dance."
    kept = "<jats:p>Abstract art and bees.</jats:p>"
    assert crossref_entry(record | {"abstract": kept}).paper.abstract == "Abstract art and bees."


def test_older_forms_of_a_record_are_read() -> None:
    older = {
        "title": "On Bees",
        "host_venue": {"display_name": "Bee World"},
        "concepts": [{"display_name": "Bee", "score": 0.9}],
    }
    paper = openalex_entry(older).paper
    assert (paper.venue, paper.fields) == ("Bee World", ("Bee",))
