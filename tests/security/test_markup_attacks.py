"""Attacks in messages come out as text: no tag, attribute or scheme except the few that are intended."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from games.press.markup import SCHEMES, TAGS, message_html

ATTACKS = [
    "<script>alert(1)</script>",
    "<ScRiPt >alert(1)</sCrIpT >",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1) /><a id=x><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<details open ontoggle=alert(1)>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<a href='javascript:alert(1)'>x</a>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](java&#10;script:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example/)",
    "[x](https:/accounts/logout/)",
    "[x](https:accounts/logout/)",
    "[x](https:///accounts/logout/)",
    '[x](https://e.org/" onmouseover="alert(1))',
    "[x](https://e.org/ '\" onmouseover=alert(1)')",
    '[x](<https://e.org/" onclick=alert(1)>)',
    "[a]: javascript:alert(1)\n\n[a]",
    "![x](https://e.org/x.png)",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    '<https://e.org/"onclick=alert(1)>',
    "`<script>alert(1)</script>`",
    '```"><script>alert(1)</script>\nx\n```',
    "~~~html onload=alert(1)\n<script>\n~~~",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    '["><img src=x onerror=alert(1)>](https://e.org/)',
    "[x](https://e.org/){onclick=alert(1)}",
    "<b style='background:url(javascript:alert(1))'>x</b>",
    "\u202e[gro.e//:sptth](https://evil.example/)",
    "****" * 200 + "<script>alert(1)</script>",
    "0. <a onclick=alert(1)>x</a>",
    "> <script>alert(1)</script>",
    "\0<script\0>alert(1)</script>",
]


class Strict(HTMLParser):
    """Notes everything that should not be there, as a browser would read it."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        allowed = {"a": {"href", "rel"}, "ol": {"start"}}.get(tag, set())
        self.bad += [tag] if tag not in TAGS else []
        for name, value in attrs:
            address = urlsplit((value or "").strip())
            leads_away = address.scheme == "mailto" or (address.scheme in SCHEMES and address.netloc)
            if name not in allowed or (name == "href" and not leads_away):
                self.bad.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        self.bad.append(f"<!--{data}-->")


@pytest.mark.parametrize("text", ATTACKS)
def test_nothing_but_the_few_tags_that_are_meant_comes_out(text: str) -> None:
    for written in (text, f"# {text}", f"- {text}", f"**{text}**", f"> {text}"):
        found = Strict()
        found.feed(message_html(written))
        found.close()
        assert found.bad == [], written
