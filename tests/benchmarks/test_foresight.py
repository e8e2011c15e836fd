"""Ideas against a future that is known: what must hit does, what must not does not, and no method sees past its day."""

from __future__ import annotations

import asyncio
import datetime as dt
import shutil
from dataclasses import replace

import numpy as np
import pytest

from novum.benchmarks.foresight.calibration import calibrate_threshold, random_pairs
from novum.benchmarks.foresight.durable import FORESIGHT
from novum.benchmarks.foresight.records import EARLIER, TOPIC
from novum.benchmarks.foresight.task import PLAIN, cutoff_of, options_for, years_after
from novum.benchmarks.foresight.topics import draw_topics
from novum.core import Idea, Paper
from novum.core.comparison import Entrant
from novum.errors import BadInput
from novum.literature import Entry as Shelved
from novum.literature import Filters, Library, install_starter
from novum.runs.engine import replay, resume, start
from tests.benchmarks.foresight_lab import THEMES, given, idea_like, papers, stock, task, working


@pytest.fixture(scope="session")
def stocked(tmp_path_factory):
    return stock(tmp_path_factory.mktemp("foresight"))


@pytest.fixture
def home(stocked, tmp_path):
    return shutil.copytree(stocked, tmp_path / "home")


@pytest.fixture(scope="session")
def library(stocked):
    """Only read."""
    with Library.open(stocked / "library") as opened:
        yield opened


def of_year(year, theme, entries=None):
    """The first paper of a theme in a year."""
    return next(e.paper for e in entries or papers() if e.paper.year == year and theme in e.paper.fields)


def looked(home, what, server=None):
    return working(home, lambda place: start(FORESIGHT, place, what), server)


def nearest_of(library, topic, since, before, number):
    hits = asyncio.run(library.nearest(topic, number, Filters(since=since, before=before)))
    return [hit.paper.id for hit in hits]


def cosine(one, other):
    return float(np.dot(one, other) / np.sqrt(np.dot(one, one) * np.dot(other, other)))


def planted(library, topic="solar cells", year=2021, place=0):
    """A paper of the future that is among the nearest to its topic."""
    first, after = dt.date(year, 1, 1), dt.date(year + 1, 1, 1)
    return library.get(nearest_of(library, topic, first, after, 8)[place])


@pytest.fixture(scope="session")
def study(stocked, library):
    """One study of four makers: in the words of a future paper, in those of another theme's, in those of an old paper,
    and in no words. It is only looked at."""
    exact, astray = planted(library), planted(library, "river floods")
    old = of_year(2018, "solar cells")
    blank = Idea(topic="solar cells", title=" ", motivation="", novelty="", method="", summary="")
    ideas = {
        name: idea_like(paper, "solar cells") for name, paper in (("exact", exact), ("astray", astray), ("old", old))
    }
    made = [entry for name, idea in (ideas | {"blank": blank}).items() for entry in given([idea], name)]
    return looked(stocked, task(given=tuple(made), pool=6, neighbours=3, earlier=4))


def seen_of(run, maker):
    (seen,) = (each for each in run.sightings if each.by == maker)
    return seen


def test_an_idea_equal_to_a_paper_of_the_future_hits_it_in_its_year_and_not_elsewhere(study, library):
    seen, paper = seen_of(study, "exact"), planted(library)
    assert (seen.nearest[0].paper_id, seen.nearest[0].published) == (paper.id, "2021-12-31")
    assert seen.nearest[0].similarity == pytest.approx(1, abs=1e-6)
    assert (seen.whole.hit, seen.years[1].hit) == (1, 1)
    assert seen.years[1].similarity > seen.years[0].similarity
    assert seen.elsewhere.hit == 0
    assert seen.elsewhere.similarity < study.calibration.threshold


def test_an_idea_on_another_theme_does_not_hit(study):
    seen = seen_of(study, "astray")
    assert seen.whole.hit == 0
    assert seen.elsewhere.similarity > seen.whole.similarity


