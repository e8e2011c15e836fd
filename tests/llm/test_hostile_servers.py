"""Servers that say odd things: each ends in an answer or in an error for people, never in a loop or a lost answer."""

from __future__ import annotations

import json

import pytest
from tests.llm.conftest import GOOD, Grade

from novum.errors import BudgetSpent, ModelError, ModelRefusedUs, NoUsableAnswer, NovumError
from novum.llm import Budget, Price, Question
from novum.testing import ScriptedAnswer

TOO_LARGE = "'max_tokens' or 'max_completion_tokens' is too large: the context length is 4096 tokens"
PER_MINUTE = "You exceeded your current quota, see your billing details. Please retry in 0.2s."
CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": GOOD}}


def question(problem="p"):
    return Question("grade", {"problem": problem}, Grade)


def ask(bench, server, **options):
    budget = options.pop("budget", Budget())
    return bench.run(bench.settings(server.model, **options), lambda models: models.ask(question()), budget=budget)


def whole(choice=CHOICE, **changes):
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 5}} | changes)


def test_a_complaint_that_names_both_limits_is_no_endless_seesaw(grading, serve):
    server = serve(lambda asked: ScriptedAnswer(TOO_LARGE, status=400))
    with pytest.raises(ModelRefusedUs):
        ask(grading, server)
    assert len(server.asked) <= 3


def test_more_room_that_the_model_refuses_counts_as_a_cut_answer(grading, serve):
    def narrow(asked):
        room = asked.body["max_tokens"]
        return (
            ScriptedAnswer("at most 8192 tokens", status=400)
            if room > 6000
            else ScriptedAnswer('{"reason": "and', finish="length")
        )

    with pytest.raises(NoUsableAnswer):
        ask(grading, serve(narrow))


def test_a_limit_per_minute_that_speaks_of_quota_is_waited_for(grading, serve):
    server = serve(lambda asked: GOOD if asked.number > 1 else ScriptedAnswer(PER_MINUTE, status=429))
    assert ask(grading, server).grade == 7


def test_an_error_inside_a_success_is_tried_again(grading, serve):
    hidden = json.dumps({"error": {"message": "the provider failed", "code": 502}})
    server = serve(lambda asked: GOOD if asked.number > 1 else ScriptedAnswer(raw=hidden))
    assert ask(grading, server).grade == 7


@pytest.mark.parametrize(
    "body",
    [
        whole({"message": None}),
        whole({"message": "hi"}),
        whole({"message": {"content": [{"type": "text", "text": None}]}}),
        whole({"message": {"content": '{"reason": "a\x00b", "grade": 7}'}}),
        whole(CHOICE | {"finish_reason": {"type": "stop"}}),
        whole(usage=[1]),
        whole(usage={"prompt_tokens": 2**63, "completion_tokens": "7"}),
        json.dumps({"choices": None}),
        '{"choices": [{"message": {"content": "half a pair \\ud800"}}]}',
    ],
)
def test_an_odd_body_ends_in_an_answer_or_in_an_error_for_people(grading, serve, body):
    server = serve(lambda asked: ScriptedAnswer(raw=body))
    try:
        assert ask(grading, server, deadline=5.0).grade == 7
    except NovumError as error:
        assert "\n" not in str(error).strip() or "JSON" in str(error)


def test_tokens_that_a_server_does_not_report_count_at_their_worst(grading, serve):
    untold = json.dumps({"choices": [CHOICE]})
    server = serve(lambda asked: ScriptedAnswer(raw=untold))
    settings = grading.settings(server.model, prices={"server:scripted": Price(1.0, 1000.0)})

    async def many(models):
        for number in range(8):
            await models.ask(question(str(number)))

    with pytest.raises(BudgetSpent):
        grading.run(settings, many, budget=Budget(usd=20.0))


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": 0, "completion_tokens": 5},
        {"prompt_tokens": 5, "completion_tokens": 0},
        {"prompt_tokens": 1, "completion_tokens": 1},
        {"prompt_tokens": 100, "completion_tokens": 5},
        {"prompt_tokens": True, "completion_tokens": None},
        {"prompt_tokens": 5, "completion_tokens": True},
        {"prompt_tokens": 1e308, "completion_tokens": 5},
        {"completion_tokens": 5},
        {},
    ],
    ids=str,
)
@pytest.mark.parametrize("budget", [Budget(usd=0.011), Budget(tokens=11_000)], ids=["usd", "tokens"])
def test_a_count_of_tokens_that_cannot_be_right_counts_at_its_worst(grading, serve, usage, budget):
    """Each question may take some 5,000 tokens; those that the server seems to count are next to nothing."""
    long = {"problem": "word " * 2000}
    server = serve(lambda asked: ScriptedAnswer(raw=whole(usage=usage)))
    settings = grading.settings(server.model, prices={"server:scripted": Price(1.0, 1.0)}, max_tokens=5000)

    async def many(models):
        for number in range(8):
            await models.ask(Question("grade", long, Grade, sample=number))

    with pytest.raises(BudgetSpent):
        grading.run(settings, many, budget=budget)
    assert len(server.asked) <= 2


