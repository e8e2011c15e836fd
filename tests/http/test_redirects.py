"""Where redirects lead, and what goes along."""

from __future__ import annotations

import pytest

from novum.http.redirects import RedirectRefused, headers_for_redirect, redirect_target, without_parameters

KEY = {"Authorization": "Bearer k", "Cookie": "c", "Accept": "text/html"}


@pytest.mark.parametrize(
    ("url", "location", "target"),
    [
        ("https://a.example/v1/chat", "/v2/chat", "https://a.example/v2/chat"),
        ("http://a.example/v1", "https://a.example/v1", "https://a.example/v1"),
        ("https://a.example/v1", "https://b.example/v1", "https://b.example/v1"),
        ("https://a.example/v1", "", ""),
    ],
)
def test_a_redirect_names_an_address(url, location, target):
    assert redirect_target(url, 307, {"Location": location}) == target


@pytest.mark.parametrize(
    "location", ["http://a.example/v1", "ftp://a.example/v1", "https://[::1", "file:///etc/passwd"]
)
def test_no_redirect_leaves_the_encrypted_web(location):
    with pytest.raises(RedirectRefused):
        redirect_target("https://a.example/v1", 302, {"Location": location})


def test_only_a_redirect_status_redirects():
    assert redirect_target("https://a.example", 201, {"Location": "/new"}) == ""


@pytest.mark.parametrize(
    ("url", "target", "goes_along"),
    [
        ("https://a.example/v1", "https://a.example:443/v2", True),
        ("http://a.example/v1", "https://a.example/v1", True),
        ("http://a.example:8000/v1", "https://a.example/v1", False),
        ("https://a.example/v1", "https://b.example/v1", False),
        ("https://a.example/v1", "https://a.example:8443/v1", False),
        ("https://a.example/v1", "https://a.example.evil.example/v1", False),
    ],
)
def test_a_key_goes_to_its_own_server_alone(url, target, goes_along):
    headers = headers_for_redirect(KEY, url, target)
    assert ("Authorization" in headers, "Cookie" in headers) == (goes_along, goes_along)
    assert headers["Accept"] == "text/html"


def test_a_key_that_a_redirect_repeats_is_taken_out():
    assert without_parameters("https://a.example/x?q=1&api_key=k", ["api_key"]) == "https://a.example/x?q=1"
