"""Numbers as people say them. What nobody could state is "unknown", never 0."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from novum.core import Spend

UNKNOWN = "unknown"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 idea`, `3 ideas`, `12,400 tokens`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float | None) -> str:
    """`83%` of a share from 0 to 1."""
    return UNKNOWN if share is None else f"{100 * share:.0f}%"


def cosine(similarity: float) -> str:
    """Two decimals with a true minus sign."""
    return f"{similarity:.2f}".replace("-", "−")  # the minus sign of print


def duration(seconds: float) -> str:
    """`3.2 s`, `4 min 12 s`, `1 h 20 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(iso: str) -> str:
    """`2 May 2026, 14:05 UTC` of an ISO time; anything else as it stands."""
    try:
        time = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    zoned = time if time.tzinfo else time.replace(tzinfo=UTC)
    return f"{zoned.astimezone(UTC):%-d %B %Y, %H:%M} UTC"


def cost(spend: Spend) -> str:
    """What was paid, as far as prices are known."""
    known = "under $0.01" if 0 < spend.usd < 0.01 else f"${spend.usd:,.2f}"
    return _with_gaps(known, spend.usd, spend.usd_unknown, "price")


def cost_in_brief(spend: Spend) -> str:
    """The same without the reason for what is unknown."""
    return cost(spend).split(" (")[0]


def energy(spend: Spend) -> str:
    """Electricity in Wh or kWh."""
    return _with_gaps(_energy(spend.energy_kwh), spend.energy_kwh, _without_footprint(spend), "footprint")


def carbon(spend: Spend) -> str:
    """CO2 equivalent in g or kg."""
    return _with_gaps(_mass(spend.co2_kg), spend.co2_kg, _without_footprint(spend), "footprint")


def calls(spend: Spend) -> str:
    """Model calls, with those that were free and those that failed."""
    extra = [f"{spend.reused:,} of them reused from the ledger"] if spend.reused else []
    extra += [f"{spend.failed:,} failed"] if spend.failed else []
    return ", ".join([f"{spend.calls:,} answered", *extra])


def tokens(spend: Spend) -> str:
    """Read and written."""
    return f"{spend.prompt_tokens:,} read, {spend.completion_tokens:,} written"


def option(value: object) -> str:
    """A setting as one would type it; what was left open says so."""
    if value is None:
        return "not set"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _without_footprint(spend: Spend) -> int:
    """No computation runs on nothing: a footprint of zero for calls that were made means that it was not measured."""
    asked = spend.calls - spend.reused
    return spend.footprint_unknown or (asked if asked > 0 and not spend.energy_kwh and not spend.co2_kg else 0)


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
    """`610`, `21`, `0.34`: never in powers of ten."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"
