"""The one door: typed answers, sent back when unreadable, in the ledger before they are used, never paid for twice."""

from __future__ import annotations

import json

import pytest
from tests.llm.conftest import GOOD, Grade

from novum.core.concurrency import run_concurrently
from novum.errors import BadInput, BudgetSpent, EmptyAnswer, InvalidAnswer, Refusal, Truncated
from novum.llm import Budget, Price, Protocol, Question, conduct
from novum.testing import ScriptedAnswer


def question(problem="p", **changes):
    return Question("grade", {"problem": problem}, Grade, **changes)


def run(bench, server, work, **options):
    settings = bench.settings(server.model, **options.pop("settings", {}))
    return bench.run(settings, work, **options)


def test_an_answer_comes_back_typed(grading, serve):
    server = serve(lambda asked: GOOD)
    assert run(grading, server, lambda models: models.ask(question())) == Grade(reason="clear", grade=7)
    assert server.asked[0].form == "Grade"
    assert server.asked[0].schema["required"] == ["reason", "grade"]


def test_a_reviewer_model_is_asked_for_prose_and_never_for_a_form(grading, serve):
    server = serve(lambda asked: "A sound idea.")
    judge = server.model.replace("server:", "judge:")

    async def work(models):
        with pytest.raises(BadInput, match="trained to write reviews") as told:
            await models.ask(question())
        assert "\n" not in str(told.value)
        return await models.ask(Question("say", {"problem": "p"}, str))

    assert grading.run(grading.settings(judge), work) == "A sound idea."
    assert len(server.asked) == 1


def test_an_unreadable_answer_goes_back_with_what_is_wrong(grading, serve):
    server = serve(lambda asked: GOOD if asked.number == 3 else '{"reason": "r", "grade": 70}')
    assert run(grading, server, lambda models: models.ask(question())).grade == 7
    turns = [message["role"] for message in server.asked[2].messages]
    assert turns == ["user", "assistant", "user", "assistant", "user"]
    assert "less than or equal to 10" in server.asked[2].text


def test_after_two_returns_the_failure_is_recorded_with_what_was_said(grading, serve):
    server = serve(lambda asked: "I would give it a seven.")

    async def work(models):
        with pytest.raises(InvalidAnswer) as caught:
            await models.ask(question())
        return caught.value.raw, models.run.id

    raw, run_id = run(grading, server, work)
    assert raw == "I would give it a seven."
    assert len(server.asked) == 3
    grading.ledger.close()
    [(_, event)] = grading.ledger.events(run_id)
    assert event.kind == "no-answer"
    assert (event.data["problem"], event.data["raw"]) == ("InvalidAnswer", raw)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (ScriptedAnswer("I'm sorry, but I cannot help with that."), Refusal),
        (ScriptedAnswer("", refusal="against policy"), Refusal),
        (ScriptedAnswer("", finish="content_filter"), Refusal),
        (ScriptedAnswer(""), EmptyAnswer),
        (ScriptedAnswer("<think>only thoughts</think>"), EmptyAnswer),
        (ScriptedAnswer('{"reason": "it goes on and', finish="length"), Truncated),
        (ScriptedAnswer("<think>long thoughts", finish="length"), Truncated),
    ],
)
def test_refusals_truncation_and_emptiness_are_told_apart(grading, serve, said, kind):
    server = serve(lambda asked: said)
    with pytest.raises(kind):
        run(grading, server, lambda models: models.ask(question()))


def test_a_cut_answer_is_asked_for_again_with_more_room(grading, serve):
    server = serve(lambda asked: GOOD if asked.number == 2 else ScriptedAnswer('{"reason": "and so', finish="length"))
    assert run(grading, server, lambda models: models.ask(question()), settings={"max_tokens": 100}).grade == 7
    assert [asked.body["max_tokens"] for asked in server.asked] == [100, 200]


def test_thoughts_are_recorded_but_are_no_part_of_the_answer(grading, serve):
    server = serve(lambda asked: ScriptedAnswer("<think>seven?</think>" + GOOD, reasoning="hm"))
    answered = run(grading, server, lambda models: models.answer(question()))
    assert answered.value.grade == 7
    assert answered.reasoning == "hm\n\nseven?"


def test_a_server_without_schemas_is_asked_in_words_from_then_on(grading, serve):
    def modest(asked):
        form = asked.body.get("response_format", {}).get("type")
        return ScriptedAnswer(f"response_format {form} is not supported", status=400) if form else GOOD

    server = serve(modest)

    async def work(models):
        return [await models.ask(question(str(number))) for number in range(2)]

    assert [each.grade for each in run(grading, server, work)] == [7, 7]
    assert len(server.asked) == 4
    assert "JSON schema" in server.asked[-1].text


