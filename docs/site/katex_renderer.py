"""Writes formulas into the page as text, which KaTeX typesets in the browser: manual.js. Nothing comes from a network."""

from docutils import nodes


def inline(translator, node):
    translator.body.append(translator.starttag(node, "span", "", CLASS="formula"))
    translator.body.append(translator.encode(node.astext()) + "</span>")
    raise nodes.SkipNode


def display(translator, node):
    translator.body.append(translator.starttag(node, "div", "", CLASS="formula display"))
    translator.body.append(translator.encode(node.astext()) + "</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
