"""`novum arena protocol`: the prompts by which judges compare ideas and experiments."""

from __future__ import annotations

from novum.cli.shell.group import examples
from novum.cli.shell.protocols import AsJson, BuiltInProtocol, CopySources, ProtocolName, ProtocolShelf
from novum.judges.judging_protocol import FIRST_PROTOCOL, NEWEST_PROTOCOL
from novum.judges.published import idea_arena

_BUILT_IN = {
    FIRST_PROTOCOL: BuiltInProtocol(
        "Novum's first prompts, kept for arenas begun with them", ("compare_ideas_1", "compare_experiments_1")
    ),
    NEWEST_PROTOCOL: BuiltInProtocol("Novum's prompts (default)", ("compare_ideas", "compare_experiments")),
}


def _shelf() -> ProtocolShelf:
    return ProtocolShelf("novum arena protocol", idea_arena(), _BUILT_IN)


@examples(
    "novum arena protocol install chain-of-ideas.pdf", "novum arena protocol install https://arxiv.org/abs/2410.13185"
)
def install(sources: CopySources = None, *, as_json: AsJson = False) -> None:
    """Take the published judges' prompts of Chain of Ideas from a copy of the paper, checked by hash."""
    _shelf().install(sources or (), as_json=as_json)


@examples("novum arena protocol list")
def list_protocols(*, as_json: AsJson = False) -> None:
    """List the judging protocols, and whether the published one is installed."""
    _shelf().print_all(as_json=as_json)


@examples("novum arena protocol show novum-2", "novum arena protocol show published")
def show(name: ProtocolName, *, as_json: AsJson = False) -> None:
    """Print the prompts of a judging protocol with their hashes."""
    _shelf().show(name, as_json=as_json)
