"""Every layout becomes the same record; what cannot is told with its line."""

from __future__ import annotations

import gzip
import json
import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.errors import BadInput
from novum.literature.entry import Reject
from novum.training.reviews.finishing import reviewed_paper
from novum.training.reviews.readers.place import venue_year
from novum.training.reviews.readers.reading import check_sources, read_path
from novum.training.reviews.scales import Observed
from tests.training.review_files import (
    ABSTRACT,
    OTHER,
    TEXT,
    conversation,
    lines,
    nlpeer,
    openreview,
    paper,
    paperlist,
    peerread,
)

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
REAL = [path for name in ("reviews", "reviews_scores_only") if (path := DATA / f"{name}.jsonl.gz").is_file()]


def only(path):
    """The one record of a file, finished."""
    (raw,) = read_path(path)
    assert not isinstance(raw, Reject), raw
    return reviewed_paper(raw, Observed())


def test_a_plain_record_keeps_ratings_as_told_and_puts_them_on_one_scale(tmp_path):
    found = only(lines(tmp_path / "a.jsonl", [paper()]))
    assert (found.venue, found.year, found.decision, found.decided) == ("NeurIPS", 2023, "accepted", "Accept (poster)")
    assert [review.rating.raw for review in found.reviews] == ["6", "3 (reject)"]
    assert [review.rating.scaled for review in found.reviews] == [pytest.approx(5 / 9), pytest.approx(2 / 9)]
    assert found.keywords == ("bees", "dances")
    assert found.meta_review == "Both agree."
    assert found.ids.openreview == "bee0"
    assert found.mean_rating == pytest.approx(3.5 / 9)


def test_our_own_records_are_read_back_as_they_were(tmp_path):
    found = only(lines(tmp_path / "a.jsonl", [paper()]))
    again = only(lines(tmp_path / "b.jsonl", [found.model_dump(mode="json")]))
    assert again.but(source="") == found.but(source="")


def test_peerread_parts_reviews_from_comments_and_the_final_word(tmp_path):
    place = tmp_path / "data" / "iclr_2017" / "dev"
    lines(place / "reviews" / "7.json", [peerread()])
    lines(place / "parsed_pdfs" / "7.pdf.json", [{"name": "7.pdf"}])
    found = only(tmp_path / "data")
    assert (found.venue, found.year, str(found.date), found.decision) == ("ICLR", 2017, "2016-11-04", "accepted")
    assert [review.rating.value for review in found.reviews] == [9, 3]
    assert [review.text for review in found.reviews] == [TEXT, OTHER]
    assert found.meta_review == "We take it."
    assert found.reviews[0].marks[0].model_dump() == {"name": "originality", "raw": "5", "value": 5}


def test_peerread_without_a_conference_is_placed_by_its_folder(tmp_path):
    record = {name: value for name, value in peerread().items() if name not in {"conference", "accepted"}}
    lines(tmp_path / "acl_2017" / "dev" / "reviews" / "7.json", [record])
    found = only(tmp_path / "acl_2017")
    assert (found.venue, found.year, found.decision) == ("ACL", 2017, "unknown")


@pytest.mark.parametrize("packed", ["a note", "a page", "a page with replies beside"])
def test_openreview_notes_are_read_however_they_are_packed(tmp_path, packed):
    note = openreview()
    record = note if packed == "a note" else {"notes": [note], "count": 1}
    if packed == "a page with replies beside":
        replies = note.pop("details")["replies"]
        record = {"notes": [note, *replies]}
    found = only(lines(tmp_path / "a.json", [record]))
    assert (found.venue, found.year, str(found.date)) == ("ICLR", 2024, "2023-09-22")
    assert [review.rating.raw for review in found.reviews] == ["6: marginally above the threshold", "3"]
    assert found.reviews[0].text == f"Summary:\nAbout bees.\n\nWeaknesses:\n{TEXT}"
    assert found.reviews[0].marks[0].raw == "3 good"
    assert (found.decision, found.abstract) == ("accepted", ABSTRACT)


def test_a_withdrawn_submission_is_told_by_its_group(tmp_path):
    note = openreview(
        venue="ICLR 2024 Conference Withdrawn Submission", venueid="ICLR.cc/2024/Conference/Withdrawn_Submission"
    )
    note["details"]["replies"].pop()
    assert only(lines(tmp_path / "a.jsonl", [note])).decision == "withdrawn"


def test_a_paper_list_has_a_review_for_each_rating(tmp_path):
    (tmp_path / "iclr2023.json").write_text(json.dumps([paperlist()], indent=4))
    found = only(tmp_path / "iclr2023.json")
    assert (found.venue, found.year, found.decision) == ("ICLR", 2023, "withdrawn")
    assert [(review.rating.value, review.confidence.value) for review in found.reviews] == [(3, 4), (5, 4), (6, 3)]
    assert [len(review.marks) for review in found.reviews] == [1, 0, 1]


