"""One task of next-idea prediction: the graph of ideas, each stage of the context, the hidden truth, and the leaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import altair as alt

from novum.core import shorten
from novum.core.research_context import SIGNAL_NAMES, NextIdeaRecord, RelationKind, ResearchContext
from novum.reports.charts.look import INK, SOFT, Drawable, chart_data, chart_label
from novum.reports.charts.plot import Plot
from novum.reports.phrases import count
from novum.training.next_idea.report.document import Document, Section, Table, write_document

_COLOURS: dict[RelationKind, str] = {
    "evolution": "#1c5d99",
    "variant": "#3f7d4e",
    "refinement": "#7a4fa3",
    "integration": "#b3541e",
    "convergence": "#a8861a",
    "conflict": "#a11d33",
}
_DASHES = {"evolution": [1, 0], "variant": [6, 2], "refinement": [2, 2], "integration": [1, 0], "convergence": [6, 2],
           "conflict": [2, 2]}  # fmt: skip
_NEAR = (
    "Conclusions of the context by the cosine with the hidden idea. Read them: a model that knows the target can tell "
    "its idea in words of its own."
)
_COLUMN, _ROW = 190, 46
_TITLE, _NAME = 26, 28


def record_document(record: NextIdeaRecord) -> Document:
    """The page of a record."""
    references = record.references
    return Document(
        title=record.target_title,
        kind="a task of next-idea prediction",
        headline=(
            f"{count(len(record.context.ideas), 'idea')} in {count(len(record.context.groups), 'group')}, "
            f"{count(len(record.context.relations), 'relation')}, {count(len(record.context.signals), 'signal')}; "
            f"{record.encoded.tokens:,} tokens; category {record.category}, split {record.split}."
        ),
        sections=[
            Section("The graph of ideas", plots=[graph(record.context)] if record.context.ideas else []),
            Section("Signals", tables=[_signals(record.context)]),
            Section("Groups and ideas", texts=list(_groups(record.context))),
            Section("Relations", tables=[_relations(record.context)]),
            Section("The hidden truth", ["The policy and the comment model never see it."],
                    texts=[(record.truth.title, record.truth.text)]),
            Section("Nearest to the truth",
                    [_NEAR, *(f"{each.cosine:.2f}: {each.what}" for each in record.near_truth)]),
            Section("Leaks that were removed", [f"{each.what} ({each.why})" for each in record.leaks] or ["None."]),
            Section(
                "How it was made",
                [
                    f"References: {references.cited} cited, {references.resolved} resolved, {references.without_text} "
                    f"without text, {references.left_out} left out.",
                    *(f"Not found: {each}" for each in references.unresolved),
                    *(f"Left out for room: {number} of {part}" for part, number in record.encoded.left_out.items()),
                    *record.context.notes,
                ],
            ),
            Section("The context as the policy reads it", texts=[("", record.encoded.text)]),
        ],
    )  # fmt: skip


def write_record(record: NextIdeaRecord, folder: Path) -> Path:
    """Write the page, its data and the graph into `folder`. Returns the page."""
    return write_document(record_document(record), record, folder, "task").html


def record_lines(record: NextIdeaRecord) -> Iterator[str]:
    """The record for a terminal."""
    yield f"{record.id}  {record.split}  {record.category}  {record.target_date or 'day unknown'}"
    yield f"Target: {record.target_title}"
    yield f"Truth: {record.truth.text}"
    for group in record.context.groups:
        yield f"Group {group.name}: {', '.join(_title(record.context, each) for each in group.paper_ids)}"
    for each in record.context.relations:
        first, second = _title(record.context, each.source_id), _title(record.context, each.target_id)
        yield f"Relation {each.kind}: {first} → {second}: {each.reason}"
    for signal in record.context.signals:
        basis = ", ".join(_title(record.context, one) for one in signal.paper_ids)
        yield f"{SIGNAL_NAMES[signal.kind]}: {signal.text} [{basis}]"
    for leak in record.leaks:
        yield f"Removed: {leak.what} ({leak.why})"
    for near in record.near_truth:
        yield f"Near the truth, {near.cosine:.2f}: {near.what}"
    yield f"Context: {record.encoded.tokens:,} tokens ({_parts(record)})"


def _parts(record: NextIdeaRecord) -> str:
    return ", ".join(f"{name} {tokens:,}" for name, tokens in record.encoded.by_part.items())


def _title(context: ResearchContext, paper_id: str) -> str:
    idea = context.idea(paper_id)
    return f"“{shorten(idea.title, 60)}”" if idea else paper_id


def _signals(context: ResearchContext) -> Table:
    rows = [
        (SIGNAL_NAMES[each.kind], each.text, "; ".join(_title(context, one) for one in each.paper_ids))
        for each in context.signals
    ]
    return Table("", ("kind", "signal", "rests on"), rows, prose=True)


def _relations(context: ResearchContext) -> Table:
    rows = [
        (each.kind, _title(context, each.source_id), _title(context, each.target_id), each.reason)
        for each in context.relations
    ]
    return Table("", ("kind", "from", "to", "reason"), rows, prose=True)


def _groups(context: ResearchContext) -> Iterator[tuple[str, str]]:
    for group in context.groups:
        ideas = [idea for each in group.paper_ids if (idea := context.idea(each))]
        told = "\n".join(f"{each.title} ({each.year or 'n.d.'}): {each.text}" for each in ideas)
        yield group.name, f"{group.memory}\n{told}"


def graph(context: ResearchContext) -> Plot:
    """The typed graph: a column for each group, its ideas from early to late, a line for each relation."""
    places = _places(context)
    nodes = [
        {"x": x, "y": y, "title": chart_label(shorten(idea.title, _TITLE)), "year": idea.year or 0, "whole": idea.title}
        for idea in context.ideas
        if (place := places.get(idea.paper_id))
        for x, y in (place,)
    ]
    edges = [
        {"x": places[each.source_id][0], "y": places[each.source_id][1], "x2": places[each.target_id][0],
         "y2": places[each.target_id][1], "kind": each.kind}
        for each in context.relations
        if each.source_id in places and each.target_id in places
    ]  # fmt: skip
    says = f"{count(len(nodes), 'idea')} in {count(len(context.groups), 'group')} and {count(len(edges), 'relation')}."
    caption = "A column is a group, from early (top) to late ideas. Blue, green and violet lines lie inside a group."
    return Plot("graph", "Ideas and their relations", says, caption, _drawn(context, nodes, edges))


def _places(context: ResearchContext) -> dict[str, tuple[float, float]]:
    """Column and row of each idea. Rows are shifted a little, so that lines do not run through other ideas."""
    years = {each.paper_id: (each.year or 0, each.paper_id) for each in context.ideas}
    places: dict[str, tuple[float, float]] = {}
    for column, group in enumerate(context.groups):
        ordered = sorted((each for each in group.paper_ids if each in years), key=years.__getitem__)
        for row, paper_id in enumerate(ordered):
            places[paper_id] = (column + (0.12 if row % 2 else -0.12), row + 0.35 * (column % 3))
    return places


def _drawn(
    context: ResearchContext, nodes: Sequence[Mapping[str, object]], edges: Sequence[Mapping[str, object]]
) -> Drawable:
    rows = max((len(group.paper_ids) for group in context.groups), default=1)
    columns = max(1, len(context.groups))
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.5, columns - 0.5], nice=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[rows + 0.2, -1.2], nice=False))
    kinds = [kind for kind in _COLOURS if any(edge["kind"] == kind for edge in edges)]
    legend = alt.Legend(orient="top", symbolType="stroke", symbolStrokeWidth=2, columns=6)
    color = alt.Color("kind:N", title=None, legend=legend,
                      scale=alt.Scale(domain=kinds, range=[_COLOURS[kind] for kind in kinds]))  # fmt: skip
    dash = alt.StrokeDash("kind:N", legend=None,
                          scale=alt.Scale(domain=kinds, range=[_DASHES[kind] for kind in kinds]))  # fmt: skip
    names = [
        {"x": place, "y": -0.9, "name": chart_label(shorten(group.name, _NAME))}
        for place, group in enumerate(context.groups)
    ]
    points = alt.Chart(chart_data(nodes)).encode(x=x, y=y)
    layers = [
        alt.Chart(chart_data(edges)).mark_rule(strokeWidth=2, opacity=0.7).encode(
            x=x, y=y, x2="x2:Q", y2="y2:Q", color=color, strokeDash=dash
        ),
        points.mark_point(filled=True, size=70, opacity=1, color=INK),
        points.mark_text(dy=13, fontSize=10, color=INK).encode(text="title:N"),
        alt.Chart(chart_data(names)).mark_text(fontWeight="bold", fontSize=11, color=SOFT).encode(
            x=x, y=y, text="name:N"
        ),
    ]  # fmt: skip
    drawn = alt.layer(*(layers if edges else layers[1:]))
    result: Drawable = drawn.properties(width=max(300, columns * _COLUMN), height=max(120, (rows + 1) * _ROW))
    return result
