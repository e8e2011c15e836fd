"""What makes an opening worth reading: names that name something, no opening twice, reasons that can be recounted."""

import asyncio
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from novum.errors import BadInput
from novum.opportunities.building import build_concept_map
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.search import find_opportunities, search_map
from novum.opportunities.search.plain_words import is_generic, is_vague, stems
from novum.opportunities.search.titles import TitleShares, is_used_as_means
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.tokens import FIRST
from novum.opportunities.variants import usual_forms
from tests.opportunities.made_up import NAMES, library_of, literature, paper

TOPIC = f"{NAMES[0]} and {NAMES[1]}"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with library_of(tmp_path_factory.mktemp("library"), literature(300)) as opened:
        asyncio.run(build_concept_map(opened, OpportunitySettings(general=0.5, horizon=2)))
        yield opened


@pytest.fixture(scope="module")
def concepts(library):
    return ConceptMap.open(library)


@pytest.fixture(scope="module")
def found(concepts, library):
    return asyncio.run(search_map(concepts, library, TOPIC, OpportunityQuery(), 50))


@pytest.mark.parametrize(
    "name", ["papers", "base models", "large samples", "learned models", "detection", "novel method"]
)
def test_a_name_of_nothing_but_words_of_research_prose_names_nothing(name):
    assert is_generic(name)
    assert is_vague(name)


@pytest.mark.parametrize("name", ["graph networks", "object detection", "batteries", "causal inference", "t cells"])
def test_a_name_with_one_word_of_its_own_names_something(name):
    assert not is_generic(name)


def test_plurals_are_one_word():
    assert list(stems("batteries of classes and single-cell studies")) == [
        "battery", "of", "classe", "and", "single", "cell", "study",
    ]  # fmt: skip
    assert list(stems("loss virus analysis")) == ["loss", "virus", "analysis"]


def test_the_spelling_that_is_used_most_stands_for_a_word_and_not_what_a_broken_line_joined():
    words = ["test-time", "testtime", "dataset", "data-set", "data-sets"]
    forms = usual_forms(words, np.array([0] * FIRST + [90, 2, 80, 5, 5]))
    spelled = [words[forms[FIRST + place] - FIRST] for place in range(len(words))]
    assert spelled == ["test-time", "test-time", "dataset", "dataset", "dataset"]


def test_a_means_needs_more_than_one_of_many_titles():
    others = [f"Sorting of pearls {number}" for number in range(5)]
    assert not is_used_as_means("pearls", ["Learning with pearls", *others])
    assert is_used_as_means(
        "pearls", ["Learning with pearls", "Pearls for sorting", "Pearls and sand", "On pearls", "A pearl"]
    )


def named(folder, entries):
    """The concepts of these papers among others."""
    with library_of(folder, [*entries, *literature(120, fields=())]) as opened:
        asyncio.run(build_concept_map(opened, OpportunitySettings(general=1.0)))
        return ConceptMap.open(opened)


def test_papers_are_about_what_stands_in_their_titles(tmp_path):
    entries = [paper(f"On zintl phases, {at}", 2015, "For zintl phases a loss budget is kept.") for at in range(20)]
    entries += [paper(f"A loss budget, {at}", 2016, "The loss budget is kept.") for at in range(5)]
    concepts = named(tmp_path, entries)
    about = TitleShares(concepts)
    assert about.share(concepts.place["zintl phases"]) == 1
    assert about.share(concepts.place["loss budget"]) == pytest.approx(0.2, abs=0.05)


@pytest.mark.parametrize(
    ("fields", "known"),
    [(("noble zinc",), False), (("noble zinc", "transmuted lead", "cold fire"), True)],
    ids=["fields of a shelf", "keywords"],
)
def test_what_papers_are_filed_under_is_a_concept_only_where_authors_give_keywords(tmp_path, fields, known):
    entries = [paper(f"Number {at}", 2010 + at % 9, "No more is said.", fields=fields) for at in range(90)]
    assert ("noble zinc" in named(tmp_path, entries).names) is known


