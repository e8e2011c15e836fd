"""A study as a folder that others can check: results, limits, protocol, and every idea and judgement as text."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count as numbers
from pathlib import Path

from novum.benchmarks.arena.exporting import write_arena
from novum.benchmarks.arena.prompt_uses import PromptUse
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.report.records import ArenaReport
from novum.benchmarks.arena.report.study import StudyReport
from novum.benchmarks.arena.report.study_page import study_blocks, study_plots, write_study_report
from novum.core import Experiment, Idea
from novum.core.comparison import ArenaEntry, JudgedPair
from novum.core.idea import DETAILS
from novum.reports.folder import CHARTS, write_files
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_prose, markdown_table
from novum.reports.phrases import count

README, IDEAS, JUDGEMENTS, DATA = "README.md", "ideas", "judgements", "data"
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME = 50
_PARTS = {"motivation": "Motivation", "novelty": "What is new", "method": "Method", **DETAILS, "summary": "Summary"}


def write_evidence(
    run: ArenaRun, report: StudyReport, arena: ArenaReport, prompts: Sequence[PromptUse], folder: Path
) -> list[Path]:
    """Write `README.md`, the study's page and charts, `ideas/`, `judgements/` and `data/` into `folder`; returns the
    files for a reader to begin with.

    `prompts`: those of the run; none for judgements made elsewhere. Raises BadInput when the folder cannot be written.
    """
    contents = evidence_texts(run, report, arena, prompts)
    page = write_study_report(report, arena, folder, texts=README)
    write_files(contents, folder)
    write_arena(run, folder / DATA)
    return [folder / README, page.html]


def evidence_texts(
    run: ArenaRun, report: StudyReport, arena: ArenaReport, prompts: Sequence[PromptUse] = ()
) -> dict[str, str]:
    """The readable files by their place in the folder: `README.md` first, then the topics as data for a new run."""
    names = _Names(run)
    ideas = {names.idea(each): _idea_text(each) for each in run.entries}
    pairs = {place: _judgement_text(judged) for place, judged in _by_pair(run, names).items()}
    topics = "".join(_topic_line(run, topic) for topic in run.topics)
    readme = markdown_document(_readme(run, report, arena, prompts, names))
    return {README: readme, f"{DATA}/topics.jsonl": topics, **ideas, **pairs}


class _Names:
    """Places of files, readable and unique."""

    def __init__(self, run: ArenaRun) -> None:
        self.topics = {topic: f"{at:02d}-{_plain(topic)}" for at, topic in enumerate(run.topics, 1)}
        judged = (name for each in run.judged_pairs for name in (each.first, each.second))
        entrants = dict.fromkeys((*(each.name for each in run.entrants), *judged))
        self.entrants = _unique(entrants)

    def idea(self, entry: ArenaEntry) -> str:
        return f"{IDEAS}/{self._topic(entry.topic)}/{self.entrants[entry.entrant]}.md"

    def pair(self, topic: str, one: str, other: str) -> str:
        return f"{JUDGEMENTS}/{self._topic(topic)}/{self.entrants[one]}--{self.entrants[other]}.md"

    def _topic(self, topic: str) -> str:
        return self.topics.setdefault(topic, f"{len(self.topics) + 1:02d}-{_plain(topic)}")


def _plain(text: str) -> str:
    return _NO_LETTER.sub("-", text.casefold())[:_LONGEST_NAME].strip("-") or "untitled"


def _unique(names: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        plain = _plain(name)
        candidates = (plain if number == 1 else f"{plain}-{number}" for number in numbers(1))
        found[name] = next(each for each in candidates if each not in found.values())
    return found


def _by_pair(run: ArenaRun, names: _Names) -> Mapping[str, Sequence[JudgedPair]]:
    """The judgements of each pair on each topic, by the place of their file."""
    order = {name: at for at, name in enumerate(names.entrants)}
    found: dict[str, list[JudgedPair]] = defaultdict(list)
    for each in run.judged_pairs:
        one, other = sorted((each.first, each.second), key=lambda name: order[name])
        found[names.pair(each.topic, one, other)].append(each)
    return found


# -- README -----------------------------------------------------------------------------------------------------------


def _readme(
    run: ArenaRun, report: StudyReport, arena: ArenaReport, prompts: Sequence[PromptUse], names: _Names
) -> Iterator[str]:
    yield f"# {report.design.title}"
    yield f"Run `{_code(run.name)}`" + (f", {run.ended[:10]}." if run.ended else ".")
    for plot in study_plots(report):
        yield f"![{markdown_line(plot.says)}]({CHARTS}/{plot.name}.svg)"
    yield from study_blocks(report, arena)
    yield "## Prompts"
    yield _prompt_table(prompts)
    yield "## Raw texts"
    yield from _contents(run, names)
    yield "## Check it, or do it again"
    yield markdown_list(_commands(report))


def _prompt_table(prompts: Sequence[PromptUse]) -> str:
    if not prompts:
        return "The prompts are not known: the judgements were read from files."
    rows = [(each.prompt, str(each.version), each.digest, each.model, f"{each.calls:,}") for each in prompts]
    return markdown_table(("Prompt", "Version", "BLAKE2b", "Model", "Answers"), rows)


def _contents(run: ArenaRun, names: _Names) -> Iterator[str]:
    judged = count(len(run.judged_pairs), "judgement")
    yield (
        f"{count(len(run.entries), 'entry', 'entries')} in `{IDEAS}/` and {judged} in `{JUDGEMENTS}/`, in a folder for "
        f"each topic; the same as tables in `{DATA}/`."
    )
    yield markdown_table(
        ("Folder", "Topic"), ((f"`{place}`", markdown_line(topic)) for topic, place in names.topics.items()), str
    )


def _commands(report: StudyReport) -> Iterator[str]:
    yield f"Ratings from the judgements: `novum arena score {DATA}`"
    yield f"This report from the judgements: `novum arena study report {DATA} --as {report.study}`"
    yield (
        f"The study with your own models: `novum arena study {report.study} --topics {DATA}/topics.jsonl --dry-run`, "
        "then without `--dry-run`"
    )


def _topic_line(run: ArenaRun, topic: str) -> str:
    paper = run.papers.get(topic, "")
    return json.dumps({"topic": topic, **({"paper_id": paper} if paper else {})}, ensure_ascii=False) + "\n"


# -- raw texts --------------------------------------------------------------------------------------------------------


def _idea_text(entry: ArenaEntry) -> str:
    return markdown_document([
        f"# {markdown_line(entry.idea.title if entry.idea else 'No idea')}",
        f"Entrant: {markdown_line(entry.entrant)}. Topic: {markdown_line(entry.topic)}.",
        *([f"Forfeit: {markdown_line(entry.forfeit)}"] if entry.forfeit else []),
        *(["## As judges saw it", *_parts(entry.shown)] if entry.shown else []),
        *(["## As it was written", *_parts(entry.idea)] if entry.idea else []),
        *(["## Experiment", *_plan(entry.experiment)] if entry.experiment else []),
        *(["## Notes of the method", markdown_list(map(markdown_line, entry.notes))] if entry.notes else []),
    ])  # fmt: skip


def _parts(idea: Idea) -> Iterator[str]:
    yield f"**{markdown_line(idea.title)}**"
    for name, heading in _PARTS.items():
        if text := getattr(idea, name):
            yield f"### {heading}"
            yield markdown_prose(text)
    if idea.citations:
        yield "### Refers to"
        yield markdown_list(markdown_line(each.name) for each in idea.citations)


def _plan(plan: Experiment) -> Iterator[str]:
    yield markdown_prose(plan.text)


def _judgement_text(judged: Sequence[JudgedPair]) -> str:
    first = judged[0]
    lines = [
        f"# {markdown_line(first.first)} and {markdown_line(first.second)}",
        f"Topic: {markdown_line(first.topic)}.",
    ]
    for each in judged:
        lines.append(
            f"## {each.kind.capitalize()}s, {markdown_line(each.judge)}: A is {markdown_line(each.first)}, "
            f"B is {markdown_line(each.second)}"
        )
        lines.append(_verdicts(each))
    return markdown_document(lines)


def _verdicts(judged: JudgedPair) -> str:
    if not judged.verdicts:
        return f"No verdict: {markdown_line(judged.failure)}"
    better = {"first": judged.first, "second": judged.second, "tie": "tie"}
    rows = [(each.criterion, better[each.outcome], each.reason) for each in judged.verdicts]
    return markdown_table(("Criterion", "Better", "Reason"), rows)


def _code(text: str) -> str:
    return text.replace("`", "")
