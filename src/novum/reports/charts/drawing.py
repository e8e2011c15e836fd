"""Charts as files: SVG and PNG, which hold no script, and one page on which they can be hovered and saved.

The page embeds the Vega libraries and asks no server for anything. Names that come from models stand in it as data: its
only script is allowed by its hash, and expressions are interpreted, never compiled.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import vl_convert
from markupsafe import Markup

from novum.reports.charts.plot import Plot
from novum.reports.page import environment

_NOWHERE: list[str] = []
_SCALE = 2
"""Pixels of a PNG for one of the chart."""
_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')
_DRAW_ALL = """
const specs = JSON.parse(document.getElementById("charts").textContent);
const options = {ast: true, renderer: "svg", actions: {export: true, source: false, compiled: false, editor: false}};
specs.forEach((spec, at) => vegaEmbed("#chart-" + at, spec, options));
"""


def svg(plot: Plot) -> str:
    """The chart as an SVG file."""
    return vl_convert.vegalite_to_svg(plot.specification, allowed_base_urls=_NOWHERE)


def png(drawn: str) -> bytes:
    """An SVG of ours as a PNG file, at twice its size."""
    return vl_convert.svg_to_png(drawn, scale=_SCALE)


@dataclass(frozen=True)
class Image:
    """A drawn chart as an image of a page, with its size in pixels."""

    address: Markup
    width: int
    height: int


def as_image(drawn: str) -> Image:
    """An SVG of ours as an image. As such it can run nothing and load nothing, whatever it holds."""
    packed = base64.b64encode(drawn.encode("utf-8", "replace")).decode("ascii")
    size = _SIZE.search(drawn)
    width, height = (round(float(side)) for side in size.groups()) if size else (640, 400)
    return Image(Markup("data:image/svg+xml;base64,") + packed, width, height)


def interactive_page(plots: Sequence[Plot], title: str) -> str:
    """All charts on one page with tooltips, for a browser without network."""
    script = _library()
    # Inside a script element only "<" could end it, and JSON can write it otherwise.
    data = json.dumps([plot.specification for plot in plots]).replace("<", "\\u003c")
    return (
        environment()
        .get_template("liveidea_charts.html.j2")
        .render(
            plots=plots,
            title=title,
            data=Markup(data),  # noqa: S704  # JSON without "<"
            script=Markup(script),  # noqa: S704  # ours, and Vega's
            allowed=script_hash(script),
        )
    )


def script_hash(script: str) -> str:
    """What a page's security policy says to allow this script and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode('ascii')}"


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed with our three lines; nothing in it can end the script element."""
    return vl_convert.javascript_bundle(_DRAW_ALL).replace("</script", "<\\/script").replace("\r\n", "\n")
