"""`novum score`: ideas of every kind measured by a fitted model, and a clear word where there is nothing to measure."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Account, Candidate, Idea, Ideation, IdeationReport, Paper, Scorecard
from novum.idea_metrics.report.records import ScoringReport
from novum.idea_metrics.subject_rows import LONGEST, subject_of_row, subject_of_text
from novum.ledger import Call, Ledger
from novum.literature import Entry, Library

from .learnt import learn

IDEA = "Graph networks that doubt themselves\nWe train message networks on graphs. Each node says how sure it is."


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("learnt"))


@pytest.fixture
def home(learnt, tmp_path):
    return shutil.copytree(learnt, tmp_path / "home")


def table(place, *rows):
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(place)


def cards(done):
    return [Scorecard.model_validate_json(line) for line in done.out.splitlines()]


# -- what can be scored -----------------------------------------------------------------------------------------------


def test_a_text_is_scored_and_each_number_explained(here):
    done = here("score", "--text", IDEA, "--topic", "graph learning")
    assert done.code == 0, done.err
    first, *lines = done.out.splitlines()
    assert first.strip() == "Graph networks that doubt themselves"
    for words in (
        "creativity ",
        "satisfaction ",
        "combined",
        "cosine",
        "words a sentence",
        "from the nearest of 4 clusters",
    ):
        assert words in done.out, words
    assert any(line.startswith("Model confidence") and "unknown" in line for line in lines)


def test_a_text_file_and_a_table_may_be_scored_together(here, tmp_path):
    (tmp_path / "idea.md").write_text("# Fold proteins backwards\n\nWe undo mutations one at a time.")
    (tmp_path / "ideas.csv").write_text("title,abstract,topic\nRain by sound,Listen to rain.,climate\n")
    scored = cards(here("score", "idea.md", "ideas.csv", "--json"))
    assert [(each.subject.title, each.subject.topic) for each in scored] == [
        ("Fold proteins backwards", ""),
        ("Rain by sound", "climate"),
    ]
    assert all(each.creativity.value is not None for each in scored)


def test_a_table_may_say_what_is_known_of_an_idea(here, tmp_path):
    rows = [{"title": "A", "text": "Graphs of rain.", "token_probability": 0.4, "keywords": ["rain"], "year": 2020}]
    (card,) = cards(here("score", table(tmp_path / "t.jsonl", *rows), "--json"))
    assert card.parts["confidence"].raw == pytest.approx(0.4)
    assert card.parts["keyword_relevance"].raw is not None
    assert card.subject.year == 2020


def test_ideas_of_a_run_are_scored_with_the_confidence_of_the_model_that_wrote_them(here, home):
    def idea(title):
        return Idea(topic="graphs", title=title, motivation="", novelty="", method="", summary=f"{title} by messages.")

    account = Account(run_id="r", novum_version="0", started="", seconds=0, models={})
    ideation = Ideation(
        topic="graphs", method="m", candidates=(Candidate(idea=idea("One")), Candidate(idea=idea("Two")))
    )
    call = {
        "key": "k", "prompt": "p", "prompt_version": 1, "prompt_digest": "", "model": "m", "sample": 0,
        "settings": "{}", "messages": "[]", "returns": "Idea", "token_probability": 0.25,
        "answer": json.dumps({"title": "One", "summary": "One by messages."}),
    }  # fmt: skip
    with Ledger.open(home / "ledger.sqlite") as ledger:
        record = ledger.start_run("ideate", "graphs", {})
        asyncio.run(ledger.record(Call(run_id=record.id, **call)))
        report = IdeationReport(ideation=ideation, account=account)
        ledger.end_run(record.id, "finished", result=report.model_dump_json())
    done = here("score", "last", "--json")
    scored = cards(done)
    assert [each.parts["confidence"].raw for each in scored] == [0.25, None], done.err
    (home / "report.json").write_text(report.model_dump_json())
    assert [each.subject.title for each in cards(here("score", str(home / "report.json"), "--json"))] == ["One", "Two"]


def test_unusual_combinations_are_reported_with_the_novelty(here, home, tmp_path):
    with Library.open(home / "library") as library:
        papers = list(library.papers())[:12]
        of_two_venues = tuple(paper.id for paper in papers if paper.venue in {"graphs 0", "proteins 1"})
        citing = [
            Paper(title=f"Citing {n}", abstract="Graphs.", year=2020, references=tuple(each.id for each in papers))
            for n in range(6)
        ]
        library.add(Entry(paper=paper) for paper in citing)
        asyncio.run(library.index())
    row = {"title": "Both", "text": "Graphs of proteins.", "references": list(of_two_venues)}
    place = table(tmp_path / "t.jsonl", row, {"title": "Alone", "text": "Graphs."})
    joined, alone = map(json.loads, here("score", place, "--novelty", "--json").out.splitlines())
    assert joined["atypicality"]["known"] == len(of_two_venues) > 1
    assert joined["atypicality"]["tail"] is not None
    assert "fewer than two papers" in alone["atypicality"]["why"]
    printed = here("score", place, "--novelty", "--out", str(tmp_path / "page"))
    assert "References by venue, in standard deviations from chance:" in printed.out
    assert "unknown (it names fewer than two papers" in printed.out
    page = (tmp_path / "page" / "report.html").read_text("utf-8")
    assert page.count("What it brings together") == 2
    assert "10th percentile" in page
    assert '"atypicality"' not in here("score", place, "--json").out


@pytest.mark.slow
def test_scoring_loads_none_of_what_only_learning_and_drawing_need(home):
    """Each of these takes longer to load than it takes to score a hundred ideas."""
    program = "import sys; from novum.cli.app import main\n"
    program += (
        "try: main()\nexcept SystemExit: print({'xgboost', 'sklearn', 'pandas', 'altair', 'faiss'} & {*sys.modules})"
    )
    command = [sys.executable, "-c", program, "score", "--text", IDEA]
    done = subprocess.run(
        command, env=os.environ | {"NOVUM_HOME": str(home)}, capture_output=True, text=True, check=True
    )
    assert "combined" in done.stdout
    assert done.stdout.splitlines()[-1] == "set()"


def test_a_set_is_shown_as_a_table_with_its_mean_and_can_be_sorted(here, tmp_path):
    rows = [
        {
            "title": "Long",
            "text": "Notwithstanding multidimensional considerations, representational inadequacies persist.",
        },
        *({"title": f"Short {number}", "text": "We look at it. It is so."} for number in range(4)),
    ]
    place = table(tmp_path / "t.jsonl", *rows)
    done = here("score", place, "--by", "readability")
    lines = [line for line in done.out.splitlines() if line.strip()]
    assert lines[0].split()[:4] == ["rating", "creativity", "satisfaction", "combined"]
    assert lines[5].split()[-1] == "Long"
    assert "model confidence" in lines[6]
    assert lines[6].endswith("not available for any idea.")
    assert lines[7].startswith("5 ideas, on average with 95% intervals: Creativity Index")
    wrong = here("score", place, "--by", "beauty")
    assert (wrong.code, "Scores: rating, creativity, satisfaction" in wrong.err) == (2, True)


def test_a_table_can_be_handed_on_as_csv(here, tmp_path):
    place = table(tmp_path / "t.jsonl", {"title": "A", "text": "b c"}, {"title": "B", "text": "d e"})
    printed = here("score", place, "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["title"] for row in rows] == ["A", "B"]
    assert all(0 <= float(row["originality"]) <= 1 for row in rows)
    assert here("score", place, "--csv").out == printed, "the former name of the option"


def test_the_report_is_a_folder_with_a_page_the_data_and_a_table(here, tmp_path):
    place = table(tmp_path / "t.jsonl", {"title": "Idea A", "text": "b c"}, {"nothing": 1})
    done = here("score", place, "--out", "scores")
    folder = tmp_path / "scores"
    assert "Idea A" in (folder / "report.html").read_text()
    report = ScoringReport.model_validate_json((folder / "report.json").read_text())
    assert report.measure.papers == 60
    assert len(report.left_out) == 1
    assert str(folder.name) in done.out
    assert "Left out: t.jsonl, row 2" in done.err


def test_novelty_is_measured_against_the_library(here):
    done = here("score", "--text", IDEA, "--novelty", "--before", "2015")
    assert done.code == 0, done.err
    assert "from the nearest papers before 2015-01-01" in done.out
    (line,) = here("score", "--text", IDEA, "--novelty", "--before", "2015", "--json").out.splitlines()
    assert json.loads(line)["novelty"]["historical"]["value"] > 0
    assert "--before needs --novelty" in here("score", "--text", IDEA, "--before", "2015").err


# -- what cannot be, or hardly ----------------------------------------------------------------------------------------


ODD = {
    "graph": False,
    "Banana banana.": False,
    "??? !!! ---": False,
    "図形ネットワークで分子を調べる研究": False,
    "We learn from graphs and rain. " * 8_500: False,  # 51,000 words
    "<script>alert(1)</script> \x1b[31m{{ 7 * 7 }}": None,
    "Graph networks that predict their own errors": True,
}
"""Texts, and whether their originality can be said (None: either way)."""


def test_odd_texts_get_a_clear_answer(here, tmp_path):
    place = table(tmp_path / "odd.jsonl", *({"text": text} for text in ODD))
    scored = cards(here("score", place, "--json", "--explain"))
    for card, known in zip(scored, ODD.values(), strict=True):
        assert known is None or (card.parts["originality"].raw is not None) == known
        assert all(part.why for part in card.parts.values())
    printed = here("score", place, "--explain")
    assert (printed.code, "\x1b" in printed.out) == (0, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name ideas to score"),
        (("--text", "  \n "), "There is no idea to score. The text after --text: it has no text."),
        (("nowhere.txt",), "There is no file or run 'nowhere.txt'"),
        (("an idea in words",), "pass a text with --text"),
        (("x" * 5000,), "There is no file or run"),
        (("a\0b",), "There is no file or run"),
        (("empty.txt",), "There is no idea to score"),
        (("empty.jsonl",), "There is no idea to score"),
        (("picture.png",), "is not text in UTF-8"),
        (("broken.csv",), "There is no idea to score. broken.csv, row"),
        (("other.json",), "is no report of ideas"),
        (("huge.txt",), "too many for one idea"),
        (("--text", "x", "--json", "--format", "csv"), "Choose one of --json and --format csv"),
        (("--text", "x", "--metrics", "mine"), "There is no fitted model 'mine'; there are: default."),
        (("--text", "x", "--before", "soon", "--novelty"), "is not a day"),
        (("--text", "x", "--out", "empty.txt"), "cannot be written"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_a_line(here, tmp_path, arguments, message):
    for name, content in {
        "empty.txt": b"", "empty.jsonl": b"\n\n", "picture.png": bytes(range(256)) * 20, "other.json": b"[1, 2]",
        "broken.csv": b"\xff\xfe,\x80\n1,2,3,4\n", "huge.txt": b"word " * (LONGEST // 5 + 1),
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
    done = here("score", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len([line for line in done.lines if line.startswith("novum: ")]) == 1


def test_without_a_fitted_model_the_command_that_fits_one_is_named(here, home):
    shutil.rmtree(home / "metrics")
    done = here("score", "--text", IDEA)
    assert (done.code, "run `novum metrics fit` once" in done.err) == (2, True)


def test_a_refused_command_makes_no_folder(here, home, tmp_path):
    shutil.rmtree(home / "metrics")
    assert here("score", "--text", IDEA, "--out", str(tmp_path / "new" / "scores")).code == 2
    assert not (tmp_path / "new").exists()


def test_a_damaged_model_is_refused_with_the_way_out(here, home):
    (home / "metrics" / "default" / "originality.safetensors").write_bytes(b"x" * 99)
    done = here("score", "--text", IDEA)
    assert (done.code, "is damaged" in done.err, "novum metrics fit" in done.err) == (2, True, True)


def test_rows_that_say_nothing_cost_the_others_nothing(here, tmp_path):
    place = tmp_path / "t.jsonl"
    place.write_bytes(
        b'{"title": "A", "text": "b"}\nno json\n{"title": ""}\n\xff\xfe\n[1]\n{"title":"B","keywords":3}\n'
    )
    done = here("score", str(place), "--json")
    assert [each.subject.title for each in cards(done)] == ["A"]
    assert done.err.count("Left out: t.jsonl") == 5


columns = st.sampled_from(["title", "text", "topic", "keywords", "year", "citations", "token_probability"])
cells = st.none() | st.text(max_size=20) | st.integers() | st.floats() | st.lists(st.text(max_size=5), max_size=3)


@given(st.dictionaries(columns, cells, max_size=7))
@settings(max_examples=50)
def test_a_row_is_an_idea_or_nothing_or_a_value_error_whatever_is_in_it(row):
    try:
        subject = subject_of_row(row)
    except ValueError:
        return
    assert subject is None or subject.whole.strip() or subject.title or subject.text


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("One line.", "", "One line."),
        ("# A title\nand words", "A title", "and words"),
        ("**Bold** \n\n x", "Bold", "x"),
        ("Title: A title\n\nand words", "A title", "and words"),
        ("**Title:** Bold\nx", "Bold", "x"),
        ("long " * 60 + "\nx", "", "long " * 60 + "\nx"),
    ],
)
def test_the_first_line_of_a_text_is_its_title_where_it_can_be_one(text, title, rest):
    subject = subject_of_text(text)
    assert (subject.title, subject.text) == (title, rest)


@pytest.mark.slow
def test_a_text_can_come_by_a_pipe(start):
    process = start("score", "-", "--json", stdin=subprocess.PIPE)
    out, err = process.communicate(IDEA, timeout=300)
    assert process.returncode == 0, err
    assert json.loads(out)["subject"]["title"] == "Graph networks that doubt themselves"
