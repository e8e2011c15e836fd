"""No leak from the future: what is known at the end of a year is the same whatever was published after it."""

import asyncio

import numpy as np
import pytest

from novum.literature import StaticEmbedder
from novum.opportunities.concepts import extract_concepts
from novum.opportunities.features.table import COLUMNS, PairFeatures
from novum.opportunities.graph import DatedConceptGraph
from novum.opportunities.paper_columns import DatedPapers, read_columns
from novum.opportunities.settings import OpportunitySettings
from novum.opportunities.snapshot import Snapshot
from novum.opportunities.unlinked_pairs import link_outcomes, unlinked_pairs
from tests.opportunities.made_up import NAMES, library_of, literature, paper

YEAR = 2015
SETTINGS = OpportunitySettings(general=0.5)
PLANTED = NAMES[0], NAMES[9]


def later(year):
    """Papers after the year that join two concepts in every way: title, abstract, references, counts, a new word, a new
    spelling, an old paper's citation."""
    for number in range(30):
        title = f"{PLANTED[0]} and {PLANTED[1]}, with {NAMES[3].replace(' ', '-')} and frobnicating grommets {number}"
        cites = tuple(f"row/{each}" for each in range(number, number + 20))
        text = f"{PLANTED[0]} {PLANTED[1]}s. The {PLANTED[1]}. " * 3
        yield paper(
            title, year + 1 + number % 4, text, f"later/{number}", cites, citation_count=9000, venue="Annals of b"
        )


def seen_from(folder, entries, year):
    """Names, their vectors, pairs, every feature of every pair, and what became of it."""
    with library_of(folder, entries) as library:
        papers = read_columns(library)
    dated = DatedPapers.of(papers)
    known = asyncio.run(extract_concepts(papers, dated, year, SETTINGS, StaticEmbedder()))
    graph = DatedConceptGraph.of(known, dated)
    snapshot = Snapshot(graph, year, known.units)
    pairs = unlinked_pairs(snapshot, SETTINGS.fewest, 10**6, np.random.default_rng(0))
    table = PairFeatures(snapshot, SETTINGS.fewest, 0).of(pairs.one, pairs.other)
    return known.names, pairs, table, link_outcomes(graph, pairs, year, 3, 1).linked


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The past with its own future, and the same past with another."""
    past = [entry for entry in literature(500) if entry.paper.year <= YEAR]
    past = [entry for entry in past if not all(name in entry.paper.title for name in PLANTED)]
    folder = tmp_path_factory.mktemp("futures")
    return seen_from(folder / "without", past, YEAR), seen_from(folder / "with", [*past, *later(YEAR)], YEAR)


def test_a_pair_planted_after_the_year_changes_no_feature_of_it(both):
    (names, pairs, table, _), (names_with, pairs_with, table_with, _) = both
    assert names == names_with
    np.testing.assert_array_equal(np.stack([pairs.one, pairs.other]), np.stack([pairs_with.one, pairs_with.other]))
    for number, column in enumerate(COLUMNS):
        np.testing.assert_array_equal(table[:, number], table_with[:, number], err_msg=column)


def test_the_planted_pair_is_what_comes(both):
    (names, pairs, _, linked), (_, _, _, linked_with) = both
    planted = sorted(names.index(name) for name in PLANTED)
    row = np.flatnonzero((pairs.one == planted[0]) & (pairs.other == planted[1]))
    assert len(row) == 1
    assert not linked[row[0]]
    assert linked_with[row[0]]


def test_most_features_tell_pairs_apart(both):
    _, _, table, _ = both[0]
    informative = {name for name, column in zip(COLUMNS, table.T, strict=True) if np.nanstd(column) > 0}
    assert {
        "attachment",
        "common",
        "jaccard",
        "references",
        "venues",
        "fields",
        "near_on_map",
        "names_alike",
    } <= informative


def test_what_later_papers_make_frequent_does_not_decide_what_was_a_concept(tmp_path):
    past = [*literature(100, fields=()), *(paper(f"Quagga {n}", 2012, f"Grommet{n}.") for n in range(8))]
    future = [paper(f"Later {n} {m}", YEAR + 1, f"Grommet{n}.") for n in range(8) for m in range(6)]
    with library_of(tmp_path, [*past, *future]) as library:
        papers = read_columns(library)
    known = asyncio.run(extract_concepts(papers, DatedPapers.of(papers), YEAR, SETTINGS, StaticEmbedder()))
    assert "quagga" in known.names
