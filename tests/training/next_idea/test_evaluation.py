"""Evaluation: the same workflow for all models, win rates by category, gains by step, forms, and the reward check."""

from __future__ import annotations

import asyncio
import csv
import json
import re

import pytest

from novum.errors import BadInput
from novum.lab import Workplace
from novum.runs.engine import start
from novum.settings import load_settings
from novum.testing.next_idea_tasks import write_invented_tasks
from novum.training.next_idea.evaluation.durable import NEXT_IDEA_EVALUATION
from novum.training.next_idea.evaluation.forms import CRITERIA, KEY, read_ratings, write_forms
from novum.training.next_idea.evaluation.page import evaluation_document, headline, write_evaluation
from novum.training.next_idea.evaluation.records import ALL, DomainTopic, EvaluationTask
from novum.training.next_idea.report.document import render_document
from novum.training.next_idea.reward_check import REWARD_CHECK, RewardCheckTask

PARTS = "<idea>\nTitle: {0} version {1}\nProblem: p\nIdea: i {0} {1}\nApproach: 1. a\nNovelty: n\n</idea>"
CHOICES = ("effectiveness", "novelty", "detailedness", "feasibility", "overall")
ITEMS = ("specific", "flawless", "justified", "efficient", "ethical", "consistent")


def answer(request):
    """Ideas by `strong` win over those by `weak`, later versions over earlier ones; `weak` fails the rubric."""
    if request.form == "":
        written = sum(message["role"] == "assistant" for message in request.messages)
        return PARTS.format(request.model, written + 1)
    if request.form == "IdeaCritique":
        return json.dumps({"analysis": "a", "red_flags": ["no data"], "advice": "name them", "sound": False})
    if request.form == "Winners":
        (one, first), (other, second) = re.findall(r"(strong|weak) version (\d)", request.text)[:2]
        first_wins = (one == "strong") if one != other else first > second
        better = "A" if first_wins else "B"
        return json.dumps({name: {"reason": "r", "better": better} for name in CHOICES})
    if request.form == "Marks":
        satisfied = "strong version" in request.text
        return json.dumps({name: {"fault": "f", "satisfied": satisfied} for name in ITEMS})
    if request.form == "AuthenticityJudgement":
        return json.dumps({"analysis": "a", "reasons": ["r"], "real": "version" not in request.text})
    return None


@pytest.fixture
def server(serve):
    return serve(answer)


@pytest.fixture
def carry_out(server, tmp_path):
    """Carries out a run; hands back its outcome."""

    def run(kind, task):
        settings = load_settings(
            {"home": str(tmp_path / "home"), "writer": named(server, "weak")}, environment={}, folder=tmp_path
        )

        async def inside():
            async with Workplace(settings) as workplace:
                return await start(kind, workplace, task)

        return asyncio.run(inside())

    return run


def named(server, model):
    return server.model.replace("scripted", model)


