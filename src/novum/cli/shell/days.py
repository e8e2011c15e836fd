"""Days as users write them."""

from __future__ import annotations

import datetime as dt

from novum.errors import BadInput


def day_or_year(text: str | None, option: str) -> dt.date | None:
    """As `day`; a year alone is its first day."""
    return day(f"{text}-01-01" if text and len(text) == 4 and text.isdecimal() else text, option)


def day(text: str | None, option: str) -> dt.date | None:
    """The day of `--option YYYY-MM-DD`, None when not given. Raises BadInput for what is no day."""
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{option} {text!r} is not a day. Write it as year-month-day, like 2023-01-31.") from error
