"""The pseudo-language, through which every word must pass, and catalogues made of the site itself."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils.translation import trans_real

from games.kernel.languages import PSEUDO, in_pseudo_language
from games.management.commands.catalogue import SCRIPTS, SOURCES, every_message, write_catalogue
from tests.browsers import visitor
from tests.cast import PLAYERS
from tests.factories import occupancy_of, running_game
from tests.story import Story
from variants.registry import find
from variants.words.messages import english

EMPIRE = "collapse-of-the-dual-empire"
CODE, TAG = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL), re.compile("<[^>]*>")
WORDS = {
    text
    for sentences in english()[1].values()
    for sentence in sentences
    for text, _, _ in sentence.parts({"count": 2})
    if len(text) > 9
}
"""The fields of the rules’ sentences."""


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalog]:
    """What the server says in the pseudo-language; its catalogues are where the site looks for them."""
    said, _ = (write_catalogue(PSEUDO, Path(settings.LOCALE_PATHS[-1]), domain) for domain in SOURCES)
    _forget_catalogues()  # an earlier test may have asked for the language before it had any words
    yield said
    _forget_catalogues()


def _forget_catalogues() -> None:
    trans_real._translations.clear()  # type: ignore[attr-defined]


def test_the_pseudo_language_keeps_holes_and_is_longer() -> None:
    assert in_pseudo_language("You play {power} in <a>game {n}</a>.") == "[Ýõü~ plàý~ {power} îñ <a>gàmé~ {n}</a>.]"


def test_a_catalogue_has_the_messages_of_templates_and_of_numbers(catalogue: Catalog) -> None:
    assert str(catalogue["Negotiate freely, order in secret."].string).startswith("[Négõ")
    assert [message for message in catalogue if message.pluralizable]
    assert len(catalogue) > 1500


def test_what_a_translator_wrote_stays_when_messages_change(tmp_path: Path) -> None:
    write_catalogue("de", tmp_path)
    path = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    saved = 'msgid "Negotiate freely, order in secret."\nmsgstr ""'
    assert saved in path.read_text()
    path.write_text(path.read_text().replace(saved, saved[:-1] + 'Frei verhandeln, geheim befehlen."'))
    assert (
        write_catalogue("de", tmp_path)["Negotiate freely, order in secret."].string
        == "Frei verhandeln, geheim befehlen."
    )
    assert b"Frei verhandeln" in path.with_suffix(".mo").read_bytes()


def test_a_translation_without_a_field_of_its_message_is_not_shown(tmp_path: Path) -> None:
    (path := tmp_path / "pt_BR" / "LC_MESSAGES" / "django.po").parent.mkdir(parents=True)
    message, *_ = (each for each in every_message() if "{name}" in each.id)
    path.write_text(f'msgid "{message.id}"\nmsgstr "Sem nada"\n')
    assert message.id in {each.id for each in write_catalogue("pt-br", tmp_path) if each.fuzzy}
    assert b"Sem nada" not in path.with_suffix(".mo").read_bytes()


@pytest.mark.parametrize("wrong", ["Küste: {places:and}.", "Nenne die Küste: {places:or}. {", "Welche Küste?"])
def test_a_translation_with_another_form_of_a_field_or_a_brace_alone_is_not_shown(tmp_path: Path, wrong: str) -> None:
    (path := tmp_path / "de" / "LC_MESSAGES" / "django.po").parent.mkdir(parents=True)
    for translated, kept in ((wrong, False), ("Nenne die Küste: {places:or}.", True), ("Küste? {places}", True)):
        path.write_text(f'msgid "Name the coast: {{places:or}}."\nmsgstr "{translated}"\n')
        assert write_catalogue("de", tmp_path)["Name the coast: {places:or}."].fuzzy is not kept


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogue")
def test_an_address_may_ask_for_a_language_and_others_are_kept_apart() -> None:
    for language, shown in (
        ("", "Negotiate freely"),
        ("xa", "[Négõ"),
        ("", "Negotiate freely"),
        ("qq", "Negotiate freely"),
    ):
        page = Client().get("/variants/", {"lang": language} if language else {}).text
        assert [word for word in ("Negotiate freely", "[Négõ") if word in page] == [shown]
        assert f'<html lang="{"xa" if language == "xa" else "en-GB"}"' in page


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogue")
def test_scripts_get_their_own_messages_where_the_page_is_in_another_language() -> None:
    asked = '<script defer src="/words.js?lang=xa">'
    assert asked in Client().get("/variants/?lang=xa").text
    assert "words.js" not in Client().get("/variants/").text
    catalogue = Client().get("/words.js?lang=xa").text
    assert '"Whole map": "[W' in catalogue
    assert '"{n} point left.": [\n' in catalogue
    assert "Negotiate freely" not in catalogue
    assert len(every_message(SCRIPTS)) > 60


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogue")
def test_what_the_rules_say_is_said_in_the_language_of_the_page() -> None:
    story = Story(running_game(variant=EMPIRE, players=PLAYERS[:6]))
    story.deadline()
    player = occupancy_of(story.game, "CZECHS").user.username
    plain = {*WORDS, *find(EMPIRE).ruleset.factions.values(), "Declarations", "Deployment"}
    for page in ("phases/0/", "orders/", ""):
        shown = visitor(player).get(f"/games/{story.game.slug}/{page}", {"lang": PSEUDO}).text
        read = unescape(TAG.sub("|", CODE.sub("", shown)))
        assert in_pseudo_language("October") in read, page
        assert {words for words in plain if words in read} == set(), page


def test_the_command_says_how_much_is_translated(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("catalogue", PSEUDO)
    assert capsys.readouterr().out.startswith("xa: ")
