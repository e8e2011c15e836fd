"""`novum arena study` as users meet it: an estimate, a run, its tables, its report, and the evidence to publish."""

from __future__ import annotations

import json

import pytest

from novum.testing.plausible import plausible_answer
from tests.benchmarks.arena_lab import by_level, register

TOPICS = "subject one\nsubject two\n"
SKETCHES = "sketch:level=9,name=high,sketch:level=1,name=low,sketch:level=5,name=plain"


@pytest.fixture(autouse=True)
def sketch(monkeypatch):
    register(monkeypatch)


def restating(asked):
    """Restated ideas keep the level that judges compare; everything else is answered as in other arenas."""
    if asked.form == "RestatedIdea":
        level = asked.text.partition("reaches level ")[2][:1]
        return json.dumps({
            "title": "T", "motivation": "M.", "novelty": "N.", "method": f"It reaches level {level}. " + "More. " * 300
        })  # fmt: skip
    return by_level(asked)


@pytest.fixture
def server(serve):
    return serve(restating)


@pytest.fixture
def study(server, here, tmp_path):
    """`novum arena study …` on two topics, with scripted models."""
    (tmp_path / "topics.txt").write_text(TOPICS)

    def start(name, *more):
        models = ("--model", "server:writer", "--judge", "server:judge", "--base-url", server.base_url)
        given = ("--topics", "topics.txt", *models, "--bootstrap-samples", "20")
        return here("arena", "study", name, *given, *more)

    return start


def test_a_dry_run_says_what_a_study_takes_and_sends_nothing(study, server):
    done = study("quality", "--entrants", SKETCHES, "--dry-run")
    assert done.code == 0, done.err
    assert "3 entrants on 2 topics: 6 ideas to generate; at most 6 pairs to judge, 12 requests." in done.out
    assert "without 3 entrants of unknown cost" in done.out
    assert "Nothing was sent (--dry-run)." in done.out
    assert server.answered == 0


def test_an_estimate_uses_what_earlier_ideas_took(study):
    study("quality", "--entrants", SKETCHES, "--quiet")
    plan = json.loads(study("quality", "--entrants", SKETCHES, "--dry-run", "--json").out)
    ideas = [row for row in plan["rows"] if row["work"].startswith("ideas of")]
    assert [(row["calls"], row["basis"]) for row in ideas] == [(2, "average of 2 earlier ideas")] * 3


def test_a_study_of_quality_restates_all_ideas_at_one_length_and_holds_them_against_plain(study, server):
    done = study("quality", "--entrants", SKETCHES, "--words", "60", "--json")
    assert done.code == 0, done.err
    said = json.loads(done.out)["study"]
    assert said["baselines"] == []  # no entrant runs the method `plain`
    assert {row["standing"]["mean_words"] for row in said["rows"]} == {65}
    assert server.answered == 6 + 6 + 12


def test_its_evidence_has_every_idea_and_judgement_as_text_and_can_be_rated_again(study, here, tmp_path, server):
    study("quality", "--entrants", SKETCHES, "--quiet")
    calls = server.answered
    done = here("arena", "study", "export", "last", "--out", "evidence", "--bootstrap-samples", "20")
    assert done.code == 0, done.err
    readme = (tmp_path / "evidence" / "README.md").read_text()
    for words in ("# Quality of ideas", "## Limits", "## Protocol", "## Prompts", "| restate\\_idea | 1 |", "novum-2"):
        assert words in readme, words
    ideas = sorted((tmp_path / "evidence" / "ideas").rglob("*.md"))
    assert [file.relative_to(tmp_path / "evidence/ideas").as_posix() for file in ideas][:2] == [
        "01-subject-one/high.md", "01-subject-one/low.md",
    ]  # fmt: skip
    assert "## As judges saw it" in ideas[0].read_text()
    assert "## As it was written" in ideas[0].read_text()
    judged = (tmp_path / "evidence/judgements/01-subject-one/high--low.md").read_text()
    assert judged.count("A is high, B is low") == judged.count("A is low, B is high") == 1
    again = here("arena", "study", "report", "evidence/data", "--baseline", "plain", "--out", "again")
    assert again.code == 0, again.err
    assert "high against plain: wins 100% of 4 blind comparisons on 2 topics" in (
        tmp_path / "again" / "study.md"
    ).read_text().replace("\\", "")
    assert server.answered == calls


