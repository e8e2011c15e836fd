"""The report on foresight: its numbers against plain calculations, and its page against whatever ideas may hold."""

from __future__ import annotations

import csv
import datetime as dt
import random
from statistics import mean

import numpy as np
import pytest

from novum.benchmarks.foresight.records import (
    EARLIER,
    TOPIC,
    Closeness,
    ComparedItem,
    Cutoff,
    CutoffEntry,
    ForesightRun,
    FutureYear,
    NearPaper,
    ThresholdCalibration,
)
from novum.benchmarks.foresight.report import phrases as words
from novum.benchmarks.foresight.report.numbers import foresight_report
from novum.benchmarks.foresight.report.page import render_foresight_page, write_foresight_report
from novum.benchmarks.foresight.report.plots import gains_chart, plots, years_chart
from novum.benchmarks.foresight.report.records import ELSEWHERE
from novum.benchmarks.foresight.statistics import calibrate_cosines
from novum.core import Account, Idea
from novum.core.comparison import ArenaEntry, Entrant
from novum.statistics.records import Estimate

from .reading import Page

TOPICS = ("tides", "bees", "glass", "moss", "salt", "rust")
CUTOFFS = (Cutoff(label="2019", day=dt.date(2020, 1, 1)), Cutoff(label="2020", day=dt.date(2021, 1, 1)))
PLAIN = "plain prompt"
EVIL = "<script>alert(1)</script> =HYPERLINK(1)"
BLANK = '<svg width="9" height="9"></svg>'
"""In place of charts: drawing takes its time."""


def closeness(lot, level):
    value = level + lot.random() / 10
    return Closeness(similarity=value, hit=float(value > 0.5))


def seen(lot, cutoff, topic, by, level, kind="idea", title="An idea"):
    own = [closeness(lot, level) for _ in range(3)]
    other = [closeness(lot, 0.1) for _ in range(3)]
    near = NearPaper(paper_id="paper-1", title=f"After {title}", published="2021-12-31", similarity=0.7)
    return ComparedItem(
        cutoff=cutoff, topic=topic, by=by, kind=kind, title=title, whole=own[0], years=tuple(own[1:]),
        elsewhere=other[0], elsewhere_years=tuple(other[1:]), nearest=(near,),
    )  # fmt: skip


def study(topics=TOPICS, title="An idea", made_by="ours", **more):
    """Two cut-offs, two years after each; what was read helps by 0.2 over the plain prompt."""
    lot = random.Random(5)
    sightings = []
    for cutoff in CUTOFFS:
        for topic in topics:
            sightings.append(seen(lot, cutoff.label, topic, made_by, 0.55, title=title))
            sightings.append(seen(lot, cutoff.label, topic, PLAIN, 0.35))
            sightings += [seen(lot, cutoff.label, topic, EARLIER, 0.5, "earlier") for _ in range(3)]
            sightings.append(seen(lot, cutoff.label, topic, TOPIC, 0.3, "topic", topic))
    futures = [
        FutureYear(
            cutoff=each.label, year=year, since=each.day.replace(year=each.day.year + year - 1),
            before=each.day.replace(year=each.day.year + year), papers=90, used=True,
        )
        for each in CUTOFFS
        for year in (1, 2)
    ]  # fmt: skip
    lost = ArenaEntry(topic=topics[0], entrant=made_by, forfeit="It came to nothing.")
    chance = [lot.random() / 2 for _ in range(200)]
    given = {
        "name": "study", "cutoffs": CUTOFFS, "horizon": 2, "neighbours": 5, "pool": 50, "pool_used": 18, "earlier": 3,
        "topics": topics, "methods": (Entrant(name=made_by, method="rag"), Entrant(name=PLAIN, method="plain")),
        "plain": PLAIN, "library": "900 papers", "futures": tuple(futures), "sightings": tuple(sightings),
        "calibration": calibrate_cosines(np.array(chance), np.array([0.6, 0.7, 0.3]), 0.01),
        "forecasts": (CutoffEntry(cutoff="2019", entry=lost),),
        "account": Account(
            run_id="study", novum_version="1", started="2026-01-02T03:04:05+00:00", seconds=3.0,
            models={"writer": "a-writer", "reader": "a-reader"},
        ),
    }  # fmt: skip
    return ForesightRun(**(given | more))


RUN = study()
REPORT = foresight_report(RUN, draws=200)


def line(report, name):
    return next(each for each in report.standings if each.name == name)


