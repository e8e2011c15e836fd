"""What Novum 0.1.0 stored before its modules were moved and renamed goes on being read, resumed and reported.

`before_restructuring.tar.xz` holds a home (ledger, library, a fitted model, the name of a trained one) and files as
commands had written them; `before_restructuring.json` says what they came to. All papers, ideas and reviews are
invented. Models were `server:…@http://models.invalid/v1`, played by a `ScriptedServer` with the script
`ideas_and_scores`: it is asked through a proxy, so that the address, which is part of what answers are known by, is the
same everywhere. `/stored` stands for the folder that all lay in.

Nothing here may be made anew by a later version: a test that fails says that somebody's data is lost.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from novum.cli.app import run
from novum.testing import ScriptedServer, ideas_and_scores

HERE = Path(__file__).parent
MANIFEST: dict[str, Any] = json.loads((HERE / "before_restructuring.json").read_text("utf-8"))
RUNS: dict[str, dict[str, Any]] = MANIFEST["runs"]
FINISHED = [name for name, told in RUNS.items() if told["status"] == "finished"]
STOPPED = [name for name, told in RUNS.items() if told["status"] == "stopped"]
NOT_RESUMED = "arena-topics"
"""The kind that is begun again instead."""
ASKED_ANEW = frozenset(
    {
        "ideate, chain of ideas, stopped",
        "ideate, rag, stopped",
        "ideate, own prompts, stopped",
        "ideate, from opportunities, stopped",
        "explore, stopped",
        "bulk, stopped",
        "review, stopped",
        "filter, stopped",
    }
)
"""Stopped runs whose prompts have changed since, or in which a decision contradicts its utility: they ask for that
again, and finish."""
PLACE = "/stored"
TEXTS = {"runs": ("params", "reason", "result"), "events": ("data",)}
"""Columns of the ledger that may name a place."""
Figures = Callable[[Any], Any]


@dataclass(frozen=True)
class Done:
    """What a command left behind. `asked`: requests that reached the server."""

    code: int
    out: str
    err: str
    asked: int

    @property
    def told(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def rows(self) -> list[Any]:
        """Of JSON lines."""
        assert self.code == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]


Novum = Callable[..., Done]


def unpack(to: Path) -> Path:
    """The stored home and files, as if they had been made in this folder."""
    with tarfile.open(HERE / "before_restructuring.tar.xz") as archive:
        if hasattr(tarfile, "data_filter"):  # not before Python 3.11.4
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(to)  # our own archive
    ledger = sqlite3.connect(to / "home" / "ledger.sqlite")
    with ledger:
        for table, columns in TEXTS.items():
            for column in columns:
                ledger.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", (f'"{PLACE}/', f'"{to}/'))
    ledger.close()
    receipt = to / "home" / "models" / "mini.trained.json"
    receipt.write_text(receipt.read_text("utf-8").replace(f'"{PLACE}/', f'"{to}/'), "utf-8")
    return to


@pytest.fixture(scope="module", autouse=True)
def tree_of_commands() -> Iterator[None]:
    """Put together once for all tests, as in a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(ideas_and_scores) as started:
        yield started


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(tmp_path_factory.mktemp("stored"))


