"""What is kept of a library's concepts: mapped back as it was written, or not at all."""

import asyncio
from itertools import cycle

import numpy as np
import pytest

from novum.errors import BadInput
from novum.opportunities import concept_map
from novum.opportunities import folder as kept
from novum.opportunities.building import build_concept_map
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.inactive_links import inactive_links
from novum.opportunities.settings import OpportunitySettings
from tests.opportunities.made_up import NAMES, library_of, literature

SETTINGS = OpportunitySettings(general=0.5, horizon=20)
"""So many years that nothing is learnt, which is the longer part of a build."""
DAMAGE = [
    lambda file, content: file.write_bytes(b""),
    lambda file, content: file.write_bytes(content[: len(content) // 2]),
    lambda file, content: file.write_bytes(content + b"\0"),
    lambda file, content: file.write_bytes(b"PK" + content[2:]),
    lambda file, content: np.save(file, np.array(3.0)),
    lambda file, content: np.save(file, np.load(file).astype("<f4" if np.load(file).dtype != "<f4" else "<f8")),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with library_of(tmp_path_factory.mktemp("library"), literature(300)) as opened:
        asyncio.run(build_concept_map(opened, SETTINGS))
        yield opened


def inside(library):
    place = kept.map_folder(library.folder)
    return place / kept.read_card(place).build


@pytest.mark.slow
def test_a_file_that_is_empty_cut_off_longer_or_of_another_type_is_said_in_one_line(library):
    files = sorted(inside(library).rglob("*.npy"))
    assert len(files) > 30  # every other one is damaged
    for file, damage in zip(files[::2], cycle(DAMAGE), strict=False):
        if file.name == "paper_id.npy":
            continue  # texts are no numbers of another type
        content = file.read_bytes()
        damage(file, content)
        with pytest.raises(BadInput, match=r"damaged.*--fresh") as output:
            ConceptMap.open(library)
        assert "\n" not in str(output.value)
        file.write_bytes(content)
    assert ConceptMap.open(library).names


def test_starts_that_go_back_are_damage_and_no_wrong_answer(library):
    file = inside(library) / "edges" / "papers_from.npy"
    content = file.read_bytes()
    starts = np.load(file)
    starts[1], starts[2] = starts[2], starts[1] - 1
    np.save(file, starts)
    with pytest.raises(BadInput, match="--fresh"):
        ConceptMap.open(library)
    file.write_bytes(content)


def test_who_opens_while_another_build_takes_the_folder_away_gets_the_new_one(library, monkeypatch):
    place = kept.map_folder(library.folder)
    old, before = kept.read_card(place), ConceptMap.open(library)
    asyncio.run(build_concept_map(library, SETTINGS, fresh=True))
    cards = iter([old, kept.read_card(place)])
    monkeypatch.setattr(concept_map, "read_card", lambda _: next(cards))
    found = ConceptMap.open(library)
    assert found.card.build != old.build
    pairs = found.candidates([NAMES[0]], 3)
    assert pairs == before.candidates([NAMES[0]], 3)  # and who had opened the old one goes on with it


def test_an_edge_is_found_from_either_end_and_only_where_there_is_one(library):
    graph = ConceptMap.open(library).stored.graph
    edges, count = graph.edges, len(graph.names)
    one, other = (np.ravel(side) for side in np.indices((count, count)))
    there = {(int(a), int(b)): edge for edge, (a, b) in enumerate(zip(edges.first, edges.other, strict=True))}
    expected = [there.get((min(a, b), max(a, b)), -1) for a, b in zip(one.tolist(), other.tolist(), strict=True)]
    np.testing.assert_array_equal(edges.find(one, other), expected)


def test_let_be_pairs_of_some_concepts_are_those_among_all(library):
    snapshot = ConceptMap.open(library).snapshot
    whole, some = inactive_links(snapshot, 5), np.zeros(snapshot.concepts, bool)
    some[whole.one[0]] = True
    mine = inactive_links(snapshot, 5, some)
    np.testing.assert_array_equal(mine.edge, whole.edge[some[whole.one] | some[whole.other]])
    assert 0 < len(mine) < len(whole)
