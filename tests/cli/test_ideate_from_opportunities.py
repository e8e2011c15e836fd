"""`novum ideate --from-opportunities N`, and the opportunities at the head of a report."""

from __future__ import annotations

import pytest

import novum
from novum.core import StartedFrom
from novum.errors import BadInput
from novum.reports.files import write_report
from tests.methods.openings_lab import LEDGERS, SOUP, openings
from tests.reports.sample import REPORT


def test_a_method_without_opportunities_is_refused_before_anything_is_asked(here, serve):
    server = serve()
    ended = here("ideate", "molecules", "--method", "rag", "--from-opportunities", "3", "--model", server.model)
    assert ended.code == 2
    assert ended.err.endswith(
        "novum: rag does not start from opportunities. These do: chain-of-ideas, portfolio, sci-agents, spark.\n"
    )
    assert server.asked == []


def test_the_option_reaches_the_method_and_a_small_library_is_reported(here, serve, tmp_path):
    ended = here(
        "ideate", "molecules", "--branches", "1", "--length", "2", "--option", "experiment=no", "--from-opportunities",
        "2", "--model", serve().model, "--out", str(tmp_path / "out"),
    )  # fmt: skip
    assert ended.code == 0
    written = (tmp_path / "out" / "report.md").read_text()
    assert "No idea starts from an opportunity." in written
    assert "No opportunities are shown. Opportunities need a library of at least 200 papers" in written


def test_the_python_face_takes_it_as_a_keyword(home, serve):
    model = serve().model
    result = novum.ideate(
        "molecules", branches=1, length=2, experiment=False, from_opportunities=1, home=home, model=model
    )
    assert result.report.ideation.options["from_opportunities"] == 1
    with pytest.raises(BadInput, match="rag does not start from opportunities"):
        novum.ideate("molecules", method="rag", from_opportunities=1, home=home, model=model)


def test_a_report_has_the_opportunities_after_its_ideas_and_says_what_each_idea_started_from(tmp_path):
    best = REPORT.ideation.best.idea
    ideation = REPORT.ideation.but(starts=(StartedFrom(idea_id=best.id, opening=SOUP),))
    report = REPORT.model_copy(update={"ideation": ideation, "openings": openings(SOUP, LEDGERS)})
    files = write_report(report, tmp_path / "out")
    for text in (files.html.read_text(), files.markdown.read_text()):
        assert text.index("Double-entry reasoning") < text.index("Opportunities near the topic")
        assert "altitude" in text
        assert "Started from the opportunity" in text
