"""Messages as HTML: a little Markdown, and nothing that a writer could use to mislead or to watch a reader."""

from collections.abc import Iterator

import nh3
from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {"a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "s", "strong", "ul"}
SCHEMES = {"http", "https", "mailto"}
MARKS, MOST_MARKS = "[]*_`<~&", 400
"""With more of them a message is shown as it was typed: reading them all takes the longer the more there are."""

READER = MarkdownIt("js-default", {"html": False, "breaks": True}).disable(["image", "table", "reference"])
READER.validateLink = lambda url: url.partition(":")[0].lower() in SCHEMES  # type: ignore[method-assign]
"""An address without one of them would lead somewhere on this site, or where the page happens to be."""


def rendered(text: str) -> SafeString:
    """Bold, italics, lists, quotes, code, links; line breaks stay, headings are bold, a link shows where it leads."""
    if sum(map(text.count, MARKS)) > MOST_MARKS:
        return format_html("<p>{}</p>", mark_safe(linebreaksbr(text, autoescape=True)))  # noqa: S308 - escaped here
    tokens = [token for block in READER.parse(text) for token in _plain(block)]
    html = READER.renderer.render(tokens, READER.options, {})
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
        url_schemes=SCHEMES,
        link_rel="nofollow noopener ugc",
    )
    return mark_safe(clean)  # noqa: S308 - cleaned above


def _plain(block: Token) -> Iterator[Token]:
    """A heading as a bold paragraph; everything else as it is, with its links."""
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
    """After each link whose words are not its address, the address."""
    address, words = "", ""
    for token in tokens:
        yield token
        if token.type == "link_open":
            address, words = str(token.attrs["href"]), ""
        elif token.type == "link_close" and words not in {address, address.removeprefix("mailto:")}:
            yield Token("text", "", 0, content=f" ({address})")
        else:
            words += token.content