def test_nlpeer_is_two_files_of_which_the_first_version_counts(tmp_path):
    found = only(nlpeer(tmp_path / "top"))
    assert (found.title, found.venue, found.year) == ("Why bees dance", "ARR", 2022)
    assert (found.reviews[0].rating.raw, found.reviews[0].rating.scaled) == ("3.5 = good", pytest.approx(2.5 / 4))
    assert found.reviews[0].text == f"Paper summary:\nAbout bees.\n\nSummary of weaknesses:\n{TEXT}"


def test_conversations_are_papers_with_one_review_in_either_direction(tmp_path):
    forward = conversation()
    question, answer = (turn["content"] for turn in forward["messages"][1:])
    backward = conversation(answer=question, question=answer)
    columns = {"instruction": question, "output": answer}
    for number, record in enumerate((forward, backward, columns)):
        found = only(lines(tmp_path / f"rows{number}.jsonl", [record]))
        assert (found.title, found.abstract) == ("Why bees dance", ABSTRACT)
        assert found.reviews[0].text.startswith(TEXT)
        assert found.reviews[0].rating.value == 7


def test_conversations_about_idea_texts_are_passed_over_and_say_why(tmp_path):
    (told,) = read_path(lines(tmp_path / "rows.jsonl", [conversation(system="Review this idea abstract.")]))
    assert "idea texts that others derived" in str(told)


@pytest.mark.parametrize("name", ["pyarrow"] if find_spec("pyarrow") else [])
def test_parquet_rows_are_read_like_lines(tmp_path, name):
    arrow, parquet = import_module(name), import_module(f"{name}.parquet")
    parquet.write_table(arrow.Table.from_pylist([conversation()]), tmp_path / "rows.parquet")
    assert only(tmp_path / "rows.parquet").title == "Why bees dance"
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    (told,) = read_path(tmp_path / "broken.parquet")
    assert "cannot be read on as Parquet" in str(told)


def test_what_cannot_be_used_is_told_with_its_line_and_the_rest_is_read(tmp_path):
    file = tmp_path / "mixed.jsonl"
    good = json.dumps(paper())
    file.write_text("\n".join([good, "{broken", '{"foo": 1}', '{"title": "", "reviews": []}', "[1]", "", good]) + "\n")
    found = list(read_path(file))
    assert [each.line for each in found if isinstance(each, Reject)] == [2, 3, 4, 5]
    assert sum(not isinstance(each, Reject) for each in found) == 2
    assert "fields: foo" in str(found[2])


def test_a_damaged_archive_gives_what_came_before(tmp_path):
    whole = gzip.compress("".join(json.dumps(paper(n)) + "\n" for n in range(400)).encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    found = list(read_path(tmp_path / "cut.jsonl.gz"))
    assert isinstance(found[-1], Reject)
    assert len(found) > 50


def test_a_source_that_is_not_there_is_told_before_anything_is_read(tmp_path):
    with pytest.raises(BadInput, match="is not there"):
        check_sources([tmp_path / "nowhere"])
    with pytest.raises(BadInput, match="no JSON, JSONL or Parquet"):
        check_sources([tmp_path])


@pytest.mark.parametrize(
    ("text", "venue", "year"),
    [
        ("ICLR 2024 poster", "ICLR", 2024),
        ("NeurIPS.cc/2023/Conference", "NeurIPS", 2023),
        ("ARR-22", "ARR", 2022),
        ("PeerRead-ACL2017", "ACL", 2017),
        ("Workshop on Bees 2021", "Workshop on Bees", 2021),
        ("", "", None),
    ],
)
def test_venues_lose_their_year_and_keep_their_name(text, venue, year):
    assert (venue_year(text).venue, venue_year(text).year) == (venue, year)


NAMES = (
    "title", "reviews", "rating", "status", "notes", "content", "id", "meta", "messages", "role", "report", "scores",
    "IS_META_REVIEW", "comments", "venue", "year",
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=12,
)


@settings(max_examples=60)
@given(record=JSON)
def test_no_record_however_odd_ends_the_reading(tmp_path_factory, record):
    file = tmp_path_factory.mktemp("odd") / "odd.jsonl"
    file.write_text(json.dumps(record) + "\n")
    for raw in read_path(file):
        assert isinstance(raw, Reject) or reviewed_paper(raw, Observed()).title


@pytest.mark.slow
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_every_real_record_comes_through_with_all_its_reviews_on_a_known_scale(path):
    seen, papers = Observed(), 0
    for raw in read_path(path):
        assert not isinstance(raw, Reject), raw
        found = reviewed_paper(raw, seen)
        papers += 1
        assert all(review.rating.scaled is not None for review in found.reviews)
    assert papers > 3000


def test_text_of_nothing_but_blank_lines_costs_no_time(tmp_path):
    blank = conversation(answer="\n# \n" * 60_000, question="\n* " * 60_000)
    assert len(list(read_path(lines(tmp_path / "rows.jsonl", [blank])))) == 1
