"""Which papers a question is about: the same conditions for search, citations and listing."""

from __future__ import annotations

import datetime as dt

from novum.core import Paper, Value, normal_title


class Filters(Value):
    """Conditions that a paper must all meet; the default lets every paper pass.

    A paper of unknown date meets neither `before` nor `since`.
    """

    before: dt.date | None = None
    """Strict: only papers that were certainly public before this day (`Paper.is_before`)."""
    since: dt.date | None = None
    """Only papers whose first certain day is this one or later; with only a year known, that is its last day."""
    fields: tuple[str, ...] = ()
    """Any of these, case ignored."""
    venues: tuple[str, ...] = ()
    """Any of these, case and punctuation ignored."""
    min_citations: int | None = None
    """Citations as counted by the paper's source; an unknown count is taken as none."""
    exclude_ids: tuple[str, ...] = ()

    def admits(self, paper: Paper) -> bool:
        """Whether `paper` meets every condition."""
        return (
            self._fits_time(paper)
            and (self.min_citations is None or (paper.citation_count or 0) >= self.min_citations)
            and (not self.fields or not self.field_keys.isdisjoint(map(field_key, paper.fields)))
            and (not self.venues or venue_key(paper.venue) in self.venue_keys)
            and (not self.exclude_ids or paper.id not in self.exclude_ids)
        )

    def _fits_time(self, paper: Paper) -> bool:
        if self.before is not None and not paper.is_before(self.before):
            return False
        return self.since is None or (paper.public_by is not None and paper.public_by >= self.since)

    @property
    def field_keys(self) -> frozenset[str]:
        """`fields` in comparable form."""
        return frozenset(map(field_key, self.fields))

    @property
    def venue_keys(self) -> frozenset[str]:
        """`venues` in comparable form."""
        return frozenset(map(venue_key, self.venues))


EVERYTHING = Filters()


def field_key(name: str) -> str:
    """The form under which two names of a field are the same field."""
    return name.strip().casefold()


def venue_key(name: str) -> str:
    """The form under which two names of a venue are the same venue."""
    return normal_title(name)
