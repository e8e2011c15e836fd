"""Prompts that show many short ideas at once show all of them."""

from __future__ import annotations

from types import SimpleNamespace

from novum.methods.effort import effort_options
from novum.prompts import builtin_prompts


def seed(number):
    parts = {"problem": "p" * 499, "mechanism": "m" * 699, "test": "t" * 499, "nearest": "n" * 239}
    return SimpleNamespace(number=number, title=f"Seed title {number}", labels=["P1"], finding="f" * 399, **parts)


def rendered(name, **needs):
    return "".join(message.content for message in builtin_prompts().get(name).render(needs).messages)


def test_no_seed_is_cut_off_where_as_many_as_possible_are_screened_at_once():
    count = effort_options("portfolio", "low")["screened"]
    text = rendered("portfolio_screen", topic="Bees", seeds=[seed(each) for each in range(1, count + 1)], papers=[])
    assert all(f"Seed title {each}" in text for each in range(1, count + 1))
    assert text.count("t" * 499) == count


def test_no_pair_is_cut_off_where_as_many_as_possible_are_compared_at_once():
    pairs = [SimpleNamespace(number=each, a=seed(each), b=seed(each + 20)) for each in range(1, 9)]
    text = rendered("portfolio_compare", topic="Bees", pairs=pairs)
    assert all(f"Seed title {each}\n" in text for pair in pairs for each in (pair.number, pair.number + 20))
    assert text.count("f" * 399) == 16
