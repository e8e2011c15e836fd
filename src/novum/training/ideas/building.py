"""Papers of a library as training rows: a prompt with the topic, and the title and abstract as its answer.

The library is read once. Papers that can be used are written to a temporary file; a sample of them makes the topics,
and years and hashes of titles decide the splits. Then the file is read again, and each row goes to its split.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from novum.core import Paper, Subject, normal_title
from novum.errors import BadInput
from novum.prompts import FENCE, Prompt
from novum.training.ideas.card import SPLITS, IdeaDataSettings, IdeaSplit, TopicRow
from novum.training.ideas.topics import NO_WORDS, ChosenTopics, choose_topics
from novum.training.preferences.pool import candidate_text
from novum.training.reviews.tasks import Turns

FEWEST_PAPERS = 30
CHARACTERS_PER_TOKEN = 4.5
BuildProgress = Callable[[str, int, int], None]
"""Called with a step (`papers`, `topics`, `rows`), the number done, and the total (0: not known)."""
_AT_ONCE = 2048
_TOLD_EVERY = 2000


def ignore_progress(_step: str, _done: int, _total: int) -> None:
    """The progress of a caller that shows none."""


@dataclass
class UsablePapers:
    """Papers in a temporary file, one JSON line each, with the year and a hash of each in order."""

    years: array[int] = field(default_factory=lambda: array("i"))
    hashes: array[int] = field(default_factory=lambda: array("Q"))
    left_out: Counter[str] = field(default_factory=Counter)
    sample: list[tuple[int, str]] = field(default_factory=list)
    """Hash and text of the papers that topics are fitted to: those with the smallest hashes."""


@dataclass(frozen=True)
class BuiltIdeas:
    """Counts of a data set that was written, for its card."""

    chosen: ChosenTopics
    fitted_on: int
    topics: tuple[TopicRow, ...]
    splits: tuple[IdeaSplit, ...]
    left_out: dict[str, int]


def collect_papers(
    papers: Iterable[Paper], settings: IdeaDataSettings, spool: IO[bytes],
    progress: BuildProgress = ignore_progress,
) -> UsablePapers:  # fmt: skip
    """Write the papers that can be used to `spool`. Raises BadInput where there are too few."""
    usable = UsablePapers()
    titles: set[int] = set()
    heap: list[tuple[int, str]] = []
    for read, paper in enumerate(papers, 1):
        if read % _TOLD_EVERY == 0:
            progress("papers", read, 0)
        title = normal_title(paper.title)
        number = int.from_bytes(blake2b(f"{settings.seed} {title}".encode(), digest_size=8).digest())
        text = candidate_text(Subject.of_paper(paper))
        if why := _unfit(paper, title, text, settings, seen=number in titles):
            usable.left_out[why] += 1
            continue
        titles.add(number)
        usable.years.append(paper.year or 0)
        usable.hashes.append(number)
        spool.write(orjson.dumps([paper.id, paper.year, paper.title, list(paper.fields), _writable(text)]) + b"\n")
        _keep_smallest(heap, (-number, text), settings.sample)
    usable.sample = sorted((-number, text) for number, text in heap)
    progress("papers", len(usable.years), len(usable.years))
    if len(usable.years) < FEWEST_PAPERS:
        reasons = "; ".join(f"{number:,}: {why}" for why, number in usable.left_out.most_common())
        raise BadInput(
            f"Only {len(usable.years):,} papers can be used, and {FEWEST_PAPERS} are needed ({reasons or 'no paper'}): "
            "use --since and --before, or a larger library."
        )
    return usable


def _keep_smallest(heap: list[tuple[int, str]], item: tuple[int, str], most: int) -> None:
    if len(heap) < most:
        heapq.heappush(heap, item)
    elif item > heap[0]:
        heapq.heapreplace(heap, item)


def _unfit(paper: Paper, title: str, text: str, settings: IdeaDataSettings, *, seen: bool) -> str:
    if not paper.year or not settings.since <= paper.year < settings.before:
        return "of another year, or of none"
    if not title or not paper.gist.strip():
        return "without a title or an abstract"
    words = len(text.split())
    if not settings.fewest_words <= words <= settings.most_words:
        return f"not {settings.fewest_words} to {settings.most_words} words long"
    return "another one has the same title" if seen else ""


def splits_of(usable: UsablePapers, settings: IdeaDataSettings) -> NDArray[np.int8]:
    """The split of each paper: 0 to 2, and −1 for those beyond the largest number; shape (n,).

    `by-time`: in order of years, and of hashes within one year.
    """
    hashes = np.array(usable.hashes, dtype=np.uint64)
    by_chance = np.argsort(hashes, kind="stable")
    kept = by_chance[: settings.most] if settings.most else by_chance
    if settings.split == "by-time":
        years = np.array(usable.years)
        kept = kept[np.argsort(years[kept], kind="stable")]
    splits = np.full(len(hashes), -1, dtype=np.int8)
    ends = np.round(np.cumsum(settings.shares) / sum(settings.shares) * len(kept)).astype(int)
    for number, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        splits[kept[start:end]] = number
    return splits


class RowWriter:
    """Writes the rows of a data set to the files of their splits, and counts them."""

    def __init__(self, prompt: Prompt, names: Sequence[str], files: Sequence[tuple[IO[bytes], IO[bytes]]]) -> None:
        """`files`: of each split, the file of conversations and the file of facts."""
        self._prompts = [prompt_on_topic(prompt, name) for name in names]
        self._names = names
        self._files = files
        self.papers = Counter[int]()
        self.rows, self.tokens = Counter[int](), Counter[int]()
        self.years: dict[int, list[int]] = {}
        self.topics: dict[int, set[int]] = {}

    def write(self, split: int, topic: int, paper: Sequence[Any]) -> None:
        """One row. `paper`: id, year, title, fields, and the text of the answer."""
        paper_id, year, title, fields, text = paper
        prompt = self._prompts[topic]
        counted = [round(sum(len(turn["content"]) for turn in prompt) / CHARACTERS_PER_TOKEN),
                   round(len(text) / CHARACTERS_PER_TOKEN)]  # fmt: skip
        data, about = self._files[split]
        row = {"prompt": prompt, "completion": [{"role": "assistant", "content": text}]}
        data.write(orjson.dumps(row) + b"\n")
        facts = {
            "row": self.rows[split], "task": "idea", "paper": paper_id, "topic": self._names[topic], "year": year,
            "title": title, "fields": fields, "prompt_tokens": counted[0], "completion_tokens": counted[1],
        }  # fmt: skip
        about.write(orjson.dumps(facts) + b"\n")
        self.papers[topic] += 1
        self.rows[split] += 1
        self.tokens[split] += sum(counted)
        span = self.years.setdefault(split, [year, year])
        span[:] = [min(span[0], year), max(span[1], year)]
        self.topics.setdefault(split, set()).add(topic)

    def splits(self) -> tuple[IdeaSplit, ...]:
        """The counts of each split."""
        return tuple(
            IdeaSplit(
                name=name,
                rows=self.rows[split],
                topics=len(self.topics.get(split, ())),
                first_year=self.years[split][0] if split in self.years else None,
                last_year=self.years[split][1] if split in self.years else None,
                tokens=self.tokens[split],
            )
            for split, name in enumerate(SPLITS)
        )


def build_rows(
    spool: Path, usable: UsablePapers, settings: IdeaDataSettings, prompt: Prompt,
    files: Sequence[tuple[IO[bytes], IO[bytes]]], progress: BuildProgress = ignore_progress,
) -> BuiltIdeas:  # fmt: skip
    """Find the topics, and write all rows. Raises BadInput where the texts have no topics."""
    tried = len(set(settings.topics))
    texts = [text for _, text in usable.sample]
    chosen = choose_topics(texts, settings.topics, settings.seed, lambda done: progress("topics", done, tried))
    names, splits = chosen.names(settings.topic_words), splits_of(usable, settings)
    writer, left_out = RowWriter(prompt, names, files), Counter(usable.left_out)
    done = 0
    with spool.open("rb") as lines:
        while page := [orjson.loads(line) for line in islice(lines, _AT_ONCE)]:
            for row, topic in enumerate(chosen.main([each[4] for each in page]).tolist()):
                split = int(splits[done + row])
                if split < 0:
                    left_out["beyond --limit"] += 1
                elif topic < 0:
                    left_out[NO_WORDS] += 1
                else:
                    writer.write(split, topic, page[row])
            done += len(page)
            progress("rows", done, len(usable.years))
    rows = tuple(
        TopicRow(number=number, name=name, coherence=chosen.coherence[number], papers=writer.papers[number])
        for number, name in enumerate(names)
    )
    return BuiltIdeas(chosen, len(texts), rows, writer.splits(), dict(left_out))


def prompt_on_topic(prompt: Prompt, topic: str) -> Turns:
    """The prompt that asks for an idea on a topic, as turns. Its mark is the same for equal topics."""
    fence = blake2b(topic.encode("utf-8", "replace"), digest_size=4).hexdigest()
    messages = prompt.render({"topic": topic}).messages
    return [{"role": each.role, "content": _writable(each.content.replace(FENCE, fence))} for each in messages]


def topics_of(rows: Iterable[bytes]) -> Iterator[str]:
    """The topics of the facts of rows, each once, in order of their first row."""
    yield from dict.fromkeys(str(orjson.loads(line)["topic"]) for line in rows)


def _writable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
