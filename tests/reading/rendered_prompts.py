"""The prompts of `prompts/reading/` as a model sees them, for papers and questions that are easily told apart.

`python -m tests.reading.rendered_prompts` writes them anew to `rendered/`, to be read before they are committed.
"""

from __future__ import annotations

from pathlib import Path

from novum.core import Chain, Entity, Insight, Link, Paper, Topic
from novum.prompts import FENCE, builtin_prompts
from novum.reading import Bibliography, labelled_insights

FOLDER = Path(__file__).parent / "rendered"
TOPIC = Topic(text="topic: bridges that mend themselves")
ASPECT = "aspect: How do cracks close?"
PAPERS = [
    Paper(title=f"Paper {name}", year=year, authors=("Ada Smith",), abstract=f"Abstract of {name}.", venue="Bridges")
    for name, year in (("Early", 2001), ("Middle", 2010), ("Late", 2015), ("Last", 2020))
]
INSIGHTS = [
    Insight(
        background=f"background of {paper.title}",
        novelty=f"novelty of {paper.title}",
        contribution=f"contribution of {paper.title}",
        rationale=f"rationale of {paper.title}",
        limitation=f"limitation of {paper.title}",
        experiment=f"experiment of {paper.title}",
        for_topic=f"conclusion from {paper.title}",
        entities=(Entity(name=f"Entity of {paper.title}", description="it is needed"),),
    )
    for paper in PAPERS
]
CHAIN = Chain(
    topic=TOPIC.text,
    query="query: crack closing",
    aspect=ASPECT,
    links=(
        Link(paper=PAPERS[0], direction="backward", reason="r", insight=INSIGHTS[0], linked_by="cited"),
        Link(paper=PAPERS[1], direction="anchor", reason="r", insight=INSIGHTS[1]),
        Link(paper=PAPERS[2], direction="forward", reason="r", insight=INSIGHTS[2], linked_by="co-cited"),
        Link(paper=PAPERS[3], direction="forward", reason="r", insight=INSIGHTS[3], linked_by="similar, not cited"),
    ),
)
CITED_CHAIN = CHAIN.but(
    links=tuple(
        link if link.direction == "anchor" else link.model_copy(update={"linked_by": "cited"}) for link in CHAIN.links
    )
)
CANDIDATES = Bibliography(PAPERS[1:3]).entries


def relevance(purpose: str, linked_by: str = "cited") -> dict[str, object]:
    """The variables of a question about relevance beside the early paper, or beside the last one going backward."""
    beside = {"anchor": None, "forward": PAPERS[0], "backward": PAPERS[3]}[purpose]
    return {
        "topic": TOPIC.text,
        "aspect": ASPECT,
        "candidates": CANDIDATES,
        "purpose": purpose,
        "beside": beside,
        "linked_by": linked_by,
    }


def transitions(chain: Chain) -> dict[str, object]:
    papers = labelled_insights(chain, Bibliography(chain.papers))
    return {"topic": TOPIC.text, "aspect": ASPECT, "papers": papers, "entities": chain.entities}


def reading(cited: list[Paper]) -> dict[str, object]:
    return {"topic": TOPIC.text, "paper": PAPERS[1], "cited": cited, "text": PAPERS[1].gist, "limit": 60_000}


VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "perspectives": ("perspectives", {"topic": TOPIC.text, "count": 3, "nearby": PAPERS[:2]}),
    "perspectives_two": ("perspectives", {"topic": TOPIC.text, "count": 2, "nearby": []}),
    "perspectives_one": ("perspectives", {"topic": TOPIC.text, "count": 1, "nearby": []}),
    "relevance_anchor": ("relevance", relevance("anchor")),
    "relevance_one_paper": ("relevance", relevance("anchor") | {"candidates": CANDIDATES[:1]}),
    **{
        f"relevance_{purpose}_{name}": ("relevance", relevance(purpose, linked_by))
        for purpose in ("forward", "backward")
        for name, linked_by in (
            ("cited", "cited"),
            ("co_cited", "co-cited"),
            ("coupled", "shares references"),
            ("similar", "similar, not cited"),
        )
    },
    "choose_anchor": ("choose_anchor", {"topic": TOPIC.text, "aspect": ASPECT, "candidates": CANDIDATES}),
    "read_paper": ("read_paper", reading(PAPERS[:1])),
    "read_paper_without_references": ("read_paper", reading([])),
    "trends": ("trends", transitions(CITED_CHAIN)),
    "trends_uncited": ("trends", transitions(CHAIN)),
    "trends_two": ("trends", transitions(CITED_CHAIN.but(links=CITED_CHAIN.links[:2])) | {"entities": ()}),
    "small_trends": ("trends", transitions(CITED_CHAIN)),
}
"""By name: the prompt, and its variables."""


def rendered(name: str) -> str:
    """All messages of a variant as one text. The marks around quoted material are `<<` and `>>`."""
    prompt, values = VARIANTS[name]
    messages = builtin_prompts().get(prompt, small=name.startswith("small_")).render(values).messages
    text = "\n".join(f"[{message.role}]\n{message.content}\n" for message in messages)
    return text.replace(f"<material {FENCE}>", "<<").replace(f"</material {FENCE}>", ">>")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in VARIANTS:
        (FOLDER / f"{each}.txt").write_text(rendered(each), encoding="utf-8")
