"""Opportunities on a page, as a map and as files: all facts are there, nothing covers anything, and no text can act."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from urllib.parse import urlsplit

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from novum.core.opportunity import ConceptLink, Opportunity, OpportunityList
from novum.errors import BadInput
from novum.reports.opportunities.cards import cards
from novum.reports.opportunities.files import write_opportunities
from novum.reports.opportunities.layout import BoxLink, layout_boxes
from novum.reports.opportunities.links import drawable_links, strongest_links
from novum.reports.opportunities.map_drawing import MOST_DRAWN, NARROW, WIDE, draw_map
from novum.reports.opportunities.markdown import render_opportunities_markdown
from novum.reports.opportunities.page import MOST_SHOWN, TEMPLATES, render_map, render_opportunities_page
from novum.reports.opportunities.phrases import KINDS
from novum.reports.opportunities.summary import opportunity_summary, opportunity_summary_markdown
from novum.reports.page import asset, environment

from .opportunities_sample import PAIRS, openings, paper
from .reading import Page
from .test_hostile import POISONS, faults

FEW = PAIRS[:5]
"""One of each kind."""
ALL_POISON = " ".join(POISONS.values())


def poisoned(of: OpportunityList, poison: str) -> OpportunityList:
    """The poison behind every text; papers keep the ids by which they are named."""
    ids = {each.id: each.but(title=each.title + poison).id for each in of.papers}

    def spoilt(value):
        if isinstance(value, dict):
            return {name: spoilt(part) if name not in {"id", "kind", "ids"} else part for name, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [spoilt(part) for part in value]
        if isinstance(value, str):
            return ids.get(value, value + poison)
        return value

    spoiled = spoilt(of.model_dump(mode="json"))
    for each in [*spoiled["openings"], *spoiled["papers"]]:
        each.pop("id", None)
    return OpportunityList.model_validate(spoiled)


def but(value, **changes):
    return value.model_copy(update=changes)


def head_of(of: OpportunityList | None) -> str:
    return environment(TEMPLATES).get_template("openings_head.html.j2").render(openings=opportunity_summary(of))


def test_the_page_says_all_that_is_known_of_every_opening():
    found = openings(FEW)
    page = Page(render_opportunities_page(found))
    assert page.faults == []
    for opening in found.openings:
        assert all(name in page.words for name in opening.pair)
        assert KINDS[opening.kind].reason in page.words
    for text in (*found.openings[0].reasons, *(each.title for each in found.papers), found.notes[0], "42%"):
        assert text in page.words
    assert "95% interval 25% to 63%" in page.words
    assert "without a language model" in page.words


def test_every_mark_of_the_map_leads_to_its_card():
    page = Page(render_opportunities_page(openings()))
    anchors = [address for address in page.values("href") if address.startswith("#opening-")]
    assert {address: anchors.count(address) for address in anchors} == {
        f"#opening-{number}": 4
        for number in range(1, 21)  # two maps, and either concept
    }
    assert {address[1:] for address in anchors} <= set(page.values("id"))


def test_every_circle_of_the_map_leads_to_what_the_concept_is():
    found = openings(FEW)
    page = Page(render_opportunities_page(found))
    places = {address[1:] for address in page.values("href") if address.startswith("#concept-")}
    assert len(places) == len(found.concepts) == 10
    assert places <= set(page.values("id"))
    for gloss in found.concepts:
        assert f"Goes with {', '.join(gloss.beside)}" in page.words


def test_a_record_without_glosses_leads_nowhere_that_is_not_there():
    page = Page(render_opportunities_page(openings(FEW, concepts=())))
    assert {each[1:] for each in page.values("href") if each.startswith("#")} <= set(page.values("id"))
    assert "The concepts" not in page.words


def test_kinds_differ_by_shape_and_dash_not_by_colour_alone():
    html = render_opportunities_page(openings(FEW))
    shapes = re.findall(r"<g class=\"badge\" transform=\"translate\(38 0\)\">(.*?)</g>", html)
    style = asset("openings.css", TEMPLATES)
    dashes = re.findall(r"--dash: ([\d. ]+);", style)
    assert len(set(shapes)) == len(shapes) == len(KINDS)
    assert len(set(dashes)) == len(dashes) == len(KINDS)
    assert all(kind.name in Page(html).words for kind in KINDS.values())


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_no_label_circle_or_mark_covers_another(width):
    drawn = draw_map(openings(), width)
    boxes = [
        (x, y, w, h)
        for circle in drawn.circles
        for x, y, w, h in (
            (circle.x, circle.y, 2 * circle.radius, 2 * circle.radius),
            (circle.x, circle.label_y - 4 + 7.5 * (len(circle.lines) - 1), 7.3 * max(map(len, circle.lines)),
             15 * len(circle.lines) - 1),
        )
    ] + [(curve.x, curve.y, 30, 30) for curve in drawn.curves]  # fmt: skip
    covered = [
        (one, other)
        for at, one in enumerate(boxes)
        for other in boxes[:at]
        if abs(one[0] - other[0]) < (one[2] + other[2]) / 2 - 1 and abs(one[1] - other[1]) < (one[3] + other[3]) / 2 - 2
    ]
    assert covered == []
    assert all(x - w / 2 >= 0 and x + w / 2 <= width and 0 <= y - h / 2 <= drawn.height for x, y, w, h in boxes)


sizes = st.lists(st.tuples(st.floats(5, 300), st.floats(5, 90)), min_size=1, max_size=14)


@given(sizes, st.data())
@settings(max_examples=12, deadline=None)
def test_boxes_of_any_size_find_places_inside_the_width_that_do_not_overlap(boxes, data):
    ends = st.tuples(st.integers(0, len(boxes) - 1), st.integers(0, len(boxes) - 1))
    between = data.draw(st.lists(ends, max_size=5))
    middles = layout_boxes(np.array(boxes), [BoxLink(*pair) for pair in between], 320.0, between, 30.0)
    every = np.array([*boxes, *[(30.0, 30.0)] * len(between)])
    apart = np.abs(middles[:, None] - middles[None]) - (every[:, None] + every[None]) / 2
    np.fill_diagonal(apart[..., 0], np.inf)
    assert (apart.max(axis=2) > -0.01).all()
    assert (middles[:, 0] - every[:, 0] / 2 > -0.01).all()
    assert (middles[:, 0] + every[:, 0] / 2 < 320.01).all()
    assert (middles[:, 1] - every[:, 1] / 2 > -0.01).all()


def test_the_same_openings_make_the_same_map():
    assert render_map(openings(FEW)) == render_map(openings(FEW))


def test_the_map_is_a_file_of_its_own_that_any_viewer_reads():
    root = ET.fromstring(render_map(openings(FEW)))
    texts = " ".join(root.itertext())
    assert root.tag.endswith("svg")
    assert all(word in texts for word in ("formal", "verification", "Bridge", "Follow-up"))
    assert {each.get("href") for each in root.iter() if each.get("href")} == {
        *(f"report.html#opening-{number}" for number in range(1, 6)),
        *(f"report.html#concept-{number}" for number in range(1, 11)),
    }


def test_concepts_that_a_named_paper_joins_are_linked_and_openings_are_not():
    found = openings((("bridge", "moss", "tides"), ("rising", "salt", "glass")), papers=())
    named = (paper("Moss in salts", 2020, "A"), paper("Mossy glassware", 2020, "B"), paper("Moss and tides", 2019, "C"))
    older = but(found, papers=named, links=None)
    assert {(link.one, link.other): link.papers for link in drawable_links(older, older.openings)} == {
        ("moss", "salt"): 1
    }


def test_links_of_the_record_come_before_what_can_be_guessed():
    found = openings((("bridge", "moss", "tides"), ("rising", "salt", "glass")))
    told = (ConceptLink(one="glass", other="moss", papers=4), ConceptLink(one="moss", other="tides", papers=2))
    strange = (
        ConceptLink(one="moss", other="moss", papers=1),
        ConceptLink(one="moss", other="no concept of it", papers=1),
    )
    assert drawable_links(but(found, links=(*told, *strange)), found.openings) == told[:1]
    assert "moss: 4 papers" in render_map(but(found, links=told))


def test_only_the_strongest_links_of_a_concept_are_drawn():
    papers = {"hub": 100} | {f"leaf {at}": 10 for at in range(4)}
    spokes = [ConceptLink(one="hub", other=f"leaf {at}", papers=at + 1) for at in range(4)]
    rim = [ConceptLink(one=f"leaf {at}", other=f"leaf {at + 1}", papers=9) for at in range(3)]
    kept = strongest_links([*spokes, *rim], papers)
    assert set(rim) <= set(kept)
    assert len(kept) < len(spokes) + len(rim)
    assert {name for link in kept for name in (link.one, link.other)} == set(papers)


def test_small_probabilities_are_drawn_on_a_scale_where_they_differ():
    likely, unlikely = openings(FEW), openings(FEW)
    small = tuple(
        but(each, probability=0.01 * number, probability_interval=None)
        for number, each in enumerate(unlikely.openings, 1)
    )
    assert cards(likely, 5)[0].probability.reach == "100%"
    shown = cards(but(unlikely, openings=small), 5)
    assert [card.probability.at for card in shown] == [10, 20, 30, 40, 50]
    assert shown[0].probability.reach == "10%"
    assert shown[0].probability.interval == "no interval known"


def test_what_is_not_known_is_described_as_unknown():
    bare = openings(FEW, papers=(), near=(), notes=(), looked_at=0)
    bare = but(
        bare,
        openings=tuple(
            but(each, attention=None, attention_interval=None, unusual=None, reasons=(), attempts=())
            for each in bare.openings
        ),
    )
    page = Page(render_opportunities_page(bare))
    assert page.faults == []
    assert "unknown" in page.words
    assert "No paper of it is in this record." in page.words
    assert "None is known in this library." in page.words


def test_no_opening_is_a_page_too():
    none = OpportunityList(topic="", until=2025, horizon=3, near=(), openings=(), notes=("Fifty papers are too few.",))
    page = Page(render_opportunities_page(none))
    assert page.faults == []
    assert "No opportunity was found." in page.words
    assert "Fifty papers are too few." in page.words
    assert ET.fromstring(render_map(none)) is not None
    assert "Fifty papers are too few." in render_opportunities_markdown(none)


def test_odd_years_and_counts_neither_break_nor_swell_the_page():
    found = openings(FEW)
    odd = but(found.openings[0].one, papers_by_year={-(10**12): 3, 2024: -5, 2025: 10**400, 10**12: 1}, first_year=-7)
    page = render_opportunities_page(but(found, openings=(but(found.openings[0], one=odd), *found.openings[1:])))
    assert Page(page).faults == []
    assert len(page) < 200_000


@pytest.mark.slow
def test_more_opportunities_than_a_page_holds_are_reported_and_are_all_in_the_data(tmp_path):
    many = [("rising", f"concept {at}", f"matter {at}") for at in range(MOST_SHOWN + 2)]
    files = write_opportunities(openings(many), tmp_path)
    page = Page(files.html.read_text("utf-8"))
    assert "2 more opportunities" in page.words
    assert f"The last {MOST_SHOWN + 2 - MOST_DRAWN} are in the list only." in page.words
    assert len(json.loads(files.json.read_text("utf-8"))["openings"]) == MOST_SHOWN + 2


def test_the_files_hold_the_same_openings(tmp_path):
    found = openings(FEW)
    files = write_opportunities(found, tmp_path / "new")
    assert OpportunityList.model_validate_json(files.json.read_text("utf-8")) == found
    assert files.bibtex.read_text("utf-8").count("@misc{") == len(found.papers)
    assert files.markdown.read_text("utf-8").count("\n## ") == len(found.openings) + 2
    assert files.html.with_name("map.svg").read_text("utf-8").startswith("<svg")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "map.svg", "openings.json", "papers.bib", "report.html", "report.md",
    ]  # fmt: skip


def test_the_data_name_papers_without_their_texts(tmp_path):
    found = openings(FEW)
    long = found.papers[0].model_copy(
        update={"abstract": "An abstract.", "summary": "A summary.", "references": ("x",)}
    )
    told = write_opportunities(found.model_copy(update={"papers": (long, *found.papers[1:])}), tmp_path).json.read_text(
        "utf-8"
    )
    assert long.title in told
    assert "An abstract." not in told
    assert OpportunityList.model_validate_json(told).papers[0].id == long.id


def test_a_long_word_of_a_label_breaks_at_its_hyphen():
    shown = draw_map(openings([("bridge", "sequence-to-sequence models", "rna")]))
    assert ("sequence-to-", "sequence models") in [circle.lines for circle in shown.circles]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadInput, match="cannot be written"):
        write_opportunities(openings(FEW), tmp_path / "file")


@pytest.mark.parametrize(
    "poison",
    [
        ALL_POISON,
        pytest.param("\n# Fake\n\nFake\n====\n", marks=pytest.mark.slow),
        pytest.param("W" * 5000, marks=pytest.mark.slow),
    ],
    ids=["all", "outline", "long"],
)
def test_evil_text_in_every_field_can_act_nowhere(tmp_path, poison):
    clean, evil = openings(FEW), poisoned(openings(FEW), poison)
    files = write_opportunities(evil, tmp_path)
    html = files.html.read_text("utf-8")
    for written in (html, head_of(evil)):
        assert faults(written) == []
    assert Page(html).tags.count("style") == 1
    outline = [tag for tag in Page(html).tags if re.fullmatch(r"h\d|section|details", tag)]
    assert outline == [
        tag for tag in Page(render_opportunities_page(clean)).tags if re.fullmatch(r"h\d|section|details", tag)
    ]
    root = ET.fromstring(files.html.with_name("map.svg").read_text("utf-8"))
    assert {each.tag.split("}")[1] for each in root.iter()} <= {
        "svg", "style", "g", "a", "path", "rect", "circle", "line", "text", "tspan", "title"
    }  # fmt: skip


def test_evil_text_makes_no_html_link_or_heading_of_the_markdown():
    evil = poisoned(openings(FEW), ALL_POISON)
    for markdown in (render_opportunities_markdown(evil), "\n\n".join(opportunity_summary_markdown(evil))):
        blocks = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)
        tokens = [token for block in blocks for token in [block, *(block.children or [])]]
        hosts = {urlsplit(str(token.attrs["href"])).hostname for token in tokens if token.type == "link_open"}
        assert not {token.type for token in tokens} & {"html_block", "html_inline", "image", "fence", "code_block"}
        assert hosts <= {"arxiv.org"}
        assert markdown.count("\n## ") == (7 if "# Opportunities:" in markdown else 0)


def test_the_head_of_another_report_shows_the_best_few_and_says_that_they_are_computed():
    page = Page(head_of(openings()))
    assert page.faults == []
    assert page.tags.count("tr") == 5
    assert "Computed" in page.words
    assert "test time scaling + formal verification" in page.words
    assert "20 opportunities in all" in page.words
    table = "\n\n".join(opportunity_summary_markdown(openings()))
    assert "| 1. test time scaling + formal verification | Rising pair | 42% (95% interval 25% to 63%) |" in table
    assert "20 opportunities in all" in table
    last = openings().openings[8]
    further = "\n\n".join(opportunity_summary_markdown(openings(), [last]))
    assert f"| 9. {' + '.join(last.pair)} |" in further.replace("\\", ""), "an idea started from it"


def test_without_openings_the_head_shows_nothing_unless_a_note_says_why():
    none = OpportunityList(topic="x", until=2025, horizon=3, near=(), openings=())
    assert head_of(None).strip() == head_of(none).strip() == ""
    assert list(opportunity_summary_markdown(None)) == []
    assert "Too few papers." in Page(head_of(but(none, notes=("Too few papers.",)))).words


CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
@pytest.mark.parametrize("width", [360, 1300])
@pytest.mark.parametrize("poison", ["", " " + "Unbreakable" * 200 + '<script>document.title="owned"</script>'])
def test_in_a_browser_a_mark_opens_its_card_and_nothing_is_wider_than_the_window(tmp_path, width, poison):
    playwright = pytest.importorskip("playwright.sync_api")
    address = write_opportunities(poisoned(openings(), poison), tmp_path).html.as_uri()
    asked: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.click('svg.concepts:visible a[href="#opening-7"]')
        opened = page.evaluate("document.getElementById('opening-7').closest('details').open")
        page.evaluate("document.querySelectorAll('details').forEach(depth => depth.open = true)")
        seen = page.evaluate("document.documentElement.scrollWidth")
        title = page.title()
        browser.close()
    assert opened
    assert seen <= width
    assert asked == [address]
    assert title != "owned"


def test_every_kind_has_words():
    assert set(KINDS) == set(Opportunity.model_fields["kind"].annotation.__args__)
