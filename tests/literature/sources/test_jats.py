"""Full texts in JATS: their sections, formulas and references, and what is refused."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novum.literature import Reference
from novum.literature.sources.jats import read_jats

DOCTYPE = (
    '<?xml version="1.0"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Archiving DTD v1.4//EN"\n'
    '  "JATS-archivearticle1-4.dtd">'
)
FRONT = """<front><article-meta>
<title-group><article-title>On <italic>Apis</italic></article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Nuñez</surname><given-names>Zoë</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Chief</surname><given-names>Ed</given-names></name></contrib>
</contrib-group>
<abstract><sec><title>Background</title><p>Bees dance.</p></sec>
<sec><title>Results.</title><p>So far.</p></sec></abstract>
</article-meta></front>"""
BODY = """<body>
<p>Before any heading.</p>
<sec><label>1.</label><title>Introduction</title>
<p>Bees <xref ref-type="bibr">[1]</xref> dance<fn><p>A footnote.</p></fn>.</p>
<fig><label>Figure 1.</label><caption><p>A hive.</p></caption><graphic/></fig>
<table-wrap><label>Table 1</label><caption><p>Counts.</p></caption><table><tr><td>17</td></tr></table></table-wrap>
<sec><title>Angles</title><list><list-item><p>one</p></list-item><list-item><p>two</p></list-item></list>
<p>At <inline-formula><alternatives><tex-math>\\documentclass{a}\\begin{document}$x^2$\\end{document}</tex-math>
<math><mi>x</mi></math></alternatives></inline-formula> degrees.</p></sec>
</sec>
</body>"""
BACK = """<back><ref-list>
<ref id="a"><element-citation>
<person-group><name><surname>Li</surname><given-names>W</given-names></name></person-group>
<article-title>Wings</article-title><source>Bee World</source><year>2001</year>
<pub-id pub-id-type="pmid">77</pub-id><pub-id pub-id-type="doi">10.1000/W</pub-id></element-citation></ref>
<ref id="b"><mixed-citation><article-title>Stings</article-title><pub-id pub-id-type="pmid">78</pub-id></mixed-citation>
</ref>
<ref id="c"><mixed-citation>Anon A. <article-title>The hive as a whole</article-title>. 1901.</mixed-citation></ref>
<ref id="d"><mixed-citation/></ref>
</ref-list></back>"""


def article(*parts: str, start: str = DOCTYPE) -> bytes:
    """A file of these parts."""
    return f"{start}<article>{''.join(parts)}</article>".encode()


def test_an_article_becomes_headings_and_paragraphs():
    text = read_jats(article(FRONT, BODY, BACK)).text
    assert text == "\n\n".join(
        [
            "# On Apis",
            "Zoë Nuñez",
            "## Abstract",
            "Background: Bees dance.\n\nResults: So far.",
            "Before any heading.",
            "## 1 Introduction",
            "Bees [1] dance.\n\nFigure 1. A hive.\n\nTable 1 Counts.",
            "### Angles",
            "one two\n\nAt $x^2$ degrees.",
            "## References",
            "- W Li. Wings. Bee World. 2001\n- Stings\n- Anon A. The hive as a whole. 1901.",
        ]
    )


def test_references_are_named_by_doi_number_or_title():
    assert read_jats(article(FRONT, BODY, BACK)).references == (
        Reference("doi", "10.1000/w"),
        Reference("pmid", "78"),
        Reference("title", "The hive as a whole"),
    )


@pytest.mark.parametrize("start", ["", '<?xml version="1.0"?>', "<!DOCTYPE article SYSTEM 'archivearticle.dtd'>"])
def test_a_name_of_the_document_type_may_stand_or_not(start: str):
    assert "Bees [1] dance." in read_jats(article(BODY, start=start)).text


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (article(BODY, start='<!DOCTYPE article [<!ENTITY a "b">]>'), "document type"),
        (
            article(BODY, start='<!DOCTYPE article SYSTEM "x" [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
            "document type",
        ),
        (article(BODY, start=DOCTYPE + DOCTYPE[22:]), "document type"),
        (article(FRONT), "without its text"),
        (b"<html><body>Sign in</body></html>", "not an article"),
        (b"%PDF-1.7", "not XML"),
        (article("<body><p>" + "<b>" * 300 + "</b>" * 300 + "</p></body>"), "nested more than"),
        (article("<body><p>&undefined;</p></body>"), "not XML"),
        (article(f"<body><p>{'x' * 4_100_000}</p></body>"), "4,100,0.. characters"),
    ],
    ids=["entity", "outside entity", "two types", "no text", "web page", "pdf", "deep", "undefined", "long"],
)
def test_what_is_no_article_or_could_be_an_attack_is_refused(answer: bytes, problem: str):
    with pytest.raises(ValueError, match=problem):
        read_jats(answer)


_TAGS = st.sampled_from(
    [
        "sec",
        "title",
        "p",
        "list",
        "fig",
        "caption",
        "ref",
        "mixed-citation",
        "pub-id",
        "alternatives",
        "tex-math",
        "name",
    ]
)
_TREES = st.recursive(
    st.text(max_size=20).map(escape),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", _TAGS, st.lists(inner, max_size=5)),
    max_leaves=20,
)


@settings(max_examples=80, deadline=None)
@given(_TREES, _TREES)
def test_any_tree_of_elements_is_read_or_refused(body: str, bibliography: str):
    try:
        read = read_jats(article(f"<body>{body}<p>End.</p></body><back><ref-list>{bibliography}</ref-list></back>"))
    except ValueError as refused:
        assert "XML" in str(refused)  # characters that XML does not have
    else:
        assert "End." in read.text
