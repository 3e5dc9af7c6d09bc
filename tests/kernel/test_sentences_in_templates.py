"""Every sentence of a template is one message; in English its own words are shown, in other languages a translation."""

import pytest
from django.template import Context, Engine
from django.utils.translation import override

from games.kernel import sentences
from games.kernel.sentences import SentenceNode
from games.kernel.told_in_templates import mark_sentences
from tests.house.messages import parts

ENGINE = Engine(
    builtins=["django.templatetags.i18n", *(f"games.templatetags.{name}" for name in ("sentences", "site_words"))]
)


def said(source: str) -> list[str]:
    """What translators read of a template."""
    nodes = ENGINE.from_string(mark_sentences(source)).nodelist
    return [node.said.message for node in nodes.get_nodes_by_type(SentenceNode) if isinstance(node, SentenceNode)]


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ("<p>Orders saved.</p>", ["Orders saved."]),
        ("<p>{{ view.game.name }}</p><p>·</p>", []),
        ("<p>You play {{ view.power }}, and {{ other.power }} too.</p>", ["You play {power}, and {power2} too."]),
        ("<p>By {% moment phase.deadline %} at\n  the latest.</p>", ["By {deadline} at the latest."]),
        ('<p>Read <a href="{% url "x" %}">the rules</a> <b>now</b>.</p>', ["Read <a>the rules</a> <b>now</b>."]),
        ('<a href="/a">Sign in</a> <a href="/b">Sign up</a>', ["Sign in", "Sign up"]),
        ("<p><strong>Vacant:</strong></p>", ["Vacant:"]),
        ("{% if a %}Join the game{% else %}Leave the game{% endif %}", ["Join the game", "Leave the game"]),
        ('<a title="To {{ name }}" class="nav"{% if a %} aria-label="Go on"{% endif %}>', ["To {name}", "Go on"]),
        ("{% block title %}Games{% endblock %}{% block page_class %}page narrow{% endblock %}", ["Games"]),
        ("One paragraph\nof two lines.\n\nAnother one.", ["One paragraph of two lines.", "Another one."]),
        ('{% block styles %}<link title="New games">{% endblock %}', ["New games"]),
        ("<script>const word = 1;</script><style>a b {}</style>", []),
        ("<p><b>One{% if a %} more</b>{% endif %}</p>", ["One", "more"]),
    ],
)
def test_a_sentence_of_a_template_is_one_message(source: str, messages: list[str]) -> None:
    assert said(source) == messages


SEEN = (
    '<p class="a">Read <a href="/{{ n }}">{{ what }}</a>  now,\n {{ name }}.</p>'
    "{% counted n %}a seat{% plural %}{{ n }} seats{% endcounted %}"
)
GIVEN = {"what": "the <rules>", "name": "Anna", "n": 2}


def test_in_english_a_page_is_what_it_was_without_marks() -> None:
    page = ENGINE.from_string(mark_sentences(SEEN)).render(Context(GIVEN))
    assert page == '<p class="a">Read <a href="/2">the &lt;rules&gt;</a>  now,\n Anna.</p>2 seats'


def test_a_translation_puts_the_fields_and_elements_where_it_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = {"Read <a>{what}</a> now, {name}.": "{name}, lies <a>{what}</a>!"}
    monkeypatch.setattr(sentences, "gettext", lambda message: catalogue[message])
    monkeypatch.setattr(sentences, "ngettext", lambda _, many, number: f"{many} ({number})")
    with override("de"):
        page = ENGINE.from_string(mark_sentences(SEEN)).render(Context(GIVEN))
    assert page == '<p class="a">Anna, lies <a href="/2">the &lt;rules&gt;</a>!</p>2 seats (2)'


def test_a_translation_can_not_leave_its_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "gettext", lambda _: 'Das "<b>{name}</b>"')
    with override("de"):
        page = ENGINE.from_string(mark_sentences('<p title="The {{ name }}">')).render(Context({"name": "Elbe"}))
    assert page == '<p title="Das &quot;&lt;b>Elbe&lt;/b>&quot;">'


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>You {% if a %}can{% else %}can’t{% endif %} join.</p>", ["can", "can’t", "join."]),
        ("<p>Ends {% if a %}now{% endif %}</p>", ["now"]),
        ('{% include "form.html" with id="a-b" button="Sign in" act=_("Sign up") %}', ["Sign in"]),
        ("<p>{{ name }} {% if a %}won{% endif %}</p>", ["won"]),
        ('<p>There is {{ n|amount:"seat" }} free.</p>', ['There is {{ n|amount:"seat" }} free.']),
        ("<p>{% for name in names %}{{ name }}{% endfor %} and you</p>", ["and you"]),
        ('<a title="To {% if a %}all{% else %}{{ name }}{% endif %}">Write</a>', ["all"]),
    ],
)
def test_a_sentence_that_logic_or_a_filter_makes_is_found(source: str, text: list[str]) -> None:
    assert [part.text for part in parts("page.html", source)] == text


@pytest.mark.parametrize(
    "source",
    [
        "<p>You joined.{% if a %} It starts soon.{% endif %}</p>",
        "<p>{% if a %}You joined.{% else %}You left.{% endif %}</p>",
        "<p>{{ name }}{% if a %} (bot){% endif %}</p>",
        "<p>Name</p>{% if a %}<p>and place</p>{% endif %}",
        "<p>Name</p><p>{% if a %}Place{% else %}Time{% endif %}</p>",
        "<b>Saved</b> <span>{% if a %}You can change it.{% endif %}</span>",
        '<b>{{ name }}</b>{% if a %} <span class="chip">guessed</span>{% endif %}',
        '<p>Left open: {{ names|join:", " }}.</p>',
        '<p>{{ name }} <span class="small">{% if a %}no place{% else %}at {{ place }}{% endif %}</span></p>',
        '<a {% if a %}title="Write to {{ name|default:there }}"{% endif %}>',
    ],
)
def test_whole_sentences_may_be_chosen_by_logic(source: str) -> None:
    assert not [*parts("page.html", source)]
