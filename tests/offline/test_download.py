"""A download over the web survives broken connections and says so when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from novum.errors import ModelUnreachable
from novum.llm.offline import install
from novum.llm.offline.sources import WebFile

from .conftest import WEIGHTS, Offer, WebShelf


def test_a_broken_transfer_goes_on_where_it_stopped(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    shelf.cut_after = [1000]
    assert install("tiny", folder, catalogue=offer(WebFile(url=shelf.url))).read_bytes() == WEIGHTS
    assert shelf.asked == [None, "bytes=1000-"]


def test_what_arrived_before_giving_up_is_kept_for_the_next_install(
    folder: Path, shelf: WebShelf, offer: Offer
) -> None:
    catalogue = offer(WebFile(url=shelf.url))
    shelf.cut_after = [500, 0, 0, 0]
    with pytest.raises(ModelUnreachable, match=r"cut off at 500 of .* continues where it stopped"):
        install("tiny", folder, catalogue=catalogue)
    assert install("tiny", folder, catalogue=catalogue).read_bytes() == WEIGHTS
    assert shelf.asked[-1] == "bytes=500-"


def test_a_server_without_ranges_is_read_from_the_start_again(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    shelf.knows_ranges = False
    shelf.cut_after = [1000]
    assert install("tiny", folder, catalogue=offer(WebFile(url=shelf.url))).read_bytes() == WEIGHTS


def test_a_file_that_never_ends_does_not_fill_the_disk(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    shelf.data = WEIGHTS * 20
    with pytest.raises(ModelUnreachable, match="wrong sha256"):
        install("tiny", folder, catalogue=offer(WebFile(url=shelf.url)))
    assert not list(folder.glob("*.partial"))


def test_a_page_that_is_not_there_is_told_with_its_code(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    shelf.status = 404
    with pytest.raises(ModelUnreachable, match="404"):
        install("tiny", folder, catalogue=offer(WebFile(url=shelf.url)))


def test_no_network_is_one_line_that_says_what_to_do(folder: Path, shelf: WebShelf, offer: Offer) -> None:
    shelf.server.server_close()
    with pytest.raises(ModelUnreachable, match=r"refused.*novum models install tiny") as told:
        install("tiny", folder, catalogue=offer(WebFile(url=shelf.url)))
    assert "\n" not in str(told.value)
