"""The first command of the README for real: the small model installed, run on this machine, and its report written."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from novum.core import IdeationReport

TOPIC = "Graph neural networks that predict molecular properties from few examples"


@pytest.mark.slow
def test_without_a_key_a_topic_becomes_a_report_by_the_offline_model(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    environment = {name: value for name, value in environment.items() if not name.startswith("NOVUM_")}
    environment["NOVUM_HOME"] = str(tmp_path / "home")

    def novum(*arguments):
        command = [sys.executable, "-m", "novum", *arguments]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=3600, check=False
        )

    installed = novum("models", "install", "smollm2-135m")
    assert installed.returncode == 0, installed.stderr
    made = novum("ideate", TOPIC, "--branches", "2", "--length", "3", "--out", "report")
    assert made.returncode == 0, made.stderr
    assert "demonstration" in made.stdout

    report = IdeationReport.model_validate_json((tmp_path / "report" / "report.json").read_text())
    assert report.account.demonstration
    assert report.account.spend.usd == 0
    assert report.account.spend.usd_unknown == 0, "what runs here costs nothing, and that is known"
    assert report.ideation.best is not None
    for candidate in report.ideation.candidates:
        assert len(candidate.chain.links) == 3
        assert candidate.checks[-1].nearest
    papers = [link.paper for candidate in report.ideation.candidates for link in candidate.chain.links]
    assert any("graph learning for molecules" in paper.fields for paper in papers)
    page = (tmp_path / "report" / "report.html").read_text()
    assert "demonstration" in page.lower()
    assert (tmp_path / "report" / "papers.bib").read_text().count("@") >= 3

    again = novum("ideate", TOPIC, "--branches", "2", "--length", "3", "--json")
    repeated = IdeationReport.model_validate_json(again.stdout)
    assert repeated.ideation == report.ideation, "what was answered once is answered by the ledger"
