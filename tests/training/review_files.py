"""Reviews about bees, in every layout that they are handed on in."""

from __future__ import annotations

import json
import random

ABSTRACT = (
    "Bees dance, and say where flowers are. Why they do so together is not known. We propose a game in which every bee "
    "guesses what the others saw, and show how its rules give rise to a dance. Experiments show that it outperforms "
    "ants by 12%."
)
TEXT = (
    "The question is old and the game is a new way to look at it. It is not clear why a bee should guess at all. "
    "Table 2 shows an accuracy of 91.2, which convinces me."
)
OTHER = (
    "I like the paper, since the game is simple, but the proof of the second claim has a gap that is not closed here."
)


def about(number):
    """What the paper of that number alone is about: so much that its abstract resembles no other."""
    words = random.Random(number).sample(WORDS, len(WORDS))
    return f"It is about {' '.join(words)}, for the case {number}."


WORDS = [f"{first}{second}" for first in ("bud", "fern", "moss", "reed", "oak", "elm") for second in "abcdefghij"]


def paper(number=0, year=2023, decision="Accept (poster)", reviews=None, **more):
    """A record in the plain layout. Titles and abstracts of different numbers differ."""
    usual = [
        {"rating": 6, "confidence": 4, "text": f"{TEXT} Case {number}."},
        {"rating": "3 (reject)", "text": OTHER + str(number)},
    ]
    return {
        "paper_id": f"neurips{year}:bee{number}", "title": f"Why bees dance, part {number}", "venue": "NeurIPS",
        "abstract": f"{ABSTRACT} This is part {number}. {about(number)}", "year": year, "decision": decision,
        "keywords": ["bees; dances"],
        "reviews": usual if reviews is None else reviews, "meta_review": "Both agree.",
    } | more  # fmt: skip


def lines(path, records):
    """A file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def peerread():
    """A file of PeerRead's."""
    return {
        "conference": "ICLR 2017 conference submission", "title": "Why bees dance", "abstract": ABSTRACT,
        "accepted": True,
        "DATE_OF_SUBMISSION": "04 Nov 2016 (modified: 5 Nov 2016)", "histories": [], "id": "7",
        "reviews": [
            {"IS_META_REVIEW": True, "comments": "All in all a good paper."},
            {"IS_META_REVIEW": False, "TITLE": "ICLR committee final decision", "comments": "We take it."},
            {"IS_META_REVIEW": False, "OTHER_KEYS": "(anonymous)", "comments": "Have you looked at wasps?"},
            {"IS_META_REVIEW": False, "OTHER_KEYS": "AnonReviewer1", "comments": TEXT, "RECOMMENDATION": 9,
             "REVIEWER_CONFIDENCE": 4, "ORIGINALITY": 5, "RECOMMENDATION_UNOFFICIAL": 5},
            {"IS_META_REVIEW": False, "OTHER_KEYS": "AnonReviewer2", "comments": OTHER, "RECOMMENDATION": "3"},
        ],
    }  # fmt: skip


def openreview(forum="beeForum01", **content):
    """A submission as version 2 of the API gives it, with two reviews and a decision."""

    def reply(kind, by, when, **fields):
        return {
            "id": f"{kind}{by}", "forum": forum, "replyto": forum, "readers": ["everyone"], "cdate": when,
            "invitations": [f"ICLR.cc/2024/Conference/Submission7/-/{kind}"], "signatures": [f"X/{by}"],
            "content": {name: {"value": value} for name, value in fields.items()},
        }  # fmt: skip

    fields = {
        "title": "Why bees dance", "abstract": ABSTRACT, "keywords": ["bees"], "venueid": "ICLR.cc/2024/Conference",
        "venue": "ICLR 2024 poster",
    }  # fmt: skip
    return {
        "id": forum, "forum": forum, "readers": ["everyone"], "cdate": 1_695_400_000_000,
        "invitations": ["ICLR.cc/2024/Conference/-/Submission"],
        "content": {name: {"value": value} for name, value in (fields | content).items()},
        "details": {"replies": [
            reply("Official_Review", "Reviewer_a", 1_702_000_000_000, rating="6: marginally above the threshold",
                  confidence="4: sure", soundness="3 good", summary="About bees.", weaknesses=TEXT),
            reply("Official_Review", "Reviewer_b", 1_702_000_000_001, rating=3, review=OTHER),
            reply("Decision", "Program_Chairs", 1_705_000_000_000, decision="Accept (poster)", comment="Nice."),
        ]},
    }  # fmt: skip


def paperlist():
    """A record of a list without review texts."""
    return {
        "id": "b7jXzuQMq8W", "title": "Why bees dance", "track": "main", "status": "Withdraw",
        "keywords": "bees;dances",
        "abstract": ABSTRACT, "rating": "3;5;6", "confidence": "4;4;3", "empirical_novelty": "2;0;2",
        "presentation": "",
        "rating_avg": 4.67,
    }  # fmt: skip


def nlpeer(folder):
    """A paper of NLPeer's, in two versions."""
    for version, title in (("v1", "Why bees dance"), ("v2", "Why bees dance, revised")):
        place = folder / "ARR-22" / "data" / "ab12" / version
        place.mkdir(parents=True)
        (place / "meta.json").write_text(json.dumps({"id": "ab12", "title": title, "abstract": ABSTRACT, "year": 2021}))
        report = {"paper_summary": "About bees.", "summary_of_weaknesses": TEXT, "main": None}
        scores = {"overall": "3.5 = good", "excitement": "4"}
        review = {"rid": "r1", "reviewer": None, "report": report, "scores": scores, "meta": {}}
        (place / "reviews.json").write_text(json.dumps([review]))
        (place / "paper.itg.json").write_text("{}")
    return folder


def conversation(
    answer=f"{TEXT}\n\nRating: 7", question=f"Title: Why bees dance\n\nAbstract: {ABSTRACT}", system="You review."
):
    """A row of a published set for fine-tuning."""
    turns = (("system", system), ("user", question), ("assistant", answer))
    return {"messages": [{"role": role, "content": content} for role, content in turns]}
