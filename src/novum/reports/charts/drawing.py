"""Draw charts as SVG and PNG files, which hold no script, and as one interactive page with tooltips.

The page embeds the Vega libraries and loads nothing. Names that come from models are in it as data: its
only script is allowed by its hash, and expressions are interpreted, never compiled.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import vl_convert
from markupsafe import Markup

from novum.reports.charts.plot import Plot
from novum.reports.page import render_page

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


def png(picture: str) -> bytes:
    """A drawn SVG as a PNG file, at twice its size."""
    return vl_convert.svg_to_png(picture, scale=_SCALE)


@dataclass(frozen=True)
class Image:
    """A drawn chart as an image of a page, with its size in pixels."""

    address: Markup
    width: int
    height: int


def as_image(picture: str) -> Image:
    """A drawn SVG as an image. As an image it can run and load nothing, whatever it holds."""
    packed = base64.b64encode(picture.encode("utf-8", "replace")).decode("ascii")
    size = _SIZE.search(picture)
    width, height = (round(float(side)) for side in size.groups()) if size else (640, 400)
    return Image(Markup("data:image/svg+xml;base64,") + packed, width, height)


def plot_images(plots: Iterable[Plot], svgs: Mapping[str, str] | None = None) -> dict[str, Image]:
    """Plots as images of a page, by their names. `svgs`: SVG files by plot name, for plots that are drawn already."""
    known = svgs or {}
    return {plot.name: as_image(known.get(plot.name) or svg(plot)) for plot in plots}


def interactive_page(plots: Sequence[Plot], title: str) -> str:
    """All charts on one page with tooltips, for a browser without network."""
    script = _library()
    # Inside a script element only "<" could end it, and JSON can write it otherwise.
    data = json.dumps([plot.specification for plot in plots]).replace("<", "\\u003c")
    return render_page(
        "interactive_charts.html.j2",
        styles=(),
        plots=plots,
        title=title,
        data=Markup(data),  # noqa: S704  # JSON without "<"
        script=Markup(script),  # noqa: S704  # this module's, and Vega's
        allowed=script_hash(script),
    )


def script_hash(script: str) -> str:
    """What a page's security policy says to allow this script and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode('ascii')}"


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed with the three lines above; nothing in it can end the script element."""
    return vl_convert.javascript_bundle(_DRAW_ALL).replace("</script", "<\\/script").replace("\r\n", "\n")
