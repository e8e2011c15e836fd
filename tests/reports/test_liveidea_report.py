"""The report on a LiveIdeaBench run: the numbers are the run's, the charts show them, and foreign text stays text."""

from __future__ import annotations

import base64
import csv
import json
import re
import shutil
import xml.etree.ElementTree as ET
from functools import cache

import numpy as np
import pytest

from novum.benchmarks.liveidea.idea_distances import Distances
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.report import phrases as words
from novum.benchmarks.liveidea.report.numbers import families, liveidea_report
from novum.benchmarks.liveidea.report.page import leaderboard_csv, render_liveidea_page, write_liveidea_report
from novum.benchmarks.liveidea.report.plots import plots
from novum.benchmarks.liveidea.report.records import LiveIdeaReport, places
from novum.benchmarks.liveidea.statistics.columns import judgements_of
from novum.benchmarks.liveidea.statistics.scores import score_models
from novum.errors import BadInput
from novum.reports.charts.drawing import interactive_page, script_hash, svg
from novum.statistics.records import NO_ESTIMATE, Estimate

from .liveidea_sample import JUDGES, LOST, MODELS, by_another_panel, sample_run, with_anchors, with_papers
from .reading import Page
from .test_browser import CHROMIUM, FLAGS, OPEN_ALL

RUN = sample_run()
OUTSIDE = {"acme/alpha": 71.0, "acme/beta": 66.0, "borealis/gamma": 69.0, "delta": 50.0}
REPORT = liveidea_report(RUN, draws=60, outside=OUTSIDE, outside_name="General knowledge")
PLOTS = {plot.name: plot for plot in plots(REPORT)}
EVIL = (
    '</script><script>document.title="owned"</script><img src="https://evil.example/x.png" onerror=alert(1)>'
    "\u202e{{ 7 * 7 }}"
)


@cache
def drawn():
    """The charts. Drawing takes its time, and only who runs these tests should wait for it."""
    return {name: svg(plot) for name, plot in PLOTS.items()}


@cache
def the_html():
    return render_liveidea_page(REPORT, drawn())


@cache
def the_page():
    return Page(the_html())


def values(name: str) -> list[dict[str, object]]:
    """All rows of data in a chart."""
    return [row for rows in PLOTS[name].specification["datasets"].values() for row in rows]


def evil_run() -> LiveIdeaRun:
    """A small sample with poison in every name and text of it."""
    text = with_papers(with_anchors(sample_run(keywords=3)), {}).model_dump_json()
    poison = json.dumps(EVIL)[1:-1]
    keywords = [f"keyword {n}" for n in reversed(range(24))]
    for clean in (*MODELS, *JUDGES, *keywords, "physics", LOST, "no credit", "set-1"):
        text = text.replace(f'"{clean}"', f'"{clean}{poison}"')
    return LiveIdeaRun.model_validate_json(text.replace("**Idea 0**", f"**Idea 0** {poison}"))


def report_of_evil(draws: int = 0) -> LiveIdeaReport:
    """With every section that a report can have."""
    run = evil_run()
    distances = Distances(EVIL, np.linspace(0, 1, 3 * len(MODELS)).reshape(3, -1))
    other, unlinked = by_another_panel(run, 0.5, 3, name=f"other{EVIL}"), {"name": EVIL, "anchors": EVIL}
    others = [other, run.model_copy(update=unlinked)]
    return liveidea_report(run, draws=draws, linked_to=others, distances=distances)


def test_the_leaderboard_is_that_of_the_judgements_best_first():
    expected = {each.model: each for each in score_models(judgements_of(RUN), draws=60)}
    assert [each.model for each in REPORT.leaderboard] == sorted(
        expected, key=lambda model: -expected[model].average.value
    )
    assert all(each == expected[each.model] for each in REPORT.leaderboard)


def test_models_are_ranked_only_as_far_as_the_keywords_distinguish_them():
    first, second = REPORT.leaderboard[:2]
    assert first.behind == NO_ESTIMATE
    assert second.behind.value == pytest.approx(second.average.value - first.average.value)
    sentence = f"{first.model} has the highest average; that of {second.model} is "
    assert sentence in words.headline(REPORT)
    near = second.model_copy(update={"behind": Estimate(value=-0.1, low=-0.3, high=0.05)})
    assert words.standing((first, near)) == (
        f"{first.model} and {second.model} cannot be distinguished on these keywords: {sentence}0.10 lower "
        "(−0.30 to +0.05)."
    )
    clear = second.model_copy(update={"behind": Estimate(value=-0.4, low=-0.6, high=-0.2)})
    assert words.standing((first, clear)) == (
        f"{sentence}0.40 lower (−0.60 to −0.20), more than chance between keywords explains."
    )