@pytest.fixture
def novum(
    stored: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Novum:
    """Runs the command in this process, in the folder of the stored files, with models behind a proxy."""
    for name in os.environ:
        if name.endswith("_KEY") or name.startswith("NOVUM") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("http_proxy", server.base_url.removesuffix("/v1"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(stored)

    def finish(*arguments: str, home: Path = stored / "home") -> Done:
        monkeypatch.setenv("NOVUM_HOME", str(home))
        before = len(server.asked)
        code = run(arguments)
        said = capsys.readouterr()
        return Done(code, said.out, said.err, len(server.asked) - before)

    return finish


def rounded(told: Any) -> Any:
    """Numbers as far as every machine computes them alike."""
    if isinstance(told, float):
        return round(told, 3)
    if isinstance(told, dict):
        return {name: rounded(value) for name, value in told.items()}
    return [rounded(each) for each in told] if isinstance(told, (list, tuple)) else told


# -- what a run came to ------------------------------------------------------------------------------------------------


def ideas_of(told: Any) -> Any:
    ideation = told["ideation"]
    titles = [each["idea"]["title"] for each in ideation["candidates"]]
    return {"ideas": titles, "papers": len(ideation["papers"]), "experiments": len(ideation["drafts"])}


def answers_of(told: Any) -> Any:
    return [[each["question"], len(each["evidence"]), each["ending"]] for each in told["explorations"]]


def bulk_of(told: Any) -> Any:
    with Path(told["file"]).open(encoding="utf-8") as lines:
        return {"rounds": told["rounds"], "ideas": [json.loads(line)["title"] for line in lines]}


def reviews_of(told: Any) -> Any:
    return [
        [each["rounds"][0]["idea"]["title"], [turn["decision"]["utility"] for turn in each["rounds"]]]
        for each in told["ideas"]
    ]


def tally_of(told: Any) -> Any:
    return told["tally"]


def shares_of(told: Any) -> Any:
    """Of a win rate or a rubric."""
    shares = told["contests"][0]["shares"] if "contests" in told else told["shares"]
    return {name: [share["yes"], share["no"]] for name, share in shares.items()}


def boards_of(told: Any) -> Any:
    """Of an arena: who stands where, and with what it won. Ratings move with the last digits of a machine."""
    boards = told["leaderboard"]["boards"]
    return [[[line["entrant"], line["rating"]["won"]] for line in board["lines"]] for board in boards]


def scores_of(told: Any) -> Any:
    """Of models measured by LiveIdeaBench."""
    lines = [line["scores"] for line in told["leaderboard"]["lines"]]
    return [[line["model"], *(line[name]["value"] for name in ("average", "originality", "fluency"))] for line in lines]


def standings_of(told: Any) -> Any:
    """Of a study of foresight, or of an evaluation of reviewers."""
    return [[each["name"], each.get("ideas", each.get("asked"))] for each in told["standings"]]


def set_of(told: Any) -> Any:
    """Of data for reviewers."""
    return {name: told[name] for name in ("records", "papers", "reviews", "splits")}


CAME_TO: dict[str, Figures] = {
    "ideate": ideas_of,
    "explore": answers_of,
    "bulk": bulk_of,
    "review": reviews_of,
    "filter": tally_of,
    "judge": shares_of,
    "arena": boards_of,
    "liveidea": scores_of,
    "foresight": standings_of,
    "judge-data": set_of,
    "judge-evaluation": standings_of,
}
"""By kind: the figures in what `novum runs resume --json` shows."""


# -- other doors -------------------------------------------------------------------------------------------------------


def scored(told: Any) -> Any:
    """Of ideas: titles with the numbers of parts that differ between ideas."""
    parts = ("originality", "feasibility", "impact", "coherence")
    return [[each["subject"]["title"], *(each["parts"][name]["raw"] for name in parts)] for each in told]


DOORS: dict[str, tuple[tuple[str, ...], Figures]] = {
    "arena score RUN": (("arena", "score", "{arena}", "--draws", "0", "--json"), boards_of),
    "arena score FOLDER": (("arena", "score", "files/arena", "--draws", "0", "--json"), boards_of),
    "arena import CSV": (("arena", "import", "files/arena-export/matches.csv", "--draws", "0", "--json"), boards_of),
    "arena import JSONL": (
        ("arena", "import", "files/arena-export/matches.jsonl", "--draws", "0", "--json"),
        boards_of,
    ),
    "liveidea score RUN": (("liveidea", "score", "{liveidea}", "--draws", "0", "--json"), scores_of),
    "liveidea score FOLDER": (("liveidea", "score", "files/liveidea", "--draws", "0", "--json"), scores_of),
    "liveidea import CSV": (
        ("liveidea", "import", "files/liveidea-export/ideas.csv", "--draws", "0", "--json"),
        scores_of,
    ),
    "liveidea import JSONL": (
        ("liveidea", "import", "files/liveidea-export/ideas.jsonl", "--draws", "0", "--json"),
        scores_of,
    ),
    "library stats": (("library", "stats", "--json"), lambda told: told["papers"]),
    "library search": (
        ("library", "search", "perovskite carrier lifetime", "--json"),
        lambda told: [each["paper"]["title"] for each in told][:5],
    ),
    "metrics list": (
        ("metrics", "list", "--json"),
        lambda told: [[each["name"], each["learnt_from"]["papers"], each["settings"]["clusters"]] for each in told],
    ),
    "train list": (("train", "list", "--json"), lambda told: [[each["model"], each["steps"]] for each in told]),
    "select RUN and FILES": (
        ("select", "{ideate, rag}", "ideas/ours.jsonl", "files/kept.jsonl", "--k", "3", "--json"),
        lambda told: [each["idea"]["title"] for each in told["choices"]],
    ),
    "opportunities build": (
        ("opportunities", "build", "--general", "0.9", "--horizon", "2", "--fewest", "3", "--json"),
        lambda told: [told["papers"], told["concepts"], told["synonyms"]],
    ),
}  # fmt: skip
"""Commands that ask nobody and answer in JSON. `{NAME}` stands for the id of a run."""
SCORED: dict[str, tuple[str, ...]] = {
    "score RUN": ("{ideate, chain of ideas}",),
    "score REPORT": ("files/ideation/report.json",),
    "score IDEAS": ("ideas/ours.jsonl", "files/bulk.jsonl", "files/chosen.jsonl", "files/kept.jsonl"),
}
"""What the stored model is asked to score."""


def named(arguments: tuple[str, ...]) -> list[str]:
    ids = {f"{{{name}}}": told["id"] for name, told in RUNS.items()}
    return [ids.get(each, each) for each in arguments]


def test_all_runs_are_listed_with_what_they_took(novum: Novum) -> None:
    listed = novum("runs", "list", "--limit", "100", "--json").told
    found = {each["id"]: [each["kind"], each["status"], each["spend"]["calls"]] for each in listed}
    assert found == {each["id"]: [each["kind"], each["status"], each["answered"]] for each in RUNS.values()}


@pytest.mark.parametrize("name", RUNS)
def test_every_run_is_shown_and_its_calls_are_handed_out(novum: Novum, name: str) -> None:
    shown = novum("runs", "show", RUNS[name]["id"], "--json")
    assert shown.told["id"] == RUNS[name]["id"]
    handed_out = novum("runs", "export", RUNS[name]["id"], "--calls").rows
    assert len(handed_out) == RUNS[name]["answered"]


@pytest.mark.parametrize("name", [name for name in FINISHED if RUNS[name]["kind"] != NOT_RESUMED])
def test_a_finished_run_is_what_it_was_and_no_request_is_sent(novum: Novum, tmp_path: Path, name: str) -> None:
    resumed = novum("runs", "resume", RUNS[name]["id"], "--json", "--quiet", *place_for(name, tmp_path))
    assert rounded(CAME_TO[RUNS[name]["kind"]](resumed.told)) == RUNS[name]["figures"]
    assert resumed.asked == 0


@pytest.mark.parametrize("name", [name for name in STOPPED if name not in ASKED_ANEW])
def test_a_stopped_run_continues_and_requests_only_what_was_not_answered(
    novum: Novum, stored: Path, tmp_path: Path, name: str
) -> None:
    expected = RUNS[name]
    resumed, listed = resumed_alone(novum, stored, tmp_path, name)
    assert rounded(CAME_TO[expected["kind"]](resumed.told)) == expected["figures"]
    assert (resumed.asked, expected["answered"] + resumed.asked) == (expected["to_ask"], expected["calls"])
    assert (listed["status"], listed["spend"]["calls"]) == ("finished", expected["calls"])


@pytest.mark.parametrize("name", sorted(ASKED_ANEW))
def test_a_stopped_run_whose_prompts_have_changed_finishes_with_an_outcome_of_the_same_form(
    novum: Novum, stored: Path, tmp_path: Path, name: str
) -> None:
    expected = RUNS[name]
    resumed, listed = resumed_alone(novum, stored, tmp_path, name)
    came_to, before = CAME_TO[expected["kind"]](resumed.told), expected["figures"]
    if expected["kind"] == "review":  # of other decisions come other rounds
        assert [title for title, _ in came_to] == [title for title, _ in before]
        assert all(utilities for _, utilities in came_to)
    else:
        assert form_of(came_to) == form_of(before)
    assert listed["status"] == "finished"
    assert listed["spend"]["calls"] == expected["answered"] + resumed.asked, "what was answered is still counted"


def resumed_alone(novum: Novum, stored: Path, tmp_path: Path, name: str) -> tuple[Done, Any]:
    """A stopped run, resumed in a home of its own (else it could use what another one has asked), and its row in the
    list of runs."""
    home, expected = shutil.copytree(stored / "home", tmp_path / "home"), RUNS[name]
    more = ("--budget-calls", "1000", "--json", "--quiet", *place_for(name, tmp_path))
    resumed = novum("runs", "resume", expected["id"], *more, home=home)
    (listed,) = (each for each in novum("runs", "list", "--json", "--limit", "100", home=home).told
                 if each["id"] == expected["id"])  # fmt: skip
    return resumed, listed


def form_of(figures: Any) -> Any:
    """The figures without their values: names, lengths of lists, and kinds of values."""
    if isinstance(figures, dict):
        return {name: form_of(value) for name, value in figures.items()}
    if isinstance(figures, list):
        return [form_of(each) for each in figures]
    return "number" if isinstance(figures, int | float) else "text"


def place_for(name: str, folder: Path) -> tuple[str, ...]:
    """Where files go: sets of data go where they were asked for, rows to a file."""
    kind = RUNS[name]["kind"]
    if kind in {"judge", "judge-data"}:
        return ()
    return ("--out", str(folder / ("out.jsonl" if kind in {"bulk", "filter"} else "out")))


@pytest.mark.parametrize("name", DOORS)
def test_runs_and_files_are_read_by_the_commands_that_read_them(novum: Novum, name: str) -> None:
    arguments, figures = DOORS[name]
    done = novum(*named(arguments))
    assert rounded(figures(done.told)) == MANIFEST["doors"][name]
    assert done.asked == 0


@pytest.mark.parametrize("name", SCORED)
def test_the_stored_model_scores_as_it_did(novum: Novum, name: str) -> None:
    done = novum("score", *named(SCORED[name]), "--json")
    assert rounded(scored(done.rows)) == MANIFEST["doors"][name]


def test_topics_are_found_again_without_asking(novum: Novum, stored: Path, tmp_path: Path) -> None:
    models = ("--reader", "server:reader", "--base-url", MANIFEST["address"])
    given = ("--since", "2022-01-01", "--count", "2", "--out", str(tmp_path / "t.jsonl"))
    found = novum("arena", "topics", *given, *models, home=shutil.copytree(stored / "home", tmp_path / "home"))
    assert found.code == 0, found.err
    assert (tmp_path / "t.jsonl").read_text("utf-8") == (stored / "files" / "topics.jsonl").read_text("utf-8")
    assert found.asked == 0


def drawn(*command: str) -> Any:
    """One whose charts take a while."""
    return pytest.param(command, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "command",
    [
        ("judge", "report", "{judge evaluation, stopped}", "--draws", "10"),
        drawn("foresight", "report", "{foresight, stopped}", "--draws", "0"),
        drawn("arena", "report", "{arena}", "--draws", "0"),
        drawn("liveidea", "report", "files/liveidea", "--draws", "0"),
        ("runs", "export", "{ideate, chain of ideas}"),
        ("runs", "export", "{explore, followed up}"),
        ("arena", "export", "{arena of files, stopped}"),
    ],
    ids=lambda command: " ".join(command[:3]),
)
def test_reports_are_written_again(novum: Novum, tmp_path: Path, command: tuple[str, ...]) -> None:
    done = novum(*named(command), "--out", str(tmp_path / "out"))
    assert done.code == 0, done.err
    assert any((tmp_path / "out").iterdir())
    assert done.asked == 0


def test_the_library_is_exported_as_it_was(novum: Novum, stored: Path) -> None:
    assert novum("library", "export").rows == [
        json.loads(line) for line in (stored / "files" / "papers.jsonl").read_text("utf-8").splitlines()
    ]


@pytest.mark.parametrize("file", ["papers.jsonl", "papers.bib", "papers.json"])
def test_exported_papers_are_brought_in(novum: Novum, tmp_path: Path, file: str) -> None:
    done = novum("library", "import", f"files/{file}", home=tmp_path / "home")
    assert done.code == 0, done.err
    stats = novum("library", "stats", "--json", home=tmp_path / "home").told
    assert stats["papers"] == MANIFEST["doors"]["library stats"]


def test_settings_of_the_stored_home_count(novum: Novum) -> None:
    shown = novum("config", "show").out
    assert [line.split()[1] for line in shown.splitlines() if line.split()[:1] == ["in_flight"]] == ["4"]
    spent = novum("runs", "show", RUNS["ideate, chain of ideas"]["id"], "--json").told["spend"]
    assert (spent["usd_unknown"], round(spent["usd"], 4)) == (0, MANIFEST["usd"]), "prices stand in novum.toml"
