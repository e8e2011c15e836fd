"""A study in the workbench: set up, answered by personal links, read by its leader."""

from __future__ import annotations

import re

import pytest

from novum.credentials.redaction import register_secrets

TEXTS = "Bridges of grass\r\nRoots are guided into spans.\r\n\r\nBridges of ice\nRefrigerated in summer."


@pytest.fixture
def leader(bench):
    return bench()


def set_up(leader, **fields):
    answer = leader.post("/studies", {"title": "Bridges", "ideas": TEXTS, **fields}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def invite(leader, address, number=1):
    leader.post(f"{address}/participants", {"number": str(number)})
    return re.findall(r"/take/[A-Za-z0-9_-]{30,}", leader.get(address).text)


def answer_all(browser, link, value):
    """Answers every task of a link; checks as they ask."""
    browser.get(link)
    browser.post(f"{link}/consent")
    number = 1
    while (page := browser.get(f"{link}/{number}")).status_code == 200:
        asked = re.search(r"choose <b>([^<]+)</b>", page.text)
        names = dict.fromkeys(re.findall(r'type="radio" name="(\w+)"', page.text))
        browser.post(f"{link}/{number}", dict.fromkeys(names, asked[1] if asked else value))
        number += 1
    return number - 1


def test_three_people_finish_a_study_and_the_leader_reads_their_agreement(leader, bench):
    address = set_up(leader)
    for number, link in enumerate(invite(leader, address, 3)):
        assert answer_all(leader, link, str(4 + number)) == 3
        assert "Thank you" in leader.get(link).text
    page = leader.get(address).text
    assert page.count("passed") == 3
    assert "Krippendorff" in page
    csv = leader.get(f"{address}/files/answers.csv").text
    assert csv.count("\n") == 1 + 3 * 2 * 3
    assert leader.get(f"{address}/files/everything.zip").content[:2] == b"PK"


@pytest.mark.parametrize("form", ["ratings", "pairs", "preference", "grades", "decision"])
@pytest.mark.parametrize("answered", [1, 3])
def test_the_page_of_a_study_is_there_whatever_can_be_computed(leader, form, answered):
    address = set_up(leader, form=form, checks="0", topic="bridges")
    for link in invite(leader, address, 3)[:answered]:
        [task] = re.findall(r'type="radio" name="(\w+)" value="([^"]+)"', first_task(leader, link))[:1]
        assert leader.post(f"{link}/1", dict([task])).status_code == 200
    page = leader.get(address)
    assert page.status_code == 200
    assert "Krippendorff" in page.text


def first_task(browser, link):
    browser.get(link)
    browser.post(f"{link}/consent")
    return browser.get(f"{link}/1").text


def test_participants_see_neither_sources_nor_other_pages(leader):
    address = set_up(leader)
    [link] = invite(leader, address)
    leader.post(f"{link}/consent")
    page = leader.get(f"{link}/1").text
    assert "given" not in re.sub(r"<[^>]*>", "", page)
    assert 'href="/' not in page.replace('href="/static/', "").replace(f'href="{link}', "")


def test_answers_are_saved_one_by_one_and_shown_again(leader):
    address = set_up(leader, checks="0")
    [link] = invite(leader, address)
    leader.post(f"{link}/consent")
    saved = leader.post(f"{link}/1", {"clarity": "7"}, headers={"HX-Request": "true"})
    assert saved.text == "Saved"
    assert re.search(r'name="clarity" value="7" checked', leader.get(f"{link}/1").text)
    assert leader.get(link, follow_redirects=False).headers["location"] == f"{link}/1"


def test_nothing_is_saved_before_consent(leader):
    [link] = invite(leader, set_up(leader))
    assert leader.post(f"{link}/1", {"clarity": "7"}).status_code == 400
    assert "I agree" in leader.get(f"{link}/1").text


def test_a_personal_link_opens_its_study_without_the_access_token(bench):
    token = "a-token-of-24-characters"
    leader = bench(token=token)
    leader.get(f"/?token={token}")
    [link] = invite(leader, set_up(leader))
    leader.client.cookies.clear()
    assert "I agree" in leader.get(link).text
    for closed in ("/", "/studies", "/library", "/runs"):
        assert leader.get(closed).status_code == 401


@pytest.mark.parametrize(
    "address", ["/take/guess", "/take/guess/1", "/studies/study-1", "/studies/..%2f/files/answers.csv"]
)
def test_a_guessed_address_is_not_found(leader, address):
    assert leader.get(address).status_code == 404


def test_a_study_without_ideas_is_refused_in_words(leader):
    answer = leader.post("/studies", {"title": "Empty"})
    assert answer.status_code == 400
    assert "no idea to judge" in answer.text


def test_a_table_of_ideas_can_be_uploaded(leader):
    table = ("ideas.csv", b"topic,title,summary\nbridges,Rope,Bridges of rope.\n")
    answer = leader.post("/studies", {"title": "Table"}, files={"table": table}, follow_redirects=False)
    assert answer.status_code == 303
    assert "1 idea" in leader.get(answer.headers["location"]).text


def test_no_key_is_stored_or_shown_whoever_writes_it(leader, home):
    key = "sk-of-a-server-0123456789"
    register_secrets(key)
    address = set_up(leader, title=f"Bridges {key}", ideas=f"{TEXTS} {key}", consent=f"Yes, {key}", checks="0")
    leader.post(f"{address}/participants", {"number": "1", "label": key})
    [link] = re.findall(r"/take/[A-Za-z0-9_-]{30,}", leader.get(address).text)
    shown = first_task(leader, link)
    leader.post(f"{link}/1", {"clarity": "7", "comment": f"See {key}."})
    leader.post(f"/runs/{key}/stop")
    pages = [shown, *(leader.get(each).text for each in (address, "/studies", f"{address}/files/results.json"))]
    assert all(key not in page for page in pages)
    assert any("[redacted]" in page for page in pages)
    files = [file for file in home.rglob("*") if file.is_file()]
    assert any(file.name == "studies.sqlite" for file in files)
    assert not [file.name for file in files if key.encode() in file.read_bytes()]


@pytest.mark.parametrize("rows, status", [("bridges,Rope,Bridges of rope.\n", 303), ("", 400)])
def test_an_uploaded_table_is_removed_whether_its_study_was_made_or_refused(leader, home, rows, status):
    table = ("ideas.csv", f"topic,title,summary\n{rows}".encode())
    answer = leader.post("/studies", {"title": "Table"}, files={"table": table}, follow_redirects=False)
    assert answer.status_code == status
    assert [each for each in (home / "workbench").rglob("*") if each.suffix == ".csv"] == []
    assert list((home / "workbench" / "uploads").iterdir()) == []


def test_a_closed_study_refuses_answers_in_words(leader):
    address = set_up(leader)
    [link] = invite(leader, address)
    leader.post(f"{link}/consent")
    leader.post(f"{address}/state", {"state": "closed"})
    answer = leader.post(f"{link}/1", {"clarity": "7"})
    assert answer.status_code == 400
    assert "closed" in answer.text


def test_a_closed_study_says_so_at_once_and_takes_no_consent(leader):
    address = set_up(leader)
    agreed, late = invite(leader, address, 2)
    leader.post(f"{agreed}/consent")
    leader.post(f"{address}/state", {"state": "closed"})
    for shown in (agreed, f"{agreed}/1", late):
        assert "The study is closed" in leader.get(shown).text
    leader.post(f"{late}/consent")
    leader.post(f"{address}/state", {"state": "open"})
    assert "I agree" in leader.get(late).text
    assert "Task 1 of" in leader.get(f"{agreed}/1").text


def test_a_participant_is_told_nothing_of_a_damaged_file(leader, home):
    [link] = invite(leader, set_up(leader))
    file = home / "studies.sqlite"
    for each in home.glob("studies.sqlite-*"):
        each.unlink()
    file.write_bytes(b"no database " * 2000)
    shown = leader.get(link).text
    assert "Your link stays valid" in shown
    assert str(home) not in shown
    assert "sqlite" not in shown
    assert "damaged" in leader.get("/studies").text


@pytest.mark.parametrize("address", ["/take/guess", "/take/guess/1"])
def test_a_participant_sees_no_page_of_the_researcher_in_a_problem(leader, address):
    shown = leader.get(address).text
    assert "belongs to no study" in shown
    for name in ("Start", "Library", "Studies", "start page"):
        assert name not in shown
