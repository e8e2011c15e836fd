"""Text as it comes from pages, LaTeX and PDF: the same words are the same words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.opportunities.paper_columns import DatedPapers, read_columns
from novum.opportunities.plain_text import plain_text
from tests.opportunities.made_up import library_of, literature, paper


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ("e\ufb03cient \ufb02ows", "efficient flows"),
        ("trans\u00adformer zero\u200bwidth", "transformer zerowidth"),
        ("Schro\u0308dinger", "Schr\u00f6dinger"),
        ("graph\u2010based graph\u2011based don\u2019t", "graph-based graph-based don't"),
        ('na{\\"i}ve H\\"older Poincar\\\'{e}', "na\u00efve H\u00f6lder Poincar\u00e9"),
        ("\\emph{graph} \\textbf{networks}\\cite{foo,bar}", "graph networks "),
        ("in $\\mathbb{R}^n$", "in $R^n$"),
        ("CO<sub>2</sub> &amp; <i>E. coli</i>", "CO2 & E. coli"),
        ("a <mask> where a <b and c> d", "a <mask> where a <b and c> d"),
        ("<jats:p>One.</jats:p>", " . One. . "),
    ],
)
def test_what_a_page_latex_or_a_pdf_left_is_not_read(odd, plain):
    assert plain_text(odd) == plain


@given(st.text(st.sampled_from("\\\\{}<>&;'\"abi/p=[] cite\u0301\ufb01\u00ad"), max_size=300))
def test_any_text_is_read(text):
    assert "\u00ad" not in plain_text(text)


@pytest.mark.parametrize("piece", ["\\", "{", "<a ", "\\cite[", "\\emph{", "\\'{", "&", "<jats:"])
def test_no_text_takes_for_ever(piece):
    """Going back over such a text for each of its pieces would take hours."""
    assert plain_text(piece * 400_000) is not None


def test_papers_of_a_year_that_has_not_come_belong_to_no_time(tmp_path):
    slips = [paper("A slip of the pen", 2199), paper("Another slip", 9999), paper("None at all", 0)]
    with library_of(tmp_path, [*literature(50), *slips]) as library:
        dated = DatedPapers.of(read_columns(library))
    assert dated.undated == 3
    assert max(dated.years) == 2019
