"""Messages as HTML: a little Markdown, and nothing that a writer could use to mislead or track a reader."""

import re
from collections.abc import Iterator
from html import unescape

import nh3
from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games.kernel.wording import one_line

TAGS = {"a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "s", "strong", "ul"}
SCHEMES = {"http", "https", "mailto"}
WHOLE_ADDRESS = re.compile(r"(https?://|mailto:)[^/]", re.IGNORECASE)
MARKS, MOST_MARKS = "[]*_`<~&", 400
"""A message with more of them is shown as it was typed, because parsing takes longer the more there are."""

READER = MarkdownIt("js-default", {"html": False, "breaks": True}).disable(["image", "table", "reference"])
READER.validateLink = lambda url: bool(WHOLE_ADDRESS.match(url))  # type: ignore[method-assign]
"""Any other address would be relative to the page, and lead somewhere on this site."""


def message_html(text: str) -> SafeString:
    """The message as HTML with bold, italics, lists, quotes, code and links, which show where they lead."""
    if sum(map(text.count, MARKS)) > MOST_MARKS:
        return format_html("<p>{}</p>", mark_safe(linebreaksbr(text, autoescape=True)))  # noqa: S308 - escaped here
    tokens = [token for block in READER.parse(text) for token in _without_heading(block)]
    html = READER.renderer.render(tokens, READER.options, {})
    safe_html = nh3.clean(
        html,
        tags=TAGS,
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
        url_schemes=SCHEMES,
        link_rel=_("nofollow noopener ugc"),
    )
    return mark_safe(safe_html)  # noqa: S308 - cleaned above


def message_plain(text: str) -> str:
    """The message on one line, without its marks."""
    return one_line(unescape(strip_tags(message_html(text).replace("<br>", " "))))


def _without_heading(block: Token) -> Iterator[Token]:
    """Turn a heading into a bold paragraph; leave any other block as it is, except for links."""
    if block.type == "heading_open":
        yield Token("paragraph_open", "p", 1)
        yield Token("strong_open", "strong", 1)
    elif block.type == "heading_close":
        yield Token("strong_close", "strong", -1)
        yield Token("paragraph_close", "p", -1, block=True)
    else:
        block.children = list(_with_addresses(block.children)) if block.children else block.children
        yield block


def _with_addresses(tokens: list[Token]) -> Iterator[Token]:
    """Add the address after each link whose text is not its address."""
    address, words = "", ""
    for token in tokens:
        yield token
        if token.type == "link_open":
            address, words = str(token.attrs["href"]), ""
        elif token.type == "link_close" and words not in {address, address.removeprefix("mailto:")}:
            yield Token("text", "", 0, content=f" ({address})")
        else:
            words += token.content
