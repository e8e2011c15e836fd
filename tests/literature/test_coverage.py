"""What a library knows of a topic, said before anything is made of it."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from novum.literature import Entry, Library, install_starter, starter_entries
from novum.literature.coverage import Coverage, coverage_of
from novum.literature.search.topic_evidence import spread_evenly
from tests.literature.conftest import entry, paper

TOPICS = Path(__file__).parents[2] / "bench" / "data" / "coverage_topics.csv"
COUNTED = {"phrase", "long", "far", "near"}


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("starter")) as library:
        install_starter(library)
        yield library


def coverage(library: Library, topic: str, before: dt.date | None = None) -> Coverage:
    return asyncio.run(coverage_of(library, topic, before=before))


def rows() -> list[dict[str, str]]:
    with TOPICS.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["kind"] in COUNTED]


@pytest.mark.parametrize("half", ["choose", "check"])
def test_at_most_one_verdict_in_twenty_is_wrong(starter: Library, half: str) -> None:
    async def judged() -> Counter[tuple[str, str]]:
        mine = [row for row in rows() if row["half"] == half]
        return Counter([(row["literature"], (await coverage_of(starter, row["topic"])).verdict) for row in mine])

    counts = asyncio.run(judged())
    inside = sum(count for (literature, _), count in counts.items() if literature == "inside")
    outside = counts.total() - inside
    assert min(inside, outside) >= 30
    assert counts["inside", "none"] + counts["outside", "good"] <= 0.05 * counts.total()
    # Saying "thin" of everything would never be wrong, and would say nothing.
    assert counts["inside", "good"] >= 0.6 * inside
    assert counts["outside", "none"] >= 0.6 * outside


def test_a_topic_of_which_nothing_is_known_is_said_so_with_the_nearest_paper_and_the_words_that_are_missing(
    starter: Library,
) -> None:
    found = coverage(starter, "trade guilds in medieval Flanders")
    assert (found.verdict, found.papers, found.years) == ("none", 0, None)
    assert {"guilds", "medieval", "Flanders"} <= set(found.missing_words)
    assert found.reason.startswith(f"none: the nearest of {starter.size().papers:,} papers, “")
    assert "is about something else" in found.reason
    assert "“guilds”" in found.reason
    assert "\n" not in found.reason


def test_a_topic_of_which_a_neighbour_is_known_is_thin_and_names_the_missing_word(starter: Library) -> None:
    found = coverage(starter, "tuberculosis drug resistance")
    assert found.verdict == "thin"
    assert found.missing_words == ("tuberculosis",)


def test_many_papers_that_lack_what_the_topic_is_about_are_no_good_coverage(starter: Library) -> None:
    found = coverage(starter, "malaria vaccination of children")
    assert found.papers >= 5
    assert found.verdict == "thin"
    assert "malaria" in found.missing_words


def test_good_coverage_counts_its_papers_and_years(starter: Library) -> None:
    found = coverage(starter, "graphene")
    assert found.verdict == "good"
    assert found.papers == len(found.paper_ids) >= 5
    assert found.nearest[0].id == found.paper_ids[0]
    years = [each.year for each in starter.get_many(found.paper_ids) if each.year]
    assert found.years == (min(years), max(years))
    assert f"of {min(years)} to {max(years)}" in found.reason
    assert Coverage.model_validate_json(json.dumps(found.model_dump(mode="json"))) == found


@pytest.mark.parametrize(
    ("topic", "verdict"),
    [
        ("heraldry", "none"),
        ("graphene", "good"),
        ("RLHF", "thin"),
        ("reinforcment learning for video games", "good"),
        ("células solares de perovskita", "thin"),
        ("中世の修道院", "none"),
        ("хромота лошадей", "none"),
        ("graphene " * 300, "good"),
        ("heraldry of noble houses and its rules of tincture " * 40, "none"),
        ("the of and", "none"),
        ("?!", "none"),
        ("", "none"),
    ],
)
def test_topics_of_any_length_language_and_spelling_are_judged(starter: Library, topic: str, verdict: str) -> None:
    assert coverage(starter, topic).verdict == verdict


def test_a_topic_in_another_language_is_told_to_be_named_in_that_of_the_papers(starter: Library) -> None:
    assert "name the topic in theirs" in coverage(starter, "обучение с подкреплением").reason
    assert "name the topic in theirs" not in coverage(starter, "heraldry").reason


def test_a_topic_that_cannot_be_stored_as_it_is_can_be_stored_with_its_coverage(starter: Library) -> None:
    found = coverage(starter, "graph\ud800ene\x00")
    assert Coverage.model_validate_json(found.model_dump_json()) == found


def test_a_library_without_papers_says_so(library: Library) -> None:
    assert coverage(library, "graphene").reason == "none: the library has no papers"


def test_papers_that_were_not_public_in_time_do_not_count(starter: Library) -> None:
    now, then = coverage(starter, "CRISPR"), coverage(starter, "CRISPR", dt.date(2013, 1, 1))
    assert (now.verdict, then.verdict) == ("good", "thin")
    assert then.searched < now.searched
    assert then.years is not None
    assert then.years[1] < 2013
    assert coverage(starter, "CRISPR", dt.date(1900, 1, 1)).reason == (
        "none: the library has no papers from before 1900-01-01"
    )


def of_field(field: str, most: int) -> list[Entry]:
    return [each for each in starter_entries() if field in each.paper.fields][:most]


def test_a_library_of_one_subject_knows_this_subject_and_no_other(library: Library) -> None:
    library.add(of_field("genome editing", 60))
    assert coverage(library, "genome editing").verdict == "good"
    assert coverage(library, "beekeeping").verdict == "none"
    assert coverage(library, "topological insulators").verdict == "none"


def test_five_papers_are_thin_at_most(library: Library) -> None:
    library.add(of_field("genome editing", 4))
    assert coverage(library, "genome editing").verdict == "thin"
    assert coverage(library, "trade guilds in medieval Flanders").verdict == "none"


def test_what_is_added_counts_at_once(library: Library) -> None:
    library.add(of_field("genome editing", 60))
    topic = "trade guilds in medieval Flanders"
    assert coverage(library, topic).verdict == "none"
    titles = ("Guilds and trade in Bruges", "Weavers of medieval Ghent", "Flanders and its trade guilds")
    towns = ("Ypres", "Ghent", "Bruges")
    papers = [
        paper(
            title, 2001 + at, summary=f"Trade guilds of medieval Flanders, in the town of {town}: who joined a guild."
        )
        for at, (title, town) in enumerate((title, town) for title in titles for town in towns)
    ]
    library.add([entry(each) for each in papers])
    assert coverage(library, topic).verdict == "good"


class TurnedEmbedder:
    """Another embedder: its vectors are longer, have other axes and a large common part."""

    name = "turned"
    dimensions = 300

    def __init__(self, library: Library) -> None:
        self._plain = library.embedder
        self._turn = np.linalg.qr(np.random.default_rng(0).normal(size=(300, 256)))[0].T.astype(np.float32)

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        return 7 * (await self._plain.embed(texts)) @ self._turn + np.float32(3)


def test_limits_hold_for_another_embedder(starter: Library, tmp_path: Path) -> None:
    with Library.open(tmp_path / "turned", embedder=TurnedEmbedder(starter)) as library:
        install_starter(library)
        assert coverage(library, "graphene").verdict == "good"
        assert coverage(library, "tuberculosis drug resistance").verdict == "thin"
        assert coverage(library, "trade guilds in medieval Flanders").verdict == "none"


def test_a_sample_is_spread_evenly_and_no_larger_than_allowed() -> None:
    assert spread_evenly([1, 2, 3], 5) == [1, 2, 3]
    assert spread_evenly(range(100), 3) == [0, 50, 99]


def test_the_words_of_a_question_around_a_topic_are_not_missed(starter: Library) -> None:
    found = coverage(starter, "How did trade guilds in medieval Flanders do what they did?")
    assert set(found.missing_words) == {"guilds", "medieval", "Flanders", "trade"}
