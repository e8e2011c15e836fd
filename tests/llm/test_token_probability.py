"""Token probabilities: asked for when wanted, kept with the call, never part of the question."""

from __future__ import annotations

import json
import math
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from novum.cli.app import run
from novum.core import IdeationReport
from novum.errors import ModelRefusedUs
from novum.idea_metrics.token_probabilities import token_probability_of
from novum.ledger import Ledger
from novum.literature import Library
from novum.literature.starter import starter_entries
from novum.llm import ModelName, Question
from novum.llm.token_probability import geometric_mean, token_probability
from novum.llm.wire import ChatRequest, ServerCapabilities, request_body
from novum.prompts import Message
from novum.settings import load_settings
from novum.testing import ScriptedAnswer, ScriptedServer, plausible_answer

LOGARITHMS = [-0.1, -0.7, -0.4]


def with_logprobs(text, logarithms):
    """The whole body of a chat answer, as OpenAI lays it out."""
    tokens = [{"token": "t", "logprob": each, "bytes": None, "top_logprobs": []} for each in logarithms]
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": {"content": tokens}}
    return ScriptedAnswer(raw=json.dumps({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 3}}))


def telling(asked):
    return with_logprobs("Yes.", LOGARITHMS) if asked.body.get("logprobs") else "Yes."


def ask(bench, server, *, wanted, times=1, fresh=False):
    """Asks `times` different questions, and hands back the run's calls."""
    usual = bench.settings(server.model)
    asking = replace(usual, calls=replace(usual.calls, token_probabilities=wanted))

    async def work(models):
        for number in range(times):
            await models.ask(Question("repair", {"problem": f"p{number}"}, str))
        return models.run.id

    run_id = bench.run(asking, work, fresh=fresh)
    return bench.ledger.used_calls(run_id)


def test_an_answer_is_kept_with_its_length_normalised_probability(bench):
    with ScriptedServer(telling) as server:
        (call,) = ask(bench, server, wanted=True)
    assert call.answer == "Yes."
    assert call.token_probability == pytest.approx((math.exp(-0.1) * math.exp(-0.7) * math.exp(-0.4)) ** (1 / 3))


def test_nobody_is_asked_for_probabilities_unless_they_are_wanted(bench):
    with ScriptedServer(telling) as server:
        (call,) = ask(bench, server, wanted=False)
        assert "logprobs" not in server.asked[0].body
    assert call.token_probability is None


def test_an_answer_that_is_there_already_is_used_whether_it_has_a_probability_or_not(bench):
    with ScriptedServer(telling) as server:
        ask(bench, server, wanted=False)
        ask(bench, server, wanted=True)
        assert len(server.asked) == 1


def test_a_question_has_the_same_key_whether_probabilities_are_wanted_or_not(bench):
    with ScriptedServer(telling) as server:
        (without,), (with_it,) = (ask(bench, server, wanted=wanted, fresh=True) for wanted in (False, True))
    assert without.key == with_it.key
    assert (without.token_probability is None, with_it.token_probability is None) == (True, False)


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        (400, "Unrecognized request argument supplied: logprobs"),
        (422, "logprobs: extra inputs are not permitted"),
        (403, "You are not allowed to request logprobs from this model"),
        (500, "logprobs is not supported for models created with logits_all=False"),
        (501, "logprobs are not implemented"),
    ],
)
def test_a_server_that_refuses_is_asked_without_from_then_on(bench, status, complaint):
    with ScriptedServer(
        lambda asked: ScriptedAnswer(complaint, status=status) if "logprobs" in asked.body else "Yes."
    ) as server:
        calls = ask(bench, server, wanted=True, times=3)
        assert ["logprobs" in each.body for each in server.asked] == [True, False, False, False]
    assert [call.token_probability for call in calls] == [None] * 3


def test_a_refusal_of_something_else_is_still_a_refusal(bench):
    refused = ScriptedAnswer("this key may not use this model", status=403)
    with ScriptedServer(lambda asked: refused) as server, pytest.raises(ModelRefusedUs, match="403"):
        ask(bench, server, wanted=True)


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        [],
        "all of them",
        {"content": None},
        {"content": []},
        {"content": "many"},
        {"content": [{"token": "t"}]},
        {"content": [{"logprob": "-0.1"}]},
        {"content": [{"logprob": True}]},
        {"content": [{"logprob": 0.7}]},
        {"content": [{"logprob": -0.2}, "t"]},
        {"content": [{"logprob": math.nan}]},
        {"content": [{"logprob": -math.inf}]},
        {"content": [{"logprob": -(10**400)}]},
        {"content": [{"logprob": -0.2}, {"logprob": -9999.0}]},
        {"content": [{"logprob": -0.2}, {"logprob": None}]},
        {"token_logprobs": [None, -0.1]},
    ],
)
def test_what_is_no_probability_is_taken_for_none(logprobs):
    assert token_probability(logprobs) is None


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "null"])
def test_an_answer_is_not_lost_to_a_number_that_is_none(bench, number):
    """Servers written in Python send them so, though JSON has no such numbers."""
    body = with_logprobs("Yes.", [-0.5, 12345]).raw.replace("12345", number)
    with ScriptedServer(lambda asked: ScriptedAnswer(raw=body)) as server:
        (call,) = ask(bench, server, wanted=True)
    assert (call.answer, call.token_probability) == ("Yes.", None)


THINKING = ["<think>", "Is", " it", "</think>", "Yes", "."]


