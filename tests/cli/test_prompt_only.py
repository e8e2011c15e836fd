"""`novum ideate --prompt-only`: a complete prompt for any chat, without any model."""

from __future__ import annotations

import re

import pytest

TOPIC = "graph networks for molecules"


def labels(text: str) -> set[str]:
    return set(re.findall(r"\[P\d+\]", text))


def test_the_prompt_holds_the_topic_the_papers_their_lines_and_the_question_and_needs_no_key(here):
    ended = here("ideate", TOPIC, "--prompt-only")
    assert ended.code == 0
    assert ended.out.startswith(f"Topic: {TOPIC}\n")
    order = [
        "is data from a library",
        "PAPERS",
        "A study of graph networks",
        "LINES OF WORK",
        "Propose one research idea",
    ]
    assert sorted(order, key=ended.out.index) == order
    _, data, question = re.split(r"===== papers [0-9a-f]{8} (?:begin|end) =====", ended.out)
    assert labels(data) == {f"[P{number}]" for number in range(1, len(labels(data)) + 1)}
    assert re.search(r"- \[P1\] 2010 is .+ \[P2\] 20\d\d", data)
    assert "Cheapest check" in question
    assert not re.search(r"JSON|schema|```|\{", question)


def test_the_prompt_goes_to_a_file_and_stdout_stays_empty(here, tmp_path):
    ended = here("ideate", TOPIC, "--prompt-only", "--out", str(tmp_path / "prompt.txt"))
    assert ended.out == ""
    assert (tmp_path / "prompt.txt").read_text("utf-8").startswith("Topic: ")
    assert "Paste it into any chat" in ended.err
    assert not (tmp_path / "novum-reports").exists()


def test_a_date_leaves_later_papers_out(here):
    written = here("ideate", TOPIC, "--prompt-only", "--before", "2014-01-01").out
    assert "Part 0 of" in written
    assert "Part 4 of" not in written


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("trade guilds in medieval Flanders", "--prompt-only"), "the library knows nothing about this topic"),
        (("", "--prompt-only"), "The topic is empty"),
        ((TOPIC, "--prompt-only", "--count", "3"), "Leave out --count and --topics"),
        ((TOPIC, "--prompt-only", "--out", "."), "Name a file: --out prompt.txt"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(here, arguments, said):
    ended = here("ideate", *arguments)
    assert ended.code != 0
    assert said in ended.err
    assert ended.out == ""
