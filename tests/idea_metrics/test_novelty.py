"""Novelty against the literature, beside the same counted by hand."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from novum.core import Paper, Subject
from novum.idea_metrics.dissimilarity import Novelty
from novum.idea_metrics.novelty import NoveltyMeter, literature_novelty
from novum.idea_metrics.report.novelty import novelty_lines
from novum.literature import Entry, Library
from tests.idea_metrics.made_up import made_up_papers

DAY = dt.date(2015, 1, 1)
IDEA = Subject(title="Neighbour messages", text="A network passes messages along each edge of a graph community.")
PAPERS = made_up_papers(132, first_year=2012, years=6)
"""Twenty-two a year from 2012 to 2017, five or six of each field."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """With one more that says what the idea says, and of which nobody knows when."""
    undated = Paper(title=IDEA.title, abstract=IDEA.text)
    with Library.open(tmp_path_factory.mktemp("novelty") / "library") as opened:
        opened.add(Entry(paper=paper) for paper in [*PAPERS, undated])
        asyncio.run(opened.index())
        yield opened


def measured(library: Library, subject: Subject = IDEA, before: dt.date | None = DAY, **more: object) -> Novelty:
    return asyncio.run(literature_novelty(library, [subject], before, **more))[0]  # type: ignore[arg-type]


def by_hand(library: Library, text: str, day: dt.date, but: str = "") -> dict[str, float]:
    """Every paper of the library ranked, and the formulas written out."""
    dated = [paper for paper in library.papers() if paper.year and paper.id != but]
    ranked = asyncio.run(library.rank(text, dated))
    past = [hit for hit in ranked if hit.paper.is_before(day)][:5]
    now = [hit for hit in ranked if not hit.paper.is_before(day)][:5]
    hd, cd = (np.mean([np.sqrt(2 - 2 * hit.similarity) for hit in hits]) for hits in (past, now))
    usual = {hit.paper.year: _mean_citations(hit.paper.year) for hit in now}
    ci = np.mean([(hit.paper.citation_count or 0) / usual[hit.paper.year] for hit in now])
    return {"historical": float(hd), "contemporary": float(cd), "impact": float(ci), "overall": float(hd * ci / cd)}


def _mean_citations(year: int | None) -> float:
    return float(np.mean([paper.citation_count or 0 for paper in PAPERS if paper.year == year]))


def values(novelty: Novelty) -> dict[str, float | None]:
    return {name: getattr(novelty, name).value for name in ("historical", "contemporary", "impact", "overall")}


def test_the_numbers_are_those_that_ranking_every_paper_gives(library: Library) -> None:
    assert values(measured(library)) == pytest.approx(by_hand(library, IDEA.whole, DAY), rel=1e-4)


def test_a_paper_of_unknown_date_is_neither_past_nor_later(library: Library) -> None:
    novelty = measured(library)
    assert len(novelty.earlier) == len(novelty.later) == 5
    assert all(each.year and each.year < 2015 for each in novelty.earlier)
    assert all(each.year and each.year >= 2015 for each in novelty.later)


def test_percentiles_are_among_papers_of_that_year_measured_without_themselves(library: Library) -> None:
    """Five papers of a year and field are too few: all twenty-two of 2015 are taken."""
    novelty = measured(library)
    assert novelty.compared_with == "22 papers of 2015"
    peers = [by_hand(library, Subject.of_paper(each).whole, DAY, each.id) for each in PAPERS if each.year == 2015]
    for name, value in values(novelty).items():
        below = np.mean([each[name] < (value or 0) for each in peers])
        assert getattr(novelty, name).percentile == pytest.approx(100 * below)


def test_where_there_are_enough_of_its_field_it_stands_among_these(tmp_path) -> None:
    papers = made_up_papers(160, first_year=2014, years=2)  # twenty of each field and year
    with Library.open(tmp_path / "library") as library:
        library.add(Entry(paper=paper) for paper in papers)
        assert measured(library).compared_with == "20 papers of 2015 in graphs"
        proteins = IDEA.model_copy(update={"fields": ("Proteins",)})
        assert measured(library, proteins).compared_with == "20 papers of 2015 in proteins"


def test_without_enough_of_a_year_the_last_one_that_has_them_is_taken_with_its_own_first_day(library: Library) -> None:
    assert measured(library, before=dt.date(2030, 5, 1)).compared_with == "22 papers of 2017"


def test_a_sample_follows_from_its_seed(library: Library) -> None:
    one, same, *others = (measured(library, sample=20, seed=seed) for seed in (1, 1, 2, 3, 4))
    assert one == same
    assert one.compared_with == "20 papers of 2015"
    assert all(values(one) == values(other) for other in others)
    assert any(one != other for other in others)


def test_real_papers_are_measured_once_for_many_subjects(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    queries: list[str] = []
    nearest = library.nearest

    async def counted(text: str, *more: object) -> Sequence[object]:
        queries.append(text)
        return await nearest(text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "nearest", counted)
    subjects = [IDEA.model_copy(update={"title": f"{word} messages"}) for word in ("old", "new", "fast")]
    asyncio.run(literature_novelty(library, subjects, DAY))
    assert len(queries) == 2 * (22 + 3)


def test_a_paper_is_not_put_beside_itself(library: Library) -> None:
    paper = next(each for each in PAPERS if each.year == 2013)
    alone = measured(library, Subject.of_paper(paper), itself=[paper.id])
    assert paper.id in {each.paper_id for each in measured(library, Subject.of_paper(paper)).earlier}
    assert paper.id not in {each.paper_id for each in alone.earlier}
    assert len(alone.earlier) == 5


def test_without_a_day_the_year_of_a_subject_decides_and_else_all_is_past(library: Library) -> None:
    of_2014 = measured(library, IDEA.model_copy(update={"year": 2014}), before=None)
    assert of_2014.day == dt.date(2014, 1, 1)
    new = measured(library, before=None)
    assert new.day == dt.date(2018, 1, 1)  # the day after the last of 2017
    assert new.contemporary.value is None
    assert "no paper of 2018-01-01 or later" in new.notes[0]
    strange = measured(library, IDEA.model_copy(update={"year": 123_456}), before=None)
    assert strange.day == new.day


@pytest.mark.parametrize(("day", "missing", "side"), [(2001, "historical", "before"), (2040, "contemporary", "later")])
def test_a_side_without_papers_is_said_and_the_other_one_measured(
    library: Library, day: int, missing: str, side: str
) -> None:
    novelty = measured(library, before=dt.date(day, 1, 1))
    assert getattr(novelty, missing).value is None
    assert novelty.overall.value is None
    assert any(side in note and "is not available" in note for note in novelty.notes)
    assert any(value is not None for value in values(novelty).values())


def test_citations_that_nobody_counted_leave_impact_unknown(tmp_path) -> None:
    with Library.open(tmp_path / "library") as library:
        library.add(Entry(paper=paper) for paper in made_up_papers(60, first_year=2014, years=3, citation_count=None))
        novelty = measured(library)
    assert (novelty.impact.value, novelty.overall.value) == (None, None)
    assert any("citation count" in note for note in novelty.notes)


def test_an_empty_library_and_a_small_one_say_so(tmp_path) -> None:
    with Library.open(tmp_path / "library") as library:
        assert "no dated paper" in measured(library).notes[0]
        assert "no dated paper" in measured(library, before=None).notes[0]
        library.add(Entry(paper=paper) for paper in made_up_papers(7, first_year=2014, years=2))
        notes = measured(library).notes
    assert any(note.startswith("Only ") for note in notes)
    assert any("percentiles are not available" in note for note in notes)


@pytest.mark.parametrize("text", ["", "§§ 123 ∑∑", " \n "])
def test_what_says_nothing_is_not_measured(library: Library, text: str) -> None:
    novelty = measured(library, Subject(title="", text=text))
    assert set(values(novelty).values()) == {None}
    assert novelty.notes == ("It has no text to compare with papers.",)


@pytest.mark.parametrize("text", ["graph", "graph " * 50_000, "蛋白質の構造を予測する", "\ud800 graph\0"])
def test_any_text_with_words_is_measured_or_clearly_not(library: Library, text: str) -> None:
    novelty = measured(library, Subject(title="", text=text), sample=20)
    assert novelty.historical.value is not None or novelty.notes


def test_it_reads_as_a_few_lines_that_name_the_papers(library: Library) -> None:
    novelty = measured(library)
    lines = novelty_lines(novelty, papers=2)
    assert lines[0] == (
        "Against the papers of the library before and since 2015-01-01, compared with 22 papers of 2015:"
    )
    assert lines[1].startswith(f"  historical dissimilarity: {novelty.historical.value:.3f}, more than ")
    assert [line for line in lines if "Nearest" in line] == ["Nearest before:", "Nearest since:"]
    assert sum(novelty.earlier[0].title in line for line in lines) == 1
    assert len(lines) == 1 + 4 + 2 * 3


def test_a_meter_can_be_asked_one_at_a_time(library: Library) -> None:
    meter = NoveltyMeter(library, DAY)
    assert asyncio.run(meter.measure(IDEA)) == measured(library)
