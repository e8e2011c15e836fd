"""Numbers in words and digits. A value that is not known is "unknown" or a dash, never 0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

from novum.core import Spend
from novum.statistics.records import Correlation

UNKNOWN = "unknown"
NONE = "–"


class HasInterval(Protocol):
    """A statistic with the bounds of its confidence interval, or None where it has none."""

    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def number(value: float | None, digits: int = 2) -> str:
    """`7.22`, with a true minus sign; a dash where there is no value."""
    return NONE if value is None else f"{value:.{digits}f}".replace("-", "−")


def interval(of: HasInterval, digits: int = 2) -> str:
    """`7.10 to 7.34`; empty where there is no interval."""
    return "" if of.low is None or of.high is None else f"{number(of.low, digits)} to {number(of.high, digits)}"


def signed(value: float | None, digits: int = 2) -> str:
    """`+0.41` or `−0.20`; without a sign where it rounds to zero, a dash where there is no value."""
    text = NONE if value is None else f"{value:+.{digits}f}".replace("-", "−")
    return text if value is None or text.strip("+−0.") else text[1:]


def signed_interval(of: HasInterval, digits: int = 2) -> str:
    """`+0.10 to +0.73`; empty where there is no interval."""
    return "" if of.low is None or of.high is None else f"{signed(of.low, digits)} to {signed(of.high, digits)}"


def with_interval(value: str, interval: str) -> str:
    """`0.153 [0.149 to 0.157]`; the value alone where there is no interval."""
    return f"{value} [{interval}]" if interval else value


def clear_sign(of: HasInterval) -> int:
    """1 or -1 where the whole interval of a difference is above or below 0; 0 where it includes 0 or is unknown."""
    if of.low is None or of.high is None:
        return 0
    return int(of.low > 0) - int(of.high < 0)


def p_value(p: float) -> str:
    """`p = 0.038`; small ones as a bound."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}" if p < 0.01 else f"p = {p:.3f}"


def correlation_text(of: Correlation) -> str:
    """`r = 0.36, p = 0.038, N = 41`."""
    if of.r is None or of.p is None:
        return f"r unknown, N = {of.n:,}"
    return f"r = {number(of.r)}, {p_value(of.p)}, N = {of.n:,}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """`a, b and c`; of more than `most` names the first ones and the number of the others."""
    parts = list(names) if len(names) <= most else [*names[:most], count(len(names) - most, "other")]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 idea`, `3 ideas`, `12,400 tokens`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float | None) -> str:
    """`83%` for a share from 0 to 1; `unknown` for None."""
    return UNKNOWN if share is None else f"{100 * share:.0f}%"


def share_text(share: float | None) -> str:
    """`83%` for a share from 0 to 1; a dash for None."""
    return NONE if share is None else percent(share)


def share_interval(of: HasInterval) -> str:
    """`58% to 66%`; empty where there is no interval."""
    return "" if of.low is None or of.high is None else f"{percent(of.low)} to {percent(of.high)}"


def cosine(similarity: float) -> str:
    """A similarity with two decimals and a true minus sign."""
    return number(similarity)


def duration(seconds: float) -> str:
    """`3.2 s`, `4 min 12 s`, `1 h 20 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(iso: str) -> str:
    """`2 May 2026, 14:05 UTC` for an ISO time; other text unchanged."""
    try:
        time = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    zoned = time if time.tzinfo else time.replace(tzinfo=UTC)
    return f"{zoned.astimezone(UTC):%-d %B %Y, %H:%M} UTC"


def cost(spend: Spend) -> str:
    """The cost in US dollars, as far as prices are known."""
    known = "under $0.01" if 0 < spend.usd < 0.01 else f"${spend.usd:,.2f}"
    return _with_gaps(known, spend.usd, spend.usd_unknown, "price")


def cost_in_brief(spend: Spend) -> str:
    """The cost without the reason why a part of it is unknown."""
    return cost(spend).split(" (")[0]


def energy(spend: Spend) -> str:
    """Electricity in Wh or kWh."""
    return _with_gaps(_energy(spend.energy_kwh), spend.energy_kwh, _without_footprint(spend), "footprint")


def carbon(spend: Spend) -> str:
    """CO2 equivalent in g or kg."""
    return _with_gaps(_mass(spend.co2_kg), spend.co2_kg, _without_footprint(spend), "footprint")


def calls(spend: Spend) -> str:
    """The number of model calls, with those reused from the ledger and those that failed."""
    extra = [f"{spend.reused:,} of them reused from the ledger"] if spend.reused else []
    extra += [f"{spend.failed:,} failed"] if spend.failed else []
    return ", ".join([f"{spend.calls:,} answered", *extra])


def tokens(spend: Spend) -> str:
    """Prompt tokens and completion tokens: `12,400 read, 3,100 written`. A server that reports none for calls that it
    answered does not say how many there were."""
    if spend.calls == spend.reused:
        return f"{spend.prompt_tokens:,} read, {spend.completion_tokens:,} written"
    read, written = (f"{each:,}" if each else UNKNOWN for each in (spend.prompt_tokens, spend.completion_tokens))
    return UNKNOWN if read == written == UNKNOWN else f"{read} read, {written} written"


def option(value: object) -> str:
    """The value of an option as it would be typed; `not set` for None."""
    if value is None:
        return "not set"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _without_footprint(spend: Spend) -> int:
    """The number of calls without a known footprint. Zero energy for calls that were made means: not measured."""
    made = spend.calls - spend.reused
    return spend.footprint_unknown or (made if made > 0 and not spend.energy_kwh and not spend.co2_kg else 0)


def _with_gaps(known: str, value: float, unknown: int, what: str) -> str:
    if not unknown:
        return known
    gap = f"{what} of {count(unknown, 'call')} unknown"
    return f"at least {known} ({gap})" if value else f"{UNKNOWN} ({gap})"


def _energy(kwh: float) -> str:
    return f"{kwh:.2f} kWh" if kwh >= 1 else f"{_two_digits(1000 * kwh)} Wh"


def _mass(kg: float) -> str:
    return f"{kg:.2f} kg" if kg >= 1 else f"{_two_digits(1000 * kg)} g"


def _two_digits(value: float) -> str:
    """Two significant digits, `610`, `21`, `0.34`, never with a power of ten."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
