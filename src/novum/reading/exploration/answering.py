"""An answer out of evidence, checked sentence by sentence: what does each rest on, and is that really there?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from novum.core import Paper, shorten
from novum.core.evidence import Exploration, Reply, Sentence, Snippet
from novum.core.sentences import sentences
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, prose

_LONGEST = 8_000
_NO_ANSWER = "The writer gave no usable answer; the evidence stands by itself."
_CITED = re.compile(
    r"[\[【]\s{0,3}((?:E\s?)?\d{1,3}(?:\s{0,3}(?:,|;|&|and|-|–)\s{0,3}(?:E\s?)?\d{1,3}){0,30})\s{0,3}[\]】]"
)
"""`[E1]`, `[E1, E3]`, `[E1–E3]`; also `[12]`, which may be copied from a passage and must not pass for ours."""
_BEHIND_THE_STOP = re.compile(rf"([.!?])((?:[ \t]{{0,2}}{_CITED.pattern})+)")


class EvidenceAnswer(Answer):
    """The answer to `answer_from_evidence`."""

    answer: str = prose(2400, "the answer in plain paragraphs; every sentence ends with the labels it rests on")
    gaps: str = prose(600, "what these passages do not tell, and where it may stand; empty if nothing")
    stated_open: str = prose(400, "what a passage itself says to be open, with its label; empty if none does")


async def answer_from_evidence(models: Models, exploration: Exploration, most: int) -> Exploration:
    """The exploration with an answer from its first `most` snippets; with a note where no usable answer comes."""
    if not exploration.evidence:
        return exploration.but(notes=(*exploration.notes, "No passage counts as evidence, so no answer was written."))
    evidence = labelled_evidence(exploration, most)
    titles = {paper.id: paper.title for paper in exploration.papers}
    needs = {
        "question": exploration.question,
        "weakness": exploration.weakness,
        "evidence": evidence,
        "unread": [{"title": titles[each.paper_id], "section": each.section} for each in exploration.unread],
    }
    try:
        answer = await models.ask(Question("answer_from_evidence", needs, EvidenceAnswer, temperature=0.0))
    except NoUsableAnswer:
        return exploration.but(notes=(*exploration.notes, _NO_ANSWER))
    sentences_of_answer = tuple(check_citations(answer.answer, len(evidence)))
    if not sentences_of_answer:
        return exploration.but(notes=(*exploration.notes, _NO_ANSWER))
    gaps, stated = (_relabelled(shorten(each, _LONGEST), len(evidence)) for each in (answer.gaps, answer.stated_open))
    return exploration.but(reply=Reply(sentences=sentences_of_answer, gaps=gaps, stated_open=stated))


def labelled_evidence(exploration: Exploration, most: int) -> list[dict[str, object]]:
    """The evidence as prompts show it: label, paper, section, whether it is somebody else's account, what the reader
    made of it, and the passage's words.
    """
    papers = {paper.id: paper for paper in exploration.papers}
    return [
        _entry(number, snippet, papers[snippet.paper_id])
        for number, snippet in enumerate(exploration.evidence[:most], 1)
    ]


def check_citations(text: str, known: int) -> Iterator[Sentence]:
    """The sentences of an answer whose labels may go from E1 to E`known`, each with what it cites.

    Citations become `[1]`, the place in the list of evidence; a label that leads nowhere is named as unresolved.
    """
    # A citation behind the full stop belongs to the sentence before it.
    answer = _BEHIND_THE_STOP.sub(r"\2\1", shorten(text, _LONGEST))
    end = 0
    for span in sentences(answer):
        labels = [label for match in _CITED.finditer(span.of(answer)) for label in _labels(match[1])]
        cites = {int(label[1:]) for label in labels if _leads(label, known)}
        unknown = dict.fromkeys(label for label in labels if not _leads(label, known))
        words = _relabelled(span.of(answer), known)
        opens = "\n" in answer[end : span.start]
        end = span.end
        yield Sentence(text=words, cites=tuple(sorted(cites)), unknown=tuple(unknown), opens_paragraph=opens)


def _labels(group: str) -> list[str]:
    """`E1, E3–E5` as E1, E3, E4, E5. A number without a letter behind one with it is meant alike; by itself it is
    none of ours.
    """
    ours = "E" in group
    labels: list[str] = []
    for part in re.split(r",|;|&|and", group):
        numbers = [int(digits) for digits in re.findall(r"\d+", part)]
        first, last = numbers[0], numbers[-1]
        spread = range(first, last + 1) if len(numbers) > 1 and 0 <= last - first < 60 else numbers
        labels += [f"E{number}" if ours else str(number) for number in spread]
    return labels


def _leads(label: str, known: int) -> bool:
    return label.startswith("E") and 1 <= int(label[1:]) <= known


def _as_places(group: str, known: int) -> str:
    labels = list(dict.fromkeys(_labels(group)))
    there = [label[1:] for label in labels if _leads(label, known)]
    lost = [label for label in labels if not _leads(label, known)]
    return "".join((f"[{', '.join(there)}]" if there else "", f"[unresolved: {', '.join(lost)}]" if lost else ""))


def _relabelled(text: str, known: int) -> str:
    return _CITED.sub(lambda match: _as_places(match[1], known), text)


def _entry(number: int, snippet: Snippet, paper: Paper) -> dict[str, object]:
    return {
        "label": f"E{number}",
        "paper": paper,
        "section": snippet.section,
        "account": snippet.is_account,
        "summary": snippet.summary,
        "quote": snippet.quote,
        "passage": snippet.passage,
    }
