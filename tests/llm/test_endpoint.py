"""What goes wrong between us and a model server, each over real HTTP."""

from __future__ import annotations

import time

import pytest
from tests.local_service import Service, said

from novum.core.concurrency import run_concurrently
from novum.errors import CallFailed, ModelRefusedUs, ModelUnreachable
from novum.llm import Question
from novum.testing import ScriptedAnswer


def ask(bench, server_or_name, **changes):
    name = server_or_name if isinstance(server_or_name, str) else server_or_name.model
    question = Question("repair", {"problem": "p"}, str)
    return bench.run(bench.settings(name, **changes), lambda models: models.ask(question))


def failing_first(times, said):
    return lambda asked: said if asked.number <= times else "at last"


@pytest.mark.parametrize(
    "said",
    [
        ScriptedAnswer(status=429),
        ScriptedAnswer(drop=True),
        *(pytest.param(ScriptedAnswer(status=status), marks=pytest.mark.slow) for status in (500, 503, 408, 409)),
    ],
)
def test_a_passing_trouble_is_waited_out(bench, serve, said):
    server = serve(failing_first(2, said))
    assert ask(bench, server) == "at last"
    assert len(server.asked) == 3


def test_the_servers_own_waiting_time_is_kept(bench, serve):
    server = serve(failing_first(1, ScriptedAnswer(status=429, headers={"Retry-After": "1"})))
    began = time.monotonic()
    assert ask(bench, server) == "at last"
    assert time.monotonic() - began >= 1.0


def test_a_pause_asked_of_one_call_holds_for_all(bench, serve):
    server = serve(failing_first(1, ScriptedAnswer(status=429, headers={"Retry-After": "1"})))
    arrivals = []

    async def work(models):
        first = models.ask(Question("repair", {"problem": "a"}, str))
        others = [models.ask(Question("repair", {"problem": str(number)}, str)) for number in range(3)]
        answers = await run_concurrently([first])
        arrivals.append(time.monotonic())
        return answers + await run_concurrently(others)

    assert bench.run(bench.settings(server.model), work) == ["at last"] * 4


def test_the_deadline_ends_all_trying(bench, serve):
    server = serve(lambda asked: ScriptedAnswer(hang=True))
    with pytest.raises(CallFailed, match=r"no answer within 1 s.*NOVUM_DEADLINE_SECONDS"):
        ask(bench, server, deadline=0.6)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (ScriptedAnswer("Incorrect API key", status=401), r"\(401: Incorrect API key\). Set NOVUM_SERVER_KEY"),
        (ScriptedAnswer("no access", status=403), "must be allowed to use this model"),
        (ScriptedAnswer("no such model", status=404), "Check the model's name and the address"),
        (ScriptedAnswer("You exceeded your current quota", status=429), "no credit left"),
        (ScriptedAnswer("top up", status=402), "Top up the account"),
        (ScriptedAnswer("prompt too long", status=400), "400: prompt too long"),
    ],
)
def test_a_refusal_for_good_is_told_at_once_with_what_to_do(bench, serve, said, told):
    server = serve(lambda asked: said)
    with pytest.raises(ModelRefusedUs, match=told):
        ask(bench, server)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "raw", ["<html><body>Welcome</body></html>", "", '{"hello": "world"}', '{"choices": []}', "[]"]
)
def test_what_is_no_model_server_is_called_so(bench, serve, raw):
    server = serve(lambda asked: ScriptedAnswer(raw=raw))
    with pytest.raises(ModelUnreachable, match="usually ends in /v1"):
        ask(bench, server)


def test_an_address_where_nothing_listens_is_reported_soon(bench):
    with pytest.raises(ModelUnreachable, match=r"cannot be reached: connection refused\. Is the server running"):
        ask(bench, "server:m@http://127.0.0.1:9/v1")


def test_a_provider_without_its_key_is_not_even_asked(bench):
    with pytest.raises(ModelRefusedUs, match="OPENAI_API_KEY is not set"):
        ask(bench, "openai:gpt-5.5")


@pytest.mark.parametrize(
    ("complaint", "gone", "comes"),
    [
        ("Unsupported parameter: 'max_tokens', use 'max_completion_tokens'", "max_tokens", "max_completion_tokens"),
        ("temperature does not support 0.7 with this model", "temperature", None),
        ("unknown field: seed", "seed", None),
    ],
)
def test_what_a_server_does_not_accept_is_left_out_from_then_on(bench, serve, complaint, gone, comes):
    server = serve(lambda asked: ScriptedAnswer(complaint, status=400) if gone in asked.body else "fine")

    async def work(models):
        return [await models.ask(Question("repair", {"problem": str(number)}, str)) for number in range(3)]

    assert bench.run(bench.settings(server.model), work) == ["fine"] * 3
    assert len(server.asked) == 4
    assert comes is None or comes in server.asked[-1].body


def test_the_key_goes_with_every_request(bench, serve):
    server = serve()
    ask(bench, server, keys={"NOVUM_SERVER_KEY": "sk-test"})
    assert server.asked[0].headers["Authorization"] == "Bearer sk-test"


def test_who_follows_a_run_is_told_why_it_waits(bench, serve):
    server = serve(failing_first(1, ScriptedAnswer("slow down", status=429, headers={"retry-after-ms": "20"})))
    told = []

    async def work(models):
        models.run.listen(lambda event: told.append((event.kind, event.data.get("why"))))
        return await models.ask(Question("repair", {"problem": "p"}, str))

    bench.run(bench.settings(server.model), work)
    assert told == [("waiting", "429: slow down"), ("call", None)]


def test_a_script_of_a_test_that_fails_is_told_at_once(bench, serve):
    """Asked again and again it would end with the deadline, ten minutes later, and nobody would know why."""
    server = serve(lambda asked: next(line for line in asked.text.splitlines() if "nowhere" in line))
    with pytest.raises(ModelRefusedUs, match=r"the script failed \(StopIteration"):
        ask(bench, server)
    assert len(server.asked) == 1


@pytest.fixture
def service():
    """A service that answers as it is told."""
    running = Service()
    yield running
    running.close()


def test_the_query_of_an_address_stays_behind_the_path(bench, service):
    reply = {"choices": [{"message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]}
    service.on("/v1/chat/completions", said(reply))
    assert ask(bench, f"server:m@{service.address}/v1?api-version=1") == "hello"
    assert service.asked[0].query == {"api-version": "1"}
