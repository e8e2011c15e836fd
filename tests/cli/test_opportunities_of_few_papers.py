"""`novum opportunities` on a topic that the library hardly knows: papers are fetched, or it says what is missing."""

from __future__ import annotations

from tests.cli.test_library_add import asked, service, work, works
from tests.local_service import Said

__all__ = ["service"]
TOPIC = "tuberculosis drug resistance"


def test_it_says_what_is_missing_and_what_to_do(here, service):
    ended = here("opportunities", TOPIC)
    assert ended.code == 0
    assert ended.out.startswith(f"Too few papers on “{TOPIC}” in this library: ")
    assert "10 are needed" in ended.out
    assert "novum library add" in ended.out
    assert "--force" in ended.err
    assert "t cells" not in ended.out
    assert asked(service) == []


def test_services_of_the_settings_are_asked_where_there_are_too_few(here, service):
    service.on("/works", works(work(1), work(2)))
    ended = here("opportunities", TOPIC, "--source", "openalex")
    assert ended.code == 0, ended.err
    assert asked(service)
    assert "These services are asked for it: OpenAlex." in ended.err
    assert "2 from OpenAlex" in ended.err
    assert ended.out.startswith("Too few papers on")


def test_a_service_that_fails_is_named_and_the_search_goes_on_without_it(here, service):
    service.on("/works", Said(b"{}", 400))
    ended = here("opportunities", TOPIC, "--source", "openalex")
    assert ended.code == 0
    assert "OpenAlex" in ended.err
    assert "Traceback" not in ended.err
    assert ended.out.startswith("Too few papers on")
