"""The report on scored ideas: where each stands, the mean of a set, one page that nothing in an idea can turn."""

from __future__ import annotations

import csv
import datetime as dt
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from novum.core.scorecard import Composite, PartScore, Scorecard, Subject
from novum.errors import BadInput
from novum.idea_metrics.dissimilarity import NeighbourPaper, Novelty, NoveltyMeasure
from novum.idea_metrics.report import phrases as words
from novum.idea_metrics.report.files import render_scoring_page, scores_csv, write_scoring_report
from novum.idea_metrics.report.numbers import MOST_RESAMPLED, in_order, mean, scoring_report
from novum.idea_metrics.report.plots import elbow_plot, plots
from novum.idea_metrics.report.records import MeasureInfo, ScoredIdea, ScoringReport
from novum.reports.charts.drawing import svg
from novum.statistics.records import NO_ESTIMATE
from tests.reports.reading import Page
from tests.reports.test_hostile import POISONS, faults

MEASURE = MeasureInfo(
    name="default", made="2026-05-02T14:05:00+00:00", papers=1027, years=(1990, 2025), embedder="static",
    originality="corrected",
)  # fmt: skip
NOT_DRAWN = {"parts": '<svg width="9" height="9"></svg>'}
"""In place of the chart where it is not this that matters: drawing takes its time."""


def scored(title, creativity, readability=0.5, text="It is tried on two sets.", why="so many words"):
    parts = {
        "originality": PartScore(name="originality", raw=creativity, scaled=creativity, why="0.82 from the nearest"),
        "readability": PartScore(name="readability", raw=None, why="it has no words")
        if readability is None
        else PartScore(name="readability", raw=100 * readability, scaled=readability, why=why),
    }
    index = Composite(value=creativity, weights={"originality": 1.0}, missing=("feasibility", "impact"))
    card = Scorecard(
        subject=Subject(title=title, text=text, topic="on a topic"), parts=parts, creativity=index,
        creativity_published=index, creativity_corrected=index,
        satisfaction=Composite(value=readability, weights={"readability": 1.0} if readability is not None else {}),
        combined=None if readability is None else 0.638 * creativity + 0.176 * readability,
    )  # fmt: skip
    return ScoredIdea(card=card)


IDEAS = [scored("Second", 0.5, 0.2), scored("Unread", 0.1, None), scored("First", 0.9, 0.8)]
REPORT = scoring_report(MEASURE, IDEAS)
HTML = render_scoring_page(REPORT, NOT_DRAWN)
PAGE = Page(HTML)


def titles(ideas):
    return [each.card.subject.title for each in ideas]


# -- numbers ----------------------------------------------------------------------------------------------------------


def test_ideas_can_be_sorted_the_best_first_and_what_is_not_known_last():
    assert titles(REPORT.ideas) == ["Second", "Unread", "First"]
    assert titles(in_order(IDEAS, "readability")) == ["First", "Second", "Unread"]
    assert titles(in_order(IDEAS, "combined")) == ["First", "Second", "Unread"]
    assert titles(scoring_report(MEASURE, IDEAS, sort="creativity").ideas) == ["First", "Second", "Unread"]


def test_a_mean_is_over_what_is_known_and_has_an_interval_from_two_on():
    known = REPORT.means["readability"]
    assert known.value == pytest.approx(0.5)
    assert 0.2 <= known.low < known.value < known.high <= 0.8
    assert mean([None, 0.3]).value == 0.3
    assert mean([None, 0.3]).low is None
    assert mean([None]) == NO_ESTIMATE


def test_the_interval_of_very_many_ideas_is_as_wide_as_that_of_drawing_them_anew():
    values = np.random.default_rng(3).uniform(size=MOST_RESAMPLED + 1)
    many, fewer = mean(values), mean(values[:-1])
    assert many.high - many.low == pytest.approx(fewer.high - fewer.low, rel=0.1)


def test_a_report_can_be_read_back():
    assert ScoringReport.model_validate_json(REPORT.model_dump_json()) == REPORT


# -- the page ---------------------------------------------------------------------------------------------------------


def test_a_page_of_one_idea_tells_each_part_where_it_stands_and_why():
    page = Page(render_scoring_page(scoring_report(MEASURE, IDEAS[2:])))
    assert page.faults == []
    for text in (
        "First", "On on a topic", "0.900", "better than 80%", "80.0", "so many words", "0.82 from the nearest",
        "without feasibility and potential impact, their weights shared among the others", "4.00 of 5",
        "to 1,027 papers of 1990 to 2025", "No language model was used",
    ):  # fmt: skip
        assert text in page.words, text
    assert [style for style in page.values("style") if "--share" in style] == ["--share:0.9000", "--share:0.8000"]


