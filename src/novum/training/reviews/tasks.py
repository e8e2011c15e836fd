"""The four tasks as conversations: a review from an abstract, and an abstract from a review, each for the whole paper
and for its idea alone (SPARK, section "Multi-Task Training Framework").

Every task has a prompt file. The fence words in a prompt differ from row to row, as in a request to a model, and are
the same whenever the data set is built again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from novum.core import shorten
from novum.core.peer_review import PeerReview, ReviewedPaper
from novum.prompts import FENCE, Message, PromptBook
from novum.prompts.untrusted import clean
from novum.training.reviews.settings import RatingAt, Task

PROMPTS: Mapping[Task, str] = {
    "original-review": "judge_original_review",
    "idea-review": "judge_idea_review",
    "original-abstract": "judge_original_abstract",
    "idea-abstract": "judge_idea_abstract",
}
ABSTRACT_TASKS = frozenset[Task]({"original-abstract", "idea-abstract"})
_OWN_RATING = re.compile(
    r"^[ \t#*-]{0,9}(?:(?:overall|final|my) )?(?:rating|recommendation|score)[ \t*]{0,9}[:=][ \t*]{0,9}\d"
    r"[^\n]{0,120}(?:\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line in which the reviewer states the rating on the scale of some form."""
_RATING_WORDS = ("rating", "recommendation", "score")
Turns = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class IdeaTexts:
    """The idea of a paper, without its results: the abstract, and review texts by number of the review. Texts that
    could not be made are missing."""

    abstract: str
    reviews: Mapping[int, str]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation. `review`: number of the review of the paper, from 0."""

    task: Task
    review: int
    prompt: Turns
    completion: Turns
    cut: bool = False
    """Whether the review was too long and lost its end."""


class TaskWriter:
    """Builds the conversations of papers with the prompts of `book`."""

    def __init__(self, book: PromptBook, tasks: tuple[Task, ...], rating_at: RatingAt, longest_review: int) -> None:
        self._prompts = {task: book.get(PROMPTS[task]) for task in tasks}
        self._rating_at = rating_at
        self._longest = longest_review

    def digests(self) -> dict[str, str]:
        """Name, version and digest of the prompt of each task."""
        return {task: f"{each.name} {each.version} ({each.digest})" for task, each in self._prompts.items()}

    def rows(self, paper: ReviewedPaper, idea: IdeaTexts | None) -> Iterator[Row]:
        """The rows of a paper for which there are texts, review by review."""
        fit = {number: each for number, each in enumerate(paper.reviews) if not each.unfit}
        yield from self._rows(paper, paper.title, paper.abstract, {n: each.text for n, each in fit.items()}, "original")
        if idea and idea.abstract:
            texts = {number: text for number, text in idea.reviews.items() if number in fit}
            yield from self._rows(paper, idea.title, idea.abstract, texts, "idea")

    def _rows(
        self, paper: ReviewedPaper, title: str, abstract: str, texts: Mapping[int, str], kind: str
    ) -> Iterator[Row]:
        forward: Task = "original-review" if kind == "original" else "idea-review"
        backward: Task = "original-abstract" if kind == "original" else "idea-abstract"
        forward_prompt = (
            self._rendered(forward, {"title": title, "abstract": abstract}) if forward in self._prompts else ()
        )
        for number, whole in texts.items():
            own = _without_own_rating(whole)
            text, cut = clean(shorten(own, self._longest)), len(own) > self._longest
            review = with_rating(text, paper.reviews[number], self._rating_at)
            fence = _fence(paper, number)
            if forward_prompt:
                yield Row(forward, number, _fenced(forward_prompt, fence), _completion(review), cut)
            if backward in self._prompts:
                prompt = _fenced(self._rendered(backward, {"review": review}), fence)
                yield Row(backward, number, prompt, _completion(clean(submission(title, abstract))), cut)

    def _rendered(self, task: Task, needs: Mapping[str, str]) -> tuple[Message, ...]:
        return self._prompts[task].render(needs).messages


def _without_own_rating(text: str) -> str:
    lowered = text.lower()
    if not any(word in lowered for word in _RATING_WORDS):  # much faster than the pattern
        return text
    return _OWN_RATING.sub("", text).strip()


def submission(title: str, abstract: str) -> str:
    """A title and an abstract in the form that a model writes them."""
    return f"Title: {title}\n\nAbstract: {abstract}" if title else f"Abstract: {abstract}"


def with_rating(text: str, review: PeerReview, where: RatingAt) -> str:
    """The text of a review with its rating, from 0.00 to 1.00, on a separate line at `where`."""
    scaled = review.rating.scaled if review.rating else None
    if scaled is None or where == "none":
        return text
    line = f"Rating: {scaled:.2f}"
    return f"{line}\n\n{text}" if where == "start" else f"{text}\n\n{line}"


def _fenced(messages: tuple[Message, ...], fence: str) -> Turns:
    return [{"role": each.role, "content": each.content.replace(FENCE, fence)} for each in messages]


def _completion(text: str) -> Turns:
    return [{"role": "assistant", "content": text}]


def _fence(paper: ReviewedPaper, number: int) -> str:
    return blake2b(f"{paper.id} {number}".encode(), digest_size=4).hexdigest()
