"""Markup in messages: a little layout, no pictures, no tags, and links that show where they lead."""

from __future__ import annotations

import pytest

from games.press.markup import MOST_MARKS, message_html

LINK = 'rel="nofollow noopener ugc"'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Ruhr** and *Kiel*", "<p><strong>Ruhr</strong> and <em>Kiel</em></p>"),
        ("one\ntwo\n\nthree", "<p>one<br>\ntwo</p>\n<p>three</p>"),
        ("# Loud", "<p><strong>Loud</strong></p>"),
        ("A Mun - Ber * F Kie S A Mun - Ber", "<p>A Mun - Ber * F Kie S A Mun - Ber</p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("<b onclick=x>5 < 6</b>", "<p>&lt;b onclick=x&gt;5 &lt; 6&lt;/b&gt;</p>"),
        ("<https://e.org/>", f'<p><a href="https://e.org/" {LINK}>https://e.org/</a></p>'),
        ("[the bank](https://e.org/)", f'<p><a href="https://e.org/" {LINK}>the bank</a> (https://e.org/)</p>'),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("[x](data:text/html,hello)", "<p>[x](data:text/html,hello)</p>"),
        ("| a |\n|--|\n| b |", "<p>| a |<br>\n|--|<br>\n| b |</p>"),
    ],
)
def test_a_message_is_laid_out_and_obeys_no_tag(text: str, html: str) -> None:
    assert message_html(text).strip() == html


def test_a_picture_is_never_fetched() -> None:
    assert "<img" not in message_html("![seen](https://e.org/you.png)")


def test_a_message_of_nothing_but_marks_is_shown_as_it_was_typed() -> None:
    text = "[<" * MOST_MARKS + "\nend"
    assert message_html(text) == "<p>" + "[&lt;" * MOST_MARKS + "<br>end</p>"
