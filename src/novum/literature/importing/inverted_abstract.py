"""Rebuilds abstracts that are stored as an index of words with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novum.literature.importing.record import UnusableRecord

_MOST_WORDS = 20_000


def rebuild_abstract(indexed: object) -> str:
    """The text of `{"IndexLength": n, "InvertedIndex": {word: [place, …]}}`; empty when it is invalid.

    The length is not believed, nor are places that cannot be. Raises Unusable for more words than any abstract has.
    """
    index = indexed.get("InvertedIndex") if isinstance(indexed, dict) else None
    if not isinstance(index, dict):
        return ""
    try:
        _check_length(sum(map(len, index.values())))
        word_at = {place: word for word, places in index.items() for place in places}
        return " ".join([word_at[place] for place in range(len(word_at))])
    except (TypeError, KeyError):  # gaps, or places that are none
        return " ".join(word for _, word in sorted(dict(_placed(index)).items()))


def _placed(index: Mapping[str, object]) -> Iterator[tuple[int, str]]:
    count = 0
    for word, places in index.items():
        for place in places if isinstance(places, list) else ():
            if type(place) is int and place >= 0:
                count += 1
                _check_length(count)
                yield place, word


def _check_length(words: int) -> None:
    if words > _MOST_WORDS:
        raise UnusableRecord(f"an abstract of over {_MOST_WORDS:,} words")
