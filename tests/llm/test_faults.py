"""Faults of a model server in the middle of a run, each over real HTTP: a run gets its answers nevertheless."""

from __future__ import annotations

import asyncio
import gzip
import json
from contextlib import suppress

import pytest

from novum.errors import (
    BudgetSpent,
    CallFailed,
    EmptyAnswer,
    ModelError,
    ModelRefusedUs,
    ModelUnreachable,
    NoUsableAnswer,
)
from novum.llm import Budget, ModelName, Question
from novum.llm.endpoint import _wanted_wait
from novum.llm.sending import time_limit
from novum.llm.server import Server
from novum.llm.tries import Pace, TemporaryFailure
from novum.testing import ScriptedAnswer

PAGE = "<html><body>502 Bad gateway</body></html>"
COMPLETION = {"choices": [{"message": {"content": "too much"}, "finish_reason": "stop"}]}
BAD_ANSWERS = {
    "a web page": ScriptedAnswer(raw=PAGE),
    "nothing": ScriptedAnswer(raw=""),
    "JSON cut off": ScriptedAnswer(raw='{"choices": [{"mess'),
    "no choices": ScriptedAnswer(raw='{"choices": []}'),
    "choices that are null": ScriptedAnswer(raw='{"choices": null}'),
    "other JSON": ScriptedAnswer(raw='{"hello": "world"}'),
    "a message that is text": ScriptedAnswer(raw='{"choices": [{"message": "hi"}]}'),
    "an image": ScriptedAnswer(raw=b"\x89PNG\r\n", content_type="image/png"),
    "a web page as an error": ScriptedAnswer(raw=PAGE, status=403),
    "nested without end": ScriptedAnswer(raw="[" * 200_000),
    "gzip that is none": ScriptedAnswer(raw="plain", headers={"Content-Encoding": "gzip"}),
}


def ask_twice(bench, server, **options):
    """Two questions, one after the other."""

    async def work(models):
        return [await models.ask(Question("repair", {"problem": str(number)}, str)) for number in range(2)]

    return bench.run(bench.settings(server.model, **options), work)


def ask(bench, server, **options):
    question = Question("repair", {"problem": "p"}, str)
    return bench.run(bench.settings(server.model, **options), lambda models: models.ask(question))


def failing(answer, numbers):
    """A script that gives `answer` to the requests of these numbers."""
    return lambda request: answer if request.number in numbers else "good"


@pytest.mark.parametrize("answer", BAD_ANSWERS.values(), ids=BAD_ANSWERS.keys())
def test_an_unusable_answer_of_a_server_that_answered_well_is_requested_again(bench, serve, answer):
    server = serve(failing(answer, {2, 3, 4, 5}))
    assert ask_twice(bench, server) == ["good", "good"]
    assert len(server.asked) == 6


EMPTY = ScriptedAnswer(" \n")


def test_an_empty_answer_is_requested_again(bench, serve):
    assert ask(bench, serve(failing(EMPTY, {1, 2}))) == "good"


def test_a_model_that_answers_nothing_three_times_has_no_answer(bench, serve):
    server = serve(lambda request: EMPTY)
    with pytest.raises(EmptyAnswer):
        ask(bench, server)
    assert len(server.asked) == 3


@pytest.mark.parametrize("answer", [ScriptedAnswer(refusal="No."), ScriptedAnswer(reasoning="Hm.")])
def test_an_answer_that_says_why_it_is_empty_is_not_requested_again(bench, serve, answer):
    server = serve(lambda request: answer)
    with pytest.raises(NoUsableAnswer):
        ask(bench, server)
    assert len(server.asked) == 1


@pytest.mark.parametrize("name", ["a web page", "nothing", "JSON cut off", "no choices"])
def test_the_first_answers_of_all_may_be_unusable_too(bench, serve, name):
    assert ask(bench, serve(failing(BAD_ANSWERS[name], {1, 2}))) == "good"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a web page", "a web page"),
        ("nothing", "an empty response"),
        ("JSON cut off", "JSON that is cut off or invalid"),
        ("no choices", r"JSON without choices\[0\].message"),
        ("an image", r"something that is not JSON \(image/png\)"),
    ],
)
def test_a_server_that_never_answers_well_has_a_wrong_address(bench, serve, name, reason):
    server = serve(lambda request: BAD_ANSWERS[name])
    with pytest.raises(ModelUnreachable, match=f"answered with {reason}, not like a model server.*usually ends in /v1"):
        ask(bench, server)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    "answer",
    [
        ScriptedAnswer(hang=True),
        ScriptedAnswer("good, but too late", stall_after=0),
        ScriptedAnswer("good, but too late", stall_after=20),
        ScriptedAnswer("good, but too late", trickle=0.5),
    ],
    ids=["no response", "only headers", "half a body", "byte by byte"],
)
def test_a_request_that_hangs_is_sent_again(bench, serve, answer):
    server = serve(failing(answer, {2}))
    assert ask_twice(bench, server, deadline=5.0, max_tokens=50) == ["good", "good"]
    assert len(server.asked) == 3


