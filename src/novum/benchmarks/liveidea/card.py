"""The card of a data set: what it is, how it was made, what its columns mean, and what to be careful with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from novum.benchmarks.liveidea.dataset import COLUMNS, FLAGS, NUMBERS, WHOLE
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.report.phrases import prompts
from novum.benchmarks.liveidea.side_tables import MEANING as SIDE_MEANING
from novum.benchmarks.liveidea.side_tables import SIDE_TABLES

MEANING = {
    "keywords": "the keyword of the request for the idea",
    "idea_model": "the model whose idea it is",
    "critic_model": "the judge; empty where no judge saw the idea",
    "idea": "the idea as judges saw it",
    "raw_critique": "the judge's whole answer",
    "parsed_scores": "the scores read from it, as JSON",
    "critique_reasoning": "what the judge thought before answering, where its server tells",
    "full_response": "the whole answer that the idea was taken from, thoughts first",
    "first_was_rejected": "whether the first answer declined, by phrases as whole words near its beginning",
    "first_reject_response": "that first answer, where the idea was then requested in the academic way",
    "idea_length_in_char": "characters of the idea",
    "idea_length_in_words": "words of the idea",
    "originality": "1 to 10, by this judge",
    "feasibility": "1 to 10, by this judge",
    "clarity": "1 to 10, by this judge",
    "fluency": "1 to 10, how different the model's ideas for this keyword are; the same in all of their rows",
    "avg": "mean of the four, where none is missing",
    "full_response_length": "characters of the whole answer",
    "discipline": "of the keyword",
    "idea_number": "from 0, among the model's ideas for the keyword",
    "fate": "judged, refused, empty, too long, too short or failed",
    "why": "of an idea that failed: what happened",
    "thoughts": "the thoughts in the whole answer",
    "first_rejected_as_released": "the same by phrases anywhere, inside words too, as the published code looks",
    "used_fallback": "whether the idea was requested a second time, in the academic way",
    "behind_marker": "whether the idea stood behind the final-idea marker",
    "idea_calls": "calls that the idea took",
    "idea_prompt_tokens": "tokens read for it; answers that declined are not counted",
    "idea_completion_tokens": "tokens written for it; likewise",
    "critique_analysis": "what the judge wrote before its scores",
    "missing": "JSON: for each score that is missing, why",
    "critic_calls": "calls that the critique took",
    "critic_prompt_tokens": "tokens read for it",
    "critic_completion_tokens": "tokens written for it",
    "fluency_judgements": "JSON, in the first row of each model and keyword: every judgement of a pair by itself",
}
"""Every column in a line."""


def card(run: LiveIdeaRun, files: Sequence[str]) -> str:
    """The card in Markdown, with the block at its head that data-set hubs read."""
    return "\n".join([*_head(run, files), "", *_body(run), "", *_columns(), *_sides(files), ""])


def _head(run: LiveIdeaRun, files: Sequence[str]) -> list[str]:
    tables = [name for name in files if name.endswith((".parquet", ".jsonl", ".csv"))]
    best = next((name for name in tables if name.endswith(".parquet")), tables[0] if tables else "")
    names = json.dumps(f"LiveIdeaBench run {run.name}", ensure_ascii=False)  # a JSON string is a YAML string
    configs = ["configs:", "- config_name: default", f"  data_files: {json.dumps(best)}"] if best else []
    return ["---", f"pretty_name: {names}", "tags: [scientific-ideas, llm-as-a-judge, liveideabench]", *configs, "---"]


def _body(run: LiveIdeaRun) -> list[str]:
    protocol, fates = run.protocol, Counter(idea.fate for idea in run.ideas)
    missing = sum(score is None for each in run.judgements for score in each.scores.values())
    scores = sum(len(each.scores) for each in run.judgements)
    judge_names = (judge.model + (f" ({judge.organisation})" if judge.organisation else "") for judge in run.panel)
    judges = ", ".join(judge_names) or "unknown"
    kind = "as the published code does it" if protocol.as_released else "by the published protocol"
    how = [
        f"- Made: {run.began or 'unknown'}" + (f" to {run.ended}" if run.ended else ""),
        f"- State: {'complete' if run.complete else 'stopped before its end: ' + _plain(run.stopped)}",
        f"- Seed: {run.seed}; ideas for each keyword and model: {protocol.ideas}; judges of each idea: "
        f"{protocol.judges}; pairs graded: {protocol.pairs} ({protocol.combined})",
        f"- Judges: {_plain(judges)}. No model judges its own ideas.",
        f"- Prompts: {_plain(prompts(run))}",
    ]
    return [
        f"# LiveIdeaBench run {_plain(run.name)}",
        "",
        f"Scientific ideas of {len(run.models)} language models for {len(run.keywords):,} keywords, and what a panel "
        f"of models thought of them{'' if run.of_others else ', ' + kind}.",
        "",
        *(["- Made: by others, in an unknown way"] if run.of_others else how),
        f"- Models: {_plain(', '.join(run.models))}",
        f"- Ideas: {', '.join(f'{count:,} {fate}' for fate, count in fates.most_common()) or 'none'}",
        f"- Scores: {scores - missing:,}, and {missing:,} that were requested and are missing; none is imputed",
        *_besides(run),
        *(f"- Note: {_plain(note)}" for note in run.notes),
        "",
        "## What to be careful with",
        "",
        "Ideas and judgements are written by language models. Ideas may be wrong, known already or harmful; scores are "
        "opinions of the judges named, who differ in severity. Leaderboards should come with intervals over keywords, "
        "since ideas for one keyword are alike. Check the terms of the models' providers before publishing.",
    ]


def _besides(run: LiveIdeaRun) -> list[str]:
    """What was judged beyond the published protocol."""
    lines = []
    if run.anchor_judgements:
        lines.append(f"- Anchor ideas: {len(run.anchor_judgements):,} judgements of the set {_plain(run.anchors)}")
    if run.informed:
        lines.append(f"- Judged again, the nearest papers before the judges: {len(run.informed):,} judgements")
    return lines


def _columns() -> list[str]:
    lines = [f"| {name} | {_type(name)} | {MEANING[name]} |" for name in COLUMNS]
    return [
        "## Columns",
        "",
        "One row for each idea and judge.",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
        *lines,
    ]


def _sides(files: Sequence[str]) -> list[str]:
    """The files beside the table, where there are any."""
    lines = [
        f"- {side.file}: {side.about}. Its columns: {', '.join(map(_explained, side.columns))}."
        for side in SIDE_TABLES
        if side.file in files
    ]
    return ["", "## Beside it", "", *lines, "- Columns without an explanation mean the same as above."] if lines else []


def _explained(name: str) -> str:
    return f"{name} ({SIDE_MEANING[name]})" if name in SIDE_MEANING else name


def _type(name: str) -> str:
    if name in FLAGS:
        return "bool"
    return "float64" if name in NUMBERS else "int64" if name in WHOLE else "string"


def _plain(text: str) -> str:
    """Foreign text on one line, without what Markdown or HTML would take for more."""
    return " ".join(text.replace("<", "‹").replace(">", "›").replace("|", "¦").split())
