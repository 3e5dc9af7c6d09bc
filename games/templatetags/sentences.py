"""The tags for sentences, which every template has."""

from django import template
from django.template.base import Parser, Token
from django.utils.translation import get_language, to_locale

from games.kernel.languages import SOURCE
from games.kernel.sentences import CountedNode, SentenceNode

register = template.Library()


@register.simple_tag
def page_language() -> str:
    """The language of the page, as HTML names it."""
    return to_locale(get_language() or SOURCE).replace("_", "-")


@register.simple_tag
def scripts_language() -> str | None:
    """The language whose messages scripts need; None for the language in which they are written."""
    language = get_language()
    return None if language == SOURCE else language


@register.tag
def sentence(parser: Parser, token: Token) -> SentenceNode:
    nodes = parser.parse(("endsentence",))
    parser.delete_first_token()
    return SentenceNode(nodes, in_attribute="in_attribute" in token.contents)


@register.tag
def counted(parser: Parser, token: Token) -> CountedNode:
    """{% counted n %}one{% plural %}more{% endcounted %}"""
    number = parser.compile_filter(token.split_contents()[1])
    one = parser.parse(("plural",))
    parser.delete_first_token()
    many = parser.parse(("endcounted",))
    parser.delete_first_token()
    return CountedNode(number, one, many)