def test_every_number_equals_a_plain_calculation(study, library):
    """Cosines one by one, from the texts themselves; the nearest three; then each year, all years, and elsewhere."""
    paper, seen = of_year(2018, "solar cells"), seen_of(study, "old")
    embed = library.embedder.embed
    own = asyncio.run(embed([f"{paper.title}. {paper.gist}"]))[0]

    def nearest_three(topic, years):
        pool = [i for y in years for i in nearest_of(library, topic, dt.date(y, 1, 1), dt.date(y + 1, 1, 1), 6)]
        texts = [f"{each.title}. {each.gist}" for each in library.get_many(pool)]
        found = sorted((cosine(own, other) for other in asyncio.run(embed(texts))), reverse=True)
        return sum(found[:3]) / 3, float(found[0] >= study.calibration.threshold)

    whole = nearest_three("solar cells", (2020, 2021, 2022))
    assert (seen.whole.similarity, seen.whole.hit) == (pytest.approx(whole[0], abs=1e-5), whole[1])
    for year, found in zip((2020, 2021, 2022), seen.years, strict=True):
        assert found.similarity == pytest.approx(nearest_three("solar cells", (year,))[0], abs=1e-5)
    others = [nearest_three(topic, (2020, 2021, 2022)) for topic in ("protein folding", "river floods")]
    assert seen.elsewhere.similarity == pytest.approx(sum(each[0] for each in others) / 2, abs=1e-5)
    assert seen.elsewhere.hit == sum(each[1] for each in others) / 2
    assert study.pool_used == 6


@pytest.mark.slow
def test_the_order_of_topics_and_ideas_changes_nothing(home, study):
    entries = tuple(each.entry for each in study.forecasts)[::-1]
    what = task(given=entries, topics=tuple(THEMES)[::-1], pool=6, neighbours=3, earlier=4)
    other = looked(home, what)

    def by_name(run):
        return {(each.topic, each.by, each.title): each.model_dump() for each in run.sightings}

    assert set(by_name(study)) == set(by_name(other))
    for name, seen in by_name(study).items():
        found = by_name(other)[name]
        assert found["whole"] == pytest.approx(seen["whole"])
        assert found["elsewhere"] == pytest.approx(seen["elsewhere"])
    assert study.calibration == other.calibration


def test_earlier_papers_and_the_words_of_topics_are_baselines(study):
    earlier = [each for each in study.sightings if each.by == EARLIER]
    assert len(earlier) == 4 * len(THEMES)
    old = {entry.paper.title for entry in papers() if entry.paper.year <= 2019}
    assert {each.title for each in earlier} <= old
    assert sorted(each.topic for each in study.sightings if each.by == TOPIC) == sorted(THEMES)


def test_a_text_without_words_is_unknown_and_no_model_is_called(study):
    seen = seen_of(study, "blank")
    assert (seen.whole.similarity, seen.whole.hit, seen.elsewhere.similarity, seen.nearest) == (None, None, None, ())
    assert study.account.spend.calls == 0
    assert study.account.models == {}


# Time


def test_a_year_as_cutoff_means_its_end():
    assert cutoff_of("2019").day == dt.date(2020, 1, 1)
    assert cutoff_of("2020-02-29").day == dt.date(2020, 2, 29)
    edges = [(each.since, each.before) for each in years_after(cutoff_of("2020-02-29"), 2)]
    assert edges == [
        (dt.date(2020, 2, 29), dt.date(2021, 2, 28)),
        (dt.date(2021, 2, 28), dt.date(2022, 2, 28)),
    ]
    for wrong in ("soon", "20", "2019-13-01", "9999"):
        with pytest.raises(BadInput, match="neither a year nor a date"):
            cutoff_of(wrong)


def test_papers_that_may_be_from_before_the_cutoff_belong_to_neither_side(tmp_path):
    """A library of 2020: papers certainly from before and after the day, and such as may be either."""

    def some(first, number, **when):
        made = (
            Paper(title=f"Solar cells {n}", abstract="Perovskite films.", **when) for n in range(first, first + number)
        )
        return [Shelved(paper=each, key=each.title) for each in made]

    early = some(0, 20, year=2020, date=dt.date(2020, 2, 1))
    late = some(100, 30, year=2020, date=dt.date(2020, 9, 1))
    either = [
        *some(200, 10, year=2020),
        *some(300, 10),
        *some(400, 10, year=2020, date=dt.date(2020, 6, 30)),  # known by its month
        *some(500, 10, year=2020, date=dt.date(2020, 12, 31)),  # known by its year
        *some(600, 10, year=2019, date=dt.date(2020, 9, 1)),  # its year contradicts its date
    ]
    home = stock(tmp_path, [*early, *late, *either])
    blank = idea_like(late[0].paper, "solar cells")
    run = looked(home, task(topics=("solar cells",), cutoffs=("2020-06-15",), horizon=1, given=given([blank]), pool=60))
    assert [(year.papers, year.used) for year in run.futures] == [(30, True)]
    near = {each.paper_id for seen in run.sightings for each in seen.nearest}
    assert near <= {each.paper.id for each in late}
    assert {seen.title for seen in run.sightings if seen.by == EARLIER} <= {each.paper.title for each in early}


