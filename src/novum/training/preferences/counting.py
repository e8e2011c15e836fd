"""Count the numbers of the data card from the pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from novum.training.preferences.building import Preferences
from novum.training.preferences.human_ratings import agreement_with_people
from novum.training.preferences.records import (
    SPLITS,
    Count,
    Dropped,
    Histogram,
    HumanAgreement,
    PreferenceCard,
    PreferencePair,
    Preferred,
    Rule,
    SplitCounts,
)
from novum.training.preferences.rows import records

_BINS = 20
_LISTED = 30
"""Years and fields that are listed separately; the others are summed."""
OTHERS = "others"


def build_card(
    made: Preferences, *, name: str, made_on: str, novum: str, library: str, model: Mapping[str, str], prompt: str,
    files: Sequence[str],
) -> PreferenceCard:  # fmt: skip
    """Build the card of a preference data set."""
    splits = [list(records(made, split)) for split in range(len(SPLITS))]
    pairs = [pair for split in splits for pair in split]
    similarity = [pair.similarity for pair in pairs]
    return PreferenceCard(
        name=name,
        made=made_on,
        novum=novum,
        library=library,
        model=dict(model),
        prompt=prompt,
        settings=made.settings,
        candidates=len(made.pool),
        topics=len(made.topics.names),
        splits=tuple(_counts(name, split) for name, split in zip(SPLITS, splits, strict=True)),
        years=_by(pairs, lambda one: ["not known" if one.year is None else str(one.year)], newest_first=True),
        fields=_by(pairs, lambda one: one.fields or ["no field"]),
        kinds=_by(pairs, lambda one: [one.kind]),
        dropped=tuple(_dropped(made)),
        scores=tuple(
            _histogram(score, pairs) for score in ("rating", "creativity", "satisfaction") if _all(score, pairs)
        ),
        similarity=_binned("similarity", similarity, similarity),
        rules=tuple(_rules(pairs, splits[0], splits[1] + splits[2])),
        people=_people(made, pairs),
        files=tuple(files),
    )


def _people(made: Preferences, pairs: Sequence[PreferencePair]) -> HumanAgreement | None:
    if not made.human.groups.any():
        return None
    chosen = [pair for split in made.chosen.splits for pair in split]
    groups = [(int(made.human.groups[each.chosen]), int(made.human.groups[each.rejected])) for each in chosen]
    return agreement_with_people(pairs, groups, made_from_them=made.settings.better == "reviews")


def _all(score: str, pairs: Sequence[PreferencePair]) -> bool:
    """Whether both ideas of every pair have the score."""
    return all(getattr(one, score) is not None for pair in pairs for one in (pair.chosen, pair.rejected))


def _counts(name: str, pairs: Sequence[PreferencePair]) -> SplitCounts:
    ideas = {one.id: one for pair in pairs for one in (pair.chosen, pair.rejected)}
    years = [one.year for one in ideas.values() if one.year is not None]
    return SplitCounts(
        name=name,
        pairs=len(pairs),
        topics=len({pair.topic for pair in pairs}),
        ideas=len(ideas),
        first_year=min(years, default=None),
        last_year=max(years, default=None),
        longer_chosen=_leaning(pairs, lambda one: one.words),
        newer_chosen=_leaning(pairs, lambda one: one.year),
        similarity=float(np.mean([pair.similarity for pair in pairs])) if pairs else None,
    )


def _leaning(pairs: Sequence[PreferencePair], value: Callable[[Preferred], int | None]) -> float | None:
    """Share of the pairs whose chosen idea has the larger value; equal values count half."""
    known = [
        (chosen > rejected) + (chosen == rejected) / 2
        for pair in pairs
        if (chosen := value(pair.chosen)) is not None and (rejected := value(pair.rejected)) is not None
    ]
    return float(np.mean(known)) if known else None


def _by(
    pairs: Sequence[PreferencePair], names: Callable[[Preferred], Iterable[str]], *, newest_first: bool = False
) -> tuple[Count, ...]:
    """Numbers of chosen and rejected ideas by name; all but the most frequent names are summed."""
    chosen = Counter(name for pair in pairs for name in dict.fromkeys(names(pair.chosen)))
    rejected = Counter(name for pair in pairs for name in dict.fromkeys(names(pair.rejected)))
    frequent = [name for name, _ in sorted((chosen + rejected).items(), key=lambda one: (-one[1], one[0]))]
    listed, rest = frequent[:_LISTED], frequent[_LISTED:]
    if newest_first:
        listed.sort(reverse=True)
    counts = [Count(name=name, chosen=chosen[name], rejected=rejected[name]) for name in listed]
    if rest:
        more = (sum(each[name] for name in rest) for each in (chosen, rejected))
        counts.append(Count(name=OTHERS, chosen=next(more), rejected=next(more)))
    return tuple(counts)


def _dropped(made: Preferences) -> Iterable[Dropped]:
    for why, number in sorted((+made.dropped).items()):
        yield Dropped(what="ideas", why=why, number=number)
    for why, number in sorted((+made.chosen.dropped).items()):
        yield Dropped(what="pairs", why=why, number=number)


def _histogram(score: str, pairs: Sequence[PreferencePair]) -> Histogram:
    return _binned(
        score, [getattr(pair.chosen, score) for pair in pairs], [getattr(pair.rejected, score) for pair in pairs]
    )


def _binned(name: str, chosen: Sequence[float], rejected: Sequence[float]) -> Histogram:
    edges = np.histogram_bin_edges([*chosen, *rejected], _BINS)
    counts = [tuple(map(int, np.histogram(side, edges)[0])) for side in (chosen, rejected)]
    return Histogram(name=name, edges=tuple(map(float, edges)), chosen=counts[0], rejected=counts[1])


def _rules(
    pairs: Sequence[PreferencePair], training: Sequence[PreferencePair], later: Sequence[PreferencePair]
) -> Iterable[Rule]:
    """Accuracy of simple rules. A model may learn a rule that is far from one half instead of the quality of ideas."""
    yield _rule("the longer one", pairs, lambda one: one.words)
    yield _rule("the newer one", pairs, lambda one: one.year)
    ease = "the one that is easier to read (Flesch, a part of the satisfaction score)"
    yield _rule(ease, pairs, lambda one: one.readability)
    preferred = _preference_of_venues(training)
    yield _rule(
        "the one from the venue that was chosen more often in training (applied to validation and test)",
        later,
        lambda one: preferred.get(one.venue),
    )
    name = "the one cited more often today, from which the fitted model may have learnt"
    yield _rule(name, pairs, lambda one: one.citations)


def _rule(name: str, pairs: Sequence[PreferencePair], value: Callable[[Preferred], float | None]) -> Rule:
    known = [
        (chosen, rejected)
        for pair in pairs
        if (chosen := value(pair.chosen)) is not None
        and (rejected := value(pair.rejected)) is not None
        and chosen != rejected
    ]
    right = sum(chosen > rejected for chosen, rejected in known) / len(known) if known else None
    return Rule(name=name, right=right, pairs=len(known))


def _preference_of_venues(pairs: Sequence[PreferencePair]) -> dict[str, float]:
    """Share of chosen ideas among the ideas of each venue."""
    chosen = Counter(pair.chosen.venue for pair in pairs if pair.chosen.venue)
    both = chosen + Counter(pair.rejected.venue for pair in pairs if pair.rejected.venue)
    return {venue: chosen[venue] / number for venue, number in both.items()}