@pytest.fixture
def evaluation(carry_out, server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", training=2, held_out=3)
    models = tuple(named(server, each) for each in ("strong", "weak"))
    task = EvaluationTask(data=str(data), models=models, judges=(named(server, "judge"),), rounds=2)
    return carry_out(NEXT_IDEA_EVALUATION, task)


def test_the_first_model_is_compared_with_each_other_on_all_tasks(evaluation):
    overall = next(each for each in evaluation.comparisons if each.category == ALL)
    assert overall.opponent == "server:weak"
    assert {name: share.rate.value for name, share in overall.shares.items()} == dict.fromkeys(CHOICES, 1.0)
    assert overall.shares["novelty"].yes == 3
    assert {each.category for each in evaluation.comparisons} == {ALL, "invented"}


def test_every_model_refines_its_ideas_under_comments_and_later_steps_are_compared_with_the_first(evaluation):
    assert {len(each.versions) for each in evaluation.ideas} == {3}
    assert {(each.model, each.step) for each in evaluation.gains} == {
        (model, step) for model in ("server:strong", "server:weak") for step in (2, 3)
    }
    assert all(each.shares["overall"].rate.value == 1.0 for each in evaluation.gains)


def test_the_rubric_is_counted_by_model(evaluation):
    values = {each.model: each.shares["specific"].rate.value for each in evaluation.rubric if each.category == ALL}
    assert values == {"server:strong": 1.0, "server:weak": 0.0}


def test_the_page_has_the_tables_and_figures_with_intervals(evaluation, tmp_path):
    files = write_evaluation(evaluation, tmp_path / "report")
    page = files.html.read_text()
    for expected in (
        "Win rates (Table 1)",
        "Rubric (Figure 2)",
        "Gains by refinement step (Figure 3)",
        "100% (44–100)",
    ):
        assert expected in page
    assert len(evaluation_document(evaluation).plots) == 3
    assert (tmp_path / "report" / "charts" / "wins.svg").exists()
    assert headline(evaluation).startswith("No difference is certain")  # three tasks are few


def test_topics_of_other_domains_get_their_context_from_the_library(carry_out, server, tmp_path):
    from novum.literature import Library
    from tests.training.next_idea.conftest import entries

    with Library.open(tmp_path / "home" / "library") as library:
        library.add(list(entries(1)))
    task = EvaluationTask(
        models=(named(server, "strong"),), judges=(named(server, "judge"),), rounds=0,
        topics=(DomainTopic(category="law", topic="protein folding in court"),), papers=4,
    )  # fmt: skip
    evaluation = carry_out(NEXT_IDEA_EVALUATION, task)
    assert evaluation.categories == ("law",)
    assert "protein folding in court" in next(each.text for each in server.asked if each.form == "")
    assert "No other model" in headline(evaluation) or "no other model" in headline(evaluation)


@pytest.mark.parametrize(
    ("fields", "told"), [({}, "Name a data set"), ({"split": "test"}, "no tasks in the split test")]
)
def test_an_evaluation_without_tasks_is_refused(carry_out, server, tmp_path, fields, told):
    data = str(write_invented_tasks(tmp_path / "tasks", 1, 1)) if fields else ""
    with pytest.raises(BadInput, match=told):
        carry_out(
            NEXT_IDEA_EVALUATION, EvaluationTask(data=data, models=(server.model,), judges=(server.model,), **fields)
        )


def filled(file, grade):
    """The form with the same grade in every row."""
    rows = list(csv.reader(file.read_text().splitlines()))
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([rows[0], *([*row[:3], grade(row), ""] for row in rows[1:])])
    return file


def unknown_pair(file):
    file.write_text(file.read_text().replace("E1-1", "E9-9"))


def test_forms_of_experts_name_no_model_and_are_read_back_by_domain_and_criterion(evaluation, tmp_path):
    folder = tmp_path / "forms"
    files = write_forms(evaluation, folder, experts=2, pairs=2)
    assert len(files) == 5
    texts = (folder / "expert-1.md").read_text()
    assert "server:" not in texts
    key = json.loads((folder / KEY).read_text())
    sheet = filled(folder / "expert-1.csv", lambda row: "much better" if key[row[0]]["first"] else "Worse")
    cells = read_ratings([sheet])
    assert {each.criterion for each in cells} == set(CRITERIA)
    assert all(each.share.rate.value == 1.0 and sum(each.counts.values()) == 2 for each in cells)
    document = evaluation_document(evaluation.model_copy(update={"experts": cells}))
    assert "Ratings by experts (Table 2)" in render_document(document)


def test_empty_grades_are_left_out(evaluation, tmp_path):
    write_forms(evaluation, tmp_path / "forms", experts=1, pairs=1)
    assert read_ratings([tmp_path / "forms" / "expert-1.csv"]) == ()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda file: filled(file, lambda row: "great"), "'great' is none of: much better"),
        (lambda file: file.write_text("a,b\n1,2\n"), "it needs the columns pair"),
        (lambda file: (file.parent / KEY).write_text("[]"), "keep it beside"),
        (lambda file: unknown_pair(filled(file, lambda row: "better")), "no pair 'E9-9'"),
        (lambda file: twice(filled(file, lambda row: "better")), "is graded twice on"),
    ],
)  # fmt: skip
def test_forms_that_cannot_be_read_are_told_in_one_line(evaluation, tmp_path, spoil, told):
    write_forms(evaluation, tmp_path / "forms", experts=1, pairs=1)
    file = tmp_path / "forms" / "expert-1.csv"
    spoil(file)
    with pytest.raises(BadInput, match=re.escape(told)):
        read_ratings([file])


def test_a_form_that_is_named_twice_is_refused(evaluation, tmp_path):
    write_forms(evaluation, tmp_path / "forms", experts=1, pairs=1)
    file = filled(tmp_path / "forms" / "expert-1.csv", lambda row: "better")
    with pytest.raises(BadInput, match="named twice"):
        read_ratings([file, file.parent / "." / file.name])


def twice(file):
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[1].replace("better", "worse")]) + "\n")


def test_a_reward_model_is_checked_on_real_and_generated_ideas(carry_out, server, tmp_path):
    data = write_invented_tasks(tmp_path / "tasks", 10, 2)
    check = carry_out(REWARD_CHECK, RewardCheckTask(data=str(data), models=(named(server, "judge"),), pairs=10))
    [candidate] = check.candidates
    assert (candidate.real.rate.value, candidate.generated.rate.value, candidate.failures) == (1.0, 1.0, 0)
    assert candidate.usable
    assert check.ideas == 10


def test_a_reward_model_that_calls_everything_real_is_not_usable(serve, tmp_path):
    always = json.dumps({"analysis": "a", "reasons": ["r"], "real": True})
    server = serve(lambda request: always if request.form == "AuthenticityJudgement" else answer(request))
    data = write_invented_tasks(tmp_path / "tasks", 10, 2)
    settings = load_settings({"home": str(tmp_path / "home"), "writer": server.model}, environment={}, folder=tmp_path)

    async def inside():
        async with Workplace(settings) as workplace:
            return await start(
                REWARD_CHECK, workplace, RewardCheckTask(data=str(data), models=(server.model,), pairs=8)
            )

    [candidate] = asyncio.run(inside()).candidates
    assert (candidate.real.rate.value, candidate.generated.rate.value) == (1.0, 0.0)
    assert not candidate.usable
