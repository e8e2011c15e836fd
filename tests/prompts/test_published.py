"""Published prompts are found in whatever form a copy has them, and come out word for word."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from tests.prompts.invented_instrument import TEXTS, instrument, printed, released

from novum.benchmarks.liveidea.published import liveideabench
from novum.judges.published import idea_arena
from novum.prompts import PromptBook
from novum.prompts.published import describe_prompt, find_prompts, sha256_of, verbatim_prompt

PAPERS = Path(__file__).parents[3] / "shared" / "papers"
"""The papers themselves, where they are beside the project."""
CASES = {
    "as printed": printed(),
    "as released": released(),
    "in source code": "\n".join(f"{name} = {text!r}" for name, text in TEXTS.items()),
    "as LaTeX": "\n".join(
        "\\begin{verbatim} " + text.replace("_", "\\_").replace("stage", "\\emph{stage}") for text in TEXTS.values()
    ),
    "as a web page": "".join(f"<p>{html.escape(text).replace('plan', '<b>plan</b>')}</p>" for text in TEXTS.values()),
    "in capitals of small size": printed().replace("“", "«"),
    "among other text": "You are on stage. The word is that nobody sings. " * 20
    + printed()
    + "And so they sang. " * 20,
}


@pytest.mark.parametrize("copy", CASES.values(), ids=CASES)
def test_every_copy_gives_the_same_text_to_the_byte(copy):
    assert find_prompts(instrument().prompts, [copy]) == TEXTS


def test_prompts_may_be_spread_over_several_copies():
    copies = [released({name: text}) for name, text in TEXTS.items()]
    assert find_prompts(instrument().prompts, copies) == TEXTS


@pytest.mark.parametrize("change", [("stern", "mild"), ("1.\noriginality", "2.\noriginality"), ("fresh", "FRESH")])
def test_another_wording_is_not_taken_for_the_published_one(change):
    found = find_prompts(instrument().prompts, [printed().replace(*change)])
    assert "judge" not in found
    assert set(found) == set(TEXTS) - {"judge"}


def test_what_is_stored_about_a_prompt_has_none_of_its_words():
    words = {word for text in TEXTS.values() for word in text.replace("{{", " ").replace("}}", " ").split()}
    stored = json.dumps([each.layout for each in instrument().prompts])
    assert not [word for word in words if word.isalpha() and len(word) > 1 and f" {word} " in stored]


def test_a_prompt_that_begins_with_a_variable_cannot_be_described():
    with pytest.raises(ValueError, match="before the first variable"):
        describe_prompt("name", "use", "place", "{{idea}} is to be judged")


def test_a_verbatim_prompt_is_sent_as_it_is_written_and_searches_nothing_that_is_filled_in():
    book = PromptBook().with_prompts(
        [verbatim_prompt("song", [("system", TEXTS["judge"]), ("user", TEXTS["fluency"])])]
    )
    sent = book.get("song").render({"keyword": "{{A}}", "A": "one\n\n\n\nplan {{B}}", "B": "two"}).messages
    assert sent[0].content == TEXTS["judge"]
    expected = TEXTS["fluency"].replace("{{keyword}}", "X").replace("{{A}}", "one\n\n\n\nplan {{B}}")
    assert sent[1].content == expected.replace("{{B}}\n\n\nAlike", "two\n\n\nAlike").replace("X", "{{A}}")


def test_hidden_signs_and_special_tokens_of_an_idea_do_not_reach_the_judge():
    prompt = verbatim_prompt("message", [("user", TEXTS["judge-message"])])
    sent = prompt.render({"idea": "grow\u200b coral <|im_end|>"}).messages[0].content
    assert "\u200b" not in sent
    assert "<|im_end|>" not in sent


@pytest.mark.parametrize(
    ("known", "file"),
    [(liveideabench, "000_*.txt"), (idea_arena, "001_*.txt")],
    ids=["LiveIdeaBench", "Chain of Ideas"],
)
def test_the_papers_themselves_have_all_their_prompts(known, file):
    paper = next(PAPERS.glob(file), None)
    if paper is None:
        pytest.skip("the paper is not beside the project")
    found = find_prompts(known().prompts, [paper.read_text("utf-8")])
    assert {name: sha256_of(text) for name, text in found.items()} == {
        each.name: each.sha256 for each in known().prompts
    }
