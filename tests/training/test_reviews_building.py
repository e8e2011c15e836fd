"""From sources to a folder: each paper once and in one split, every loss counted, all or nothing."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from novum.core.rating_line import last_rating
from novum.errors import BadInput
from novum.prompts import PromptBook, builtin_prompts
from novum.training.reviews.building import BuildPlan, Sources, build_judge_data
from novum.training.reviews.lengths import ByCharacters, token_counter
from novum.training.reviews.packing import packing_plan
from novum.training.reviews.settings import TASKS, JudgeDataSettings
from tests.training.review_files import (
    ABSTRACT,
    OTHER,
    TEXT,
    about,
    conversation,
    lines,
    openreview,
    paper,
    paperlist,
    peerread,
)

CUTOFF = dt.date(2024, 1, 1)


def build(tmp_path, *records, name="set", force=False, **chosen):
    """The card, and the rows with what is known of each, by split."""
    source = lines(tmp_path / "reviews.jsonl", records)
    making = BuildPlan(JudgeDataSettings(**{"cutoff": CUTOFF} | chosen), builtin_prompts(), ByCharacters())
    folder = tmp_path / name
    card = asyncio.run(build_judge_data(Sources((source,)), making, folder, force=force))
    return card, {
        split: list(zip(read(folder, "data", split), read(folder, "about", split), strict=True)) for split in SPLITS
    }


SPLITS = ("train", "validation", "test")


def read(folder, what, split):
    return [json.loads(line) for line in (folder / what / f"{split}.jsonl").read_text().splitlines()]


def test_the_four_tasks_go_forward_and_backward(tmp_path):
    _, rows = build(tmp_path, paper(reviews=[{"rating": 6, "text": TEXT}]), ideas="rules", validation=0)
    made = {about["task"]: row for row, about in rows["train"]}
    assert set(made) == set(TASKS)
    for task, row in made.items():
        assert [turn["role"] for turn in row["prompt"]] == ["system", "user"]
        assert [turn["role"] for turn in row["completion"]] == ["assistant"]
        question, answered = row["prompt"][1]["content"], row["completion"][0]["content"]
        review, abstract = (answered, question) if task.endswith("review") else (question, answered)
        assert "Title: Why bees dance, part 0" in abstract
        assert "Rating: 0.56" in review
        assert ("outperforms ants" in abstract) == ("91.2" in review) == task.startswith("original")
    assert len({row["prompt"][0]["content"] for row in made.values()}) == 4


def test_a_rating_is_read_from_a_review_as_it_was_put_there(tmp_path):
    for where, read_there in (("end", 5 / 9), ("start", 5 / 9), ("none", None)):
        _, rows = build(tmp_path, paper(), rating_at=where, validation=0, force=True)
        text = rows["train"][0][0]["completion"][0]["content"]
        assert last_rating(text) == (None if read_there is None else pytest.approx(read_there, abs=0.005))
    assert last_rating("Rating: 7/10") is None
    assert last_rating("**Rating:** 0.25") == 0.25


@pytest.mark.parametrize("where", ["start", "end"])
def test_a_rating_that_the_text_gives_on_another_scale_is_not_learnt_as_one(tmp_path, where):
    text = f"Rating: 1\n{TEXT}\n**Overall score:** 8 (top half)\nRating: 7: Good paper"
    _, rows = build(tmp_path, paper(reviews=[{"rating": 6, "text": text}]), rating_at=where, validation=0)
    review = rows["train"][0][0]["completion"][0]["content"]
    assert sorted(review.split("\n\n")) == sorted(["Rating: 0.56", TEXT])


def test_without_idea_texts_the_idea_tasks_are_left_out_and_the_card_says_so(tmp_path):
    card, rows = build(tmp_path, paper(), validation=0)
    assert {about["task"] for _, about in rows["train"]} == {"original-review", "original-abstract"}
    assert "omitted" in card.ideas_by
    with pytest.raises(BadInput, match="--annotate"):
        build(tmp_path, paper(), tasks=("idea-review",), name="other")


def test_time_parts_training_from_testing(tmp_path):
    late = openreview("late")
    early = openreview("early", title="Why ants do not dance", abstract=about(9))
    early["cdate"] = 1_600_000_000_000
    for reply in early["details"]["replies"]:
        reply["content"] = {name: {"value": f"{field['value']} Ants."} for name, field in reply["content"].items()}
    records = [late, early, paper(1, 2022), paper(2, 2024), paper(3, None, venue="Nowhere")]
    card, rows = build(tmp_path, *records, cutoff=dt.date(2023, 1, 1), validation=0)
    years = {split: {about["year"] for _, about in rows[split]} for split in SPLITS}
    assert years == {"train": {2022, 2024}, "validation": set(), "test": {2024}}
    assert card.papers_left_out == {"neither day nor year known": 1}


def test_the_day_of_the_cut_off_is_for_testing_and_the_day_before_is_not(tmp_path):
    days = [paper(1, 2024, date="2023-12-31"), paper(2, 2023, date="2024-01-01")]
    build(tmp_path, *days, validation=0)
    dates = {split: [record["date"] for record in read(tmp_path / "set", "papers", split)] for split in SPLITS}
    assert dates == {"train": ["2023-12-31"], "validation": [], "test": ["2024-01-01"]}


def test_a_year_alone_cannot_lie_on_both_sides(tmp_path):
    card, _ = build(tmp_path, paper(1, 2022), paper(2, 2024), cutoff=dt.date(2024, 7, 1), validation=0)
    assert card.papers_left_out == {"the year alone does not say on which side of the cut-off it is": 1}


def test_a_cutoff_is_found_where_nobody_names_one(tmp_path):
    records = [paper(number, 2021 + number % 4) for number in range(20)]
    assert build(tmp_path, *records, cutoff=None)[0].cutoff == "2024-01-01"
    with pytest.raises(BadInput, match="all papers are of 2023"):
        build(tmp_path, paper(), cutoff=None, name="other")


def test_the_same_paper_of_several_venues_is_there_once_by_title_identifier_or_abstract(tmp_path):
    again = paper(
        0,
        2024,
        title="WHY BEES DANCE – Part 0",
        abstract="Another abstract " + "of bees " * 20,
        reviews=[{"rating": 5}],
    )
    same_abstract = paper(0, 2025, title="The dance of bees explained", reviews=[{"rating": 4}])
    card, rows = build(tmp_path, paper(0), again, same_abstract, paper(1, 2024), validation=0)
    assert card.papers == 2
    assert card.papers_left_out == {"the same paper again, from another source or venue": 2}
    papers = {split: {about["paper"] for _, about in rows[split]} for split in SPLITS}
    assert not papers["train"] & papers["test"]


def test_a_paper_handed_in_again_under_another_title_with_its_abstract_touched_up_is_in_one_split(tmp_path):
    first = paper(1, 2021, abstract=f"{about(1)} {ABSTRACT}")
    again = paper(1, 2024, title="Dances explained by games", abstract=f"{about(1)} {ABSTRACT[:200]} We add moths.")
    card, _ = build(tmp_path, first, again, paper(2, 2024), validation=0)
    assert card.papers_left_out == {"the same paper again, from another source or venue": 1}
    assert not {"Dances explained by games"} & {record["title"] for record in read(tmp_path / "set", "papers", "test")}


def test_the_same_reviews_of_one_paper_in_two_sources_are_no_copies_and_the_richer_record_stays(tmp_path):
    long = f"{TEXT} {OTHER}"
    poor = paper(1, reviews=[{"text": long}])
    rich = paper(1, reviews=[{"text": long, "rating": 6}, {"text": f"{long} And a second.", "rating": 5}])
    for number, order in enumerate(([poor, rich], [rich, poor])):
        card, rows = build(tmp_path, *order, name=f"set{number}", validation=0, tasks=("original-review",))
        assert [about["rating"] for _, about in rows["train"]] == [pytest.approx(5 / 9), pytest.approx(4 / 9)]
        assert card.notes == {}


FORGED = ["<|im_end|>", "<|eot_id|>", "</s>", "[/INST]", "<end_of_turn>", "<｜Assistant｜>", "<turn|>", "<eos>"]


def test_no_paper_and_no_review_can_end_its_turn_in_what_is_trained_on(tmp_path):
    text = " ".join(FORGED)
    hostile = paper(abstract=f"{ABSTRACT} {text}", title=f"Bees {text}", reviews=[{"text": f"{TEXT} {text}"}])
    _, rows = build(tmp_path, hostile, ideas="rules", validation=0)
    assert len(rows["train"]) == 4
    text = json.dumps([row for row, _ in rows["train"]], ensure_ascii=False)
    assert not [mark for mark in FORGED if mark in text]


def test_where_nearly_all_papers_are_of_the_first_year_the_second_is_for_testing(tmp_path):
    records = [*(paper(number, 2022) for number in range(19)), paper(30, 2023)]
    card, _ = build(tmp_path, *records, cutoff=None)
    assert (card.cutoff, card.splits[2].papers) == ("2023-01-01", 1)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(2021, 2025)), min_size=2, max_size=12))
def test_no_paper_is_ever_in_two_splits(tmp_path_factory, papers):
    folder = tmp_path_factory.mktemp("set")
    card, _ = build(folder, *(paper(number, year) for number, year in papers), validation=0.4)
    titles = [{record["title"] for record in read(folder / "set", "papers", split)} for split in SPLITS]
    assert sum(map(len, titles)) == len(set().union(*titles)) == len({number for number, _ in papers})
    assert card.papers + sum(card.papers_left_out.values()) == len(papers)


def test_reviews_that_cannot_be_learnt_from_are_counted_and_their_ratings_stay(tmp_path):
    german = (
        "Die Arbeit ist klar und die Idee ist neu, aber es ist nicht klar, ob das mit der Zeit für alle gilt "
        "und wie es ist."
    )
    reviews = [
        {"rating": "8: Top 50%", "text": TEXT},
        {"rating": 7, "text": "Accept."},
        {"rating": 5, "text": "Nice work on bees."},
        {"rating": 4, "text": german},
        {"rating": "N/A", "text": OTHER},
        {"rating": "maybe", "text": OTHER + " It may."},
        {"text": TEXT, "reviewer": "anonymous"},
        {"rating": "", "text": ""},
        {"rating": 11, "text": OTHER + " It is more than that."},
        {"rating": 2},
    ]
    card, rows = build(tmp_path, paper(reviews=reviews), validation=0, tasks=("original-review",))
    assert card.reviews_left_out == {"the same text again under one paper": 1, "neither a text nor a rating": 1}
    assert card.notes == {
        "no rating": 1,
        "a rating that cannot be read": 1,
        "text not learnt from: a single word": 1,
        "text not learnt from: fewer than 15 words": 1,
        "text not learnt from: in another language: German": 1,
        "text not learnt from: no text": 1,
        "a rating outside its scale": 1,
    }
    assert [about["review"] for _, about in rows["train"]] == [0, 4, 5, 6]
    (record,) = read(tmp_path / "set", "papers", "train")
    assert [review["rating"] and review["rating"]["value"] for review in record["reviews"]] == [
        8,
        7,
        5,
        4,
        None,
        None,
        11,
        2,
    ]


def test_of_equal_texts_the_one_with_a_rating_stays(tmp_path):
    card, rows = build(tmp_path, paper(reviews=[{"text": TEXT}, {"text": TEXT.upper(), "rating": 6}]), validation=0)
    assert card.reviews == 1
    assert rows["train"][0][1]["rating"] == pytest.approx(5 / 9)


def test_a_text_handed_in_for_two_papers_is_trained_on_once(tmp_path):
    long = f"{TEXT} {OTHER}"
    card, _ = build(
        tmp_path, paper(1, reviews=[{"text": long}]), paper(2, reviews=[{"text": long, "rating": 3}]), validation=0
    )
    assert card.notes["text not learnt from: the same text under another paper"] == 1


def test_withdrawn_and_desk_rejected_papers_are_distinguished(tmp_path):
    records = [
        paper(1, decision="Withdraw"),
        paper(2, decision="Desk Rejected Submission"),
        paper(3, decision="Withdrawn by authors", reviews=[]),
        paper(4, reviews=[]),
        paper(5, abstract=""),
        paper(6, abstract="Bees."),
        paperlist() | {"year": 2023, "venue": "ICLR"},
    ]
    card, rows = build(tmp_path, *records, validation=0)
    assert {about["decision"] for _, about in rows["train"]} == {"withdrawn"}
    assert card.papers_left_out == {
        "rejected without review": 1,
        "withdrawn before it was reviewed": 1,
        "no review": 1,
        "no abstract": 1,
        "an abstract of fewer than 20 words": 1,
    }
    card, _ = build(tmp_path, *records, paper(7), withdrawn=False, validation=0, name="other")
    assert card.papers_left_out["withdrawn"] == 3


def test_every_layout_ends_in_one_set(tmp_path):
    titled = [
        peerread() | {"title": "Why ants dance", "abstract": about(8)},
        openreview(),
        conversation(question=f"Title: Why wasps dance\n\nAbstract: {about(9)}"),
        paper(),
    ]
    card, _ = build(tmp_path, *titled, undated="train", validation=0)
    assert card.papers == 4
    assert card.records == 4
    assert card.reviews_left_out["comments and answers, no reviews"] == 1
    assert {venue.scale for venue in card.venues} >= {"1 to 10 (venue)", "unknown"}


def test_the_set_is_the_same_whatever_the_order_of_its_sources(tmp_path):
    records = [paper(number, 2022 + number % 3) for number in range(9)]
    shuffled = random.Random(1).sample(records, len(records))
    for name, order in (("one", records), ("two", shuffled)):
        build(tmp_path, *order, name=name, validation=0.3)
    for split in SPLITS:
        assert read(tmp_path / "one", "data", split) == read(tmp_path / "two", "data", split)


def test_a_long_review_is_cut_at_a_space_and_reported(tmp_path):
    card, rows = build(tmp_path, paper(reviews=[{"rating": 6, "text": TEXT * 20}]), longest_review=400, validation=0)
    assert card.shortened == 2
    assert "Rating: 0.56" in rows["train"][0][0]["completion"][0]["content"]


def test_what_is_no_set_is_never_replaced_and_what_is_only_when_asked(tmp_path):
    build(tmp_path, paper())
    with pytest.raises(BadInput, match="--force"):
        build(tmp_path, paper(1))
    build(tmp_path, paper(1), force=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(BadInput, match="other things"):
        build(tmp_path, paper(), name="mine", force=True)
    assert (tmp_path / "mine" / "thesis.txt").exists()


def test_when_nothing_can_be_learnt_nothing_is_left_behind(tmp_path):
    with pytest.raises(BadInput, match="1 for no review"):
        build(tmp_path, paper(reviews=[]))
    assert [each.name for each in tmp_path.iterdir()] == ["reviews.jsonl"]


def test_where_no_paper_can_be_put_on_a_side_of_the_cut_off_nothing_is_written(tmp_path):
    with pytest.raises(BadInput, match="the year alone does not say"):
        build(tmp_path, paper(1, 2023), cutoff=dt.date(2023, 7, 1))
    assert not (tmp_path / "set").exists()


def test_a_custom_prompt_replaces_the_built_in_one(tmp_path):
    (tmp_path / "prompts").mkdir()
    head = "---\nname: judge_original_review\nversion: 9\nneeds: [title, abstract]\nreturns: str\n---\n"
    (tmp_path / "prompts" / "judge_original_review.md").write_text(head + "[user]\nSay: {{ title | untrusted }}")
    source = lines(tmp_path / "reviews.jsonl", [paper()])
    settings = JudgeDataSettings(cutoff=CUTOFF, tasks=("original-review",), validation=0)
    making = BuildPlan(settings, PromptBook(tmp_path / "prompts"), ByCharacters())
    card = asyncio.run(build_judge_data(Sources((source,)), making, tmp_path / "set"))
    assert card.prompts["original-review"].startswith("judge_original_review 9 ")
    assert read(tmp_path / "set", "data", "train")[0]["prompt"][0]["content"].startswith("Say: <material ")


def test_lengths_are_counted_by_a_tokenizer_where_one_is_named(tmp_path):
    made = Tokenizer(WordLevel({"bees": 0, "?": 1}, unk_token="?"))
    made.pre_tokenizer = Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    assert token_counter(tmp_path).count(["bees dance here", ""]) == [3, 0]
    assert token_counter(None).count(["bees dance here", ""]) == [4, 0]
    (tmp_path / "broken.json").write_text("{}")
    with pytest.raises(BadInput, match="not a tokenizer"):
        token_counter(tmp_path / "broken.json")


@given(st.lists(st.integers(1, 140), max_size=60))
def test_a_packing_plan_is_what_packing_row_by_row_would_give(lengths):
    room: list[int] = []
    for size in sorted((min(each, 100) for each in lengths), reverse=True):
        fitting = [space for space in room if space >= size]
        if fitting:
            room.remove(min(fitting))
            room.append(min(fitting) - size)
        else:
            room.append(100 - size)
    plan = packing_plan(Counter(lengths), 100)
    assert plan.sequences == len(room)
    assert plan.cut == sum(each > 100 for each in lengths)
    assert plan.filled is None or 0 < plan.filled <= 1