def test_one_keyword_has_no_interval():
    alone = liveidea_report(sample_run(keywords=1), draws=40)
    assert all(each.average.low is None for each in alone.leaderboard)
    assert "how certain that is, is not known." in words.headline(alone)


def test_without_severity_the_models_stand_in_the_same_order_for_comparison():
    assert [each.model for each in REPORT.corrected] == [each.model for each in REPORT.leaderboard]
    assert REPORT.comparisons[0].pairs[0].here == REPORT.leaderboard[0].average
    assert REPORT.comparisons[0].pairs[0].there == REPORT.corrected[0].average


def test_severe_and_mild_judges_are_distinguished():
    severity = {each.judge: each.severity.value for each in REPORT.audit[0].judges}
    assert max(severity, key=severity.get) == "severe-judge"
    assert min(severity, key=severity.get) == "mild-judge"


def test_a_discipline_is_the_mean_of_its_whole_keywords():
    cells = {(each.model, each.discipline): each for each in REPORT.disciplines}
    assert len(cells) == len(MODELS) * 4
    assert cells["acme/alpha", "physics"].keywords == 6
    assert cells["acme/alpha", "physics"].score > cells["epsilon-mini", "physics"].score


def test_refusals_are_counted_by_both_ways_of_matching():
    found = {each.model: each for each in REPORT.ideas}
    assert found["delta"].first_refused == found["delta"].fates["refused"] > 0
    assert (found["acme/beta"].first_refused, found["acme/beta"].first_refused_as_released) == (0, 48)


def test_failures_are_reported_by_model_with_the_last_example():
    told = {(each.model, each.role, each.what): each for each in REPORT.failures}
    assert told["epsilon-mini", "ideas", "too long"].times == 7
    assert "I cannot help with that" in told["delta", "ideas", "refused"].example
    assert "seven out of ten" in told["mild-judge", "judging", LOST].example


def test_examples_come_from_the_top_and_from_the_bottom():
    best, worst = [each.quality for each in REPORT.best], [each.quality for each in REPORT.worst]
    assert best == sorted(best, reverse=True)
    assert worst == sorted(worst)
    assert min(best) > max(worst)


def test_with_few_ideas_none_is_shown_both_as_best_and_as_worst():
    report = liveidea_report(sample_run(keywords=1), draws=0, examples=7)
    shown = [(each.model, each.keyword, each.idea) for each in (*report.best, *report.worst)]
    assert len(shown) == len(set(shown)) <= 10


def test_a_run_without_anything_still_gives_a_page():
    empty = LiveIdeaRun(name="empty", models=(), keywords=())
    report = liveidea_report(empty, draws=0)
    assert plots(report) == ()
    assert "No model was measured." in Page(render_liveidea_page(report)).words


def test_a_model_whose_ideas_nobody_judged_is_listed_without_scores():
    bare = RUN.model_copy(update={"judgements": tuple(each for each in RUN.judgements if each.model != "delta")})
    report = liveidea_report(bare, draws=0)
    assert report.leaderboard[-1].model == "delta"
    assert report.leaderboard[-1].average.value is None
    assert "delta" in Page(render_liveidea_page(report, drawn())).words


def test_every_plot_that_the_run_has_numbers_for_is_there():
    assert list(PLOTS) == [
        "ranking", "originality", "feasibility", "clarity", "fluency", "flexibility", "disciplines", "trade-off",
        "quality-by-model", "score-distribution", "clarity-relations", "lengths", "length-quality", "refusals",
        "outside", "severity",
    ]  # fmt: skip


def test_the_ranking_shows_each_average_with_its_interval():
    shown = {row["model"]: row for row in values("ranking")}
    for each in REPORT.leaderboard:
        assert (shown[each.model]["low"], shown[each.model]["high"]) == (each.average.low, each.average.high)


def test_the_honeycombs_hold_every_judged_idea():
    judged = sum(each.fates.get("judged", 0) for each in REPORT.ideas)
    for found in REPORT.length_quality:
        assert found.r.n <= judged
        assert sum(cell.count for cell in found.hexagons) == found.r.n


