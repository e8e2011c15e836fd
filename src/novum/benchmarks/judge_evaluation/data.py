"""A set for reviewers read for an evaluation: later papers to be judged, earlier ones for baselines to learn from."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from novum.benchmarks.judge_evaluation.records import OutcomeOfPaper
from novum.benchmarks.judge_evaluation.task import Split
from novum.core.peer_review import ReviewedPaper
from novum.errors import BadInput

TEXTS_LEARNT = 2_000
"""Real reviews of training papers that tell which words are rare."""
MOST_TEXTS = 400
"""Papers whose reports are compared word by word: more would change the means by less than their intervals."""
_LEAST_TRAINING = 2
_DECISIONS = {"accepted": True, "rejected": False}


@dataclass(frozen=True)
class Submission:
    """What a reviewer is shown of a paper."""

    title: str
    abstract: str

    @property
    def text(self) -> str:
        """In one."""
        return f"{self.title}. {self.abstract}"


@dataclass(frozen=True)
class JudgedPaper:
    """A paper with what is shown of it and the texts of its real reviews."""

    outcome: OutcomeOfPaper
    shown: Submission
    reviews: tuple[str, ...]


@dataclass
class Lessons:
    """Training papers: what is shown of them, their mean ratings, and some reviews."""

    shown: list[Submission] = field(default_factory=list)
    ratings: list[float] = field(default_factory=list)
    values: set[float] = field(default_factory=set)
    """Every rating that a referee gave, to two decimals."""
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EvaluationSet:
    """`digest`: of the files that were read."""

    name: str
    cutoff: str
    digest: str
    judged: tuple[JudgedPaper, ...]
    lessons: Lessons
    left_out: dict[str, int]


class _Card(BaseModel):
    """What of a set's card is needed."""

    model_config = ConfigDict(extra="ignore")

    name: str
    cutoff: str
    splits: tuple[dict[str, object], ...]


def read_set(folder: Path, split: Split = "test", most: int | None = None, *, ideas: bool = False) -> EvaluationSet:
    """`most`: papers that are judged at most. `ideas`: their idea texts are shown. Raises BadInput for what is no such
    set, or holds nothing that can be judged or learnt from."""
    card = _card_of(folder)
    digest = blake2b(digest_size=16)
    try:
        shown = _idea_texts(folder, (split, "train"), digest) if ideas else None
        seen: set[str] = set()
        lessons = _lessons(_papers(folder, "train", digest, seen), shown)
        judged, left_out = _judged(_papers(folder, split, digest, seen), shown, most)
    except OSError as error:
        raise BadInput(f"The set {folder} cannot be read: {error.strerror or error}. Build it anew.") from error
    if len(judged) < 2:
        raise BadInput(f"The {split} split of {folder} holds {len(judged)} papers with ratings: at least 2 are needed.")
    if len(lessons.ratings) < _LEAST_TRAINING:
        raise BadInput(
            f"The training split of {folder} holds {len(lessons.ratings)} papers with ratings, from which no baseline "
            "can be learnt: build the set with another --cutoff."
        )
    return EvaluationSet(card.name, card.cutoff, digest.hexdigest(), judged, lessons, left_out)


def _card_of(folder: Path) -> _Card:
    if folder.is_file():
        raise BadInput(
            f"{folder} is no set for reviewers. Make one of it first: novum data build judge {folder} --out FOLDER"
        )
    try:
        return _Card.model_validate_json((folder / "card.json").read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder} holds no set for reviewers: make one with `novum data build judge REVIEWS --out {folder}`."
        ) from error


def _papers(folder: Path, split: str, digest: blake2b, seen: set[str]) -> Iterator[ReviewedPaper]:
    """`seen`: papers of this split and of those before it. What was learnt from a paper tells nothing about judging
    it, and one that stands twice would count twice."""
    path = folder / "papers" / f"{split}.jsonl"
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            digest.update(line)
            try:
                paper = ReviewedPaper.model_validate_json(line)
            except ValidationError as error:
                raise BadInput(
                    f"{path}, line {number}: no review record ({error.errors()[0]['msg']}). Build the set anew."
                ) from error
            if paper.id in seen:
                raise BadInput(f"{path}, line {number}: this paper stands in the set already. Build the set anew.")
            seen.add(paper.id)
            yield paper