@pytest.mark.slow
def test_a_paper_that_was_there_before_under_its_title_is_no_future(home, library):
    """A preprint of 2017 that appears again in 2021, with other words, would be a hit for whoever had read it: also
    where the preprint is not among the papers of the past that are nearest to the topic."""
    *_, known = library.get_many(nearest_of(library, "solar cells", dt.date(2017, 1, 1), dt.date(2018, 1, 1), 36))
    exact = planted(library)
    again = Paper(title=f"{known.title}.", year=2021, abstract=exact.abstract, authors=("Somebody Else",))
    with Library.open(home / "library") as own:
        own.add([Shelved(paper=again, key="again")])
    run = looked(home, task(given=given([idea_like(exact, "solar cells")]), pool=6, earlier=2))
    assert again.id not in {each.paper_id for seen in run.sightings for each in seen.nearest}
    assert any(note.startswith("1 paper of the future") for note in run.notes)


@pytest.mark.slow
def test_years_with_too_few_papers_are_left_out_and_all_others_offer_as_many(home):
    run = looked(home, task(cutoffs=("2021",), given=given([idea_like(of_year(2020, "solar cells"), "solar cells")])))
    assert [year.used for year in run.futures] == [True, True, False]
    assert run.pool_used == 36 // 5
    assert all(seen.years[2].similarity is None for seen in run.sightings)
    assert any("year 3 after 2021 (0)" in note for note in run.notes)


@pytest.mark.parametrize(("cutoff", "message"), [("2030", "no paper"), ("1990", "no paper")])
def test_a_library_without_past_or_future_is_an_error_before_any_call(home, serve, cutoff, message):
    server = serve()
    with pytest.raises(BadInput, match=f"(?i){message}"):
        looked(home, task(cutoffs=(cutoff,), methods=("rag",)), server)
    assert server.asked == []


# The threshold


def test_random_pairs_are_of_the_years_of_the_citing_ones_and_cite_nobody(library):
    every = list(library.papers())
    by_id = {paper.id: paper for paper in every}
    like = [(paper, by_id[cited]) for paper in every for cited in paper.references][:50]
    found = random_pairs(like, every, 500, seed=3)
    years = {(one.year, other.year) for one, other in like}
    assert {(by_id[one].year, by_id[other].year) for one, other in found} == years
    assert not [pair for pair in found if pair[1] in by_id[pair[0]].references or pair[0] == pair[1]]
    assert random_pairs(like, every[::-1], 500, seed=3) == found


def test_few_papers_make_few_pairs_each_counted_once(library):
    few = sorted(library.papers(), key=lambda paper: paper.year)[:8]
    found = {frozenset(pair) for pair in random_pairs([], few, 20_000, seed=0)}
    assert len(random_pairs([], few, 20_000, seed=0)) == len(found) == 8 * 7 / 2


def test_the_threshold_is_that_of_its_share_of_random_pairs(library):
    since, before = dt.date(2015, 1, 1), dt.date(2024, 1, 1)
    found = asyncio.run(calibrate_threshold(library, since, before, 0.05, 0))
    stricter = asyncio.run(calibrate_threshold(library, since, before, 0.005, 0))
    assert 0.04 < found.passed_random <= 0.05
    assert stricter.threshold > found.threshold
    assert found.citing_pairs > 300
    assert found.passed_citing > found.passed_random
    assert found.separation > 0.6


@pytest.mark.slow
def test_a_library_without_citations_has_a_threshold_all_the_same(tmp_path):
    bare = [replace(entry, references=()) for entry in papers()]
    home = stock(tmp_path, bare)
    run = looked(home, task(given=given([idea_like(of_year(2018, "solar cells"), "solar cells")])))
    assert run.calibration.threshold is not None
    assert run.calibration.passed_citing is None
    assert any("No two papers of these years cite each other" in note for note in run.notes)


# Methods


def years_in(text):
    """Of the papers that a question shows."""
    return [entry.paper.year for entry in papers() if entry.paper.abstract in text]


def test_methods_read_nothing_from_the_cutoff_on_and_the_plain_prompt_nothing_at_all(home, serve):
    server = serve()
    run = looked(home, task(methods=("rag", PLAIN), plain=PLAIN.name, cutoffs=("2018", "2020")), server)
    assert {(each.cutoff, each.entry.entrant) for each in run.forecasts if each.entry.idea} == {
        (cutoff, name) for cutoff in ("2018", "2020") for name in ("rag", PLAIN.name)
    }
    newest = [max(years, default=0) for years in (years_in(asked.text) for asked in server.asked)]
    assert sum(0 < year <= 2018 for year in newest) == len(THEMES)
    assert sum(2018 < year <= 2020 for year in newest) == len(THEMES)
    plain = [year for year in newest if not year]
    assert len(plain) == len(THEMES), "one question for each topic: what reads nothing is the same under every cut-off"


