"""Sentences of templates in the reader's language.

{% sentence %} stands around each sentence when a template has been loaded (`games.kernel.told_in_templates`); nobody
writes it. Where a number decides, people write {% counted n %}one seat{% plural %}{{ n }} seats{% endcounted %}.

A message has {name} for each field and <a>…</a> for each inline element, whose attributes stay in the template. In
English the template's own words are shown.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.template.base import FilterExpression, Node, NodeList, TextNode, VariableNode
from django.template.library import SimpleNode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from games.kernel.languages import HOLE, SOURCE
from games.kernel.told_in_templates import PLACEHOLDER, VOID, placeholder

TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)((?:\"[^\"]*\"|'[^']*'|[^\"'>])*+)>", re.DOTALL)
SPACE = re.compile(r"\s+")


class TemplateMessage(NamedTuple):
    """`message`: what translators read. `holes`: a field or tag in the message -> what is shown in its place."""

    message: str
    holes: Mapping[str, NodeList]


def message_of(nodes: NodeList) -> TemplateMessage:
    text = "".join(node.s if isinstance(node, TextNode) else placeholder(number) for number, node in enumerate(nodes))
    holes: dict[str, NodeList] = {}
    holes_by_name: dict[str, str] = {}

    def name_hole(name: str, source: str) -> str:
        """A name for a hole; if another hole has the name, it gets a number."""
        number, unique_name = 1, name
        while holes_by_name.setdefault(unique_name, source) != source:
            number, unique_name = number + 1, f"{name}{number + 1}"
        holes[unique_name] = NodeList(_nodes(source, nodes))
        return unique_name

    open_tags: list[str] = []

    def name_tag(match: re.Match[str]) -> str:
        if match[1]:
            name = open_tags.pop() if open_tags else match[2]
            holes[f"/{name}"] = NodeList(_nodes(match[0], nodes))
            return f"</{name}>"
        name = name_hole(match[2], match[0])
        if match[2] not in VOID:
            open_tags.append(name)
        return f"<{name}>"

    def name_field(match: re.Match[str]) -> str:
        return "{" + name_hole(_name_of(nodes[int(match[1])]), match[0]) + "}"

    message = PLACEHOLDER.sub(name_field, TAG.sub(name_tag, text))
    return TemplateMessage(SPACE.sub(" ", message).strip(), holes)


def _nodes(source: str, nodes: NodeList) -> Iterator[Node]:
    for number, part in enumerate(PLACEHOLDER.split(source)):
        if number % 2:
            yield nodes[int(part)]
        elif part:
            yield TextNode(part)


def _name_of(node: Node) -> str:
    """The last word of a field, as in "name" for `view.game.name`."""
    field: Any = node
    if isinstance(node, SimpleNode) and node.args:
        field = node.args[0]
    if isinstance(node, VariableNode):
        field = node.filter_expression
    if isinstance(field, FilterExpression):
        return str(field.var).rsplit(".", 1)[-1]
    return "shown"


class SentenceNode(Node):
    """A sentence. `in_attribute`: is it the value of an attribute?"""

    def __init__(self, nodes: NodeList, *, in_attribute: bool = False) -> None:
        self.nodelist, self.in_attribute = nodes, in_attribute
        self.said = message_of(nodes)

    def render(self, context: Any) -> SafeString:
        if get_language() == SOURCE:
            return self.nodelist.render(context)
        message = gettext(self.said.message)
        if self.in_attribute:  # as the same words may be in a text, too, they may contain HTML
            message = message.replace("<", "&lt;").replace('"', "&quot;")
        return _fill(message, self.said.holes, context)


class CountedNode(Node):
    """A sentence that depends on a number."""

    child_nodelists = ("one", "many")

    def __init__(self, number: FilterExpression, singular: NodeList, plural: NodeList) -> None:
        self.number, self.one, self.many = number, singular, plural
        self.message_for_one, self.message_for_many = message_of(singular), message_of(plural)

    def render(self, context: Any) -> SafeString:
        number = self.number.resolve(context)
        if get_language() == SOURCE:
            return (self.one if number == 1 else self.many).render(context)
        message = ngettext(self.message_for_one.message, self.message_for_many.message, number)
        return _fill(message, {**self.message_for_one.holes, **self.message_for_many.holes}, context)


def holes_in(message: str) -> set[str]:
    """The names of a message's fields and elements."""
    return {hole[1:-1].partition(":")[0] for hole in HOLE.findall(message)}


def _fill(message: str, holes: Mapping[str, NodeList], context: Any) -> SafeString:
    """The translated message with its holes filled. The words of catalogues are ours, so they may hold HTML."""

    def text_in_hole(match: re.Match[str]) -> str:
        nodes = holes.get(match[0][1:-1])
        return match[0] if nodes is None else nodes.render(context)

    return mark_safe(HOLE.sub(text_in_hole, message))  # noqa: S308