def test_a_page_of_several_lists_them_with_their_mean_and_tells_what_is_missing():
    assert PAGE.faults == []
    assert "3 ideas, on average with 95% intervals: Creativity Index 0.500" in PAGE.words
    assert "Mean of 3" in PAGE.words
    assert "it has no words" in PAGE.words
    assert "unknown" in PAGE.words


def test_links_lead_somewhere_and_nothing_is_loaded():
    assert {address[1:] for address in PAGE.values("href")} <= set(PAGE.values("id"))
    assert all(address.startswith("data:image/svg+xml;base64,") for address in PAGE.values("src"))
    policy = next(text for text in PAGE.values("content") if "default-src" in text)
    assert "script-src" not in policy
    assert "script" not in PAGE.tags


def test_novelty_stands_beside_the_parts_with_the_papers_it_was_measured_against():
    near = NeighbourPaper(
        paper_id="paper-1", title="A near one", year=2021, similarity=0.31, citations=4, relative_citations=1.2
    )
    novelty = Novelty(
        subject=IDEAS[0].card.subject, day=dt.date(2026, 1, 1), historical=NoveltyMeasure(value=1.194, percentile=27.0),
        earlier=(near,), compared_with="55 papers of 2024", notes=("The library holds no later paper.",),
    )  # fmt: skip
    page = Page(render_scoring_page(scoring_report(MEASURE, [IDEAS[0].model_copy(update={"novelty": novelty})])))
    assert page.faults == []
    for text in ("beside 55 papers of 2024", "1.194", "above 27%", "A near one 2021, cosine 0.31", "no later paper"):
        assert text in page.words, text


@pytest.mark.parametrize("poison", POISONS.values(), ids=POISONS)
def test_nothing_an_idea_says_can_act(poison):
    report = scoring_report(
        MEASURE.model_copy(update={"name": poison}),
        [scored(poison, 0.3, text=poison, why=poison), scored("", 0.4, text=poison)],
        left_out=[poison],
    )
    html = render_scoring_page(report, NOT_DRAWN)
    assert faults(html) == faults(HTML)  # which holds our own chart, and nothing else of the kind


def test_an_idea_without_a_title_is_named_by_its_words_and_one_without_either_is_reported():
    assert words.label(scored("", 0.1, text="**Bold** words of it").card) == "Bold words of it"
    assert words.label(scored(" ", 0.1, text=" ").card) == "(no words)"


def test_a_page_of_very_many_ideas_stays_short_and_points_to_the_files():
    page = Page(render_scoring_page(REPORT, NOT_DRAWN, explained=1, listed=2))
    assert "The first 2 of 3; all are in scores.csv." in page.words
    assert "The first 1; all are in report.json." in page.words
    assert page.tags.count("article") == 1
    assert {address[1:] for address in page.values("href")} <= set(page.values("id"))


# -- charts and files -------------------------------------------------------------------------------------------------


def test_the_chart_of_a_set_holds_a_tick_for_each_known_number():
    (chart,) = plots(REPORT)
    assert "Originality, as printed 50% on average; Readability 50% on average" in chart.says
    ticks, means = chart.specification["datasets"].values()
    assert (len(ticks), len(means)) == (3 + 2, 2)
    assert plots(scoring_report(MEASURE, IDEAS[:1])) == ()


@pytest.mark.parametrize(("knee", "text"), [(30, "The knee lies at 30 clusters."), (None, "The curve has no knee.")])
def test_the_plot_of_a_search_marks_the_knee_that_was_found(knee, text):
    plot = elbow_plot([(10, 900.0), (30, 300.0), (90, 200.0)], knee)
    sampled = svg(plot)
    assert ET.fromstring(sampled).tag.endswith("svg")
    assert (f"knee: {knee}" in sampled) == (knee is not None)
    assert text in plot.caption


def test_the_folder_holds_the_page_the_data_the_table_and_the_chart(tmp_path):
    files = write_scoring_report(REPORT, tmp_path / "report")
    assert files.html.name == "report.html"
    assert ScoringReport.model_validate_json(files.json.read_text()) == REPORT
    rows = list(csv.DictReader((tmp_path / "report" / "scores.csv").read_text().splitlines()))
    assert [(row["title"], row["creativity"], row["readability_scaled"]) for row in rows] == [
        ("Second", "0.5", "0.2"),
        ("Unread", "0.1", ""),
        ("First", "0.9", "0.8"),
    ]
    assert {each.name for each in files.others} == {"scores.csv", "parts.svg", "parts.png"}


def test_no_title_becomes_a_formula():
    table = scores_csv([scored("=HYPERLINK(1)", 0.1)])
    assert table.splitlines()[1].startswith("'=HYPERLINK(1),")


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_scoring_report(scoring_report(MEASURE, IDEAS[:1]), tmp_path / "file")