def _lessons(papers: Iterator[ReviewedPaper], ideas: dict[str, Submission] | None) -> Lessons:
    found = Lessons()
    for paper in papers:
        shown = _shown(paper, ideas)
        ratings = _ratings(paper)
        if len(found.texts) < TEXTS_LEARNT:
            found.texts += [each.text for each in paper.reviews if not each.unfit and each.text]
        if ratings and shown:
            found.shown.append(shown)
            found.ratings.append(sum(ratings) / len(ratings))
            found.values.update(round(each, 2) for each in ratings)
    return found


def _judged(
    papers: Iterator[ReviewedPaper], ideas: dict[str, Submission] | None, most: int | None
) -> tuple[tuple[JudgedPaper, ...], dict[str, int]]:
    """In the order of their hashes, so that the first so many are as good as drawn."""
    left_out: dict[str, int] = {}

    def usable() -> Iterator[tuple[str, JudgedPaper]]:
        for paper in papers:
            shown, ratings = _shown(paper, ideas), _ratings(paper)
            if not ratings or not shown:
                why = "no idea text" if ratings else "no rating on a known scale"
                left_out[why] = left_out.get(why, 0) + 1
                continue
            texts = tuple(each.text for each in paper.reviews if not each.unfit and each.text)
            yield blake2b(paper.id.encode(), digest_size=8).hexdigest(), JudgedPaper(_outcome(paper), shown, texts)

    found = sorted(usable(), key=_hash) if most is None else heapq.nsmallest(most, usable(), key=_hash)
    return tuple(paper for _, paper in found), left_out


def _hash(of: tuple[str, JudgedPaper]) -> str:
    return of[0]


def _outcome(paper: ReviewedPaper) -> OutcomeOfPaper:
    return OutcomeOfPaper(
        id=paper.id,
        title=paper.title,
        venue=paper.venue,
        year=paper.year,
        ratings=_ratings(paper),
        accepted=_DECISIONS.get(paper.decision),
    )


def _ratings(paper: ReviewedPaper) -> tuple[float, ...]:
    return tuple(each.rating.scaled for each in paper.reviews if each.rating and each.rating.scaled is not None)


def _shown(paper: ReviewedPaper, ideas: dict[str, Submission] | None) -> Submission | None:
    return Submission(paper.title, paper.abstract) if ideas is None else ideas.get(paper.id)


def _idea_texts(folder: Path, splits: tuple[str, ...], digest: blake2b) -> dict[str, Submission]:
    """By paper, from the task in which the idea is the answer."""
    found: dict[str, Submission] = {}
    for split in splits:
        with (
            (folder / "about" / f"{split}.jsonl").open("rb") as about,
            (folder / "data" / f"{split}.jsonl").open("rb") as data,
        ):
            for known, line in zip(about, data, strict=False):
                if b'"idea-abstract"' not in known:
                    continue
                digest.update(known + line)
                try:
                    found.setdefault(_paper_of(known), _submission(orjson.loads(line)["completion"][0]["content"]))
                except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
                    raise BadInput(f"{folder} holds rows that are no conversations: build the set anew.") from error
    if not found:
        raise BadInput(f"{folder} holds no idea abstracts: build it with --strip or --annotate, or leave --idea-texts.")
    return found


def _paper_of(known: bytes) -> str:
    return str(orjson.loads(known)["paper"])


def _submission(written: str) -> Submission:
    """Of a title and an abstract as the set writes them."""
    head, _, abstract = written.partition("Abstract: ")
    return Submission(head.removeprefix("Title: ").strip(), abstract.strip())


def places_with_words(papers: tuple[JudgedPaper, ...]) -> list[int]:
    """Of the papers whose texts are compared: the first that have a real review in words."""
    return list(islice((place for place, paper in enumerate(papers) if paper.reviews), MOST_TEXTS))
