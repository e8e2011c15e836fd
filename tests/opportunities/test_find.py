"""Openings of a topic: found by stated rules, told with their evidence, as a user wishes them."""

import asyncio
import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.cli.app import run
from novum.core.opportunity import OpportunityList
from novum.errors import BadInput
from novum.literature import coverage_of
from novum.opportunities.building import build_concept_map
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.query import OpportunityQuery
from novum.opportunities.score_bins import ScoreBins
from novum.opportunities.search import ensure_concept_map, find_opportunities, search_map
from novum.opportunities.search.find import PAPERS_NEEDED
from novum.opportunities.search.titles import is_in_title, is_used_as_means
from novum.opportunities.search.topic import topic_concepts
from novum.opportunities.settings import OpportunitySettings
from tests.opportunities.made_up import NAMES, library_of, literature

SETTINGS = OpportunitySettings(general=0.5, horizon=2)
TOPIC = f"{NAMES[0]} and {NAMES[1]}"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with library_of(tmp_path_factory.mktemp("library"), literature(500)) as opened:
        asyncio.run(build_concept_map(opened, SETTINGS))
        yield opened


@pytest.fixture(scope="module")
def concepts(library):
    return ConceptMap.open(library)


def run_search(concepts, library, topic=TOPIC, count=20, **wishes):
    return asyncio.run(search_map(concepts, library, topic, OpportunityQuery(**wishes), count))


def test_opportunities_come_with_probability_reasons_and_papers_of_both_sides(concepts, library):
    found = run_search(concepts, library)
    assert found.openings
    known = {paper.id for paper in found.papers}
    for each in found.openings:
        low, high = each.probability_interval or (0, 1)
        assert low <= each.probability <= high
        assert each.reasons
        assert (each.one.concept, each.other.concept) == each.pair
        assert set(each.one.papers + each.other.papers + each.attempts) <= known
        assert 0 <= each.unusual <= 1
    assert OpportunityList.model_validate_json(found.model_dump_json()) == found


def test_what_is_said_of_joint_papers_holds(concepts, library):
    for each in run_search(concepts, library, count=50).openings:
        joint = concepts.joint(*each.pair)
        if each.kind in {"dormant", "follow-up"}:
            assert set(each.attempts) <= set(joint.ids)
            assert max(joint.papers) <= concepts.year - 3
        else:
            assert not joint.papers


def test_no_concept_that_is_not_the_topics_comes_more_than_twice(concepts, library):
    found = run_search(concepts, library)
    others = [name for each in found.openings for name in each.pair if name not in found.near]
    assert max((others.count(name) for name in others), default=0) <= 2


def test_conditions_hold_for_every_opportunity(concepts, library):
    word = NAMES[7].split()[0]
    assert all(word not in each.name.split() for each in run_search(concepts, library, exclude=(word,)).openings)
    mine = run_search(concepts, library, with_concept=NAMES[5])
    assert mine.openings
    assert all(NAMES[5] in each.pair for each in mine.openings)
    assert {each.kind for each in run_search(concepts, library, kinds=("bridge",)).openings} <= {"bridge"}
    late = run_search(concepts, library, since=2016)
    assert all(paper.year >= 2016 for paper in late.papers if paper.id not in _attempts(late))


def _attempts(found):
    return {paper for each in found.openings for paper in each.attempts}


def test_a_field_keeps_concepts_that_are_at_home_in_it(concepts, library):
    found = run_search(concepts, library, fields=("B", "d"))
    papers = {paper.id: paper for paper in library.papers()}
    for name in {name for each in found.openings for name in each.pair}:
        holding = [papers[each].fields[0] for each in concepts.papers_of(name, 1000)]
        assert sum(each in {"b", "d"} for each in holding) >= 0.2 * len(holding)


@pytest.mark.parametrize(
    ("wishes", "why"),
    [
        ({"fields": ("alchemy",)}, "has the field"),
        ({"with_concept": "alchemy"}, "no concept"),
        ({"since": 2999}, "years"),
    ],
)
def test_wishes_for_what_the_library_has_not_are_refused_with_what_it_has(concepts, library, wishes, why):
    with pytest.raises(BadInput, match=why):
        run_search(concepts, library, **wishes)


def test_an_unknown_topic_is_reported_and_the_nearest_concepts_are_offered(concepts, library):
    found = run_search(concepts, library, topic="quorvax zintl")
    assert not found.openings
    assert "does not know" in found.notes[0]
    assert all(name in concepts.names for name in found.near)


def test_a_topic_with_too_few_papers_says_what_is_missing_and_what_to_do(library):
    found = asyncio.run(find_opportunities(library, "tuberculosis drug resistance"))
    assert found.openings == ()
    (note,) = found.notes
    assert note.startswith("Too few papers on “tuberculosis drug resistance” in this library: 0; 10 are needed.")
    assert "Coverage is none: the nearest of 500 papers" in note
    assert "novum library add" in note


def test_a_long_topic_is_named_by_its_beginning(library):
    (note,) = asyncio.run(find_opportunities(library, "tuberculosis " * 300)).notes
    assert len(note) < 600


def test_who_insists_gets_what_there_is_with_the_warning_first(library):
    found = asyncio.run(find_opportunities(library, f"{NAMES[0]} in tuberculosis wards of hospitals", force=True))
    assert found.notes[0].startswith("Too few papers on")
    assert "but have no “tuberculosis”" in found.notes[0]
    assert NAMES[0] in found.near
    assert all(set(each.pair) & set(found.near) for each in found.openings)


