"""OpenReview: submissions as papers, and what referees wrote about them."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.core import Identifiers, Paper
from novum.errors import BadInput, SourceError
from novum.literature.services.client import SourceClient
from novum.literature.sources import Page, Search
from novum.literature.sources.openreview import OpenReview, read_notes
from novum.literature.sources.openreview_reviews import (
    ReviewedPage,
    ReviewScore,
    SubmissionReviews,
    as_review,
    submission_reviews,
)
from tests.literature.sources.conftest import Said, Service, at, said

_GROUP = "ICLR.cc/2024/Conference"
_OCTOBER, _JANUARY = 1_697_200_000_000, 1_705_400_000_000


def wrapped(**content: object) -> dict[str, object]:
    """Content as version 2 of the API writes it."""
    return {name: {"value": value} for name, value in content.items()}


def note(forum: str = "beeForum01", group: str = _GROUP, **changes: object) -> dict[str, object]:
    """A submission about bees."""
    content = wrapped(
        title="On Bees",
        authors=["Zoë Nuñez", "Bo Li"],
        abstract="Bees dance, and say where flowers are.",
        TLDR="Bees talk.",
        keywords=["insects", "communication"],
        venue="ICLR 2024 poster",
        venueid=group,
        pdf="/pdf/0123.pdf",
    )
    times = {"cdate": 1_695_400_000_000, "odate": _OCTOBER, "pdate": _JANUARY}
    own = {"id": forum, "forum": forum, "readers": ["everyone"], "invitations": [f"{_GROUP}/-/Submission"]}
    return own | times | {"content": content} | changes


def changed(**content: object) -> dict[str, object]:
    """The submission with other content."""
    submission = note()
    held = submission["content"]
    assert isinstance(held, dict)
    return submission | {"content": held | content}


def reply(kind: str, by: str, when: int, **content: object) -> dict[str, object]:
    """Something written about it."""
    return {
        "id": f"{kind}-{by}", "forum": "beeForum01", "replyto": "beeForum01", "readers": ["everyone"],
        "invitations": [f"{_GROUP}/Submission7/-/{kind}", f"{_GROUP}/-/Edit"],
        "signatures": [f"{_GROUP}/Submission7/{by}"], "cdate": when, "mdate": when + 1000,
        "content": wrapped(**content),
    }  # fmt: skip


REPLIES = [
    reply("Decision", "Program_Chairs", 1705_000_000_000, decision="Accept (poster)", comment="Nice."),
    reply("Official_Review", "Reviewer_b", 1703_000_000_000, rating=3, confidence=2, weaknesses="1: no\n2: ants"),
    reply(
        "Official_Review", "Reviewer_a", 1702_000_000_000,
        summary="About bees.", strengths="Clear.\n\nNew.", weaknesses="Short.", questions="Why bees?",
        rating="6: marginally above the acceptance threshold", confidence="4: confident, but not certain",
        soundness="3 good", flag_for_ethics_review=["No ethics review needed."], code_of_conduct=True,
    ),
    reply("Meta_Review", "Area_Chair_z", 1704_000_000_000, metareview="Both agree.", recommendation="Accept"),
    reply("Official_Comment", "Authors", 1703_500_000_000, comment="Thank you."),
    reply("Official_Review", "Reviewer_c", 1703_600_000_000, rating=1) | {"readers": [f"{_GROUP}/Program_Chairs"]},
    reply("Ethics_Review", "Ethics_q", 1703_700_000_000, recommendation="1: fine"),
]  # fmt: skip


def answer(*notes: object, **more: object) -> bytes:
    """Notes as the API gives them."""
    return json.dumps({"notes": notes} | more).encode()


def read(*notes: object) -> Page:
    """All submissions of one answer."""
    return read_notes(answer(*notes), lambda _: True)


def only(submission: object) -> Paper:
    """The paper of one submission."""
    page = read(submission)
    assert not page.rejects
    return page.entries[0].paper


def reviews() -> SubmissionReviews:
    """What was written about the submission."""
    return submission_reviews(note(details={"replies": REPLIES}))


def test_a_submission_becomes_a_paper_dated_by_when_it_went_online():
    paper = only(note())
    assert paper.title == "On Bees"
    assert paper.authors == ("Zoë Nuñez", "Bo Li")
    assert (paper.year, paper.date) == (2024, dt.date(2023, 10, 13))
    assert (paper.venue, paper.summary) == ("ICLR 2024 poster", "Bees talk.")
    assert paper.fields == ("insects", "communication")
    assert paper.ids == Identifiers(openreview="beeForum01")


@pytest.mark.parametrize(
    ("times", "day"),
    [
        ({"odate": None}, dt.date(2024, 1, 16)),
        ({"odate": None, "pdate": None}, None),
        ({"odate": "soon", "pdate": 1e300}, None),
    ],
)
def test_when_it_was_created_is_not_when_it_was_public(times: dict[str, object], day: dt.date | None):
    assert only(note(**times)).date == day


def test_the_first_version_of_the_api_is_understood_too():
    plain = {
        "title": "On Ants",
        "authors": ["Anonymous"],
        "keywords": "ants; hills",
        "one-sentence_summary": "Ants dig.",
    }
    paper = only({"id": "antForum", "forum": "antForum", "invitation": "ICLR.cc/2020/Conference/-/Blind_Submission",
                  "cdate": 1_569_900_000_000, "content": plain})  # fmt: skip
    assert (paper.title, paper.authors, paper.year, paper.venue) == ("On Ants", (), 2020, "ICLR 2020")
    assert (paper.fields, paper.summary) == (("ants", "hills"), "Ants dig.")


def test_links_and_entries_elsewhere_name_the_paper():
    linked = changed(
        html={"value": "https://doi.org/10.1000/Bee"}, pdf={"value": "https://arxiv.org/pdf/2101.00001v2.pdf"}
    )
    assert only(linked).ids == Identifiers(openreview="beeForum01", doi="10.1000/bee", arxiv="2101.00001")
    assert only(note(externalIds=["dblp:conf/iclr/NunezL24"])).ids.dblp == "conf/iclr/NunezL24"


def test_authors_given_as_people_are_read_by_their_names():
    assert only(changed(authors={"value": [{"fullname": "Ada Ode", "username": "~Ada1"}, 7]})).authors == ("Ada Ode",)


@pytest.mark.parametrize(
    ("submission", "reason"),
    [
        (note(group=f"{_GROUP}/Withdrawn_Submission"), "withdrawn: 'On Bees'"),
        (note(invitations=[f"{_GROUP}/-/Withdrawn_Submission"]), "withdrawn: 'On Bees'"),
        (changed(withdrawal="Confirmed"), "withdrawn: 'On Bees'"),
        (note(group=f"{_GROUP}/Desk_Rejected_Submission"), "rejected without review: 'On Bees'"),
        (note(ddate=_JANUARY), "deleted: 'On Bees'"),
        (note(readers=["ICLR.cc/2024/Conference/Reviewers"]), "not public"),
        (note(replyto="another"), "a reply, no paper"),
        (changed(title={"value": "Secret", "readers": ["~Ada1"]}), "no title"),
        ({}, "a reply, no paper"),
    ],
)
def test_what_was_taken_back_or_is_not_public_is_kept_apart(submission: object, reason: str):
    page = read(submission)
    assert not page.entries
    assert page.rejects[0].reason.endswith(reason)


def test_a_paper_rejected_after_review_stays_a_paper():
    rejected = changed(venueid={"value": f"{_GROUP}/Rejected_Submission"}, venue={"value": "Submitted to ICLR 2024"})
    assert only(rejected).venue == "Submitted to ICLR 2024"


def test_reviews_keep_their_marks_as_they_were_given():
    first, second = reviews().reviews
    assert (first.by, second.by) == ("Reviewer_a", "Reviewer_b"), "oldest first; one is not public"
    assert first.rating == ReviewScore(name="rating", raw="6: marginally above the acceptance threshold")
    assert (first.rating.number, first.rating.meaning) == (6.0, "marginally above the acceptance threshold")
    assert first.mark("soundness") == ReviewScore(name="soundness", raw="3 good")
    assert second.rating == ReviewScore(name="rating", raw="3")
    assert second.confidence is not None
    assert (second.confidence.number, second.confidence.meaning) == (2.0, "")


@pytest.mark.parametrize(
    ("field", "given", "number"),
    [
        ("rating", "Strong accept", None),
        (
            "overall_assessment",
            "4 = This paper represents solid work, of interest to the communities that build on it.",
            4,
        ),
        ("overall_recommendation", 3, 3),
        ("recommendation", "7/10", 7),
        ("final_rating", "5: Accept", 5),
    ],
)
def test_a_rating_is_a_mark_whatever_its_form_and_name(field: str, given: object, number: float | None):
    told = reply("Official_Review", "Reviewer_a", _JANUARY, **{field: given}, summary_of_strengths="1: it is new")
    (report,) = submission_reviews(note(details={"directReplies": [told]})).reviews
    assert report.rating is not None
    assert (report.rating.raw, report.rating.number) == (str(given), number)
    assert report.part("summary_of_strengths") == "1: it is new", "a text that begins with a number is no mark"


def test_the_first_conferences_called_their_decision_acceptance():
    told = reply("acceptance", "pcs", _JANUARY, decision="Accept (Poster)")
    assert submission_reviews(note(details={"replies": [told]})).accepted is True


def test_reviews_keep_their_texts_and_times():
    first, second = reviews().reviews
    assert first.part("strengths") == "Clear.\n\nNew."
    assert first.part("flag_for_ethics_review") == "No ethics review needed."
    assert second.part("weaknesses") == "1: no\n2: ants", "a text that begins with a number is no mark"
    assert first.written == dt.datetime(2023, 12, 8, 1, 46, 40, tzinfo=dt.UTC)
    assert first.revised == first.written + dt.timedelta(seconds=1)
    assert reviews().online == dt.datetime.fromtimestamp(_OCTOBER / 1000, dt.UTC)


def test_decision_and_meta_review_are_told_apart():
    found = reviews()
    assert [report.part("metareview") for report in found.meta_reviews] == ["Both agree."]
    assert (found.decision, found.accepted) == ("Accept (poster)", True)


@pytest.mark.parametrize(
    ("decision", "group", "accepted"),
    [
        ("Reject", "", False),
        ("Invite to Workshop Track", "", None),
        ("", f"{_GROUP}/Rejected_Submission", False),
        ("", _GROUP, None),
    ],
)
def test_accepted_is_unknown_where_nobody_says_so(decision: str, group: str, accepted: bool | None):
    replies = [reply("Decision", "Program_Chairs", _JANUARY, decision=decision)] if decision else []
    assert submission_reviews(note(group=group, details={"replies": replies})).accepted is accepted


def test_a_report_can_stand_beside_those_of_judges():
    review = as_review(reviews().reviews[0], "paper-1")
    assert (review.strengths, review.weaknesses, review.suggestions) == (
        ("Clear.\n\nNew.",),
        ("Short.",),
        ("Why bees?",),
    )
    assert {score.metric: score.value for score in review.scores} == {
        "rating": 6.0,
        "confidence": 4.0,
        "soundness": 3.0,
    }


def test_reviews_survive_a_journey_through_json():
    assert SubmissionReviews.model_validate_json(reviews().model_dump_json()) == reviews()


@pytest.mark.parametrize(
    ("venue", "invitation"),
    [
        ("ICLR 2024", "ICLR.cc/2024/Conference/-/Submission"),
        ("neurips2023", "NeurIPS.cc/2023/Conference/-/Submission"),
        ("COLM 2025", "colmweb.org/COLM/2025/Conference/-/Submission"),
        ("TMLR", "TMLR/-/Submission"),
        ("ICLR.cc/2024/Workshop/SeT_LLM", "ICLR.cc/2024/Workshop/SeT_LLM/-/Submission"),
        ("ICLR.cc/2020/Conference/-/Blind_Submission", "ICLR.cc/2020/Conference/-/Blind_Submission"),
    ],
)
def test_a_venue_is_listed_by_its_short_name_its_group_or_its_invitation(venue: str, invitation: str):
    request = OpenReview().search(Search(text="bees", venues=(venue,)))
    assert (request.url, request.parameters["invitation"]) == ("https://api2.openreview.net/notes", invitation)
    assert OpenReview().reviewed(venue).parameters["details"] == "replies"


def test_without_a_venue_openreviews_own_search_is_asked():
    request = OpenReview().search(Search(text="bees"))
    assert request.url == "https://api2.openreview.net/notes/search"
    assert (request.parameters["term"], request.parameters["source"]) == ("bees", "forum")


@pytest.mark.parametrize("search", [Search(text=" "), Search(text="bees", venues=("Bee Conference",))])
def test_a_search_that_openreview_cannot_answer_is_refused_in_one_line(search: Search):
    with pytest.raises(BadInput, match=r"^OpenReview .*: (give|write) "):
        OpenReview().search(search)


def test_a_listing_keeps_what_holds_the_words_and_fits_the_days_and_goes_on_to_the_next_venue():
    search = Search(text="flower bee", before=dt.date(2024, 1, 1), venues=("ICLR 2024", "TMLR"))
    late, other = note("late", odate=_JANUARY), changed(title={"value": "Stars"}, abstract={"value": "Dancing stars."})
    page = OpenReview().search(search).read(answer(note(), late, other))
    assert [found.key for found in page.entries] == ["openreview:beeForum01"]
    assert page.next_request
    assert page.next_request.parameters["invitation"] == "TMLR/-/Submission"
    assert page.next_request.read(answer()).next_request is None


def test_a_browser_check_is_told_with_its_remedy():
    with pytest.raises(ValueError, match="OPENREVIEW_TOKEN"):
        read_notes(b"<!DOCTYPE html><title>Verifying your browser</title>", lambda _: True)
    with pytest.raises(ValueError, match="limit must be"):
        read_notes(b'{"name": "ValidationError", "message": "limit must be <= 1000"}', lambda _: True)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.just("value"), inner, max_size=4)
    ),
    max_leaves=12,
)
_CONTENTS = st.dictionaries(
    st.sampled_from(["title", "authors", "abstract", "TLDR", "keywords", "venue", "venueid", "pdf", "doi", "rating"]),
    _JSON, max_size=6,
)  # fmt: skip
_NOTES = st.fixed_dictionaries(
    {"content": _CONTENTS | _JSON},
    optional=dict.fromkeys(
        ("id", "forum", "readers", "invitations", "invitation", "odate", "cdate", "externalIds", "details"), _JSON
    ),
)


@settings(max_examples=40)
@given(_NOTES, st.lists(_NOTES | _JSON, max_size=3))
def test_any_note_is_an_entry_or_a_reject_and_its_reviews_can_be_read(
    changes: dict[str, object], replies: list[object]
):
    page = read(orjson.loads(orjson.dumps(note() | changes)))
    assert len(page.entries) + len(page.rejects) == 1
    listed = [REPLIES[0] | given_reply if isinstance(given_reply, dict) else given_reply for given_reply in replies]
    found = submission_reviews(note() | changes | {"details": {"replies": listed}})
    assert len(found.decisions) <= len(listed)


@given(_JSON | st.fixed_dictionaries({"notes": _JSON}))
def test_any_answer_is_a_page_or_an_error_that_says_so(value: object):
    for request in (OpenReview().search(Search(text="x")), OpenReview().reviewed("TMLR")):
        try:
            page = request.read(orjson.dumps(value))
        except ValueError as error:
            assert str(error)
        else:
            assert all(reject.reason for reject in page.rejects)


@pytest.mark.parametrize("hostile", [b"", b'{"notes": [', b"[" * 100_000, b"\xff", b"null", b"[]"])
def test_what_is_no_answer_is_refused(hostile: bytes):
    with pytest.raises(ValueError, match=r"JSON"):
        read_notes(hostile, lambda _: True)


def test_pages_of_the_search_follow_each_other_over_http(service: Service, client: Callable[..., SourceClient]):
    full = [note(f"forum{number:03}") for number in range(25)]
    service.on("/notes/search", said({"notes": full, "count": 10_000}), offset="0")
    service.on("/notes/search", said({"notes": [note("last")], "count": 10_000}), offset="25")
    source = at(service, OpenReview)

    async def walk() -> list[int]:
        async with client() as asking:
            return [len(page.entries) async for page in asking.pages(source, source.search(Search(text="bees")))]

    assert asyncio.run(walk()) == [25, 1]


def test_a_search_for_days_that_nothing_fits_ends(service: Service, client: Callable[..., SourceClient]):
    service.on("/notes/search", said({"notes": [note(f"forum{number:03}") for number in range(25)], "count": 10_000}))
    source, long_ago = at(service, OpenReview), Search(text="bees", before=dt.date(1999, 1, 1))

    async def walk() -> list[int]:
        async with client() as asking:
            return [len(page.entries) async for page in asking.pages(source, source.search(long_ago))]

    assert asyncio.run(walk()) == [0] * 40


def test_reviews_come_over_http_with_the_papers_for_those_who_have_a_key(
    service: Service, client: Callable[..., SourceClient]
):
    service.on("/notes", said({"notes": [note(details={"replies": REPLIES})]}), details="replies")
    source = OpenReview(service.address)

    async def walk() -> Page:
        async with client(environment={"OPENREVIEW_TOKEN": "t0ken"}) as asking:
            return await asking.page(source, source.reviewed("ICLR 2024"))

    page = asyncio.run(walk())
    assert isinstance(page, ReviewedPage)
    assert page.reviews == (reviews(),)
    assert service.asked[0].headers["Authorization"] == "Bearer t0ken"


def test_a_service_that_wants_a_browser_is_set_aside_in_words(service: Service, client: Callable[..., SourceClient]):
    service.on("/notes", Said(b"<!DOCTYPE html><html>Verifying your browser</html>"))
    source = at(service, OpenReview)

    async def ask() -> None:
        async with client() as asking:
            await asking.page(source, source.fetch([("openreview", "beeForum01")])[0])

    with pytest.raises(SourceError, match="OPENREVIEW_TOKEN"):
        asyncio.run(ask())
