"""`--pdf`: every command that writes a report prints its page too, by the browser of this machine."""

from __future__ import annotations

import stat

import pytest

from novum.cli.app import app, run
from novum.cli.shell.pdf import with_pdf
from novum.errors import BudgetSpent
from novum.reports.folder import write_files

REPORTING = {
    "ideate", "explore", "review", "score", "opportunities find", "runs export", "runs resume", "arena report",
    "arena agree", "arena study report", "liveidea report", "liveidea agree", "foresight run", "foresight report",
    "judge evaluate", "judge report", "metrics validate", "next-idea evaluate", "train compare", "train study",
    "train iterate", "train sft", "train dpo", "train judge", "train next-idea",
}  # fmt: skip
BROWSER = """#!/bin/sh
for each in "$@"; do case "$each" in --print-to-pdf=*) printf '%%PDF-1.7' > "${each#*=}";; esac; done
"""


@pytest.fixture
def browser(tmp_path, monkeypatch):
    """In place of Chromium: it prints nothing but the mark of a PDF."""
    file = tmp_path / "browser"
    file.write_text(BROWSER)
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("NOVUM_BROWSER", str(file))


def test_every_command_that_writes_a_report_can_print_it():
    printing = {
        path.removeprefix("novum ")
        for path, command in app.walk()
        if any("--pdf" in each.opts and each.is_flag for each in command.params if hasattr(each, "is_flag"))
    }
    assert printing == REPORTING


def writes(folder, *names, ends=None):
    """A command that writes reports of these names, and may end early."""

    def command(*, as_json: bool = False) -> None:
        for name in names:
            write_files({f"{name}.html": "<p>page</p>", f"{name}.json": "{}", "charts.html": "<p>chart</p>"}, folder)
        if ends is not None:
            raise ends

    return with_pdf(command)


def test_the_page_of_each_report_is_printed_beside_it(browser, tmp_path, capsys):
    writes(tmp_path / "out", "study", "report")(pdf=True)
    assert sorted(each.name for each in (tmp_path / "out").glob("*.pdf")) == ["report.pdf", "study.pdf"]
    assert str(tmp_path / "out" / "report.pdf") in capsys.readouterr().out


def test_without_the_option_nothing_is_printed(browser, tmp_path):
    writes(tmp_path / "out", "report")()
    assert list((tmp_path / "out").glob("*.pdf")) == []


def test_where_stdout_holds_json_the_names_go_elsewhere(browser, tmp_path, capsys):
    writes(tmp_path / "out", "report")(pdf=True, as_json=True)
    said = capsys.readouterr()
    assert said.out == ""
    assert "report.pdf" in said.err


def test_a_command_that_ends_early_prints_what_it_has_written(browser, tmp_path):
    with pytest.raises(BudgetSpent):
        writes(tmp_path / "out", "report", ends=BudgetSpent("spent"))(pdf=True)
    assert (tmp_path / "out" / "report.pdf").exists()


def test_without_a_browser_nothing_is_begun(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOVUM_BROWSER", "no-such-browser")
    assert run(["arena", "report", "last", "--pdf"]) == 2
    assert "NOVUM_BROWSER" in capsys.readouterr().err
    assert not (tmp_path / "home" / "ledger.sqlite").exists()


def test_a_command_without_a_page_says_that_there_is_nothing_to_print(browser, tmp_path, capsys):
    writes(tmp_path / "out")(pdf=True)
    assert "nothing to print" in capsys.readouterr().err
