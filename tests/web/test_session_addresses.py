"""A password in the address of a model is used for the runs of the browser session that gave it, and for no other."""

from __future__ import annotations

from novum.credentials.addresses import credentials_for, public_address, remembered_addresses, remembered_apart
from novum.web.security.session_addresses import SessionAddresses

ADDRESS = "http://sessions.invalid:9/v1"
WITH_PASSWORD = "http://bob:hunter2secret@sessions.invalid:9/v1"


def test_what_one_session_gives_no_other_uses():
    sessions = SessionAddresses()
    with sessions.of("bob"):
        assert public_address(WITH_PASSWORD) == ADDRESS
        assert credentials_for(f"{ADDRESS}/chat/completions").user == "bob"
        assert WITH_PASSWORD in remembered_addresses()
    for session in ("ann", ""):
        with sessions.of(session):
            assert not credentials_for(ADDRESS)
            assert WITH_PASSWORD not in remembered_addresses()
    assert not credentials_for(ADDRESS)
    with sessions.of("bob"):
        assert credentials_for(ADDRESS).password == "hunter2secret"


def test_requests_of_one_session_at_once_share_what_it_gave():
    sessions = SessionAddresses()
    with sessions.of("bob"):
        with sessions.of("bob"):
            pass
        public_address(WITH_PASSWORD)
        with sessions.of("bob"):
            assert credentials_for(ADDRESS)
    with sessions.of("bob"):
        assert credentials_for(ADDRESS)


def test_what_the_process_remembers_counts_for_all():
    public_address("http://of-settings:hunter3secret@settings.invalid:9/v1")
    with remembered_apart({}):
        assert credentials_for("http://settings.invalid:9/v1").user == "of-settings"


def test_sessions_are_forgotten_when_there_are_many():
    sessions = SessionAddresses()
    for number in range(1_002):
        with sessions.of(str(number)):
            public_address(WITH_PASSWORD)
    with sessions.of("0"):
        assert not credentials_for(ADDRESS)
    with sessions.of("1001"):
        assert credentials_for(ADDRESS)