def values(by, look, cutoff=""):
    """By cut-off and topic the mean over what was seen there."""
    cells = {}
    for each in RUN.sightings:
        if each.by == by and cutoff in {"", each.cutoff}:
            cells.setdefault((each.cutoff, each.topic), []).append(look(each))
    return {place: mean(found) for place, found in cells.items()}


def test_similarity_and_hits_are_means_over_topics_and_cutoffs():
    for name in ("ours", PLAIN, EARLIER, TOPIC):
        told = line(REPORT, name)
        assert told.closeness.similarity.value == pytest.approx(
            mean(values(name, lambda e: e.whole.similarity).values())
        )
        assert told.closeness.hits.value == pytest.approx(mean(values(name, lambda e: e.whole.hit).values()))
        assert told.closeness.similarity.low <= told.closeness.similarity.value <= told.closeness.similarity.high
        for cutoff in ("2019", "2020"):
            found = told.by_cutoff[cutoff].similarity.value
            assert found == pytest.approx(mean(values(name, lambda e: e.whole.similarity, cutoff).values()))
        chance = mean(values(name, lambda e: e.elsewhere.hit).values())
        assert told.elsewhere.hits.value == pytest.approx(chance)
    assert (line(REPORT, "ours").ideas, line(REPORT, "ours").missing, line(REPORT, EARLIER).ideas) == (12, 1, 36)


def test_gains_are_paired_by_cutoff_and_topic():
    own = values("ours", lambda each: each.whole.similarity)
    for name in (EARLIER, PLAIN, TOPIC):
        other = values(name, lambda each: each.whole.similarity)
        found = line(REPORT, "ours").gains[name].similarity
        assert found.value == pytest.approx(mean(own[place] - other[place] for place in own))
    elsewhere = values("ours", lambda each: each.elsewhere.similarity)
    found = line(REPORT, "ours").gains[ELSEWHERE].similarity
    assert found.value == pytest.approx(mean(own[place] - elsewhere[place] for place in own))
    assert line(REPORT, "ours").gains[PLAIN].similarity.low > 0
    assert PLAIN not in line(REPORT, PLAIN).gains


def test_a_point_for_each_year_after_each_cutoff_as_in_the_papers_figure():
    points = line(REPORT, "ours").points
    assert [(each.cutoff, each.year, each.calendar) for each in points] == [
        ("2019", 1, "2020"), ("2019", 2, "2021"), ("2020", 1, "2021"), ("2020", 2, "2022"),
    ]  # fmt: skip
    for point in points:
        at = point.year - 1
        own = values("ours", lambda each, at=at: each.years[at].similarity, point.cutoff)
        earlier = values(EARLIER, lambda each, at=at: each.years[at].similarity, point.cutoff)
        assert point.closeness.similarity.value == pytest.approx(mean(own.values()))
        assert point.over_earlier.similarity.value == pytest.approx(mean(own[place] - earlier[place] for place in own))
    assert line(REPORT, EARLIER).points[0].over_earlier.similarity.value is None


def test_the_order_of_topics_and_sightings_changes_nothing():
    turned = RUN.model_copy(update={"topics": RUN.topics[::-1], "sightings": RUN.sightings[::-1]})
    assert foresight_report(turned, draws=200).standings == REPORT.standings


@pytest.fixture(scope="module")
def page():
    return Page(render_foresight_page(REPORT, {plot.name: BLANK for plot in plots(REPORT)}))


def test_the_page_names_the_models_that_may_know_the_future(page):
    assert "may still know the future from training: a-writer, a-reader." in page.text
    given = RUN.model_copy(update={"methods": (Entrant(name="ours"),), "plain": ""})
    (said,) = words.prior_knowledge(given)
    assert said.startswith("ours: these ideas were given.")


def test_the_page_shows_the_threshold_the_years_and_every_idea(page):
    assert "pairs that cite each other" in page.text
    assert "After An idea" in page.text
    assert page.text.count("literature up to 2019") == 12
    assert [plot.name for plot in plots(REPORT)] == ["gains", "years-1", "years-2", "years-3", "threshold"]
    assert words.headline(REPORT).startswith("2 methods on 6 topics, 2 cut-offs, 2 years after each. ours has")


@pytest.mark.slow
def test_foreign_words_stay_words_on_the_page_and_in_tables(tmp_path):
    evil = foresight_report(study((EVIL, *TOPICS[1:]), EVIL, made_by="=evil"), draws=0)
    html = render_foresight_page(evil, {plot.name: BLANK for plot in plots(evil)})
    assert "<script" not in html
    files = write_foresight_report(evil, tmp_path)
    with next(file for file in files.others if file.name == "ideas.csv").open() as opened:
        cells = [cell for row in csv.reader(opened) for cell in row]
    assert not [cell for cell in cells if cell.startswith("=")]
    assert all("<script" not in file.read_text() for file in files.others if file.suffix == ".svg")


