"""Topics from lists in every form, and out of papers that are newer than what generators may read."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import os
from pathlib import Path

import pytest

from novum.benchmarks.arena.durable import ARENA_TOPICS, TopicSearchTask
from novum.benchmarks.arena.task import options_for, parse_entrants
from novum.benchmarks.arena.topics import read_topics
from novum.core import Paper
from novum.core.comparison import ArenaTopic
from novum.errors import BadInput
from novum.lab import Workplace
from novum.literature import Entry
from novum.runs.engine import start
from novum.settings import load_settings
from tests.benchmarks.arena_lab import HIGH, LOW, assignment

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
EXAMPLE = '{"topic": "Widgets that learn", "year": [2020], "human_idea": "…"}\n'


def test_a_plain_list_has_a_topic_on_each_line():
    found = read_topics("\ufeffgraph  learning\n\n  soup, at altitude \nGraph Learning\n")
    assert [each.topic for each in found.topics] == ["graph learning", "soup, at altitude"]
    assert [(each.where, each.why) for each in found.refused] == [("line 4", "'Graph Learning' is there already")]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("csv", 'topic,paper_id\n"soup,\nat altitude",p1\n,p2\n'),
        (".jsonl", '{"topic": "soup,\\nat altitude", "paper_id": "p1"}\n{"topic": ""}\n'),
    ],
)
def test_a_table_keeps_the_paper_of_each_topic(form, text):
    found = read_topics(text, form)
    assert found.topics == (ArenaTopic(topic="soup, at altitude", paper_id="p1"),)
    assert [each.why for each in found.refused] == ["no topic"]


@pytest.mark.parametrize(
    ("text", "form", "why"),
    [
        ("", "", "holds no topic"),
        ("x" * 3000, "", "3,000 characters"),
        ("title\nsoup\n", "csv", "no column topic"),
        ("[1]\nnonsense\n", "jsonl", "no JSON object"),
        ("x" * 20_000_001, "", "is no list of topics"),
    ],
)
def test_what_is_no_list_of_topics_is_refused_in_a_line(text, form, why):
    with pytest.raises(BadInput, match=why):
        read_topics(text, form)


def papers():
    for number in range(6):
        day = dt.date(2024, 1 + number, 1)
        yield Paper(title=f"Widgets, part {number}", date=day, year=2024, abstract=f"About widgets {number}.")
    yield Paper(title="Widgets without a word", date=dt.date(2024, 6, 1), year=2024)


def found_in(home, server, since, number):
    async def work():
        given = {"home": str(home), "writer": server.model}
        async with Workplace(load_settings(given, environment={}, folder=home)) as place:
            if place.library.is_empty():
                place.library.add([Entry(paper=paper, key=paper.title) for paper in papers()])
            return await start(ARENA_TOPICS, place, TopicSearchTask(since=since, papers=number))

    return asyncio.run(work())


def test_topics_are_taken_from_papers_of_a_day_or_later(serve, tmp_path):
    def script(asked):
        number = asked.text.split("part ")[1][0]
        return json.dumps({"topic": f"Widgets {number}.", "task": "to build them\nwell"})

    server = serve(script)
    found = found_in(tmp_path, server, dt.date(2024, 3, 1), 10)
    assert {each.topic for each in found.topics} == {f"Widgets {n}: to build them well" for n in (2, 3, 4, 5)}
    assert all(each.paper_id.startswith("paper-") and each.published >= "2024-03-01" for each in found.topics)
    fewer = found_in(tmp_path, server, dt.date(2024, 3, 1), 2)
    assert set(fewer.topics) < set(found.topics)
    assert server.answered == 4, "what was answered is used again"
    with pytest.raises(BadInput, match="No paper of the library"):
        found_in(tmp_path, server, dt.date(2030, 1, 1), 5)


def test_papers_that_give_no_topic_or_the_topic_of_another_are_reported(serve, tmp_path):
    def script(asked):
        return "I'm sorry, but I cannot help." if "part 5" in asked.text else '{"topic": "widgets", "task": ""}'

    found = found_in(tmp_path, serve(script), dt.date(2024, 5, 1), 10)
    assert [each.topic for each in found.topics] == ["widgets"]
    assert [(each.where, each.why.split(":")[0]) for each in found.refused] == [("Widgets, part 5", "no usable answer")]


def test_real_topics_are_read():
    file = DATA / "topics.jsonl"
    text = file.read_text(encoding="utf-8") if file.is_file() else EXAMPLE
    found = read_topics(text, "jsonl")
    assert len(found.topics) + len(found.refused) == len(text.splitlines())
    assert len(found.topics) > len(found.refused)


# -- entrants ---------------------------------------------------------------------------------------------------------


def test_entrants_are_written_with_their_options_and_commas_between():
    written = "chain-of-ideas:length=0,name=without-chain,chain-of-ideas,chain-of-ideas:branches=2,trends=false"
    first, second, third = parse_entrants([written])
    assert (first.name, first.options) == ("without-chain", {"length": "0"})
    assert (second.name, second.options) == ("chain-of-ideas", {})
    assert (third.name, third.options) == (
        "chain-of-ideas branches=2 trends=false", {"branches": "2", "trends": "false"},
    )  # fmt: skip


def test_options_are_part_of_a_name_only_where_they_distinguish():
    assert [each.name for each in parse_entrants(["rag:papers=3,plain"])] == ["rag", "plain"]
    assert [each.name for each in parse_entrants(["rag:papers=3", "rag"])] == ["rag papers=3", "rag"]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("length=0", "names no method before"),
        ("chain-of-idea", "Did you mean chain-of-ideas"),
        ("chain-of-ideas:lenght=1", "Did you mean length"),
        ("chain-of-ideas:length=long", "option length"),
        ("chain-of-ideas:length", "is not of the form KEY=VALUE"),
        ("chain-of-ideas:before=2020-01-01", "--before"),
        ("chain-of-ideas:name=x,length=[1", "is not valid JSON"),
    ],
)
def test_entrants_that_cannot_be_are_refused_in_a_line(written, why):
    with pytest.raises(BadInput, match=why):
        parse_entrants([written])


def test_the_arena_sets_what_is_the_same_for_all(serve):
    [entrant] = parse_entrants(["chain-of-ideas:branches=1"])
    server = serve()
    plain = assignment(server, entrants=(LOW, HIGH))
    dated = plain.model_copy(update={"before": dt.date(2024, 1, 1), "kinds": ("idea", "experiment")})
    topic = ArenaTopic(topic="t")
    assert options_for(entrant, topic, plain).model_dump(include={"before", "experiment", "branches"}) == {
        "before": None, "experiment": False, "branches": 1,
    }  # fmt: skip
    assert options_for(entrant, topic, dated).model_dump(include={"before", "experiment"}) == {
        "before": dt.date(2024, 1, 1), "experiment": True,
    }  # fmt: skip