def test_an_interrupted_study_continues_without_asking_twice(study, here, server):
    part = study("quality", "--entrants", SKETCHES, "--budget-calls", "10", "--quiet")
    assert part.code == 3
    whole = here("arena", "resume", "last", "--budget-calls", "100", "--bootstrap-samples", "20", "--quiet")
    assert whole.code == 0, whole.err
    assert "Blind wins" not in whole.out
    assert "Ratings" in whole.out
    assert server.answered == 24


@pytest.mark.slow
def test_an_ablation_compares_variants_with_the_whole_method_alone(serve, here, tmp_path):
    def script(asked):
        return plausible_answer([{"content": asked.text}], asked.schema)

    server = serve(script)
    (tmp_path / "topics.txt").write_text("graph networks\n")
    models = ("--model", "server:writer", "--reader", "server:reader", "--judge", "server:judge")
    done = here(
        "arena", "study", "ablation", "--topics", "topics.txt", *models, "--base-url", server.base_url, "-o",
        "branches=1", "-o", "length=2", "--json", "--source", "none",
    )  # fmt: skip
    assert done.code == 0, done.err
    run = json.loads(done.out)["run"]
    assert (run["study"], run["schedule"]) == ("ablation", "reference")
    assert [each["name"] for each in run["entrants"]] == [
        "chain-of-ideas", "without chain", "without future direction", "without entities",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option", "values"), [("length", "length", (0, 2)), ("width", "branches", (1, 2))])
def test_a_curve_varies_one_option_and_is_drawn_with_intervals(serve, here, tmp_path, name, option, values):
    server = serve(lambda asked: plausible_answer([{"content": asked.text}], asked.schema))
    (tmp_path / "topics.txt").write_text("graph networks\nfolding sheets\n")
    models = ("--model", "server:writer", "--reader", "server:reader", "--judge", "server:judge")
    own = ("-o", "branches=1") if name == "length" else ("-o", "length=2")
    done = here(
        "arena", "study", name, "--topics", "topics.txt", *models, "--base-url", server.base_url, *own, "--json",
        "--source", "none", "--values", ",".join(map(str, values)), "--bootstrap-samples", "20", "--out", "made",
    )  # fmt: skip
    assert done.code == 0, done.err
    entrants = json.loads(done.out)["run"]["entrants"]
    assert [each["name"] for each in entrants] == [f"{option} {value}" for value in values]
    assert [each["options"][option] for each in entrants] == list(values)
    report = here("arena", "study", "report", "last", "--out", "report")
    assert report.code == 0, report.err
    assert list((tmp_path / "report" / "charts").glob("*.svg"))
    assert all(f"{option} {value}" in (tmp_path / "report" / "study.html").read_text() for value in values)


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("length", ("--values", "3"), "A curve needs at least two values of length"),
        ("width", ("--values", "two"), "--values 'two' is no whole number"),
        ("ablation", ("--variant", "odd"), "--variant 'odd': write NAME:KEY=VALUE"),
        ("ablation", ("-o", "lenght=3"), "chain-of-ideas has no option 'lenght'"),
        ("quality", ("--entrants", SKETCHES, "--words", "5"), "has 60 to 2,000 words, not 5"),
        ("quality", ("--entrants", SKETCHES, "--idea-form", "poem"), "This arena cannot be used: form"),
        ("quality", ("--entrants", "sketch:effort=low,plain"), "sketch has no levels of effort"),
        ("quality", ("--entrants", "chain-of-ideas:effort=huge,plain"), "there is no effort 'huge'"),
    ],
)
def test_what_cannot_be_studied_is_stated_in_a_line_before_anything_is_sent(study, server, name, given, why):
    done = study(name, *given)
    assert done.code == 2
    assert why in done.err
    assert len(done.lines) == 1
    assert server.answered == 0