def test_the_first_request_of_all_may_hang_too(bench, serve):
    assert ask(bench, serve(failing(ScriptedAnswer(hang=True), {1})), deadline=3.0) == "good"


def test_the_user_says_how_long_a_response_may_be_silent(bench, serve):
    server = serve(failing(ScriptedAnswer(hang=True), {1, 2, 3}))
    assert ask(bench, server, deadline=60.0, stall_seconds=0.1) == "good"


def test_a_server_that_only_hangs_ends_with_the_number_of_tries(bench, serve):
    server = serve(lambda request: ScriptedAnswer(hang=True))
    with pytest.raises(CallFailed, match=r"no answer within 1 s \(\d tries, last: no response within 0"):
        ask(bench, server, deadline=0.6)


def test_a_server_slower_than_that_gets_more_time_with_each_try(bench, serve):
    server = serve(lambda request: "good", latency=0.5)
    assert ask(bench, server, deadline=60.0, stall_seconds=0.2) == "good"
    assert len(server.asked) > 1


@pytest.mark.parametrize(("tries", "count"), [(1, "1 try"), (2, "2 tries")])
def test_tries_are_counted_in_good_english(tries, count):
    server = Server(ModelName.parse("server:m@http://127.0.0.1:9/v1"), "http://127.0.0.1:9/v1", "", "")
    assert f"({count}, last: 503: overloaded)" in str(server.no_answer(600.0, tries, "503: overloaded"))


DEADLINE = 600.0


def test_a_slow_model_has_eight_minutes_for_its_first_answer():
    assert Pace().limit(DEADLINE, DEADLINE, 6000) >= 480


def test_a_model_that_needed_eight_minutes_may_need_them_again():
    pace = Pace()
    pace.add(480.0, 6000)
    assert pace.limit(DEADLINE, DEADLINE, 6000) >= 480


def test_a_slow_model_has_the_time_for_a_long_answer_after_short_ones():
    pace = Pace()
    pace.add(2.0, 40)
    assert pace.limit(DEADLINE, DEADLINE, 6000) >= 6000 * 2.0 / 40


def test_a_fast_server_that_hangs_leaves_time_for_several_tries():
    pace = Pace()
    pace.add(10.0, 3000)
    first = pace.limit(DEADLINE, DEADLINE, 6000)
    assert 60 <= first <= DEADLINE / 4
    assert pace.limit(DEADLINE, DEADLINE - first, 6000, hung=1) == 2 * first


@pytest.mark.parametrize("remaining", [600.0, 90.0, 5.0])
def test_no_try_has_more_time_than_remains(remaining):
    pace = Pace()
    pace.add(500.0, None)
    assert 0 < pace.limit(DEADLINE, remaining, 6000, hung=3) <= remaining


@pytest.mark.parametrize("compressed", [False, True])
def test_a_huge_answer_is_not_taken(bench, serve, compressed):
    body = json.dumps(COMPLETION | {"padding": "x" * 20_000_000}).encode()
    headers = {"Content-Encoding": "gzip"} if compressed else {}
    huge = ScriptedAnswer(raw=gzip.compress(body) if compressed else body, headers=headers)
    assert ask_twice(bench, serve(failing(huge, {2})))[1] == "good"


def test_of_a_huge_error_only_the_beginning_is_read(bench, serve):
    huge = json.dumps({"error": {"message": "too long. " + "x" * 10_000_000}})
    server = serve(lambda request: ScriptedAnswer(raw=huge, status=400))
    with pytest.raises(ModelRefusedUs) as refusal:
        ask(bench, server)
    assert len(str(refusal.value)) < 700


