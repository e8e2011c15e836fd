"""Arenas by named judging protocols: which prompts judges get, and that results say so."""

from __future__ import annotations

import asyncio
import json

import pytest

from novum.benchmarks.arena import durable
from novum.benchmarks.arena.exporting import read_arena, write_arena
from novum.benchmarks.arena.report.phrases import judging_protocol
from novum.errors import BadInput
from novum.prompts.published import Instrument, describe_prompt, sha256_of
from novum.runs.published_prompts import install_prompts
from tests.benchmarks.arena_lab import HIGH, LOW, assignment, by_level, competed, recalled, register
from tests.judges.test_published import GOOD, TEXTS


def contest():
    """The invented prompts as an instrument."""
    prompts = tuple(describe_prompt(name, "compares", "Table 1", text) for name, text in TEXTS.items())
    return Instrument(name="contest", title="the Contest", prompts=prompts, addresses=(), advice="its programme")


@pytest.fixture(autouse=True)
def invented(monkeypatch):
    register(monkeypatch)
    monkeypatch.setattr(durable, "idea_arena", contest)


def install(home):
    (home / "copy.txt").write_text("\n\n".join(TEXTS.values()), "utf-8")
    asyncio.run(install_prompts(contest(), [str(home / "copy.txt")], home / "protocols"))


def published(request):
    """A judge that answers in the published form; whatever else is asked is answered as usual."""
    return GOOD if "Two songs compete" in request.text else by_level(request)


def judged(server):
    return [request for request in server.asked if "Two songs compete" in request.text]


def test_a_published_arena_asks_by_the_published_prompt_in_both_orders(serve, tmp_path):
    install(tmp_path)
    server = serve(published)
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), topics=1, protocol="published"))
    requests = judged(server)
    assert len(requests) == 2
    assert all([each["role"] for each in request.messages] == ["user"] for request in requests)
    assert all("material" not in request.text for request in requests)
    assert [(each.first, each.second) for each in run.judged_pairs] == [("low", "high"), ("high", "low")]
    assert {each.verdicts[0].outcome for each in run.judged_pairs} == {"first"}
    assert (run.protocol, run.prompt_hashes) == ("published", {name: sha256_of(text) for name, text in TEXTS.items()})
    assert judging_protocol(run).startswith("published (SHA-256: compare-ideas ")


def test_an_answer_in_another_form_is_asked_for_twice_more_and_then_is_no_match(serve, tmp_path):
    install(tmp_path)
    server = serve(lambda request: "I like both." if "Two songs compete" in request.text else by_level(request))
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), topics=1, protocol="published"))
    assert len(judged(server)) == 6
    assert {(each.verdicts, each.failure) for each in run.judged_pairs} == {((), "not in the published form of answer")}


def test_a_published_arena_is_read_again_without_asking_and_its_files_name_the_protocol(serve, tmp_path):
    install(tmp_path)
    server = serve(published)
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), topics=1, protocol="published"))
    asked = len(server.asked)
    assert recalled(tmp_path, server, run.name).judged_pairs == run.judged_pairs
    assert len(server.asked) == asked
    write_arena(run, tmp_path / "files")
    assert read_arena(tmp_path / "files").run.prompt_hashes == run.prompt_hashes
    header = tmp_path / "files" / "arena.json"
    earlier = {key: value for key, value in json.loads(header.read_text("utf-8")).items() if key != "protocol"}
    header.write_text(json.dumps(earlier), "utf-8")
    assert read_arena(tmp_path / "files").run.protocol == "novum-1"
    header.unlink()
    assert judging_protocol(read_arena(tmp_path / "files").run) == "not stated in the file"


def test_without_the_prompts_nothing_is_asked(serve, tmp_path):
    server = serve(published)
    with pytest.raises(BadInput, match=r"the Contest are not installed.*novum arena protocol install FILE"):
        competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), protocol="published"))
    assert server.asked == []


def test_an_unknown_protocol_is_refused_before_anything_is_asked(serve, tmp_path):
    server = serve(by_level)
    with pytest.raises(BadInput, match="no judging protocol 'novum-9'"):
        competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), protocol="novum-9"))
    assert server.asked == []


def test_new_arenas_are_judged_by_the_newest_protocol(serve, tmp_path):
    server = serve(by_level)
    run = competed(tmp_path, server, assignment(server, entrants=(LOW, HIGH), topics=1))
    assert (run.protocol, run.prompt_hashes) == ("novum-2", {})
