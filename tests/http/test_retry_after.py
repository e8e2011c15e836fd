"""How long a server asks us to wait."""

from __future__ import annotations

import pytest

from novum.http.retry_after import retry_after

NOON, LATER = "Mon, 01 Jan 2024 12:00:00 GMT", "Mon, 01 Jan 2024 12:00:30 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"retry-after-ms": "250", "Retry-After": "7"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "99999999999"}, 86_400.0),
        ({"Retry-After": "1e308"}, 86_400.0),
        ({"retry-after-ms": "1e308"}, 86_400.0),
        ({"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}, 86_400.0),
        ({"Retry-After": ""}, None),
        ({}, None),
    ],
)
def test_seconds_are_read_from_the_headers(headers, seconds):
    assert retry_after(headers) == seconds


def test_a_date_counts_from_the_clock_of_the_server():
    """The clock of this machine may be wrong, or have been asleep."""
    assert retry_after({"Retry-After": LATER, "Date": NOON}) == 30.0


def test_a_date_that_has_passed_is_no_wait():
    assert retry_after({"Retry-After": NOON}) == 0.0
