"""The settings of Sphinx for the manual. scripts/docs copies this file beside the pages and calls Sphinx."""

import os

project = "Polhode"
copyright = "the Polhode authors"  # noqa: A001: the name that Sphinx reads
version = release = os.environ.get("POLHODE_VERSION", "")
language = "en"
smartquotes = False  # --option stays as it is

extensions = ["myst_parser", "breathe", "katex_renderer"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["files", "xml", "extra", "static"]
root_doc = "index"

# The pages are GitHub's Markdown: formulas between dollars, links to headings by their GitHub names.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 5
myst_dmath_double_inline = True
suppress_warnings = ["myst.header"]  # a page may skip a level of headings

breathe_projects = {"polhode": "xml"}
breathe_default_project = "polhode"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
primary_domain = "c"
default_role = "code"
highlight_language = "text"
pygments_style = "default"
pygments_dark_style = "monokai"
c_id_attributes = ["PH_API"]

html_theme = "furo"
html_title = f"Polhode {version}"
html_math_renderer = "katex"
html_static_path = ["static"]
html_css_files = ["katex/katex.min.css", "manual.css"]
html_js_files = ["katex/katex.min.js", "manual.js"]
html_extra_path = ["extra"] if os.path.isdir("extra") else []
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"top_of_page_button": None}
