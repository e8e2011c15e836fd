"""`novum data build next-idea` and `novum data show next-idea`."""

from __future__ import annotations

import re

from novum.training.next_idea.data.files import open_next_ideas


def test_the_commands_build_a_set_and_show_one_task_with_its_graph(here, serve, tmp_path):
    out = tmp_path / "tasks"
    built = here(
        "data",
        "build",
        "next-idea",
        "--out",
        str(out),
        "--min-references",
        "2",
        "--limit",
        "5",
        "--reader",
        serve().model,
    )
    assert built.code == 0, built.err
    assert "answers and" in built.out
    shown = here("data", "show", "next-idea", "task-", "--data", str(out))
    assert shown.code == 2
    assert "is the beginning of several ids" in shown.err
    one = open_next_ideas(out).records("train")[0]
    shown = here("data", "show", "next-idea", one.id, "--data", str(out), "--out", str(tmp_path / "page"))
    assert one.truth.problem in shown.out
    page = (tmp_path / "page" / "task.html").read_text()
    assert re.search(r"<h2[^>]*>The graph of ideas</h2>", page)
    assert (tmp_path / "page" / "charts" / "graph.svg").exists()
    again = here("data", "build", "next-idea", "--out", str(out))
    assert "holds a set of next-idea tasks already" in again.err
    unknown = here("data", "show", "next-idea", "nothing", "--data", str(out))
    assert "has no record 'nothing'" in unknown.err
