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
from novum.training.reviews.finishing import to_reviewed_paper
from novum.training.reviews.readers.place import venue_year
from novum.training.reviews.readers.reading import check_sources, read_path
from novum.training.reviews.scales import ObservedScales
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
    return to_reviewed_paper(raw, ObservedScales())


def test_a_plain_record_keeps_ratings_as_given_and_puts_them_on_one_scale(tmp_path):
    result = only(lines(tmp_path / "a.jsonl", [paper()]))
    assert (result.venue, result.year, result.decision, result.decided) == (
        "NeurIPS",
        2023,
        "accepted",
        "Accept (poster)",
    )
    assert [review.rating.raw for review in result.reviews] == ["6", "3 (reject)"]
    assert [review.rating.scaled for review in result.reviews] == [pytest.approx(5 / 9), pytest.approx(2 / 9)]
    assert result.keywords == ("bees", "dances")
    assert result.meta_review == "Both agree."
    assert result.ids.openreview == "bee0"
    assert result.mean_rating == pytest.approx(3.5 / 9)


@pytest.mark.parametrize(
    "reviews",
    [
        [{"content": {"rating": {"value": "6: marginally above"}, "review": {"value": TEXT}}}],
        [{"rating": {"value": "6: marginally above"}, "review": TEXT}],
        {"r1": {"rating": "6: marginally above", "text": TEXT}},
    ],
    ids=["notes", "wrapped", "by name"],
)
def test_values_may_be_wrapped_and_reviews_be_notes(tmp_path, reviews):
    wrapped = {name: {"value": value} for name, value in paper().items() if name in {"title", "abstract", "venue"}}
    result = only(lines(tmp_path / "a.jsonl", [wrapped | {"year": 2023, "reviews": reviews, "decision": True}]))
    assert (result.title, result.venue, result.decision) == ("Why bees dance, part 0", "NeurIPS", "accepted")
    assert [(review.text, review.rating.value) for review in result.reviews] == [(TEXT, 6)]


def test_reviews_may_be_bare_texts_or_none_at_all(tmp_path):
    assert [review.text for review in only(lines(tmp_path / "a.jsonl", [paper(reviews=[TEXT, None])])).reviews] == [
        TEXT
    ]
    (raw,) = read_path(lines(tmp_path / "b.jsonl", [paper() | {"reviews": None}]))
    assert raw.reviews == []


def test_what_no_text_can_hold_in_names_of_files_and_fields_ends_nothing(tmp_path):
    file = tmp_path / "bees-\udcff.jsonl"
    odd = {"meta": {"title": "Bees"}, "reviews": [{"report": {"a\ud800": TEXT}, "scores": {"b\ud800": 1}}]}
    file.write_text(json.dumps(odd) + "\n")
    assert only(file).model_dump_json().count(TEXT) == 1


def test_our_own_records_are_read_back_as_they_were(tmp_path):
    result = only(lines(tmp_path / "a.jsonl", [paper()]))
    again = only(lines(tmp_path / "b.jsonl", [result.model_dump(mode="json")]))
    assert again.but(source="") == result.but(source="")


def test_peerread_parts_reviews_from_comments_and_the_final_word(tmp_path):
    place = tmp_path / "data" / "iclr_2017" / "dev"
    lines(place / "reviews" / "7.json", [peerread()])
    lines(place / "parsed_pdfs" / "7.pdf.json", [{"name": "7.pdf"}])
    result = only(tmp_path / "data")
    assert (result.venue, result.year, str(result.date), result.decision) == ("ICLR", 2017, "2016-11-04", "accepted")
    assert [review.rating.value for review in result.reviews] == [9, 3]
    assert [review.text for review in result.reviews] == [TEXT, OTHER]
    assert result.meta_review == "We take it."
    assert result.reviews[0].marks[0].model_dump() == {"name": "originality", "raw": "5", "value": 5}


def test_the_final_word_of_peerread_is_counted_once_and_false_may_be_a_text(tmp_path):
    record = peerread()
    record["reviews"][1]["IS_META_REVIEW"] = True
    for each in record["reviews"][3:]:
        each["IS_META_REVIEW"] = "False"
    (raw,) = read_path(lines(tmp_path / "7.json", [record]))
    assert (raw.other_replies, len(raw.reviews), raw.meta_review) == (1, 2, "We take it.")


def test_a_year_of_a_folder_counts_only_with_a_venue(tmp_path, monkeypatch):
    place = tmp_path / "1999" / "iclr" / "2018" / "bees.jsonl"
    lines(place, [{name: value for name, value in paper().items() if name not in {"venue", "year"}}])
    lines(tmp_path / "1999" / "bees.jsonl", [{"title": "Bees", "abstract": ABSTRACT, "reviews": [TEXT]}])
    assert (only(place).venue, only(place).year) == ("ICLR", 2018)
    assert only(tmp_path / "1999" / "bees.jsonl").year is None
    monkeypatch.chdir(place.parent)
    assert only(Path("bees.jsonl")).year == 2018


