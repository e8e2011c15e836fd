"""Deliberate faults: small changes of a prompt or of Python code, each of which a good test suite notices.

Python code is changed by its syntax tree, prompts by their sentences. General tools for mutation testing know neither
prompts nor the faults of orchestrating code (a step left out, an argument not passed), so both are made here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One change. `line`: where it begins, from 1. `text`: the whole file with the change made."""

    line: int
    change: str
    text: str


# -- prompts -----------------------------------------------------------------------------------------------------------

_OPPOSITES = (
    ("yes", "no"), ("better", "worse"), ("higher", "lower"), ("highest", "lowest"), ("best", "worst"),
    ("most", "least"), ("more", "fewer"), ("first", "last"), ("before", "after"), ("earlier", "later"),
    ("strongest", "weakest"),
    ("cheapest", "dearest"), ("closest", "farthest"), ("nearest", "farthest"), ("new", "old"), ("only", "never"),
    ("must", "must not"), ("novelty", "feasibility"), ("forward", "backward"), ("relevant", "irrelevant"),
    ("true", "false"), ("A", "B"), ("both", "neither"), ("0", "10"), ("1", "9"), ("2", "3"),
)  # fmt: skip
_EXCHANGED = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}
_WORD = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, _EXCHANGED), key=len, reverse=True)) + r")(?![\w-])")
_SENTENCE = re.compile(r"(?<=[.?!:]) +(?=[A-Z])")
_KEPT = ("{% filter", "{% end", "{% for", "{% else", "{% with", "{% set", "{#", "[")
"""Beginnings of lines that stay: without them a prompt does not load."""
_SHORTEST = 25
"""Characters of a sentence that is worth leaving out."""


def of_prompt(text: str) -> Iterator[Mutant]:
    """Words exchanged for their opposites, sentences left out, variables and passages left out, conditions negated. The
    header stays as it is."""
    lines = text.split("\n")
    start = lines.index("---", 1) + 1 if text.startswith("---") else 0
    for at in range(start, len(lines)):
        for change, changed in _of_line(lines[at]):
            yield Mutant(at + 1, change, "\n".join([*lines[:at], *changed, *lines[at + 1 :]]))


def _of_line(line: str) -> Iterator[tuple[str, list[str]]]:
    if (
        line.startswith(("{% filter", "{% end", "{% for", "{% else", "{% with", "{% set", "{#", "["))
        or not line.strip()
    ):
        return
    if line.startswith("{% include"):
        yield f"left out: {line}", []
    elif line.startswith("{% if "):
        yield f"negated: {line}", [re.sub(r"^{% if (.*?) %}", r"{% if not (\1) %}", line)]
    else:
        yield from _of_sentences(line)


def _of_sentences(line: str) -> Iterator[tuple[str, list[str]]]:
    if "{{" in line:
        yield f"left out: {line}", []
    for word in _WORD.finditer(re.sub(r"{[{%].*?[}%]}", lambda tag: "·" * len(tag[0]), line)):
        other = _EXCHANGED[word[0]]
        yield f"{word[0]} -> {other}: {line}", [line[: word.start()] + other + line[word.end() :]]
    sentences = _SENTENCE.split(line)
    for at, sentence in enumerate(sentences):
        if len(sentences) > 1 and len(sentence) >= _SHORTEST and "{%" not in sentence:
            yield f"left out: {sentence}", [" ".join([*sentences[:at], *sentences[at + 1 :]])]


# -- Python code -------------------------------------------------------------------------------------------------------

_NEGATED: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_SHOWN_ONLY = {"description", "title"}
"""Named arguments that only documentation shows."""


def of_python(text: str) -> Iterator[Mutant]:
    """Comparisons and conditions negated, `and` and `or` exchanged, numbers moved by one, statements, filters and named
    arguments left out. Annotations, documentation and assertions stay as they are."""
    source = text.encode()
    starts = [0, *(at + 1 for at, byte in enumerate(source) if byte == ord("\n"))]
    for node, changed in _changes(ast.parse(text)):
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
        before, after = source[:first], source[last:]
        if not changed:  # an argument, with the comma after it
            after = after.lstrip().removeprefix(b",")
        yield Mutant(node.lineno, _told(source[first:last], changed), (before + changed.encode() + after).decode())


def _told(part: bytes, changed: str) -> str:
    was = " ".join(part.decode().split())
    return f"{was} -> {changed}" if changed not in {"", "pass"} else f"left out: {was}"


Located = ast.expr | ast.stmt | ast.keyword


def _changes(node: ast.AST) -> Iterator[tuple[Located, str]]:
    """Nodes to be replaced, each with its replacement; an empty one leaves an argument out."""
    if isinstance(node, ast.Assert | ast.Raise):
        return
    yield from _change(node)
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "bases"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changes(child)


def _change(node: ast.AST) -> Iterator[tuple[Located, str]]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield node, f"{ast.unparse(left)} {_NEGATED[type(operator)]} {ast.unparse(right)}"
        case ast.BoolOp(op=operator, values=values):
            other = " or " if isinstance(operator, ast.And) else " and "
            yield node, "(" + other.join(f"({ast.unparse(each)})" for each in values) + ")"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() | float() as number):
            yield node, repr(number + 1)
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test) | ast.IfExp(test=ast.Name() as test):
            yield test, f"(not {ast.unparse(test)})"
        case ast.comprehension(ifs=[kept]):
            yield kept, "True"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, "pass"
        case ast.Call(keywords=arguments) if len(arguments) > 0:
            yield from ((each, "") for each in arguments if each.arg and each.arg not in _SHOWN_ONLY)


OF: dict[str, Callable[[str], Iterator[Mutant]]] = {".md": of_prompt, ".py": of_python}
"""By the ending of a file."""
