"""The files of `novum filter`: the kept ideas as a table that other commands read, the dropped ideas with the reason,
and every review."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from novum.cli.ideas.sources import EntrantNames, unwritable
from novum.files.atomic import atomic_path
from novum.judges.acceptance import KeepRule, RankedOutcome, ranked_outcomes
from novum.runs.filter import FilterResult


def write_sorted(done: FilterResult, out: Path) -> dict[str, Path]:
    """Writes `out`, and next to it the dropped ideas and the reviews, all in the order of the ranking, each whole or
    not at all, with one idea in memory at a time. Raises BadInput where they cannot be written."""
    files = {"kept": out, "dropped": out.with_suffix(".dropped.jsonl"), "reviews": out.with_suffix(".reviews.jsonl")}
    entrants = EntrantNames()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            places = {name: stack.enter_context(atomic_path(file)) for name, file in files.items()}
            opened = {name: stack.enter_context(place.open("wb")) for name, place in places.items()}
            for each in ranked_outcomes(Path(done.file), done.keep):
                row = row_of(each, done.keep, entrants)
                opened["kept" if each.kept else "dropped"].write(_line(row))
                opened["reviews"].write(_line(_review(each)))
    except OSError as error:
        raise unwritable(out, done.account.run_id, error) from error
    return files


def row_of(each: RankedOutcome, keep: KeepRule, entrants: EntrantNames) -> dict[str, Any]:
    """An idea as its source has it, in the text of the round that counts, with its review results."""
    reviewed, source = each.outcome.reviewed, each.outcome
    best = reviewed.best
    row = dict(source.row) | _words(each)
    names = (row.get("entrant"), best.idea.generator, Path(source.source).stem)
    row["entrant"] = entrants.name(str(row.get("topic", "")), *names) if each.kept else None
    row |= {
        "rank": each.rank,
        "utility": best.decision.utility,
        "mean_score": best.mean_score,
        "mean_rating": best.mean_rating,
        "decision": {True: "ACCEPT", False: "REJECT", None: None}[best.decision.accept],
        "reasoning": best.decision.reasoning,
        "deciding": [weighed.criticism for weighed in best.decision.weighed if weighed.standing == "decides"],
        "reports": sum(not report.failure for report in best.reports),
        "failures": reviewed.failures,
        "round": reviewed.best_number,
    }
    if not each.kept:
        row["why"] = _why(each, keep)
    return {name: value for name, value in row.items() if value not in (None, "", [], {})}


def _words(each: RankedOutcome) -> dict[str, Any]:
    """The text of the idea: the revised one, else that of its source, in the columns that all commands read."""
    reviewed = each.outcome.reviewed
    idea, first = reviewed.best.idea, reviewed.rounds[0].idea
    if idea.id == first.id:
        return {"topic": idea.topic, "title": idea.title, "summary": idea.summary}
    parts = ("topic", "title", "motivation", "novelty", "method", "summary")
    return {name: getattr(idea, name) for name in parts} | {"revised_from": first.id}


def _why(each: RankedOutcome, keep: KeepRule) -> str:
    decision = each.outcome.reviewed.best.decision
    if decision.accept is None:
        return f"nothing could be decided: {decision.failure}"
    if not decision.accept and keep.needs_acceptance:
        return "rejected"
    return "below the last place that is kept"


def _review(each: RankedOutcome) -> dict[str, Any]:
    return {"rank": each.rank, "kept": each.kept, **each.outcome.reviewed.model_dump(mode="json")}


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
