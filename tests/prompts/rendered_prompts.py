"""Every prompt filled in with values that say where they came from, as it is compared with the files of `rendered/`.

`python -m tests.prompts.rendered_prompts` writes these files anew after a prompt was changed on purpose: read the
difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.prompts.hostile import OF_THE_PROGRAM

import novum.prompts
from novum.prompts import FENCE, Prompt, builtin_prompts

FOLDER = Path(__file__).parent / "rendered"
ELSEWHERE = ("reading", "published")
"""Folders of prompts whose owners compare them in tests of their own."""
_NUMBERS = {"count": 3, "limit": 4000, "least_score": 7, "words": 400}
_OUTCOMES = {"novel": True, "known": "no", "basis": "stated", "severity": "major", "footing": "quoted", "mark": 2}
"""Attributes by which templates branch."""


class Named:
    """Stands for a value of any kind. Its text is the way to it, such as `draft.idea.title`; lists have two members."""

    def __init__(self, way: str, *, full: bool) -> None:
        self._way, self._full = way, full

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _OUTCOMES.get(name) if name in _OUTCOMES else Named(f"{self._way}.{name}", full=self._full)

    def __getitem__(self, key: object) -> Any:
        if isinstance(key, slice):
            return list(self)[key]
        return Named(f"{self._way}.{key}", full=self._full)

    def __iter__(self) -> Iterator[Named]:
        return iter([Named(f"{self._way}.{place}", full=self._full) for place in ("first", "second")])

    def items(self) -> list[tuple[Named, Named]]:
        """One entry."""
        return [(Named(f"{self._way}.key", full=self._full), Named(f"{self._way}.value", full=self._full))]

    def __len__(self) -> int:
        return 2

    def __bool__(self) -> bool:
        return self._full

    def __str__(self) -> str:
        return self._way

    def __eq__(self, other: object) -> bool:
        return str(other) == self._way

    def __lt__(self, other: object) -> bool:
        return self._way < str(other)

    def __gt__(self, other: object) -> bool:
        return False

    def __contains__(self, item: object) -> bool:
        return False

    def __hash__(self) -> int:
        return hash(self._way)

    def __add__(self, other: Any) -> list[Any]:
        return [*self, *other]

    def __index__(self) -> int:
        return 3

    def __int__(self) -> int:
        return 3

    def __float__(self) -> float:
        return 3.0


BRANCHES: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "evolution_seed": tuple({"start": each} for each in ("gap", "assumption", "transfer", "contradiction")),
    "evolution_change": tuple({"way": each} for each in ("mend", "combine", "simplify", "elsewhere")),
    "judge_passage": tuple({"origin": each} for each in ("full text", "abstract", "summary")),
}
"""Values that choose between the branches of a template."""


def values_of(prompt: Prompt, *, full: bool) -> dict[str, object]:
    """Values for all variables: `full`, or as far as possible empty and false."""
    names = prompt.needs | prompt.optional
    own = {name: value for name, value in OF_THE_PROGRAM.get(prompt.name, {}).items() if name in names}
    numbers = {name: value for name, value in _NUMBERS.items() if name in names}
    return {name: Named(name, full=full) for name in names} | numbers | own


def rendered(prompt: Prompt, values: Mapping[str, object]) -> str:
    """The messages as one text, with plain words for the marks of foreign text."""
    parts = [f"[{each.role}]\n{each.content}" for each in prompt.render(values).messages]
    text = "\n\n".join(parts)
    return text.replace(f"<material {FENCE}>", "<material>").replace(f"</material {FENCE}>", "</material>")


def golden(name: str) -> str:
    """All renderings of a prompt: with everything, with as little as possible, and each branch; then its short form."""
    book, texts = builtin_prompts(), []
    for small in (False, True):
        prompt = book.get(name, small=small)
        if small and prompt.source == book.get(name).source:
            continue
        texts += [rendered(prompt, values_of(prompt, full=full)) for full in (True, False)]
        texts += [rendered(prompt, values_of(prompt, full=True) | branch) for branch in BRANCHES.get(name, ())]
    return "\n\n=====\n\n".join(dict.fromkeys(texts)) + "\n"


def names() -> list[str]:
    """The prompts that are compared here."""
    folder = Path(novum.prompts.__file__).parent
    others = {file.stem for each in ELSEWHERE for file in (folder / each).rglob("*.md")}
    return [name for name in builtin_prompts().names() if name not in others]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for each in names():
        (FOLDER / f"{each}.txt").write_text(golden(each), encoding="utf-8")
