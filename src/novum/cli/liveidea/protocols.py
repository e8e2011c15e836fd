"""`novum liveidea protocol`: the prompts by which models are measured."""

from __future__ import annotations

from novum.benchmarks.liveidea.published import liveideabench
from novum.cli.shell.group import examples
from novum.cli.shell.protocols import AsJson, BuiltInProtocol, CopySources, ProtocolName, ProtocolShelf

_NOVUM = BuiltInProtocol(
    "Novum's own wording of the same protocol (default)", ("liveidea_idea", "liveidea_judge", "liveidea_fluency")
)


def _shelf() -> ProtocolShelf:
    return ProtocolShelf("novum liveidea protocol", liveideabench(), {"novum": _NOVUM})


@examples(
    "novum liveidea protocol install liveideabench-paper.pdf",
    "novum liveidea protocol install ~/liveideabench",
    "novum liveidea protocol install https://github.com/x66ccff/liveideabench",
)
def install(sources: CopySources = None, *, as_json: AsJson = False) -> None:
    """Take the published prompts of LiveIdeaBench from a copy of the paper or its repository, checked by hash."""
    _shelf().install(sources or (), as_json=as_json)


@examples("novum liveidea protocol list")
def list_protocols(*, as_json: AsJson = False) -> None:
    """List the protocols, and whether the published one is installed."""
    _shelf().print_all(as_json=as_json)


@examples("novum liveidea protocol show novum", "novum liveidea protocol show published")
def show(name: ProtocolName, *, as_json: AsJson = False) -> None:
    """Print the prompts of a protocol with their hashes."""
    _shelf().show(name, as_json=as_json)