def test_a_study_without_anything_to_compare_is_reported_all_the_same():
    empty = study(
        sightings=(), calibration=ThresholdCalibration(false_positives=0.01), forecasts=(), account=None, plain=""
    )
    report = foresight_report(empty)
    html = render_foresight_page(report)
    assert "No idea could be compared with the future." in html
    assert "No threshold could be set" in html
    assert plots(report) == ()
    assert line(report, "ours").closeness.similarity.value is None
    assert next(iter(words.rows(report)))[:3] == ("ours", "0", words.NONE)


def test_an_idea_is_a_record_that_can_be_read_back():
    idea = Idea(topic="t", title="x", motivation="", novelty="", method="", summary="")
    run = study(forecasts=(CutoffEntry(cutoff="2019", entry=ArenaEntry(topic="tides", entrant="ours", idea=idea)),))
    assert ForesightRun.model_validate_json(run.model_dump_json()) == run


def spans(drawable):
    """The ends of every axis that a chart sets, as (channel, low, high)."""
    found = []

    def look(part):
        if isinstance(part, dict):
            axes = [(each, part[each].get("scale") or {}) for each in ("x", "y") if isinstance(part.get(each), dict)]
            found.extend((channel, *scale["domain"]) for channel, scale in axes if "domain" in scale)
            for each in part.values():
                look(each)
        if isinstance(part, list):
            for each in part:
                look(each)

    look(drawable.to_dict())
    return found


def test_a_small_step_looks_small():
    """Similarity and hits are drawn from 0 to 1, as in the paper's figure, and gains to both sides of none."""
    level = {(low, high) for channel, low, high in spans(years_chart(line(REPORT, "ours"))) if channel == "y"}
    assert (0.0, 1.0) in level
    assert all(low <= -0.05 and high >= 0.05 for low, high in level - {(0.0, 1.0)})
    gains = [ends for channel, *ends in spans(gains_chart(REPORT.methods, [EARLIER, TOPIC])) if channel == "x"]
    assert gains
    assert all(low <= -0.05 and high >= 0.05 for low, high in gains)


@pytest.mark.parametrize(
    ("gain", "sentence"),
    [
        (
            Estimate(value=0.1, low=0.05, high=0.2),
            "0.100 more than earlier papers on the same topics, 95% interval +0.050 to +0.200.",
        ),
        (
            Estimate(value=-0.1, low=-0.2, high=0.01),
            "0.100 less than earlier papers on the same topics, which may be chance (95% interval −0.200 to +0.010).",
        ),
        (Estimate(value=0.1), "on too few topics for an interval."),
    ],
)
def test_the_first_sentence_claims_no_more_than_there_is(gain, sentence):
    own = line(REPORT, "ours")
    gains = own.gains | {EARLIER: own.gains[EARLIER].model_copy(update={"similarity": gain})}
    report = REPORT.model_copy(update={"standings": (own.model_copy(update={"gains": gains}),)})
    assert sentence in words.headline(report)


def test_a_method_is_called_nearest_only_where_the_difference_to_the_others_is_clear():
    assert "ours has the highest similarity to what was published later" in words.headline(REPORT)
    assert "cannot be distinguished" not in words.headline(REPORT)
    by_two = study(methods=tuple(Entrant(name=name, method="rag") for name in ("ours", "theirs")), plain="")
    both = [
        each.model_copy(update={"by": name, "whole": closeness(lot, 0.5)})
        for name, lot in (("ours", random.Random(1)), ("theirs", random.Random(2)))
        for each in by_two.sightings
        if each.by == "ours"
    ]
    others = [each for each in by_two.sightings if each.kind != "idea"]
    sentence = words.headline(foresight_report(by_two.model_copy(update={"sightings": (*both, *others)}), draws=200))
    assert "ours and theirs cannot be distinguished on these topics: " in sentence or (
        "theirs and ours cannot be distinguished on these topics: " in sentence
    )
    assert "less, which may be chance (95% interval −" in sentence


def test_few_topics_have_no_intervals_and_none_are_spoken_of():
    few = foresight_report(study(TOPICS[:3]), draws=50)
    assert line(few, "ours").closeness.similarity.low is None
    assert not [plot.name for plot in plots(few) if "95%" in plot.caption]
    assert [plot.name for plot in plots(REPORT) if "95%" in plot.caption] == ["gains", "years-1", "years-2", "years-3"]