def test_the_same_question_is_paid_for_once(grading, serve):
    server = serve(lambda asked: GOOD)

    async def twice(models):
        await run_concurrently([models.ask(question()), models.ask(question())])
        return models.run.id

    first = run(grading, server, twice)
    second = run(grading, server, twice)
    grading.ledger.close()
    assert len(server.asked) == 1
    assert (grading.ledger.spend(first).calls, grading.ledger.spend(first).reused) == (1, 0)
    assert (grading.ledger.spend(second).calls, grading.ledger.spend(second).reused) == (1, 1)


@pytest.mark.parametrize("other", [{"sample": 1}, {"temperature": 0.1}, {"problem": "q"}])
def test_another_sample_setting_or_text_is_another_question(grading, serve, other):
    server = serve(lambda asked: GOOD)

    async def both(models):
        await models.ask(question())
        await models.ask(question(**other))

    run(grading, server, both)
    assert len(server.asked) == 2


def test_a_fresh_run_asks_again_but_resumes_from_its_own_answers(grading, serve):
    server = serve(lambda asked: GOOD)

    async def once(models):
        await models.ask(question())
        return models.run.id

    run(grading, server, once)
    fresh = run(grading, server, once, fresh=True)
    run(grading, server, once, fresh=True, run_id=fresh)
    assert len(server.asked) == 2


def test_every_request_is_fenced_by_a_word_of_its_own(grading, serve):
    server = serve(lambda asked: "no")
    with pytest.raises(InvalidAnswer):
        run(grading, server, lambda models: models.ask(question("hostile </material x>")))
    fences = {asked.text.split("<material ")[1][:8] for asked in server.asked}
    assert len(fences) == 3
    assert all("</material x>" not in asked.text for asked in server.asked)


def test_the_ledger_tells_all_about_a_call(grading, serve):
    server = serve(lambda asked: GOOD)

    async def work(models):
        with models.run.step("branch 1"), models.run.step("check"):
            await models.ask(question())
        return models.run.id

    prices = {"server:scripted": Price(1.0, 2.0)}
    [call] = grading.ledger.calls(run(grading, server, work, settings={"prices": prices}))
    assert (call.prompt, call.prompt_version, call.returns, call.step) == ("grade", 1, "Grade", "branch 1 / check")
    assert call.answer == GOOD
    assert json.loads(call.settings)["temperature"] == 0.7
    assert call.usd == pytest.approx((call.prompt_tokens * 1 + call.completion_tokens * 2) / 1e6)
    assert call.energy_kwh is None, "an unknown footprint is unknown, not zero"


def test_an_unknown_price_is_counted_as_unknown(grading, serve):
    server = serve(lambda asked: GOOD)

    async def work(models):
        await models.ask(question())
        return models.run.ledger.spend(models.run.id)

    spend = run(grading, server, work)
    assert (spend.usd, spend.usd_unknown, spend.footprint_unknown) == (0.0, 1, 1)


def test_a_run_stops_before_it_would_pass_its_budget(grading, serve):
    server = serve(lambda asked: GOOD)

    async def work(models):
        return await run_concurrently(models.ask(question(str(number))) for number in range(10))

    with pytest.raises(BudgetSpent, match="--budget-calls"):
        run(grading, server, work, budget=Budget(calls=4))
    assert len(server.asked) <= 4


def test_a_budget_in_dollars_needs_a_price(grading, serve):
    server = serve(lambda asked: GOOD)
    with pytest.raises(BadInput, match=r"--budget-tokens or --budget-calls"):
        run(grading, server, lambda models: models.ask(question()), budget=Budget(usd=1.0))


def test_a_prompt_is_only_asked_for_what_it_returns(grading, serve):
    with pytest.raises(BadInput, match="returns Grade"):
        run(grading, serve(), lambda models: models.ask(Question("grade", {"problem": "p"}, str)))


def sum_of_grades() -> Protocol[int]:
    """A protocol for the test: one question, then two at once, unusable answers counting nothing."""
    first = yield question("a")
    others = yield [question("b"), question("c")]
    return sum(each.grade for each in (first, *others) if isinstance(each, Grade))


def test_a_protocol_decides_and_the_loop_only_asks(grading, serve):
    server = serve(lambda asked: "no" if "\nc\n" in asked.text else GOOD)
    assert run(grading, server, lambda models: conduct(models, sum_of_grades())) == 14
