"""How Sphinx makes the site; docs/build.py gathers its pages first."""

import re

from pygments.lexers import BashLexer
from sphinx.application import Sphinx

from spielleiter import __version__

project = "Spielleiter"
author = "the Spielleiter authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
autosummary_generate = False
exclude_patterns: list[str] = []
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Spielleiter {release}"
html_show_copyright = False
html_show_sourcelink = False
html_sourcelink_suffix = ""  # llms.txt names the Markdown of each page.
pygments_style = "friendly"
pygments_dark_style = "native"
autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 100
suppress_warnings = ["misc.highlighting_failure"]  # "..." stands for what is left out of an XML


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.add_lexer("console", BashLexer)  # Commands without a prompt, which the lexer of that name takes for output.
    app.connect("autodoc-process-signature", _parsable)
    app.connect("autodoc-process-docstring", _without_that_of_a_module)


def _parsable(
    app: Sphinx, what: str, name: str, described: object, options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """A signature whose defaults are all Python: Sphinx breaks those with ``<factory>`` at every comma."""
    return signature and re.sub(r"<[^<>]*>", "...", signature), returned


def _without_that_of_a_module(
    app: Sphinx, what: str, name: str, described: object, options: object, lines: list[str]
) -> None:
    """It stands at the head of its page, before the list of names."""
    if what == "module":
        lines.clear()