def test_concepts_of_papers_that_are_not_on_the_topic_are_not_its_concepts(concepts):
    topic = f"{NAMES[0].split()[0]} report"
    nearest = asyncio.run(topic_concepts(concepts, topic))
    touching = asyncio.run(topic_concepts(concepts, topic, ()))
    assert {concepts.names[at] for at in touching.near} == {NAMES[0]} < {concepts.names[at] for at in nearest.near}


def test_every_pair_touches_the_topic_by_its_words_or_by_the_papers_on_it(concepts, library):
    coverage = asyncio.run(coverage_of(library, TOPIC))
    assert coverage.papers >= PAPERS_NEEDED
    found = asyncio.run(search_map(concepts, library, TOPIC, OpportunityQuery(), 50, coverage))
    assert found.openings
    assert all(set(each.pair) & set(found.near) for each in found.openings)
    for name in found.near:
        holding = set(concepts.papers_of(name, 1_000)) & set(coverage.paper_ids)
        assert set(name.split()) & set(TOPIC.split()) or len(holding) >= 2


def test_papers_are_fetched_where_there_are_too_few_and_only_there(tmp_path):
    asked = []
    with library_of(tmp_path, list(literature(80, years=1))[:4]) as opened:

        async def fetch(topic, before):
            asked.append((topic, before))
            opened.add(literature(80, years=1))

        first = asyncio.run(find_opportunities(opened, TOPIC, fetch=fetch))
        again = asyncio.run(find_opportunities(opened, TOPIC, fetch=fetch))
    assert asked == [(TOPIC, None)]
    assert "papers since" in first.notes[0]  # too few years, no longer too few papers
    assert again.notes == first.notes


def test_a_library_of_one_year_says_why_it_has_none(tmp_path):
    with library_of(tmp_path, literature(80, years=1)) as opened:
        found = asyncio.run(find_opportunities(opened, TOPIC))
    assert not found.openings
    assert "papers since" in found.notes[0]


def test_a_library_that_was_written_to_is_built_again(tmp_path):
    entries = list(literature(90, years=2))
    with library_of(tmp_path, entries[:80]) as opened:
        assert asyncio.run(ensure_concept_map(opened)).card.papers == 80
        opened.add(entries[80:])
        assert asyncio.run(ensure_concept_map(opened)).card.papers == 90


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=40, max_size=200))
def test_bounds_hold_the_share_that_came(pairs):
    scores, came = np.array([each for each, _ in pairs]), np.array([each for _, each in pairs])
    score_bins = ScoreBins.fit(scores, came)
    if score_bins is None:
        assert came.sum() < 20
        return
    assert score_bins.pairs.sum() == len(pairs)
    low, high = score_bins.bounds(score_bins.at)
    share = score_bins.linked / score_bins.pairs
    assert ((low <= share + 1e-9) & (share <= high + 1e-9)).all()
    assert (np.diff(score_bins.chance(np.sort(scores))) >= 0).all()
    assert (ScoreBins.from_stored(score_bins.table()).at == score_bins.at).all()


def test_titles_tell_a_means_from_an_end():
    assert is_in_title("graph network", "Deep Graph Networks, revisited")
    assert not is_in_title("graph network", "A network on a graph")
    assert is_used_as_means("graph networks", ["Weather with graph networks", "Graph networks for molecules"])
    assert not is_used_as_means("proteins", ["Folding of proteins", "Proteins using graph networks"])


def test_the_command_takes_a_topic_where_no_command_is_named(library, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path))
    assert run(["opportunities", TOPIC, "--library", str(library.folder), "-n", "3"]) == 0
    assert "linked by" in capsys.readouterr().out
    assert run(["opportunities", TOPIC, "--library", str(library.folder), "--json"]) == 0
    assert OpportunityList.model_validate(json.loads(capsys.readouterr().out)).openings
    assert run(["opportunities", TOPIC, "--library", str(library.folder), "--kind", "odd"]) == 2
    assert "Kinds: bridge" in capsys.readouterr().err


def test_every_concept_of_the_opportunities_is_described_by_its_years_its_neighbours_and_its_papers(concepts, library):
    found = run_search(concepts, library)
    assert [gloss.concept for gloss in found.concepts] == sorted(
        {name for each in found.openings for name in each.pair}
    )
    known = {paper.id for paper in found.papers}
    for gloss in found.concepts:
        stored = concepts.concept(gloss.concept)
        assert (gloss.first_year, gloss.papers_by_year) == (stored.first_year, stored.papers)
        assert gloss.typical
        assert set(gloss.typical) <= known & set(concepts.papers_of(gloss.concept, 10_000))
        assert gloss.concept not in gloss.beside
        assert all(concepts.joint(gloss.concept, other).papers for other in gloss.beside)


def test_links_are_all_that_papers_join_of_the_concepts_named(concepts, library):
    found = run_search(concepts, library)
    names = [gloss.concept for gloss in found.concepts]
    joint = {pair: sum(concepts.joint(*pair).papers.values()) for pair in combinations(names, 2)}
    assert {(link.one, link.other): link.papers for link in found.links} == {at: n for at, n in joint.items() if n}