def test_text_of_a_server_is_one_short_line_in_a_message(bench, serve):
    server = serve(lambda request: ScriptedAnswer("a\x1b[31m\r\nb\u202ec" + "d" * 1000, status=400))
    with pytest.raises(ModelRefusedUs) as refusal:
        ask(bench, server)
    assert str(refusal.value).isprintable()
    assert "d" * 301 not in str(refusal.value)


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_beyond_the_deadline_is_not_waited_for(bench, serve, status):
    server = serve(lambda request: ScriptedAnswer("closed", status=status, headers={"Retry-After": "86400"}))
    with pytest.raises(CallFailed, match=rf"a wait of 24 h \({status}: closed\), more than the deadline of 300 s"):
        ask(bench, server)
    assert len(server.asked) == 1


def test_a_key_stays_with_its_server(bench, serve):
    other = serve(lambda request: "from the other server")
    location = f"{other.base_url}/chat/completions"
    server = serve(lambda request: ScriptedAnswer(status=307, headers={"Location": location}))
    keys = {"NOVUM_SERVER_KEY": "sk-secret-of-the-first"}
    assert ask(bench, server, keys=keys) == "from the other server"
    assert server.asked[0].headers["Authorization"] == "Bearer sk-secret-of-the-first"
    assert "Authorization" not in other.asked[0].headers


def test_a_server_that_redirects_in_a_circle_is_named(bench, serve):
    server = serve(lambda request: ScriptedAnswer(status=307, headers={"Location": "/v1/chat/completions"}))
    with pytest.raises(ModelError, match="redirects"):
        ask(bench, server)


def test_each_redirect_is_a_request_of_its_own(bench, serve):
    """A budget counts them all."""

    def hops(request):
        hop = {"Location": "/v1/chat/completions"}
        return "arrived" if request.number % 3 == 0 else ScriptedAnswer(status=307, headers=hop)

    server = serve(hops)
    settings = bench.settings(server.model)

    async def work(models):
        return [await models.ask(Question("repair", {"problem": str(number)}, str)) for number in range(2)]

    with pytest.raises(BudgetSpent):
        bench.run(settings, work, budget=Budget(calls=5))
    assert len(server.asked) == 5


@pytest.mark.parametrize("target", ["file:///etc/passwd", "http://[::1"])
def test_a_redirect_to_something_unusable_counts_as_a_request(bench, serve, target):
    server = serve(lambda request: ScriptedAnswer(status=307, headers={"Location": target}))
    settings = bench.settings(server.model)

    async def work(models):
        for number in range(4):
            with suppress(ModelUnreachable):
                await models.ask(Question("repair", {"problem": str(number)}, str))

    with pytest.raises(BudgetSpent):
        bench.run(settings, work, budget=Budget(calls=2))
    assert len(server.asked) == 2


@pytest.mark.parametrize(("status", "requests"), [(308, 3), (307, 4)])
def test_a_server_that_moved_for_good_is_asked_there_at_once(bench, serve, status, requests):
    other = serve(lambda request: "good")
    location = {"Location": f"{other.base_url}/chat/completions"}
    server = serve(lambda request: ScriptedAnswer(status=status, headers=location))
    assert ask_twice(bench, server) == ["good", "good"]
    assert len(server.asked) + len(other.asked) == requests


@pytest.mark.parametrize("asked_for", ["0", "0.001"])
def test_a_server_that_asks_for_no_wait_gets_a_growing_one(monkeypatch, asked_for):
    monkeypatch.setattr("novum.llm.endpoint._FIRST_WAIT", 0.5)
    monkeypatch.setattr("novum.llm.endpoint._LONGEST_WAIT", 60.0)
    waits = [_wanted_wait(TemporaryFailure("busy", "rejected", wait=float(asked_for)), tries) for tries in (1, 4, 7)]
    assert waits == sorted(waits)
    assert (waits[0] >= 0.25, waits[-1] >= 16) == (True, True)


def test_what_arrived_while_the_process_was_stopped_is_read_before_its_time_is_over(monkeypatch):
    async def work():
        loop = asyncio.get_running_loop()
        real, ahead = loop.time, 0.0
        monkeypatch.setattr(loop, "time", lambda: real() + ahead)
        answer = loop.create_future()
        async with time_limit(5.0):
            loop.call_soon(lambda: loop.call_soon(lambda: loop.call_soon(answer.set_result, "read")))
            ahead = 40.0
            return await answer

    assert asyncio.run(work()) == "read"


def test_a_time_limit_ends_what_takes_longer(monkeypatch):
    async def work():
        loop = asyncio.get_running_loop()
        real, ahead = loop.time, 0.0
        monkeypatch.setattr(loop, "time", lambda: real() + ahead)
        async with time_limit(5.0):
            loop.call_soon(lambda: None)
            ahead = 5.1
            await loop.create_future()

    with pytest.raises(TimeoutError):
        asyncio.run(work())
