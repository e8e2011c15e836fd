"""Taking papers in, recognising them, linking them."""

from __future__ import annotations

import datetime as dt
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from novum.core import Identifiers, Paper
from novum.errors import LibraryError
from novum.literature import Entry, Filters, Library, Reference
from novum.literature.store.writer import batches
from tests.literature.conftest import ATTENTION, BERT, COOKING, FOLDING, MOLECULES, entry, paper


def test_the_same_paper_twice_is_one_paper(library: Library) -> None:
    first = library.add([entry(ATTENTION)])
    second = library.add([entry(ATTENTION)])
    assert (first.added, second.added, second.unchanged) == (1, 0, 1)
    assert library.stats().papers == 1


def test_a_paper_is_recognised_by_any_identifier_though_its_title_changed(library: Library) -> None:
    library.add([entry(paper("A Draft on Transformers", 2017, "Ashish Vaswani", ids=Identifiers(arxiv="1706.03762")))])
    report = library.add([entry(ATTENTION)])
    assert (report.added, report.merged) == (0, 1)
    found = library.get(ATTENTION.id)
    assert found is not None
    assert found.title == "A Draft on Transformers"
    assert found.summary == ATTENTION.summary


def test_a_preprint_and_its_publication_a_year_later_are_one_when_the_first_author_agrees(library: Library) -> None:
    library.add([entry(paper("Scaling Laws for Everything", 2020, "Ada Lovelace", venue="arXiv"))])
    report = library.add([entry(paper("Scaling laws for everything", 2021, "A. Lovelace", venue="ICML"))])
    assert report.merged == 1
    assert library.stats().papers == 1


def test_equal_titles_a_year_apart_by_strangers_stay_two_papers(library: Library) -> None:
    library.add([entry(paper("A Survey of Parsing", 2020, "Ada Lovelace"))])
    library.add([entry(paper("A Survey of Parsing", 2021, "Carl Gauss"))])
    assert library.stats().papers == 2


def test_equal_title_and_year_by_strangers_are_reported_and_never_mixed(library: Library) -> None:
    library.add([entry(paper("Introduction", 2010, "Ada Lovelace", abstract="On engines."))])
    report = library.add([entry(paper("Introduction", 2010, "Carl Gauss", abstract="On numbers."))])
    assert report.added == 0
    assert "another paper of the same title and year, by Lovelace" in report.rejects[0].reason
    assert [one.abstract for one in library.papers()] == ["On engines."]


def test_papers_that_share_a_volume_doi_are_not_merged(library: Library) -> None:
    doi = Identifiers(doi="10.1000/volume")
    library.add([entry(paper("Parsing with Trees", 2020, "Ada Lovelace", ids=doi))])
    library.add([entry(paper("Cooking with Fire", 2020, "Carl Gauss", ids=doi))])
    assert library.stats().papers == 2


def test_merging_keeps_the_richer_fields(library: Library) -> None:
    library.add([entry(paper("On Engines", 2020, "A. Lovelace", venue="arXiv", citation_count=5, fields=("logic",)))])
    more = paper(
        "On Engines", 2020, "Ada Lovelace", "Charles Babbage", venue="JACM", citation_count=9, fields=("computing",),
        abstract="We describe an engine.", date="2020-03-01", ids=Identifiers(doi="10.1000/E1"),
    )  # fmt: skip
    library.add([entry(more)])
    merged = library.get(more.id)
    assert merged is not None
    assert merged.authors == ("Ada Lovelace", "Charles Babbage")
    assert (merged.venue, merged.citation_count, merged.fields) == ("JACM", 9, ("logic", "computing"))
    assert (merged.abstract, merged.date) == ("We describe an engine.", dt.date(2020, 3, 1))
    assert library.by_identifier("doi", "https://doi.org/10.1000/e1") == merged


def test_an_entry_that_names_two_known_papers_makes_them_one_and_keeps_their_links(library: Library) -> None:
    library.add(
        [
            entry(paper("On Engines", 2019, "Ada Lovelace", ids=Identifiers(arxiv="1901.00001")), "draft"),
            entry(paper("Analytical Engines Revisited", 2021, "Ada Lovelace", ids=Identifiers(doi="10.1/x")), "final"),
            entry(paper("A Reader", 2022, "Carl Gauss"), "reader", "draft", "final"),
            entry(paper("Another Reader", 2022, "Emmy Noether"), "other", "final"),
        ]
    )
    both = Identifiers(arxiv="1901.00001", doi="10.1/x")
    report = library.add([entry(paper("Analytical Engines Revisited", 2021, "Ada Lovelace", ids=both))])
    assert (report.added, report.merged) == (0, 1)
    assert library.stats().papers == 3
    engines = library.by_identifier("doi", "10.1/x")
    assert engines is not None
    assert library.by_identifier("arxiv", "1901.00001v2") == engines
    assert {one.title for one in library.citing(engines.id)} == {"A Reader", "Another Reader"}
    assert library.get(paper("Analytical Engines Revisited", 2021).id) == engines
    assert library.get(paper("On Engines", 2019).id) == engines