def test_the_outside_benchmark_is_fitted_over_the_models_that_both_know():
    assert REPORT.outside.r.n == 4
    assert REPORT.outside.unmatched == ("epsilon-mini",)
    assert "N = 4" in PLOTS["outside"].says


@pytest.mark.parametrize("name", PLOTS)
def test_each_chart_is_an_image_that_draws_and_holds_no_script(name):
    root = ET.fromstring(drawn()[name])
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert float(root.get("width")) > 200
    assert not tags & {"script", "foreignObject", "image", "use"}


def test_the_page_loads_nothing_and_allows_its_own_script_alone():
    policy = next(text for text in the_page().values("content") if "default-src" in text)
    (script,) = re.findall(r"<script>(.*?)</script>", the_html(), re.DOTALL)
    assert f"script-src '{script_hash(script)}'" in policy
    assert all(address.startswith("data:image/svg+xml;base64,") for address in the_page().values("src"))
    assert {address[0] for address in the_page().values("href")} == {"#"}
    assert the_page().faults == []


def test_the_page_tells_protocol_panel_failures_and_what_is_unknown():
    for sentence in (
        "5 models on 24 keywords of 4 disciplines",
        "2 for each keyword and model; over 200 words excluded",
        "24, list of 2026-11-01",
        "acme/judge-three: acme has 2 judges already",
        "4 judges of 10 wanted",
        "mild-judge: no credit",
        "unknown(footprint of 60 calls unknown)",
        "The judge mild-judge was lost in the middle.",
        "Scored highest",
        "Scored lowest",
    ):
        assert sentence in the_page().words, sentence


def test_every_image_says_in_words_what_it_shows():
    said = [attributes.get("alt", "") for tag, attributes in the_page().elements if tag == "img"]
    assert len(said) == len(PLOTS)
    assert all(len(each) > 20 for each in said)


def test_every_link_within_the_page_leads_somewhere():
    assert {address[1:] for address in the_page().values("href")} <= set(the_page().values("id"))


@pytest.fixture(scope="module")
def evil_report():
    return report_of_evil()


@pytest.fixture(scope="module")
def evil_drawn(evil_report):
    return {plot.name: svg(plot) for plot in plots(evil_report)}


@pytest.mark.slow
def test_evil_names_and_ideas_cannot_act_on_the_page(evil_report, evil_drawn):
    page = Page(render_liveidea_page(evil_report, evil_drawn))
    assert page.faults == []
    assert page.tags.count("script") == 1
    assert not [name for name in page.attributes if name.startswith("on")]
    assert all(address.startswith("data:image/svg+xml;base64,") for address in page.values("src"))
    assert "\u202e" not in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert "acme/alpha</script>" in page.text
    for section in ("comparison-2", "others", "diversity"):
        assert section in page.values("id")


@pytest.mark.slow
def test_evil_names_cannot_act_in_a_chart(evil_report, evil_drawn):
    for drawn in evil_drawn.values():
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(drawn).iter()}
        assert not tags & {"script", "img", "image"}
    page = Page(interactive_page(plots(evil_report), EVIL))
    assert page.tags.count("script") == 2
    assert page.tags.count("img") == 0


def test_the_page_with_charts_to_hover_needs_no_server_and_allows_one_script_by_its_hash():
    html = interactive_page(tuple(PLOTS.values()), "Charts")
    (script,) = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    assert f"script-src '{script_hash(script)}'" in html
    assert len(json.loads(re.search(r'id="charts">(.*?)</script>', html, re.DOTALL)[1])) == len(PLOTS)
    assert not Page(html).values("src")


def test_a_report_is_a_folder_with_page_numbers_and_charts(tmp_path):
    small = REPORT.model_copy(
        update={"disciplines": (), "outside": None, "length_quality": (), "comparisons": (), "ideas": ()}
    )
    files = write_liveidea_report(small, tmp_path / "new" / "report")
    assert LiveIdeaReport.model_validate_json(files.json.read_bytes()) == small
    assert files.html.read_text("utf-8").startswith("<!doctype html>")
    assert (tmp_path / "new/report/charts/ranking.png").read_bytes().startswith(b"\x89PNG")
    assert ET.parse(tmp_path / "new/report/charts/ranking.svg").getroot().tag.endswith("svg")
    assert not list(tmp_path.rglob(".*"))


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path):
    (tmp_path / "taken").write_text("mine")
    small = liveidea_report(LiveIdeaRun(name="empty", models=(), keywords=()), draws=0)
    with pytest.raises(BadInput, match=r"cannot be written to .*taken.*no model call"):
        write_liveidea_report(small, tmp_path / "taken")


