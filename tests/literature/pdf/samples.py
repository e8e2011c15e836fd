"""A small paper in two columns, as it would come from a typesetter, and words to fill it with."""

from __future__ import annotations

from tests.literature.pdf.writing import Text, column, pdf

LEFT_ONE = """
# Abstract
We count herons at dawn and ask what
they are waiting for. A state-of-the-
art telescope shows an exam-
ple of patience in every bird.

# 1 Introduction
Herons are birds. For example, a heron
stands in water and waits for its re-
ward (Marsh and Reed, 2011). We look
at them from a boat, with much care,
until the fish arrive and the wait is

Figure 1: A heron that stands.
"""
RIGHT_ONE = """
over. That is the whole of our method,
and it is a simple one to repeat.

# 2 Methods
# 2.1 Boats and Birds
The boat was made of wood and drifted
past the reeds without any sound at all.
We wrote down each bird and its reward.

# Acknowledgements
We thank the lake for being there.
"""
REFERENCES = """
# References
Anna Marsh and Ben Reed. 2011. Patience of
    wading birds in cold water. Journal of
    Lakes, 4:11-19.
Carla van der Berg. 2015. Counting without
    disturbing: A guide. arXiv:1501.00042.
Dora Finch, Emil Crane, and Fay Gull. 2018.
    What do herons see? In Proceedings of Birds.
    https://doi.org/10.1000/heron.7
"""


def page_furniture(number: int) -> list[Text]:
    """A running head and a page number."""
    return [Text(240, 810, "Notes on Wading Birds", 8), Text(295, 30, str(number), 9)]


def heron_pages(stamp: str = "") -> list[list[Text]]:
    """Three pages: front and text in two columns, then references."""
    front = [
        Text(150, 770, "What Herons Are Waiting For:", 17, bold=True),
        Text(170, 750, "A Study from a Boat", 17, bold=True),
        Text(190, 725, "Ada Lovelace", 12),
        Text(300, 725, "Béla van der Meer", 12),
        Text(220, 710, "University of the Lake", 10),
        Text(60, 12, "Proceedings of the Meeting on Birds, pages 1-3, 2019", 8),
    ]
    figure = [Text(90, 480, "beak", 6), Text(130, 470, "leg", 6), Text(110, 455, "0.5", 6)]
    stamps = [Text(25, 300, stamp, 16, turned=True)] if stamp else []
    first = [*front, *column(RIGHT_ONE, 320, 680), *column(LEFT_ONE, 60, 680), *figure, *stamps]
    second = column("Prose goes on here for a while, so that\nthis page has a body of its own to show.", 60, 780)
    return [
        [*first, *page_furniture(1)],
        [*second, *page_furniture(2)],
        [*column(REFERENCES, 60, 780), *page_furniture(3)],
    ]


def heron_paper(stamp: str = "", title: str = "", author: str = "") -> bytes:
    """The paper as a file."""
    return pdf(heron_pages(stamp), title=title, author=author)
