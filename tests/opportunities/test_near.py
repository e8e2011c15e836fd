"""A topic finds its concepts by vectors that are kept beside the map."""

import asyncio
import shutil

import numpy as np
import pytest

from novum.errors import BadInput
from novum.literature import Library
from novum.opportunities.building import build_concept_map
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.settings import OpportunitySettings
from tests.opportunities.made_up import NAMES, library_of, literature

SETTINGS = OpportunitySettings(general=0.5, horizon=20)
"""So many years that nothing is learnt, which is the longer part of a build."""
TOPICS = [f"What {NAMES[0]} does", f"{NAMES[3]} and {NAMES[5]}", "something else entirely"]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with library_of(tmp_path_factory.mktemp("library"), literature(300)) as opened:
        asyncio.run(build_concept_map(opened, SETTINGS))
        yield opened


@pytest.fixture
def copy(library, tmp_path):
    shutil.copytree(library.folder, tmp_path / "copy")
    with Library.open(tmp_path / "copy") as opened:
        yield opened


def test_asking_opens_no_index_of_the_library_and_leaves_the_map_in_step(library):
    found = ConceptMap.open(library)
    assert asyncio.run(found.near(TOPICS[0]))
    assert [each.name for each in (library.folder / "index").iterdir() if each.is_dir()] == ["opportunities"]
    assert not found.behind


@pytest.mark.parametrize("topic", TOPICS)
def test_the_papers_near_a_topic_are_those_that_the_library_itself_finds_nearest(copy, topic):
    found = ConceptMap.open(copy)
    rows = asyncio.run(found.stored.near.nearest(copy, topic, 10))
    hits = asyncio.run(copy.nearest(topic, 10))
    ids = [each.decode() for each in np.asarray(found.stored.graph.dated.tokens.paper_id)[rows].tolist()]
    assert len(set(ids) & {hit.paper.id for hit in hits}) >= 9  # half precision may turn the last two round


def test_features_do_not_depend_on_what_else_is_asked(library):
    found = ConceptMap.open(library)
    features = found.features
    one, other = np.triu_indices(len(found.names), 1)
    whole = features.of(one, other)
    parts = np.concatenate([features.of(one[at : at + 7], other[at : at + 7]) for at in range(0, len(one), 7)])
    np.testing.assert_array_equal(whole, parts)


@pytest.mark.parametrize("name", ["vectors", "rows", "mean"])
def test_damaged_vectors_of_papers_are_said_in_one_line(copy, name):
    (file,) = (copy.folder / "index" / "opportunities").glob(f"build-*/near/{name}.npy")
    np.save(file, np.load(file)[:-1])
    with pytest.raises(BadInput, match=r"damaged.*--fresh"):
        ConceptMap.open(copy)