def test_the_day_of_a_cutoff_reaches_the_method_whatever_it_was_given():
    method = Entrant(name="rag", method="rag", options={"papers": 3})
    options = options_for(method, cutoff_of("2019"))
    assert (options.before, options.papers, options.experiment) == (dt.date(2020, 1, 1), 3, False)


@pytest.mark.slow
def test_a_budget_stops_it_and_it_goes_on_without_asking_twice(home, serve):
    server = serve()
    what = task(methods=("rag",), cutoffs=("2018", "2020"))
    part = working(home, lambda place: start(FORESIGHT, place, what), server, budget_calls=4)
    assert "budget" in part.stopped
    looked_back = working(home, lambda place: replay(FORESIGHT, place, part.name), server)
    assert looked_back.sightings == part.sightings
    whole = working(home, lambda place: resume(FORESIGHT, place, part.name), server, budget_calls=100)
    assert (whole.stopped, len(whole.forecasts)) == ("", 6)
    assert server.answered == 6
    assert working(home, lambda place: replay(FORESIGHT, place, part.name), server) == whole
    assert server.answered == 6


@pytest.mark.slow
def test_a_method_that_fails_forfeits_and_is_reported(home, serve):
    run = looked(home, task(methods=("rag",)), serve(lambda asked: "I would rather not."))
    assert [each.entry.forfeit for each in run.forecasts] == ["The writer gave no usable idea."] * 3
    assert "rag generated no idea in 3 cases: The writer gave no usable idea." in run.notes


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "no method and no idea"),
        ({"methods": ("rag", "rag")}, "two methods"),
        ({"methods": ("rag",), "topics": ()}, "no topic"),
        ({"methods": ("rag",), "neighbours": 9, "pool": 8}, "9 nearest neighbours are more"),
        ({"methods": (Entrant(name=EARLIER, method="rag"),)}, "cannot be a name"),
    ],
)
def test_wrong_tasks_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        task(**wrong)


# Topics


def test_topics_are_drawn_from_fields_that_go_on_and_tell_nothing_of_any_paper(library):
    cutoffs = [cutoff_of("2018"), cutoff_of("2020")]
    drawn = [each.topic for each in draw_topics(library, cutoffs, 3, 3, 0)]
    assert sorted(drawn) == sorted(THEMES)
    assert [each.topic for each in draw_topics(library, cutoffs, 3, 2, 0)] == drawn[:2]
    with pytest.raises(BadInput, match="has 5 papers"):
        draw_topics(library, [cutoff_of("2030")], 3, 3, 0)


@pytest.mark.slow
def test_a_field_that_ends_or_begins_with_the_cutoff_is_no_topic(tmp_path):
    gone = {"dead field": "phlogiston aether humour calorimeter quintessence"}
    new = {"young field": "transformer token prompt alignment agent"}
    entries = [*papers(gone, range(2010, 2019)), *papers(new, range(2020, 2024)), *papers()]
    with Library.open(stock(tmp_path, entries) / "library") as library:
        drawn = {each.topic for each in draw_topics(library, [cutoff_of("2019")], 3, 50, 0)}
    assert set(THEMES) <= drawn
    assert not {"dead field", "young field"} & drawn


@pytest.mark.slow
def test_the_starter_library_has_topics_a_threshold_and_a_future(tmp_path, serve):
    with Library.open(tmp_path / "library") as library:
        install_starter(library)
        topics = [each.topic for each in draw_topics(library, [cutoff_of("2019")], 3, 12, 0)]
    what = task(topics=topics, cutoffs=("2019", "2020"), methods=("rag", PLAIN), plain=PLAIN.name, pool=50)
    run = looked(tmp_path, what, serve())
    assert run.calibration.citing_pairs > 1000
    assert 0.8 < run.calibration.separation < 1
    earlier = [each for each in run.sightings if each.by == EARLIER]
    own = np.mean([each.whole.similarity for each in earlier])
    assert own > np.mean([each.elsewhere.similarity for each in earlier]) + 0.05
    assert all(year.used for year in run.futures)


def test_a_study_of_another_version_is_an_error_and_not_a_crash(home):
    async def replayed(place):
        params = {"task": task(methods=("rag",)).model_dump(mode="json")}
        record = place.ledger.start_run("foresight", "of old", params)
        place.ledger.end_run(record.id, "finished", result='{"name": "of old"}')
        with pytest.raises(BadInput, match="written by another version"):
            await replay(FORESIGHT, place, record.id)

    working(home, replayed)
