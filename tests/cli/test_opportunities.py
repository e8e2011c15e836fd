"""Opportunities in a terminal, in a pipe and in a narrow window; what is wrong is told before any work."""

import json
import re
import sys
from pathlib import Path

import pytest

from novum.cli.app import run
from novum.cli.opportunities.options import SettingsOptions
from novum.cli.opportunities.text import MEANING, MOST_LINES, print_opportunities
from novum.core.opportunity import ConceptLink, ConceptSummary, Opportunity, OpportunityList, OpportunitySide
from tests.reports.opportunities_sample import PAIRS, openings

DOCS = Path(__file__).parents[2] / "docs" / "opportunities.md"
FEW = PAIRS[:5]


@pytest.fixture
def window(monkeypatch, capsys):
    """What a terminal of so many columns shows, line by line, without its colours."""

    def shown(columns, found, *, why):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        print_opportunities(found, why=why)
        return [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out).splitlines()]

    return shown


def test_a_pipe_gets_whole_lines_and_no_colours(capsys):
    found = openings(FEW)
    print_opportunities(found, why=True)
    out, err = capsys.readouterr()
    assert "\x1b" not in out
    assert MEANING in out.splitlines()
    rows = [line for line in out.splitlines() if "test time scaling + formal verification" in line]
    assert "42%" in rows[0]
    assert "25% to 63%" in rows[0]
    assert "linked by 2028 in this library" in out
    assert found.notes[0] in err
    first = found.openings[0]
    assert f"   - {first.reasons[0]}" in out.splitlines()
    papers = {paper.id: paper.title for paper in found.papers}
    assert all(papers[side.papers[0]] in out for side in (first.one, first.other))


@pytest.mark.parametrize("columns", [40, 60, 70, 80, 112, 200])
@pytest.mark.parametrize("why", [True, False])
@pytest.mark.parametrize("notes", [0, 3])
def test_everything_fits_on_a_screen_of_forty_lines_and_the_first_opportunity_is_always_there(
    window, columns, why, notes
):
    found = openings(notes=("Read this as a ranking with a rough size.",) * notes)
    lines = window(columns, found, why=why)
    assert max(map(len, lines)) <= columns
    assert len(lines) + notes <= MOST_LINES < 40
    text = " ".join(" ".join(lines).split())
    assert found.openings[0].pair[0] in text
    assert (found.openings[0].reasons[0] in text) == why
    assert ("on the page that --out DIR writes." in text) == (why or columns < 200)
    assert "in this library" in text


def test_what_a_screen_has_no_room_for_is_counted(window):
    found = openings()
    lines = window(112, found, why=True)
    assert "10 more, and all reasons and papers are on the page that --out DIR writes." in lines
    few = window(120, openings(FEW), why=False)
    assert not any("--out" in line for line in few)


def test_a_page_that_is_written_is_not_recommended(capsys):
    print_opportunities(openings(FEW), why=True, page=True)
    assert "--out" not in capsys.readouterr().out


def test_a_narrow_window_has_lists_where_a_wide_one_has_a_table(window):
    found = openings(FEW)
    narrow, wide = window(60, found, why=False), window(120, found, why=False)
    assert "   linked by 2028 in this library: 42% (25% to 63%)" in "\n".join(narrow)
    assert not any("attention   unusual" in line for line in narrow)
    assert any("attention   unusual" in line for line in wide)
    assert not any(line.startswith("1. ") for line in wide)


def test_where_there_is_no_opening_the_reason_is_the_answer(capsys):
    none = OpportunityList(topic="x", until=2025, horizon=3, near=(), openings=(), notes=("Fifty papers are too few.",))
    print_opportunities(none, why=True)
    assert capsys.readouterr() == ("Fifty papers are too few.\n", "")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("find", " "), "The topic is empty."),
        (("moss", "--since", "2020", "--until", "2010"), "--since 2020 is later than --until 2010."),
        (("moss", "--kind", "odd"), "Kinds: bridge, transfer, rising, dormant, follow-up."),
        (("moss", "--out", "taken/deeper"), "taken is a file"),
        (("moss", "-n", "0"), "greater than or equal to 1"),
        (("moss", "--library", "nowhere"), "There is no library nowhere."),
    ],
)
def test_what_is_wrong_is_told_in_one_line_before_any_work(tmp_path, monkeypatch, capsys, arguments, why):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    (tmp_path / "taken").write_text("in the way")
    assert run(["opportunities", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("novum: ")
    assert why in err
    assert err.count("\n") == 1
    assert not (tmp_path / "home").exists()


def test_build_and_evaluate_take_the_same_options(capsys):
    helps = []
    for command in ("build", "evaluate"):
        assert run(["opportunities", command, "--help"]) == 0
        helps.append(set(re.findall(r"--[a-z-]+", capsys.readouterr().out)))
    assert {
        "--min-papers",
        "--max-share",
        "--limit",
        "--horizon",
        "--min-joint-papers",
        "--synonym-similarity",
        "--seed",
    } <= helps[0] & helps[1]


def test_what_is_not_asked_for_is_as_usual_for_the_library():
    small, large = SettingsOptions().settings(1000, 7), SettingsOptions().settings(100_000, 7)
    assert (small.fewest, large.fewest, small.seed) == (3, 5, 7)
    told = SettingsOptions(fewest=4, horizon=5, seed=1).settings(1000, 7)
    assert (told.fewest, told.horizon, told.seed) == (4, 5, 1)


def test_every_name_of_the_json_is_in_the_documentation():
    text = DOCS.read_text("utf-8")
    names = {
        name
        for kind in (OpportunityList, Opportunity, OpportunitySide, ConceptSummary, ConceptLink)
        for name in kind.model_fields
    }
    assert set(json.loads(openings(FEW).model_dump_json())) <= names
    assert sorted(name for name in names if f"`{name}`" not in text) == []
