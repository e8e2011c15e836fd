"""The bibliography: what BibTeX reads back is what the library holds."""

from __future__ import annotations

import bibtexparser
import pytest
from bibtexparser.middlewares import LatexDecodingMiddleware
from hypothesis import given
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.reports.bibtex import render_bibtex
from novum.reports.ideation.cited_papers import papers_cited
from novum.reports.sanitizing import clean_line

from .sample import BLEU, COT, DEMONSTRATION, EMPTY, PAPERS, REPORT


def read_back(bibtex: str) -> dict[str, bibtexparser.model.Entry]:
    library = bibtexparser.parse_string(bibtex, append_middleware=[LatexDecodingMiddleware(keep_math_mode=False)])
    assert library.failed_blocks == []
    return library.entries_dict


def titles(bibtex: str) -> set[str]:
    return {entry["title"] for entry in read_back(bibtex).values()}


def test_the_papers_of_chains_and_citations_come_back_with_the_same_titles():
    cited = papers_cited(REPORT)
    assert titles(render_bibtex(cited)) == {paper.title for paper in cited}


def test_a_paper_that_is_only_near_an_idea_is_not_cited():
    assert BLEU in PAPERS
    assert BLEU not in papers_cited(REPORT)


def test_a_run_without_ideas_cites_nothing():
    assert papers_cited(EMPTY) == []
    assert render_bibtex([]) == ""


def test_each_paper_is_cited_once():
    cited = papers_cited(DEMONSTRATION)
    assert len({paper.id for paper in cited}) == len(cited) == 5


def test_a_preprint_on_arxiv_is_found_by_its_number():
    entry = read_back(render_bibtex([COT]))["wei2022chain"]
    assert (entry.entry_type, entry["booktitle"]) == ("inproceedings", "NeurIPS")
    assert (entry["eprint"], entry["archiveprefix"]) == ("2201.11903", "arXiv")
    assert entry["author"] == "Jason Wei and Xuezhi Wang and Dale Schuurmans"


@pytest.mark.parametrize(
    ("venue", "ids", "kind"),
    [
        ("NeurIPS", {}, "inproceedings"),
        ("Proceedings of the National Academy of Sciences", {}, "article"),
        ("Findings", {"acl": "2023.findings-acl.1"}, "inproceedings"),
        ("Nature", {"doi": "10.1038/x"}, "article"),
        ("arXiv", {"arxiv": "2201.11903"}, "misc"),
        ("bioRxiv", {}, "misc"),
        ("", {}, "misc"),
        ("MIT Press", {}, "book"),
    ],
)
def test_the_kind_of_an_entry_follows_from_where_the_paper_appeared(venue, ids, kind):
    (entry,) = read_back(render_bibtex([Paper(title="X", venue=venue, ids=Identifiers(**ids))])).values()
    assert entry.entry_type == kind


def test_two_papers_never_share_a_key_and_order_changes_nothing():
    pair = [Paper(title=f"Chain {word}", authors=("Jason Wei",), year=2022) for word in ("one", "two")]
    assert len(read_back(render_bibtex(pair))) == len(pair)
    assert render_bibtex(pair) == render_bibtex(pair[::-1])


@pytest.mark.parametrize(
    "title",
    [
        "50% of {braces} & $100 #1_x ~ tilde ^ caret \\ backslash",
        "An { unbalanced brace",
        "BERT, GPT-3 and LLaMA",
        "} @article{evil, title={x}}",
        "Ωmega — naïve résumé 推論",
        "C++ -- and `ticks`",
    ],
)
def test_what_latex_would_take_for_commands_comes_back_as_it_was(title):
    bibtex = render_bibtex([Paper(title=title)])
    (back,) = titles(bibtex)
    # BibTeX counts braces without looking at backslashes.
    assert bibtex.count("{") == bibtex.count("}")
    # The decoder has a caret of its own.
    assert back.replace("ˆ", "^") == title


letters = st.text(st.characters(codec="utf-8", exclude_characters="'"), min_size=1)


@given(
    st.lists(
        st.builds(
            Paper,
            title=letters,
            authors=st.lists(letters, max_size=3),
            year=st.none() | st.integers(1, 3000),
            venue=letters,
        ),
        max_size=5,
    )
)
def test_no_text_can_break_out_of_its_field(papers):
    once = {paper.id for paper in papers}
    assert len(read_back(render_bibtex(papers))) == len(once)


def test_acronyms_keep_their_capitals():
    assert "title = {{BERT:} Pre-training with {LLaMA} at Scale}" in render_bibtex(
        [Paper(title="BERT: Pre-training with LLaMA at Scale")]
    )


def test_unfinished_author_lists_and_names_of_groups_are_understood():
    bibtex = render_bibtex([Paper(title=clean_line("X"), authors=("Ada Lovelace", "Science and Co", "et al."))])
    assert "author = {Ada Lovelace and {Science and Co} and others}" in bibtex