@pytest.mark.parametrize(
    ("tokens", "spoken"),
    [
        (THINKING, 2),
        ([*THINKING[1:], " </think>"], 3),
        (["Hm", "</", "thi", "nk>", "\n\nYes"], 1),
        (["Yes", ".", "<|im_end|>"], 3),
        (["So", "</think>"], 0),
    ],
)
def test_what_was_thought_aloud_before_the_answer_does_not_count(tokens, spoken):
    thought, said = [-9.0] * (len(tokens) - spoken), [-0.5] * spoken
    content = [{"token": token, "logprob": each} for token, each in zip(tokens, thought + said, strict=True)]
    expected = pytest.approx(math.exp(-0.5)) if spoken else None
    assert token_probability({"content": content}) == expected
    assert token_probability({"tokens": tokens, "token_logprobs": thought + said}) == expected


def test_the_older_form_is_read_as_well():
    assert token_probability({"tokens": ["a", "b"], "token_logprobs": [-1.0, -3]}) == pytest.approx(math.exp(-2))


@settings(max_examples=40)
@given(st.lists(st.floats(-50, 0), min_size=1, max_size=50), st.randoms(use_true_random=False))
@example([0.0], None)
def test_a_probability_lies_between_those_of_its_tokens_in_whatever_order(logarithms, random):
    said = token_probability({"content": [{"logprob": each} for each in logarithms]})
    assert math.exp(min(logarithms)) * (1 - 1e-9) <= said <= math.exp(max(logarithms)) * (1 + 1e-9) <= 1 + 1e-9
    if random:
        random.shuffle(logarithms)
    assert token_probability({"token_logprobs": logarithms}) == pytest.approx(said)


@settings(max_examples=40)
@given(st.lists(st.lists(st.floats(-20, 0), min_size=1, max_size=8), min_size=1, max_size=5))
def test_an_answer_in_parts_is_as_probable_as_the_whole(parts):
    whole = token_probability({"token_logprobs": [each for part in parts for each in part]})
    assert geometric_mean((token_probability({"token_logprobs": part}), len(part)) for part in parts) == pytest.approx(
        whole
    )


@pytest.mark.parametrize("parts", [[], [(0.5, 3), (None, 2)], [(0.5, None)], [(0.5, 0)]])
def test_parts_of_which_one_is_not_known_make_no_whole(parts):
    assert geometric_mean(parts) is None


def test_an_impossible_part_makes_an_impossible_whole():
    assert geometric_mean([(0.0, 3), (1.0, 3)]) == 0.0


def test_the_request_asks_in_the_way_of_the_protocol():
    model = ModelName.parse("openai:gpt-5.5")
    asking = ChatRequest([Message("user", "?")], 0.7, 100, logprobs=True)
    assert request_body(asking, model, ServerCapabilities.of(model))["logprobs"] is True


def test_a_ledger_of_earlier_days_opens_and_keeps_what_it_holds(bench, tmp_path):
    with ScriptedServer(telling) as server:
        (call,) = ask(bench, server, wanted=True)
    bench.ledger.close()
    with sqlite3.connect(tmp_path / "ledger.sqlite") as old:
        for column in ("token_probability", "checksum"):
            old.execute(f"ALTER TABLE calls DROP COLUMN {column}")
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        (kept,) = opened.calls(call.run_id)
    assert kept == call.model_copy(update={"token_probability": None})
    with Ledger.open(tmp_path / "ledger.sqlite") as again:
        assert again.answered(call.key) == kept


def test_two_that_open_an_old_ledger_at_once_both_get_it(tmp_path):
    Ledger.open(tmp_path / "ledger.sqlite").close()
    with sqlite3.connect(tmp_path / "ledger.sqlite") as old:
        old.execute("ALTER TABLE calls DROP COLUMN token_probability")
    with ThreadPoolExecutor(4) as threads:
        ledgers = list(threads.map(lambda _: Ledger.open(tmp_path / "ledger.sqlite"), range(4)))
    assert [ledger.calls("none") for ledger in ledgers] == [[]] * 4
    for ledger in ledgers:
        ledger.close()


def test_the_setting_comes_from_where_settings_come_from(tmp_path):
    environment = {"NOVUM_HOME": str(tmp_path), "NOVUM_TOKEN_PROBABILITIES": "true"}
    assert load_settings(environment=environment, folder=tmp_path).for_models().calls.token_probabilities
    assert not load_settings(environment={"NOVUM_HOME": str(tmp_path)}, folder=tmp_path).values.token_probabilities


# -- the whole way --------------------------------------------------------------------------------------------------


def plausibly_telling(asked):
    """A plausible answer to whatever is asked, each token one half as probable as can be."""
    said = plausible_answer(asked.messages, asked.schema, asked.body.get("seed", 0))
    return with_logprobs(said, [math.log(0.5)] * 4) if asked.body.get("logprobs") else said


@pytest.mark.slow
def test_an_idea_made_at_the_command_line_comes_with_its_probability(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path))
    with Library.open(tmp_path / "library") as library:
        library.add(islice(starter_entries(), 40))
    small = ("--branches", "1", "--length", "2", "--option", "refinements=0", "--json", "--out", str(tmp_path / "out"))
    with ScriptedServer(plausibly_telling) as server:
        assert run(("ideate", "memory", *small, "--model", server.model, "--token-probabilities")) == 0
    report = IdeationReport.model_validate_json(capsys.readouterr().out)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        record = ledger.run("last")
        calls = [(call.answer, call.token_probability) for call in ledger.used_calls(record.id)]
    assert record.params["settings"]["token_probabilities"] is True
    assert {probability for _, probability in calls} == {0.5}
    assert token_probability_of(report.ideation.best.idea, calls) == pytest.approx(0.5)