@pytest.mark.parametrize("returning", [True, False])
def test_references_resolve_also_when_the_cited_paper_arrives_later(
    library: Library, returning: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with an SQLite that cannot give back what it deletes."""
    monkeypatch.setattr(SQLiteDialect, "delete_returning", returning)
    citing = Entry(
        paper=BERT,
        references=(
            Reference(scheme="arxiv", value="1706.03762"),
            Reference(scheme="title", value="Neural message passing for quantum chemistry."),
            Reference(scheme="key", value="test/never"),
        ),
    )
    before = library.add([citing])
    assert (before.links, before.waiting) == (0, 3)
    after = library.add([entry(ATTENTION), entry(MOLECULES)])
    assert after.links == 2
    assert {one.title for one in library.references(BERT.id)} == {ATTENTION.title, MOLECULES.title}
    assert library.stats().waiting == 1


def test_no_paper_cites_itself(library: Library) -> None:
    library.add([entry(ATTENTION, "attention", "attention")])
    assert library.stats().links == 0


def test_citations_are_walked_both_ways_and_filtered(shelf: Library) -> None:
    assert [one.title for one in shelf.citing(ATTENTION.id)] == [BERT.title, FOLDING.title]
    assert [one.title for one in shelf.citing(ATTENTION.id, Filters(before=dt.date(2020, 1, 1)))] == [BERT.title]
    assert {one.title for one in shelf.references(FOLDING.id)} == {ATTENTION.title, MOLECULES.title}
    assert shelf.citations_before(ATTENTION.id, dt.date(2019, 1, 1)) == 1
    assert shelf.get_many([FOLDING.id])[0].references == tuple(
        one.id for one in sorted(shelf.references(FOLDING.id), key=lambda one: one.title)
    )


def test_papers_cited_together_by_two_are_co_cited_and_papers_with_three_references_in_common_are_coupled(
    library: Library,
) -> None:
    roots = [paper(f"Root {number}", 1990 + number, "Ada Lovelace") for number in range(3)]
    citing = [
        entry(paper("Reader one", 2001, "Carl Gauss"), "one", "0", "1", "2"),
        entry(paper("Reader two", 2005, "Emmy Noether"), "two", "0", "1", "2"),
        entry(paper("Reader three", 2009, "Sofia Kovalevskaya"), "three", "0", "1"),
    ]
    library.add([*(entry(root, str(number)) for number, root in enumerate(roots)), *citing])

    def found(papers: list[Paper]) -> set[str]:
        return {one.title for one in papers}

    assert found(library.co_cited(roots[0].id)) == {"Root 1", "Root 2"}
    early = Filters(before=dt.date(2008, 1, 1))
    assert found(library.co_cited(roots[0].id, Filters(before=dt.date(2003, 1, 1)))) == set(), "one citation by then"
    assert found(library.co_cited(roots[0].id, early)) == {"Root 1", "Root 2"}
    assert found(library.co_cited(roots[0].id, Filters(since=dt.date(1992, 1, 1)))) == {"Root 2"}
    assert found(library.sharing_references(citing[0].paper.id)) == {"Reader two"}
    assert found(library.sharing_references(citing[2].paper.id)) == set(), "two in common are not enough"
    assert library.co_cited("paper-0000000000000000") == library.sharing_references("paper-0000000000000000") == []


def test_papers_come_in_the_order_asked_for_and_unknown_ids_are_left_out(shelf: Library) -> None:
    found = shelf.get_many([COOKING.id, "paper-0000000000000000", BERT.id])
    assert [one.title for one in found] == [COOKING.title, BERT.title]
    assert shelf.get("paper-0000000000000000") is None


@pytest.mark.parametrize(
    ("cited", "year", "expected"),
    [
        ("Attention is all you need", None, ATTENTION),
        ("Vaswani et al. 2017: Attention Is All You Need", None, ATTENTION),
        ('"Attention is All you Need" (Vaswani et al., 2017)', None, ATTENTION),
        ("Attenton Is All You Need", 2017, ATTENTION),
        ("Neural Message-Passing for Quantum Chemistry", None, MOLECULES),
        ("BERT", 2018, BERT),
        ("Devlin et al. 2019: BERT", None, BERT),
        ("BERT", None, None),
        ("Attention Is Not All You Need", None, None),
        ("Neural Message Passing for Quantum Physics", None, None),
        ("Highly accurate protein structure prediction with AlphaFold 3", None, None),
        ("Smith et al. 2017: Attention Is All You Want", None, None),
        ("Vaswani et al. 2017: Something Nobody Wrote", None, None),
        ("", None, None),
    ],
)
def test_a_citation_finds_the_very_paper_or_none(
    shelf: Library, cited: str, year: int | None, expected: Paper | None
) -> None:
    found = shelf.find(cited, year)
    assert (found and found.title) == (expected and expected.title)


def test_opposites_are_not_misspellings(library: Library) -> None:
    library.add([entry(paper("Deep Supervised Learning of Graph Representations", 2020, "Ada Lovelace"))])
    assert library.find("Deep Unsupervised Learning of Graph Representations") is None


def test_full_texts_are_kept_and_replaced(shelf: Library) -> None:
    assert shelf.full_text(BERT.id) is None
    shelf.set_full_text(BERT.id, "First reading.")
    shelf.set_full_text(BERT.id, "Second reading.")
    assert shelf.full_text(BERT.id) == "Second reading."
    with pytest.raises(LibraryError, match="import it before"):
        shelf.set_full_text("paper-0000000000000000", "…")


def test_listing_can_be_filtered_by_everything(shelf: Library) -> None:
    def titles(**conditions: object) -> list[str]:
        return [one.title for one in shelf.papers(Filters.model_validate(conditions))]

    assert titles(fields=("Language Models",)) == [BERT.title, ATTENTION.title]
    assert titles(venues=("neurips",), min_citations=100) == [ATTENTION.title]
    assert titles(since=dt.date(2019, 1, 1), before=dt.date(2020, 1, 1)) == [COOKING.title]
    assert COOKING.title not in titles(exclude_ids=(COOKING.id,))


def test_a_paper_of_unknown_date_passes_no_date_filter(library: Library) -> None:
    library.add([entry(paper("Undated Thoughts on Time", None, "Ada Lovelace"))])
    assert list(library.papers(Filters(before=dt.date(2999, 1, 1)))) == []
    assert list(library.papers(Filters(since=dt.date(1000, 1, 1)))) == []
    assert len(list(library.papers())) == 1


def test_a_stranger_does_not_pass_for_a_paper_by_the_title_and_year_that_it_once_had(library: Library) -> None:
    library.add([entry(paper("Introduction", None, "Ada Lovelace"))])
    library.add([entry(paper("Introduction", 2010, "Ada Lovelace"))])
    report = library.add([entry(paper("Introduction", None, "Carl Gauss", abstract="On numbers."))])
    assert (report.merged, report.rejected) == (0, 1)
    assert [(one.authors, one.abstract) for one in library.papers()] == [(("Ada Lovelace",), "")]


def test_two_that_become_one_do_not_take_the_id_of_a_third(library: Library) -> None:
    third = paper("On Engines", 2020, "Carl Gauss")
    library.add([entry(third)])
    library.add([entry(paper("On Engines", None, "Ada Lovelace", ids=Identifiers(doi="10.1/e")))])
    library.add([entry(paper("Wheels", 2020, "Ada Lovelace", ids=Identifiers(arxiv="2001.00001")))])
    both = Identifiers(doi="10.1/e", arxiv="2001.00001")
    library.add([entry(paper("Wheels", 2020, "Ada Lovelace", ids=both))])
    assert {(one.id, one.authors) for one in library.papers()} == {
        (third.id, third.authors),
        (paper("On Engines", None).id, ("Ada Lovelace",)),
    }
    assert library.get(third.id) == third


def test_what_cites_a_paper_is_known_under_its_former_id_at_once(library: Library) -> None:
    """Also when nothing was searched in between, by which what is remembered would have been brought in step."""
    library.add(
        [
            entry(paper("On Engines", 2019, "Ada Lovelace", ids=Identifiers(arxiv="1901.00001"))),
            entry(paper("Engines Revisited", 2021, "Ada Lovelace", ids=Identifiers(doi="10.1/x")), "final"),
            entry(paper("A Reader", 2022, "Carl Gauss"), "reader", "final"),
        ]
    )
    final = paper("Engines Revisited", 2021).id
    assert [one.title for one in library.citing(final)] == ["A Reader"]
    both = Identifiers(arxiv="1901.00001", doi="10.1/x")
    library.add([entry(paper("Engines Revisited", 2021, "Ada Lovelace", ids=both))])
    assert [one.title for one in library.citing(final)] == ["A Reader"]


def test_a_paper_remembered_from_before_has_its_new_references(library: Library) -> None:
    library.add([entry(BERT, "bert"), entry(FOLDING, "folding", "bert"), entry(ATTENTION, "attention")])
    assert library.citing(BERT.id)[0].references == (BERT.id,)
    library.add([entry(FOLDING, "folding", "attention")])
    assert library.citing(BERT.id)[0].references == (BERT.id, ATTENTION.id)


def test_a_title_that_waits_is_met_by_one_paper_alone(library: Library) -> None:
    cites = (Reference("title", "A survey of pretraining"),)
    library.add([Entry(BERT, references=cites)])
    two = [entry(paper("A Survey of Pretraining", year, author)) for year, author in ((2019, "Ada"), (2021, "Carl"))]
    report = library.add(two)
    assert (report.links, report.waiting) == (0, 1)  # nobody knows which of them is meant


def test_a_title_that_waits_is_met_however_it_is_spaced(library: Library) -> None:
    library.add([Entry(BERT, references=(Reference("title", "A survey of pre-training"),))])
    report = library.add([entry(paper("A Survey of Pretraining", 2019, "Ada Lovelace"))])
    assert (report.links, report.waiting) == (1, 0)


def test_a_title_of_two_papers_means_one_when_they_turn_out_to_be_one(library: Library) -> None:
    library.add([entry(paper("On Engines", 2019, "Ada Lovelace", ids=Identifiers(arxiv="1901.00001")))])
    library.add([entry(paper("On Engines", 2022, "Ada Lovelace", ids=Identifiers(doi="10.1/x")))])
    before = library.add(
        [Entry(BERT, references=(Reference("title", "On Engines and"), Reference("title", "On Engines")))]
    )
    assert (before.links, before.waiting) == (0, 2)
    both = Identifiers(arxiv="1901.00001", doi="10.1/x")
    after = library.add([entry(paper("On Engines", 2022, "Ada Lovelace", ids=both))])
    assert (after.links, after.waiting) == (1, 1)


def test_waiting_references_are_counted_once_in_a_library_that_did_not_count_them(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.add([entry(BERT, "bert", "never", "nor")])
    with closing(sqlite3.connect(tmp_path / "library.db")) as database, database:
        database.execute("DELETE FROM library_counters WHERE name = 'waiting'")
    with Library.open(tmp_path) as library:
        assert library.waiting() == 2
        assert library.add([entry(FOLDING, "folding", "nor")]).waiting == 3


def test_long_texts_make_small_batches() -> None:
    """So that no file can fill the memory, whichever part of its records is long."""
    for part in ("abstract", "venue", "summary"):
        long = entry(paper("Long", 2020, **{part: "x" * 100_000}))
        assert max(map(len, batches([long] * 2000))) < 1000
    assert [len(batch) for batch in batches([entry(paper("Short"))] * 6000)] == [5000, 1000]


_DESCRIPTIONS = st.builds(
    lambda title, year, author, doi: paper(title, year, author, ids=Identifiers(doi=doi)),
    st.sampled_from(["On Engines", "on engines!", "Of Numbers and Proofs", "Of Rings"]),
    st.sampled_from([None, 2019, 2020, 2021]),
    st.sampled_from(["Ada Lovelace", "Carl Gauss"]),
    st.sampled_from([None, "10.1/a", "10.1/b"]),
)


@settings(max_examples=12, deadline=None)
@given(st.lists(_DESCRIPTIONS, max_size=8))
def test_importing_again_changes_nothing(tmp_path_factory: pytest.TempPathFactory, described: list[Paper]) -> None:
    with Library.open(tmp_path_factory.mktemp("again")) as library:
        entries = [entry(one) for one in described]
        library.add(entries)
        first = {one.id: one for one in library.papers()}
        report = library.add(entries)
        again = {one.id: one for one in library.papers()}
    assert report.added == 0
    assert report.read == len(entries)
    assert again.keys() <= first.keys() or len(again) <= len(first)