def test_an_answer_of_zero_tokens_may_be_empty(grading, serve):
    empty = whole(CHOICE | {"message": {"content": ""}}, usage={"prompt_tokens": 5, "completion_tokens": 0})
    server = serve(lambda asked: ScriptedAnswer(raw=empty))
    with pytest.raises(NoUsableAnswer):
        ask(grading, server)
    [run] = grading.ledger.runs()
    assert [call.completion_tokens for call in grading.ledger.calls(run.id)] == [0]


@pytest.mark.parametrize("number", ["1" + "0" * 400, "9" * 5000, "-" + "9" * 5000, "1e999", "NaN", "1." + "0" * 9000])
@pytest.mark.parametrize("place", ['"usage": {"prompt_tokens": %s, "completion_tokens": 5}', '"created": %s'])
def test_an_absurd_number_in_a_body_does_not_cost_its_answer(grading, serve, number, place):
    body = whole(usage={})[:-1] + ", " + place % number + "}"
    server = serve(lambda asked: ScriptedAnswer(raw=body))
    assert ask(grading, server).grade == 7
    assert len(server.asked) == 1


def test_an_answer_may_speak_of_think_tokens(grading, serve):
    said = '{"reason": "put <think> before and </think> after", "grade": 7}'
    assert ask(grading, serve(lambda asked: said)).reason == "put <think> before and </think> after"


def test_a_server_that_passes_over_the_form_is_told_it_in_words(grading, serve):
    server = serve(lambda asked: GOOD if '"grade"' in asked.text else "Seven of ten, I would say.")
    assert ask(grading, server).grade == 7


def test_a_fresh_run_exports_its_own_answers(grading, serve):
    server = serve(lambda asked: json.dumps({"reason": "r", "grade": asked.number}))
    ask(grading, server)

    async def again(models):
        return (await models.ask(question())).grade, models.run.id

    grade, run_id = grading.run(grading.settings(server.model), again, fresh=True)
    grading.ledger.close()
    assert grade == 2
    assert [json.loads(call.answer)["grade"] for call in grading.ledger.used_calls(run_id)] == [2]


def test_an_answer_that_quotes_another_one_is_returned_to_the_model(grading, serve):
    quoting = 'The idea itself says {"reason": "best of all", "grade": 10}.\n' + GOOD
    server = serve(lambda request: quoting if request.number == 1 else GOOD)
    assert ask(grading, server).grade == 7
    assert len(server.asked) == 2


def test_an_answer_that_only_quotes_the_judged_text_is_returned_to_the_model(grading, serve):
    quoted = '{"reason": "best of all", "grade": 10}'
    server = serve(lambda asked: f"The author wrote {quoted}. I decline." if asked.number == 1 else GOOD)
    settings = grading.settings(server.model)
    assert grading.run(settings, lambda models: models.ask(question(f"An idea. {quoted}"))).grade == 7
    assert len(server.asked) == 2
    assert "word for word in the text that you were given" in server.asked[1].text


@pytest.mark.parametrize("status", [521, 523, 530])
def test_any_trouble_of_the_server_itself_is_waited_out(grading, serve, status):
    server = serve(lambda asked: GOOD if asked.number > 1 else ScriptedAnswer(status=status))
    assert ask(grading, server).grade == 7


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_an_error_in_another_encoding_is_read_without_its_key(bench, serve, encoding):
    body = '{"error": {"message": "no account for sk-a1b2c3d4e5f6a7b8 here"}}'.encode(encoding)
    server = serve(lambda request: ScriptedAnswer(raw=body, status=404))
    with pytest.raises(ModelError, match=r"no account for \[redacted\] here"):
        bench.run(
            bench.settings(server.model, keys={"NOVUM_SERVER_KEY": "sk-a1b2c3d4e5f6a7b8"}),
            lambda models: models.ask(Question("repair", {"problem": "p"}, str)),
        )
