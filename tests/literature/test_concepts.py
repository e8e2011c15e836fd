"""What papers speak of: word groups that name something by themselves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novum.core import Paper
from novum.literature.search.ranking.concepts import concepts

OTHERS = [Paper(title=4 * letter, year=2000) for letter in "abcdefghijklmnop"]
"""Papers that share nothing with the rest: what is in more than half of all papers would be no concept."""


def told(*texts: str | tuple[str, str], fewest: int = 2) -> set[str]:
    """Concepts of papers with these titles, or titles and abstracts."""
    pairs = [(each, "") if isinstance(each, str) else each for each in texts]
    papers = [Paper(title=title, abstract=abstract, year=2000) for title, abstract in pairs]
    return set[str]().union(*concepts([*papers, *OTHERS], fewest))


def test_a_name_is_told_whole_and_not_by_its_beginning() -> None:
    found = told("A lithium superionic conductor", "The lithium superionic conductor of tomorrow")
    assert found == {"lithium superionic conductor"}
    assert told("Superionic glass", "Superionic salts", "Superionic oxides") == set()


def test_a_single_word_is_a_concept_where_the_abstract_comes_back_to_it() -> None:
    passing = [("Graphene rises", "A sheet of carbon."), ("Graphene again", "It conducts.")]
    meant = [("Graphene", "In graphene, electrons move."), ("On graphene", "We grew graphene.")]
    assert "graphene" not in told(*passing)
    assert "graphene" in told(*meant)


def test_a_title_without_an_abstract_speaks_for_itself() -> None:
    assert told("Graphene", "On graphene") == {"graphene"}


def test_a_word_that_fits_every_subject_is_no_concept() -> None:
    assert told(("Kites: a review", "This review."), ("Sails: a review", "Our review.")) == set()


def test_a_word_that_hardly_ever_stands_by_itself_is_no_concept() -> None:
    kinds = ["social", "neural", "river", "road", "power", "trade", "food"]
    papers = [(f"On {kind} networks", f"Here are {kind} networks.") for kind in kinds]
    assert "networks" not in told(*papers)
    assert "networks" in told(*papers, ("Networks", "We study networks."), ("About networks", "All networks."))


def test_fields_say_where_a_paper_is_filed_and_are_no_concepts() -> None:
    papers = [Paper(title=title, fields=("Materials for Energy",), year=2000) for title in ("Kites", "On kites")]
    assert set[str]().union(*concepts([*papers, *OTHERS], 2)) == {"kites"}


def test_singular_and_plural_are_one_concept_named_as_it_is_more_often() -> None:
    papers = ["A language model", "One language model", "Language models", "On language models", "Two language models"]
    assert told(*papers) == {"language models"}


@given(st.lists(st.text(alphabet="abcs ,.", max_size=30), max_size=12), st.integers(1, 3))
def test_whatever_the_words_each_concept_is_in_enough_papers_and_not_in_most(titles: list[str], fewest: int) -> None:
    papers = [Paper(title=title or "a", year=2000) for title in titles]
    found = concepts(papers, fewest)
    assert len(found) == len(papers)
    for name in set[str]().union(*found):
        assert fewest <= sum(name in each for each in found) <= len(papers) / 2