def test_initials_in_the_plural_count_as_the_long_name(tmp_path):
    text = "Zintl quorum networks (ZQNs) sort. We train ZQNs."
    concepts = named(
        tmp_path, [paper(f"ZQNs and zintl quorum networks, {at}", 2010 + at % 9, text) for at in range(30)]
    )
    assert "zintl quorum networks" in concepts.names
    assert "zqns" not in concepts.names


def test_no_paper_gives_two_opportunities_and_no_pair_comes_twice(found):
    once = [each.attempts for each in found.openings if each.kind in {"dormant", "follow-up"}]
    assert len(set(once)) == len(once)
    pairs = Counter(frozenset(each.pair) for each in found.openings)
    assert set(pairs.values()) <= {1}


def test_a_topic_of_several_concepts_is_not_one_concept_over_and_over(concepts, library):
    ten = asyncio.run(search_map(concepts, library, TOPIC, OpportunityQuery(), 10))
    assert len(ten.near) > 1
    assert max(Counter(name for each in ten.openings for name in each.pair).values()) <= 5


def test_ends_are_neither_one_thing_nor_without_common_neighbours(concepts, found):
    for each in found.openings:
        assert 0.1 <= each.unusual <= 0.92
        assert not is_generic(each.one.concept)
        assert not is_generic(each.other.concept)


def test_what_a_dormant_opportunity_says_can_be_recounted_from_its_papers(concepts, library, found):
    papers = {entry.id: entry for entry in library.papers()}
    dormant = [each for each in found.openings if each.kind == "dormant"]
    assert dormant
    for each in dormant:
        joint = [papers[name].year for name in concepts.joint(*each.pair).ids]
        assert str(max(joint)) in each.reasons[0]
        since = [sum(papers[name].year > max(joint) for name in concepts.papers_of(end, 1000)) for end in each.pair]
        assert min(since) >= 1
        assert any(f"Since then there have been {since[0]} paper" in reason for reason in each.reasons)
        assert f"and {since[1]} on" in each.reasons[1]


def test_no_reason_is_given_twice_and_none_of_growth_that_was_none(found):
    for each in found.openings:
        assert len(set(each.reasons)) == len(each.reasons)
        for grown in (reason for reason in each.reasons if reason.startswith("In the last")):
            numbers = [int(word.strip(".,")) for word in grown.split(":")[1].split() if word.strip(".,").isdigit()]
            assert all(now > before for now, before in zip(numbers[::2], numbers[1::2], strict=True))


def test_a_field_that_is_not_there_is_answered_with_the_nearest(concepts, library):
    with pytest.raises(BadInput, match="“bb”: its fields are b"):
        asyncio.run(search_map(concepts, library, TOPIC, OpportunityQuery(fields=("bb",)), 5))


def test_all_that_a_library_gives_is_all_however_many_are_requested(concepts, library, found):
    every = len(found.openings)
    assert f"Only {every} opportunities were found" in " ".join(found.notes)
    more = asyncio.run(search_map(concepts, library, TOPIC, OpportunityQuery(), every + 5))
    assert {each.pair for each in more.openings} == {each.pair for each in found.openings}


def entry_of(entry):
    """With one more sentence, which every paper has."""
    return replace(entry, paper=entry.paper.model_copy(update={"abstract": f"{entry.paper.abstract} {_ALL}"}))


_ALL = "All rests on zintl phases. Zintl phases hold."


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param(lambda: literature(150, citation_count=None), id="without counts"),
        pytest.param(lambda: literature(50), id="of fifty papers"),
        pytest.param(lambda: (entry_of(each) for each in literature(150)), id="with a concept in every paper"),
        pytest.param(lambda: literature(150, abstract=""), id="without abstracts"),
    ],
)
def test_an_odd_library_gives_sound_opportunities_or_says_why_there_are_none(tmp_path, entries):
    with library_of(tmp_path, entries()) as opened:
        found = asyncio.run(find_opportunities(opened, TOPIC))
    assert found.notes
    for each in found.openings:
        assert each.reasons
        assert each.one.papers
        assert each.other.papers
