"""Read a data set of reviews for an evaluation: later papers to evaluate on, earlier ones to fit baselines to."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from novum.benchmarks.judge_evaluation.records import PaperOutcome
from novum.benchmarks.judge_evaluation.task import Split
from novum.core.peer_review import ReviewedPaper
from novum.errors import BadInput
from novum.files.inputs import open_input, read_plain

MAX_TRAINING_TEXTS = 2_000
"""Real reviews of training papers from which the rarity of words is computed."""
MAX_TEXT_PAPERS = 400
"""Papers whose texts are compared; more would change the means by less than their intervals."""
_MIN_TRAINING_PAPERS = 2
_DECISIONS = {"accepted": True, "rejected": False}


@dataclass(frozen=True)
class ShownPaper:
    """What a reviewer is shown of a paper."""

    title: str
    abstract: str

    @property
    def text(self) -> str:
        """Title and abstract in one text."""
        return f"{self.title}. {self.abstract}"


@dataclass(frozen=True)
class JudgedPaper:
    """A paper with what reviewers see of it, and the texts of its real reviews."""

    outcome: PaperOutcome
    shown: ShownPaper
    reviews: tuple[str, ...]


@dataclass
class BaselineData:
    """The training papers with their outcomes, and some of their reviews."""

    shown: list[ShownPaper] = field(default_factory=list)
    outcomes: list[PaperOutcome] = field(default_factory=list)
    values: set[float] = field(default_factory=set)
    """Every rating that a reviewer gave, to two decimals."""
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EvaluationSet:
    """The papers of an evaluation. `digest`: of the files that were read."""

    name: str
    cutoff: str
    digest: str
    judged: tuple[JudgedPaper, ...]
    lessons: BaselineData
    left_out: dict[str, int]


class _Card(BaseModel):
    """The fields of the card of a data set that are needed."""

    model_config = ConfigDict(extra="ignore")

    name: str
    cutoff: str
    splits: tuple[dict[str, object], ...]


def read_set(folder: Path, split: Split = "test", most: int | None = None, *, ideas: bool = False) -> EvaluationSet:
    """Reads a data set. `most`: papers to evaluate on, at most. `ideas`: show idea texts instead of abstracts.

    Raises BadInput for a folder that is no such data set, or has too few papers with ratings.
    """
    card = _card_of(folder)
    digest = blake2b(digest_size=16)
    try:
        shown = _idea_texts(folder, (split, "train"), digest) if ideas else None
        seen: set[str] = set()
        lessons = _lessons(_papers(folder, "train", digest, seen), shown)
        judged, left_out = _judged(_papers(folder, split, digest, seen), shown, most)
    except OSError as error:
        raise BadInput(f"The data set {folder} cannot be read: {error.strerror or error}. Build it again.") from error
    if len(judged) < 2:
        raise BadInput(f"The {split} split of {folder} holds {len(judged)} papers with ratings: at least 2 are needed.")
    if len(lessons.outcomes) < _MIN_TRAINING_PAPERS:
        raise BadInput(
            f"The training split of {folder} holds {len(lessons.outcomes)} papers with ratings, too few for "
            "baselines: build the set with another --cutoff."
        )
    return EvaluationSet(card.name, card.cutoff, digest.hexdigest(), judged, lessons, left_out)


def _card_of(folder: Path) -> _Card:
    if folder.is_file():
        raise BadInput(
            f"{folder} is a file, not a data set. Build one from it first: novum data build judge {folder} --out DIR"
        )
    try:
        return _Card.model_validate_json(read_plain(folder / "card.json"))
    except (OSError, ValidationError) as error:
        raise BadInput(
            f"{folder} has no data set of reviews. Build one: novum data build judge REVIEWS --out {folder}"
        ) from error


def _papers(folder: Path, split: str, digest: blake2b, seen: set[str]) -> Iterator[ReviewedPaper]:
    """The papers of a split. `seen`: ids of papers so far, since the baselines would know a paper of two splits, and a
    repeated one would count twice."""
    path = folder / "papers" / f"{split}.jsonl"
    with open_input(path) as lines:
        for number, line in enumerate(lines, 1):
            digest.update(line)
            try:
                paper = ReviewedPaper.model_validate_json(line)
            except ValidationError as error:
                raise BadInput(
                    f"{path}, line {number}: no review record ({error.errors()[0]['msg']}). Build the set again."
                ) from error
            if paper.id in seen:
                raise BadInput(f"{path}, line {number}: this paper is repeated. Build the set again.")
            seen.add(paper.id)
            yield paper


def _lessons(papers: Iterator[ReviewedPaper], ideas: dict[str, ShownPaper] | None) -> BaselineData:
    data = BaselineData()
    for paper in papers:
        shown = _shown(paper, ideas)
        ratings = _ratings(paper)
        if len(data.texts) < MAX_TRAINING_TEXTS:
            data.texts += [each.text for each in paper.reviews if not each.unfit and each.text]
        if ratings and shown:
            data.shown.append(shown)
            data.outcomes.append(_outcome(paper))
            data.values.update(round(each, 2) for each in ratings)
    return data


def _judged(
    papers: Iterator[ReviewedPaper], ideas: dict[str, ShownPaper] | None, most: int | None
) -> tuple[tuple[JudgedPaper, ...], dict[str, int]]:
    """Papers ordered by hash, so that the first ones are a random choice; and counts of unused ones by reason."""
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


def _outcome(paper: ReviewedPaper) -> PaperOutcome:
    return PaperOutcome(
        id=paper.id,
        title=paper.title,
        venue=paper.venue,
        year=paper.year,
        ratings=_ratings(paper),
        accepted=_DECISIONS.get(paper.decision),
    )


def _ratings(paper: ReviewedPaper) -> tuple[float, ...]:
    return tuple(each.rating.scaled for each in paper.reviews if each.rating and each.rating.scaled is not None)


def _shown(paper: ReviewedPaper, ideas: dict[str, ShownPaper] | None) -> ShownPaper | None:
    return ShownPaper(paper.title, paper.abstract) if ideas is None else ideas.get(paper.id)


def _idea_texts(folder: Path, splits: tuple[str, ...], digest: blake2b) -> dict[str, ShownPaper]:
    """Idea texts by paper id, from the training task with the idea as its answer."""
    found: dict[str, ShownPaper] = {}
    for split in splits:
        with (
            open_input(folder / "about" / f"{split}.jsonl") as about,
            open_input(folder / "data" / f"{split}.jsonl") as data,
        ):
            for known, line in zip(about, data, strict=False):
                if b'"idea-abstract"' not in known:
                    continue
                digest.update(known + line)
                try:
                    found.setdefault(_paper_of(known), _submission(orjson.loads(line)["completion"][0]["content"]))
                except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
                    raise BadInput(f"{folder} has rows that are no conversations: build the set again.") from error
    if not found:
        raise BadInput(
            f"{folder} has no idea abstracts: build it with --strip or --annotate, or leave out --idea-texts."
        )
    return found


def _paper_of(known: bytes) -> str:
    return str(orjson.loads(known)["paper"])


def _submission(written: str) -> ShownPaper:
    """From the text of a title and an abstract in the data set."""
    head, _, abstract = written.partition("Abstract: ")
    return ShownPaper(head.removeprefix("Title: ").strip(), abstract.strip())


def papers_with_texts(papers: tuple[JudgedPaper, ...]) -> list[int]:
    """Indices of the papers whose texts are compared: the first ones with a real review text."""
    return list(islice((place for place, paper in enumerate(papers) if paper.reviews), MAX_TEXT_PAPERS))