def test_folders_called_v2_are_later_versions_only_where_a_first_one_holds_a_paper(tmp_path):
    for name in ("v1", "v2"):
        lines(tmp_path / "dump" / name / "bees.jsonl", [paper()])
    assert len(list(read_path(tmp_path / "dump"))) == 2


def test_peerread_without_a_conference_is_placed_by_its_folder(tmp_path):
    record = {name: value for name, value in peerread().items() if name not in {"conference", "accepted"}}
    lines(tmp_path / "acl_2017" / "dev" / "reviews" / "7.json", [record])
    result = only(tmp_path / "acl_2017")
    assert (result.venue, result.year, result.decision) == ("ACL", 2017, "unknown")


@pytest.mark.parametrize("packed", ["a note", "a page", "a page with replies beside"])
def test_openreview_notes_are_read_however_they_are_packed(tmp_path, packed):
    note = openreview()
    record = note if packed == "a note" else {"notes": [note], "count": 1}
    if packed == "a page with replies beside":
        replies = note.pop("details")["replies"]
        record = {"notes": [note, *replies]}
    result = only(lines(tmp_path / "a.json", [record]))
    assert (result.venue, result.year, str(result.date)) == ("ICLR", 2024, "2023-09-22")
    assert [review.rating.raw for review in result.reviews] == ["6: marginally above the threshold", "3"]
    assert result.reviews[0].text == f"Summary:\nAbout bees.\n\nWeaknesses:\n{TEXT}"
    assert result.reviews[0].marks[0].raw == "3 good"
    assert (result.decision, result.abstract) == ("accepted", ABSTRACT)


def test_a_withdrawn_submission_is_recognised_by_its_group(tmp_path):
    note = openreview(
        venue="ICLR 2024 Conference Withdrawn Submission", venueid="ICLR.cc/2024/Conference/Withdrawn_Submission"
    )
    note["details"]["replies"].pop()
    assert only(lines(tmp_path / "a.jsonl", [note])).decision == "withdrawn"


def test_a_note_of_the_first_version_gives_its_venue_and_fate_by_what_it_answers_to(tmp_path):
    group = "ICLR.cc/2020/Conference"
    note = openreview()
    replies = [
        {"id": "r1", "forum": "beeForum01", "replyto": "beeForum01", "invitation": f"{group}/Paper7/-/Official_Review",
         "content": {"rating": "3: Weak Reject", "review": TEXT}},
    ]  # fmt: skip
    plain = {name: field["value"] for name, field in note["content"].items() if not name.startswith("venue")}
    old = {"id": "beeForum01", "forum": "beeForum01", "invitation": f"{group}/-/Blind_Submission", "content": plain,
           "details": {"directReplies": replies}}  # fmt: skip
    result = only(lines(tmp_path / "a.jsonl", [old]))
    assert (result.venue, result.year, result.decision, result.abstract) == ("ICLR", 2020, "unknown", ABSTRACT)
    assert result.reviews[0].rating.scaled == pytest.approx(2 / 7)
    for invitation, decision in (("Withdrawn_Submission", "withdrawn"), ("Desk_Rejected_Submission", "desk-rejected")):
        again = lines(tmp_path / "b.jsonl", [old | {"invitation": f"{group}/-/{invitation}"}])
        assert only(again).decision == decision


def test_a_workshop_of_a_known_venue_has_no_known_scale_and_its_papers_were_not_sent_elsewhere(tmp_path):
    note = openreview(venueid="ICLR.cc/2024/Workshop/Bees", venue="ICLR 2024 Workshop Bees Poster")
    note["details"]["replies"].pop()
    result = only(lines(tmp_path / "a.jsonl", [note]))
    assert (result.venue, result.year, result.decision) == ("ICLR Workshop Bees", 2024, "accepted")
    assert result.reviews[0].rating.scaled is None


def test_a_paper_list_has_a_review_for_each_rating(tmp_path):
    (tmp_path / "iclr2023.json").write_text(json.dumps([paperlist()], indent=4))
    result = only(tmp_path / "iclr2023.json")
    assert (result.venue, result.year, result.decision) == ("ICLR", 2023, "withdrawn")
    assert [(review.rating.value, review.confidence.value) for review in result.reviews] == [(3, 4), (5, 4), (6, 3)]
    assert [len(review.marks) for review in result.reviews] == [1, 0, 1]


def test_zeros_of_a_paper_list_are_no_ratings_unless_the_reviewer_was_sure_of_something(tmp_path):
    record = paperlist() | {"rating": "0;0;6", "confidence": "0;3;4"}
    result = only(lines(tmp_path / "iclr2026.json", [record]))
    assert [review.rating and review.rating.value for review in result.reviews] == [None, 0, 6]


