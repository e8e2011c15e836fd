"""A plan to test an idea."""

from __future__ import annotations

from typing import ClassVar

from novum.core.idea import Citation
from novum.core.record import Record


class Experiment(Record):
    """An experiment design (Chain of Ideas, section 3.4 and Table 17)."""

    id_prefix: ClassVar[str] = "experiment"
    id_fields: ClassVar[tuple[str, ...]] = ("idea_id", "hypothesis", "steps", "datasets", "baselines", "metrics")

    idea_id: str
    hypothesis: str
    steps: tuple[str, ...]
    datasets: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    ablations: tuple[str, ...] = ()
    analysis: str = ""
    """How the outcomes, also negative ones, decide on the hypothesis."""
    feasibility: str = ""
    """Time, people and equipment; risks and what to do about them."""
    sketch: str = ""
    """Pseudo-code or an outline of a procedure, where it helps."""
    citations: tuple[Citation, ...] = ()

    @property
    def text(self) -> str:
        """The plan as one text, for reviewers."""
        numbered = "\n".join(f"Step {number}: {step}" for number, step in enumerate(self.steps, 1))
        parts = (
            ("Hypothesis", self.hypothesis),
            ("Steps", "\n" + numbered if numbered else ""),
            ("Data", "; ".join(self.datasets)),
            ("Baselines", "; ".join(self.baselines)),
            ("Metrics", "; ".join(self.metrics)),
            ("Ablations", "; ".join(self.ablations)),
            ("Analysis", self.analysis),
            ("Feasibility", self.feasibility),
            ("Sketch", self.sketch),
        )
        return "\n\n".join(f"{name}: {text}" for name, text in parts if text)
