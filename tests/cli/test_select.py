"""`novum select`: from many ideas to the few that are worth having side by side."""

from __future__ import annotations

import asyncio
import csv
import json
import shutil

import pytest

from novum.benchmarks.arena.importing import read_entries
from novum.core import Account, Candidate, Idea, Ideation, IdeationReport
from novum.files.tables import ImportLog
from novum.idea_metrics.fit import MetricFit, fit_model
from novum.idea_metrics.settings import FitSettings
from novum.literature import StaticEmbedder
from tests.idea_metrics.made_up import corpus_of, made_up_papers

BREAD = "Sourdough bread rises longer when the flour ferments with wild yeast"
GRAPHS = "A graph network passes messages along the edges between molecules"
IDEAS = (
    {"title": "Bread", "summary": f"{BREAD} in a warm kitchen.", "votes": 9},
    {"title": "Bread again", "summary": f"{BREAD} in the warm kitchen.", "votes": 8},
    {"title": "Graphs", "summary": f"{GRAPHS}, to predict their energy.", "votes": 3},
    {"title": "Ocean", "summary": "Currents of the deep ocean carry heat toward the poles in winter.", "votes": 2},
)


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """What sixty made-up papers teach."""
    corpus = corpus_of(made_up_papers(60))
    model = asyncio.run(fit_model(MetricFit(corpus, FitSettings(clusters=3, topics=2)), StaticEmbedder()))
    folder = tmp_path_factory.mktemp("fitted") / "default"
    model.save(folder)
    return folder


@pytest.fixture
def table(tmp_path):
    """Writes ideas as JSONL."""

    def write(name="ideas.jsonl", rows=IDEAS, **same):
        lines = [json.dumps({"topic": "anything", **row, **same}) for row in rows]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return tmp_path / name

    return write


def outcome_of(finished):
    assert finished.code == 0, finished.err
    return json.loads(finished.out)


def titles(selection):
    return [choice["idea"]["title"] for choice in selection["choices"]]


def test_of_two_ideas_that_repeat_each_other_the_better_one_is_taken(here, table):
    selection = outcome_of(here("select", str(table()), "--count", "3", "--by", "votes", "--json"))
    assert titles(selection) == ["Bread", "Graphs", "Ocean"]
    passed = selection["choices"][1]["passed"]
    assert (passed["title"], passed["like"], passed["duplicate"]) == ("Bread again", 1, True)
    assert (selection["pool"]["duplicates"], selection["chosen"]["duplicates"]) == (2, 0)
    assert selection["pool"]["curve"][-1] == {"ideas": 4, "new": 3}
    assert selection["chosen"]["effective"] > 2


def test_a_person_reads_what_was_chosen_what_it_is_like_and_what_was_passed_over(here, table):
    out = here("select", str(table()), "--count", "2", "--by", "votes").out.splitlines()
    assert out[0] == "  1. Bread"
    assert out[1].startswith("     votes 9, most similar to 2 (0.")
    assert out[2] == "  2. Graphs"
    assert out[4].startswith("     passed over: Bread again (8), a near-duplicate of 1 (0.9")
    assert "Pool: 4 ideas, as diverse as " in "\n".join(out)
    assert any(line.startswith("Near-duplicates are above a cosine of 0.85: assumed, since 8 papers") for line in out)


def test_when_nothing_else_is_left_a_repetition_is_taken_and_said_to_be_one(here, table):
    finished = here("select", str(table()), "--count", "9", "--by", "votes")
    assert "a near-duplicate of an earlier one: nothing else was left" in finished.out
    assert "Only 4 ideas could be selected; 9 were requested." in finished.out


def test_what_was_chosen_can_be_chosen_from_again_and_read_by_arenas(here, table, tmp_path):
    first = here("select", str(table()), "--count", "3", "--by", "votes", "--out", "chosen.jsonl")
    assert first.code == 0
    rows = [json.loads(line) for line in (tmp_path / "chosen.jsonl").read_text().splitlines()]
    assert [(row["title"], row["portfolio_rank"], row["votes"]) for row in rows] == [
        ("Bread", 1, 9), ("Graphs", 2, 3), ("Ocean", 3, 2),
    ]  # fmt: skip
    reading = ImportLog()
    entries = read_entries(tmp_path / "chosen.jsonl", reading)
    assert [entry.idea.title for entry in entries if entry.idea] == ["Bread", "Graphs", "Ocean"]
    assert reading.why == []
    again = outcome_of(here("select", "chosen.jsonl", "--count", "2", "--by", "portfolio_score", "--json"))
    assert titles(again) == ["Bread", "Graphs"]