def test_the_leaderboard_as_csv_has_all_scores_and_obeys_no_formula():
    evil = RUN.model_copy(update={"name": "x"})
    text = evil.model_dump_json().replace('"delta"', '"=HYPERLINK(1)"')
    rows = list(
        csv.DictReader(leaderboard_csv(liveidea_report(LiveIdeaRun.model_validate_json(text), draws=0)).split("\n"))
    )
    assert [row["model"] for row in rows if "HYPERLINK" in row["model"]] == ["'=HYPERLINK(1)"]
    assert {float(row["average"]) > 1 for row in rows} == {True}


def test_the_same_run_and_seed_give_the_same_report():
    assert liveidea_report(RUN, draws=60, outside=OUTSIDE, outside_name="General knowledge") == REPORT


def test_the_protocol_is_the_one_that_was_used_and_is_left_out_where_it_is_not_known():
    released = RUN.model_copy(update={"protocol": RUN.protocol.model_copy(update={"as_released": True})})
    published, as_released = (dict(words.protocol(liveidea_report(run, draws=0))) for run in (RUN, released))
    assert "over 200 words excluded" in published["Ideas"]
    assert "over 199 words excluded" in as_released["Ideas"]
    assert "inside words too" in as_released["Refusals"]
    theirs = RUN.model_copy(update={"account": None, "began": "", "panel": ()})
    assert "Seed of the draws" not in dict(words.protocol(liveidea_report(theirs, draws=0)))


def test_families_come_from_the_panels_ranking_or_from_the_name():
    assert families(["acme/alpha", "openrouter:acme/beta", "delta"], RUN) == ("acme", "acme", "")
    served = [
        "openai:gpt",
        "openrouter:openai/o1",
        "mistral:large",
        "together:mistralai/small",
        "ollama:llama3.3",
        "ollama:qwen3",
    ]
    assert families(served, RUN) == ("open", "open", "mistral", "mistral", "", ""), "a host makes no family"


def test_equal_scores_share_the_better_place():
    assert places([("a", 3.0), ("b", 5.0), ("c", 3.0), ("d", None), ("e", 1.0)]) == {
        "a": 2, "b": 1, "c": 2, "d": None, "e": 4,
    }  # fmt: skip


def test_the_drawn_image_in_the_page_is_the_chart():
    addresses = the_page().values("src")
    assert base64.b64decode(addresses[0].partition(",")[2]).decode() == drawn()["ranking"]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
@pytest.mark.parametrize("width", [380, 1300])
def test_in_a_browser_nothing_is_cut_off_or_fetched_and_the_leaderboard_sorts(tmp_path, width):
    playwright = pytest.importorskip("playwright.sync_api")
    files = write_liveidea_report(report_of_evil(draws=20), tmp_path)
    asked: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(files.html.as_uri())
        page.evaluate(OPEN_ALL)
        seen = page.evaluate("document.documentElement.scrollWidth")
        page.click("#leaderboard th:nth-child(4) button")
        column = page.eval_on_selector_all(
            "#leaderboard tbody tr", "rows => rows.map(row => Number(row.cells[3].dataset.v))"
        )
        title = page.title()
        page.goto((tmp_path / "charts.html").as_uri())
        page.wait_for_selector("#chart-0 svg")
        browser.close()
    assert seen <= width
    assert column == sorted(column, reverse=True)
    assert title != "owned"
    assert {address.partition(":")[0] for address in asked} <= {"file", "data"}


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_on_paper_no_table_is_cut_no_arrow_is_printed_and_everything_is_unfolded(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    files = write_liveidea_report(report_of_evil(draws=20), tmp_path)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 690, "height": 1000})  # A4 within its margins, at 96 dpi
        page.emulate_media(media="print")
        page.goto(files.html.as_uri())
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        folded = page.evaluate("document.querySelectorAll('details:not([open])').length")
        wide = page.evaluate("document.documentElement.scrollWidth")
        cut = page.eval_on_selector_all(
            ".scroll, .canvas", "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth + 1).length"
        )
        arrow = page.evaluate(
            "getComputedStyle(document.querySelector('#leaderboard [aria-sort] button'), '::after').content"
        )
        browser.close()
    assert folded == 0
    assert wide <= 690
    assert cut == 0
    assert arrow == "none"
