"""Leaderboards on the page itself: sortable tables with intervals, plots, both ideas and the reasons of each pair."""

from __future__ import annotations

import json
import re

import pytest

from novum.benchmarks.arena.report.numbers import arena_report
from novum.benchmarks.arena.report.plots import plots as arena_plots
from novum.benchmarks.liveidea.report.numbers import liveidea_report
from novum.benchmarks.liveidea.report.plots import plots as liveidea_plots
from novum.cli.app import run as novum
from novum.ledger import Ledger
from tests.reports.arena_sample import evil_run
from tests.reports.arena_sample import sample_run as arena_sample
from tests.reports.liveidea_sample import sample_run as liveidea_sample

PART = {"HX-Request": "true"}


def made_report(home, kind, report, plots):
    """A finished run of `kind`, whose report was made already; returns the id of the run."""
    home.mkdir(parents=True, exist_ok=True)
    with Ledger.open(home / "ledger.sqlite") as ledger:
        record = ledger.start_run(kind, f"a sample of {kind}", {"method": "", "settings": {}})
        ledger.end_run(record.id, "finished", result="{}")
        record = ledger.run(record.id)
    place = home / "workbench" / "reports" / record.id
    (place / "charts").mkdir(parents=True)
    for plot in plots:
        (place / "charts" / f"{plot.name}.svg").write_text('<svg width="9" height="9"></svg>')
    (place / "report.html").write_text("<p>report</p>")
    (place / "report.json").write_text(json.dumps(report) if isinstance(report, dict) else report.model_dump_json())
    (place / "made-from").write_text(f"{record.status} {record.updated}")
    return record.id


def arena_in(home, run=None):
    report = arena_report(run or arena_sample(3), draws=30)
    return made_report(home, "arena", report, arena_plots(report))


def liveidea_in(home):
    report = liveidea_report(liveidea_sample(), draws=30)
    return made_report(home, "liveidea", report, liveidea_plots(report))


def test_the_first_visit_waits_with_words_and_the_next_one_has_the_table(bench, home):
    run = liveidea_in(home)
    browser = bench()
    first = browser.get("/leaderboards", params={"board": "liveidea"}).text
    assert f'hx-get="/leaderboards/{run}"' in first
    assert "being made" in first
    part = browser.get(f"/leaderboards/{run}", headers=PART).text
    assert "<html" not in part
    again = browser.get("/leaderboards", params={"board": "liveidea"}).text
    assert "being made" not in again
    assert 'class="figures sortable"' in again


def test_models_stand_in_a_sortable_table_with_intervals_and_all_plots(bench, home):
    run = liveidea_in(home)
    part = bench().get(f"/leaderboards/{run}", headers=PART).text
    row = re.search(r'<th scope="row" data-v="[^"]*"><bdi>.*?</tr>', part, re.S)[0]
    assert re.search(r'<td data-v="[\d.]+">[\d.]+<span class="soft">[\d.]+ to [\d.]+</span>', row)
    assert part.count("<figure") == len(liveidea_plots(liveidea_report(liveidea_sample(), draws=30)))


def test_each_pair_of_an_arena_has_both_ideas_and_the_reasons_of_the_judges(bench, home):
    sample = arena_sample(3)
    run = arena_in(home, sample)
    browser = bench()
    board = browser.get(f"/leaderboards/{run}", headers=PART).text
    assert f'hx-get="/leaderboards/{run}/topics/2"' in board
    reason = "names what would be measured"
    assert reason not in board, "the board is small: a topic comes when it is opened"
    topic = browser.get(f"/leaderboards/{run}/topics/1", headers=PART).text
    assert reason in topic
    for entry in sample.entries:
        if entry.topic == sample.topics[0] and entry.idea:
            assert entry.idea.title in topic
    whole = browser.get(f"/leaderboards/{run}/topics/1").text
    assert "<html" in whole
    assert reason in whole
    assert browser.get(f"/leaderboards/{run}/topics/99").status_code == 404


def test_hostile_names_and_ideas_stay_text_on_a_board(bench, home):
    run = arena_in(home, evil_run())
    browser = bench()
    for address in (f"/leaderboards/{run}", f"/leaderboards/{run}/topics/1"):
        page = browser.get(address, headers=PART).text
        assert "<script>" not in page.lower()
        assert not re.search(r'<img (?!src="data:image/svg)', page)
        assert 'href="javascript' not in page


def test_a_run_under_way_or_without_an_end_says_so_in_place_of_a_board(bench, home):
    home.mkdir(parents=True)
    with Ledger.open(home / "ledger.sqlite") as ledger:
        record = ledger.start_run("arena", "unfinished", {"method": "", "settings": {}})
        ledger.end_run(record.id, "stopped", reason="The budget is spent.")
    browser = bench()
    page = browser.get("/leaderboards", params={"board": "arena"}).text
    assert "The budget is spent." in page
    assert "Resume it" in page
    assert browser.get(f"/leaderboards/{record.id}", headers=PART).status_code == 400


def test_the_progress_of_a_run_is_there_before_any_script_works(bench, home):
    run = arena_in(home)
    page = bench().get(f"/runs/{run}").text
    assert '<span class="state finished">' in page.partition('id="progress"')[2]
    assert "&lt;" not in page


def test_a_report_of_another_version_is_refused_in_words(bench, home):
    run = made_report(home, "arena", {"run": "something else"}, ())
    answer = bench().get(f"/leaderboards/{run}", headers=PART)
    assert answer.status_code == 400
    assert "this version" in answer.text


def test_only_runs_that_rank_have_a_board(bench, home):
    run = made_report(home, "explore", {}, ())
    assert bench().get(f"/leaderboards/{run}", headers=PART).status_code == 404
    assert bench().get("/leaderboards/..%2fsecret").status_code == 404


@pytest.mark.slow
def test_the_boards_of_real_runs_are_made_from_the_ledger(bench, home, serve, tmp_path, monkeypatch):
    from novum.testing import ideas_and_scores

    monkeypatch.chdir(tmp_path)
    scripted, plausible = serve(ideas_and_scores), serve()
    models = ",".join(f"server:m{level}@{scripted.base_url}" for level in (3, 9))
    assert novum(["liveidea", "run", "-m", models, "--judge", models, "--keywords", "2", "-q"]) == 0
    topics = ["--topic", "graph learning", "--topic", "soft robots"]
    assert novum(["arena", "run", *topics, "-m", "rag,plain", "--model", plausible.model, "-q"]) == 0
    browser = bench()
    for board, name in (("liveidea", "server:m9"), ("arena", "plain")):
        page = browser.get("/leaderboards", params={"board": board}).text
        run = re.search(r'hx-get="/leaderboards/([^"]+)"', page)[1]
        assert name in browser.get(f"/leaderboards/{run}", headers=PART).text
        assert name in browser.get(f"/runs/{run}/export/html").text
        assert "hx-get" in browser.get(f"/runs/{run}").text
