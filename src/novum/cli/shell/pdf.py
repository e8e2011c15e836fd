"""`--pdf`: the pages of the reports that a command writes are also printed as PDF, beside them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from novum.cli.shell.options import Pdf
from novum.cli.shell.terminal import print_line, print_message
from novum.reports.pdf import find_browser, print_pages
from novum.reports.written_pages import pages_written


def with_pdf(command: Callable[..., object]) -> Callable[..., object]:
    """Gives a command that writes reports the option `--pdf`. Without a browser it is refused before it does anything;
    a command that ends early prints what it has written by then."""

    @wraps(command)
    def printing(*given: Any, pdf: bool = False, **options: Any) -> object:
        if not pdf:
            return command(*given, **options)
        find_browser()
        with pages_written() as pages:
            try:
                return command(*given, **options)
            finally:
                show = print_message if options.get("as_json") or options.get("form", "text") != "text" else print_line
                for file in print_pages(pages):
                    show(str(file))
                if not pages:
                    print_message("No page was written, so that there is nothing to print as PDF.")

    parameters = [*inspect.signature(command, eval_str=True).parameters.values()]
    parameters.append(inspect.Parameter("pdf", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Pdf))
    setattr(printing, "__signature__", inspect.Signature(parameters))  # noqa: B010  functions have any attribute
    printing.__annotations__ = {each.name: each.annotation for each in parameters}
    return printing