def test_an_entrant_with_several_ideas_on_a_topic_is_numbered(here, table, tmp_path):
    entrants = ("ours", "ours 2", "ours", "ours 2")
    rows = [{**row, "entrant": entrant} for row, entrant in zip(IDEAS, entrants, strict=True)]
    here("select", str(table(rows=rows)), "--count", "4", "--by", "rank", "--balance", "0", "--out", "chosen.jsonl")
    written = [json.loads(line)["entrant"] for line in (tmp_path / "chosen.jsonl").read_text().splitlines()]
    assert written[0] == "ours"
    assert len(set(written)) == 4


def test_runs_and_tables_are_one_pool_and_nothing_counts_twice(here, table, tmp_path):
    ideas = [Idea(topic="anything", motivation="", novelty="", method="", **words) for words in _words(IDEAS[2:])]
    ideation = Ideation(topic="anything", method="m", candidates=tuple(Candidate(idea=idea) for idea in ideas))
    account = Account(run_id="r", novum_version="1", started="2026-01-01T00:00:00Z", seconds=1, models={})
    report = IdeationReport(ideation=ideation, account=account)
    (tmp_path / "report.json").write_text(report.model_dump_json())
    finished = here("select", "report.json", str(table()), "--by", "rank", "--json")
    selection = outcome_of(finished)
    assert selection["pool"]["ideas"] == 4
    assert "Left out: 2 ideas identical to an earlier one" in finished.err
    assert {choice["source"] for choice in selection["choices"]} == {"report.json", str(tmp_path / "ideas.jsonl")}


def _words(rows):
    return ({name: row[name] for name in ("title", "summary")} for row in rows)


RATED = (
    {
        "title": "Attention that forgets",
        "summary": "Language models attend to every earlier token, although most of them no longer matter. We train a "
        "small gate that decides for each token how long it is kept, and show on three benchmarks that the memory of a "
        "model shrinks by half while its accuracy stays the same.",
    },
    {
        "title": "Graphs without labels",
        "summary": "Graph neural networks need many labels to learn from. We propose to train them with a contrastive "
        "objective on subgraphs, and prove that the representation keeps the information that later tasks need. "
        "Experiments on molecules and citation networks support the theory.",
    },
)


def test_the_predicted_rating_decides_without_a_fitted_model(here, table):
    selection = outcome_of(here("select", str(table(rows=RATED)), "--count", "2", "--balance", "0", "--json"))
    assert (selection["by"], selection["notes"]) == ("rating", [])
    first, second = (choice["score"] for choice in selection["choices"])
    assert first > second
    again = outcome_of(here("select", str(table(rows=RATED)), "--by", "rating", "--json"))
    assert {choice["score"] for choice in again["choices"]} == {first, second}


@pytest.mark.slow
def test_a_pool_with_unrated_ideas_is_ranked_by_the_fitted_model_and_says_why(here, home, fitted, table):
    shutil.copytree(fitted, home / "metrics" / "default")
    selection = outcome_of(here("select", str(table(rows=(*RATED, *IDEAS))), "--json"))
    assert selection["by"] == "combined"
    assert "4 of 6 ideas have no predicted rating (the text has fewer than 25 words)" in selection["notes"][0]


@pytest.mark.slow
def test_a_fitted_model_scores_and_each_of_its_numbers_can_decide(here, home, fitted, table):
    shutil.copytree(fitted, home / "metrics" / "default")
    combined = outcome_of(here("select", str(table()), "--count", "2", "--json"))
    assert combined["by"] == "combined"
    assert all(choice["score"] is not None for choice in combined["choices"])
    readable = outcome_of(here("select", str(table()), "--count", "1", "--by", "readability", "--json"))
    assert 0 <= readable["choices"][0]["score"] <= 1
    wrong = here("select", str(table()), "--by", "nonsense")
    assert wrong.code == 2
    assert "none of rating, combined, creativity" in wrong.err