def test_nlpeer_is_two_files_of_which_the_first_version_counts(tmp_path):
    result = only(nlpeer(tmp_path / "top"))
    assert (result.title, result.venue, result.year) == ("Why bees dance", "ARR", 2022)
    assert (result.reviews[0].rating.raw, result.reviews[0].rating.scaled) == ("3.5 = good", pytest.approx(2.5 / 4))
    assert result.reviews[0].text == f"Paper summary:\nAbout bees.\n\nSummary of weaknesses:\n{TEXT}"


def test_conversations_are_papers_with_one_review_in_either_direction(tmp_path):
    forward = conversation()
    question, answer = (turn["content"] for turn in forward["messages"][1:])
    backward = conversation(answer=question, question=answer)
    columns = {"instruction": question, "output": answer}
    parts = {"messages": [
        {"role": turn["role"], "content": [{"type": "text", "text": turn["content"]}]} for turn in forward["messages"]
    ]}  # fmt: skip
    for number, record in enumerate((forward, backward, columns, parts)):
        result = only(lines(tmp_path / f"rows{number}.jsonl", [record]))
        assert (result.title, result.abstract) == ("Why bees dance", ABSTRACT)
        assert result.reviews[0].text.startswith(TEXT)
        assert result.reviews[0].rating.value == 7


def test_conversations_about_idea_texts_are_passed_over_and_say_why(tmp_path):
    (reject,) = read_path(lines(tmp_path / "rows.jsonl", [conversation(system="Review this idea abstract.")]))
    assert "derived idea texts" in str(reject)


@pytest.mark.parametrize("name", ["pyarrow"] if find_spec("pyarrow") else [])
def test_parquet_rows_are_read_like_lines(tmp_path, name):
    arrow, parquet = import_module(name), import_module(f"{name}.parquet")
    parquet.write_table(arrow.Table.from_pylist([conversation()]), tmp_path / "rows.parquet")
    assert only(tmp_path / "rows.parquet").title == "Why bees dance"
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    (reject,) = read_path(tmp_path / "broken.parquet")
    assert "damaged Parquet file" in str(reject)


def test_what_cannot_be_used_is_reported_with_its_line_and_the_rest_is_read(tmp_path):
    file = tmp_path / "mixed.jsonl"
    good = json.dumps(paper())
    file.write_text("\n".join([good, "{broken", '{"foo": 1}', '{"title": "", "reviews": []}', "[1]", "", good]) + "\n")
    results = list(read_path(file))
    assert [each.line for each in results if isinstance(each, Reject)] == [2, 3, 4, 5]
    assert sum(not isinstance(each, Reject) for each in results) == 2
    assert "fields: foo" in str(results[2])


def test_a_damaged_archive_gives_what_came_before(tmp_path):
    whole = gzip.compress("".join(json.dumps(paper(n)) + "\n" for n in range(400)).encode())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    results = list(read_path(tmp_path / "cut.jsonl.gz"))
    assert isinstance(results[-1], Reject)
    assert len(results) > 50


def test_a_source_that_is_not_there_is_reported_before_anything_is_read(tmp_path):
    with pytest.raises(BadInput, match="does not exist"):
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
        ("NeurIPS 2023 Workshop on Bees", "NeurIPS Workshop Bees", 2023),
        ("aclweb.org/ACL/ARR/2024/June", "ARR", 2024),
        ("logconference.io/LOG/2023/Conference", "logconference", 2023),
        ("Proc. of Bees 2020", "Proc. of Bees", 2020),
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
        assert isinstance(raw, Reject) or to_reviewed_paper(raw, ObservedScales()).title


@pytest.mark.slow
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_every_real_record_comes_through_with_all_its_reviews_on_a_known_scale(path):
    seen, papers = ObservedScales(), 0
    for raw in read_path(path):
        assert not isinstance(raw, Reject), raw
        result = to_reviewed_paper(raw, seen)
        papers += 1
        assert all(review.rating.scaled is not None for review in result.reviews)
    assert papers > 3000


def test_text_of_nothing_but_blank_lines_costs_no_time(tmp_path):
    blank = conversation(answer="\n# \n" * 60_000, question="\n* " * 60_000)
    assert len(list(read_path(lines(tmp_path / "rows.jsonl", [blank])))) == 1


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pip install pyarrow")
def test_a_parquet_file_with_a_date_beyond_all_calendars_is_a_reject(tmp_path):
    arrow = import_module("pyarrow")
    late = arrow.table({"title": arrow.array([2**62], type=arrow.timestamp("us"))})
    import_module("pyarrow.parquet").write_table(late, tmp_path / "late.parquet")
    (found,) = read_path(tmp_path / "late.parquet")
    assert "damaged Parquet file" in found.reason