def test_without_a_model_it_says_what_else_there_is(here, table):
    finished = here("select", str(table()))
    assert finished.code == 2
    assert "novum metrics fit" in finished.err
    assert "--by rank or votes, or --balance 1" in finished.err


def test_difference_alone_needs_no_score(here, table):
    selection = outcome_of(
        here("select", str(table(rows=[*_words(IDEAS)])), "--count", "3", "--balance", "1", "--json")
    )
    assert len({title.split()[0] for title in titles(selection)}) == 3
    assert selection["choices"][0]["score"] is None


def test_ideas_without_a_score_or_without_words_are_reported_not_guessed(here, table):
    rows = [*IDEAS, {"title": "Unscored", "summary": "Nobody voted on this thought."}, {"title": "§§", "votes": 99}]
    selection = outcome_of(here("select", str(table(rows=rows)), "--by", "votes", "--json"))
    assert "Unscored" not in titles(selection)
    assert [note.split()[0] for note in selection["notes"]] == ["1", "1", "Only"]


def test_rows_that_cannot_be_read_are_reported_and_the_rest_counts(here, tmp_path):
    (tmp_path / "ideas.jsonl").write_text(
        '{"topic": "t", "summary": "A thought about rivers.", "votes": 1}\nno json\n{"topic": "t"}\n[1]\n'
        '{"topic": "t", "summary": "Another about mountains.", "votes": "NaN"}\n'
    )
    finished = here("select", "ideas.jsonl", "--by", "votes", "--json")
    assert titles(outcome_of(finished)) == ["A thought about rivers."]
    assert finished.err.count("Left out: ideas.jsonl, row") == 3


def test_what_no_text_can_hold_harms_nothing(here, tmp_path):
    (tmp_path / "ideas.jsonl").write_text(
        '{"topic": "t", "title": "half \\ud800 a pair", "summary": "graph networks \\u0000 learn", "votes": 1}\n'
        '{"topic": "t", "title": ["a list"], "summary": {"an": "object"}, "votes": true}\n'
        '{"topic": "t", "title": "far", "summary": "words of an ocean", "votes": 2e999, "citations": "zzz"}\n'
    )
    selection = outcome_of(here("select", "ideas.jsonl", "--by", "votes", "--out", "chosen.jsonl", "--json"))
    assert [choice["score"] for choice in selection["choices"]] == [1]
    assert json.loads((tmp_path / "chosen.jsonl").read_text())["portfolio_rank"] == 1


def test_a_csv_is_read_and_written_too(here, tmp_path):
    with (tmp_path / "ideas.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["topic", "title", "summary", "votes"])
        writer.writeheader()
        writer.writerows({"topic": "t", **row} for row in IDEAS)
    assert here("select", "ideas.csv", "--by", "votes", "--count", "2", "--out", "chosen.csv").code == 0
    with (tmp_path / "chosen.csv").open(newline="") as file:
        assert [row["title"] for row in csv.DictReader(file)] == ["Bread", "Graphs"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.jsonl",), "There is no file or run 'nowhere.jsonl'"),
        (("ideas.jsonl", "--out", "ideas.jsonl"), "would overwrite"),
        (("ideas.jsonl", "--out", "chosen.html"), "a table ends in .jsonl or .csv"),
        (("ideas.jsonl", "--by", "votes", "--out", "nowhere/chosen.jsonl"), "cannot be written"),
        (("ideas.jsonl", "--balance", "2"), "--balance"),
        (("ideas.jsonl", "--count", "0"), "--count"),
        (("empty.jsonl",), "There are no ideas"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(here, table, tmp_path, arguments, says):
    table()
    (tmp_path / "empty.jsonl").write_text("")
    finished = here("select", *arguments)
    assert finished.code == 2
    assert says in finished.err
    assert len(finished.err.splitlines()) == 1


def test_no_title_steers_the_terminal(here, table):
    rows = [{"title": "Red \x1b[31malert\nnext line", "summary": BREAD, "votes": 1}]
    finished = here("select", str(table(rows=rows)), "--by", "votes")
    assert "\x1b" not in finished.out
    assert finished.out.splitlines()[0].startswith("  1. Red")
    assert "alert next line" in finished.out.splitlines()[0]
