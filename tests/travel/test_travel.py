"""Files of games, and games that were played elsewhere: what is stored, shown, counted and refused."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from diplomacy_site.patience import most_bytes
from games.kernel import limits
from games.kernel.models import Event, Game, Occupancy, Status
from games.mastering.judging import compare_all_games
from games.mastering.services.desk import close_game, declare_civil_disorder
from games.pages.queries import GameLists, showcase
from games.people.profiles import count_players_yesterday
from games.seating.filling import kind_of_game, seconds_to_fill
from games.travel import views
from games.travel.services import add_game, pack
from tests.adjudication.material import GAMES
from tests.browsers import address, visitor
from tests.cast import CAROL, PLAYERS, person
from tests.factories import running_game
from tests.long_round import how_many
from tests.story import Story
from tests.variants.travelling import damaged, random_game, recorded_games
from variants.registry import find
from variants.travel import FORMS, READERS, PlayedGame, read_games, replayed, write_game

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
COUNT = how_many("recorded")
DAMAGED = how_many("damaged")
READABLE = [name for name in FORMS if name in READERS]
ADD = "/add-a-game/"
KEPT = re.compile(r'name="kept" value="([^"]+)"')


def added(text: str, name: str = "") -> Game:
    return Game.objects.get(slug=add_game(by=person(ALICE).pk, text=text, name=name))


def sent(client: Client, text: str, **more: Any) -> Any:
    return client.post(ADD, {"file": SimpleUploadedFile("game.json", text.encode()), **more})


def exported(game: Game, form: str, client: Client | None = None) -> str:
    answer = (client or visitor(None)).get(address("export", game, form=form))
    assert answer.status_code == 200
    return answer.content.decode()


def rows() -> dict[str, int]:
    """How many rows there are of everything but sessions."""
    return {
        model._meta.label: model._base_manager.count() for model in apps.get_models() if model.__name__ != "Session"
    }


def without_facts(game: PlayedGame) -> list[Any]:
    return [(it.ordinal, it.position, it.public, it.bids) for it in game.phases]


# Files to take along.


def test_a_game_goes_out_in_every_form_and_says_only_what_everyone_knows() -> None:
    story = Story(running_game())
    story.order("BRITAIN", "F Lon-NTH", "1: A Bel H")
    story.deadline()
    before = {form: exported(story.game, form) for form in FORMS}
    story.order("BRITAIN", "F NTH H", "2: A Bel H")
    for form in FORMS:
        assert exported(story.game, form, visitor(ALICE)) == exported(story.game, form) == before[form]
        assert "Bid" not in before[form]
        assert '"bids"' not in before[form]
    [told] = read_games(exported(story.game, "dipcc"))
    found = replayed(told)
    assert found.differences == ()
    assert [phase.position.turn.code for phase in found.game.phases] == ["S1926M"]
    assert found.game.heading.players["BRITAIN"] == ALICE
    report = exported(story.game, "markdown")
    assert address("picture", story.game, ordinal=0) in report


def test_players_of_an_anonymous_game_are_not_named_in_its_files() -> None:
    story = Story(running_game(hidden_names=True))
    story.deadline()
    for form in FORMS:
        assert ALICE not in exported(story.game, form, visitor(ALICE)).lower()


def test_a_report_may_be_of_one_phase() -> None:
    story = Story(running_game())
    story.deadline()
    place = address("export", story.game, form="text")
    alone = visitor(None).get(f"{place}?phase=0").content.decode()
    assert "Spring 1926, movement" in alone
    for wrong in ("1", "-1", "x", "9" * 30):
        assert visitor(None).get(f"{place}?phase={wrong}").status_code == 404
    assert visitor(None).get(address("export", story.game, form="pypi") + "?phase=0").status_code == 404
    assert visitor(None).get(address("export", story.game, form="docx")).status_code == 404


def test_a_game_by_invitation_goes_out_to_those_who_see_it() -> None:
    story = Story(running_game(by_invitation=True))
    story.deadline()
    assert visitor(None).get(address("export", story.game, form="pypi")).status_code == 404
    assert exported(story.game, "pypi", visitor(ALICE))


# Adding a game.


def test_a_file_is_looked_into_before_it_is_added() -> None:
    text, client = write_game("pypi", random_game(find("standard"), 5)), visitor(ALICE)
    before = rows()
    page = sent(client, text, name="The Riviera")
    assert page.status_code == 200
    shown = page.content.decode()
    assert "Nothing has been added yet" in shown
    assert "The Riviera" in shown
    assert "Our adjudicator finds the same results." in shown
    assert rows() == before
    kept = KEPT.findall(shown)[0]
    done = client.post(ADD, {"kept": kept, "name": "The Riviera"})
    game = Game.objects.latest("pk")
    assert done.status_code == 303
    assert done["Location"] == address("game", game)
    assert (game.name, game.status) == ("The Riviera", Status.FINISHED)
    log = client.get(address("log", game)).content.decode()
    assert "alice added this game, which was played elsewhere." in log


def test_a_text_may_be_pasted_and_a_wrong_one_is_not_lost() -> None:
    client = visitor(ALICE)
    short = write_game("dipcc", random_game(find("standard"), 5, phases=2))
    assert client.post(ADD, {"pasted": short}).status_code == 200
    page = client.post(ADD, {"pasted": '{"id": "my typing"', "name": "Riviera"})
    assert page.status_code == 422
    shown = page.content.decode()
    assert "Line 1, column 19: this is not JSON" in shown
    assert "my typing" in shown
    assert "Riviera" in shown
    for wrong in ({}, {"pasted": "{}", "file": SimpleUploadedFile("game.json", b"{}")}):
        assert client.post(ADD, wrong).status_code == 422
    assert "not text in UTF-8" in client.post(ADD, {"file": SimpleUploadedFile("x", b"\xff\xfe")}).content.decode()


@pytest.mark.parametrize("named", ["A game", "Player 3"])
def test_no_file_brings_a_web_address_as_a_name(named: str) -> None:
    text = write_game("record", random_game(find("standard"), 5, phases=2))
    page = sent(visitor(ALICE), text.replace(named, "www.evil.example"), name="")
    kept = KEPT.search(page.content.decode())
    if kept:
        page = visitor(ALICE).post(ADD, {"kept": kept[1], "name": ""})
    assert page.status_code == 422
    assert "contain" in page.content.decode()
    assert "a web address" in page.content.decode()
    assert not Game.objects.exists()


def test_a_game_played_elsewhere_is_marked_on_every_list_and_counts_nowhere() -> None:
    played = random_game(find("1926"), 5)
    shown_before = showcase()
    game = added(write_game("record", played))
    assert [showcase(), shown_before] == [None, None]
    assert count_players_yesterday() == 0
    assert seconds_to_fill([kind_of_game("1926", 1), kind_of_game("1926", 86_400)]) == {}
    assert not Occupancy.objects.filter(game=game).exists()
    assert list(compare_all_games()) == []
    [card] = GameLists(person(BOB)).page("finished").games
    assert (card.elsewhere, card.gm_name, card.i_am_gm) == (True, "", False)
    assert GameLists(person(ALICE)).page("mine").games == ()
    lists = reverse("games:lobby") + "?show=finished"
    assert "played elsewhere" in visitor(BOB).get(lists).content.decode()
    answer = visitor(BOB).get(reverse("api:game", kwargs={"slug": game.slug})).json()
    assert answer["game"]["elsewhere"] is True
    assert Event.objects.filter(game=game).count() == 1


def test_its_pages_work_for_everyone_and_no_one_runs_it() -> None:
    played = random_game(find("1926"), 5)
    game = added(write_game("record", played))
    for name in (None, ALICE, CAROL):
        client = visitor(name)
        page = client.get(address("game", game)).content.decode()
        assert "Played elsewhere" in page
        assert "Player 0" in page
        assert "/people/Player" not in page
        assert "GM desk" not in page
        for which in ("history", "log", "record", "terms"):
            assert client.get(address(which, game)).status_code == 200
        for phase in played.phases:
            assert client.get(address("phase", game, ordinal=phase.ordinal)).status_code == 200
        assert client.get(address("gm", game)).status_code == (302 if name is None else 404)
    assert visitor(None).get(address("map", game, ordinal=0)).status_code == 200


@pytest.mark.parametrize("opened", [True, False])
def test_our_own_record_comes_out_as_it_went_in(opened: bool) -> None:
    text = write_game("record", random_game(find("1926"), 6, opened=opened))
    game = added(text)
    answer = visitor(None).get(address("record", game))
    assert json.loads(answer.content) == json.loads(text)
    assert json.loads(exported(game, "record")) == json.loads(text)


def test_the_file_of_a_game_keeps_the_facts_of_its_record() -> None:
    game = running_game(variant="locarno")
    declare_civil_disorder(game_id=game.pk, by=person(CAROL).pk, power="POLAND")
    Story(game).deadline()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    taken, told = json.loads(exported(game, "record")), json.loads(visitor(None).get(address("record", game)).content)
    assert (taken["verdict"]["kind"], taken["verdict"]) == ("closed", told["verdict"])
    assert taken["phases"][0]["notices"] == told["phases"][0]["notices"] != []


def test_bids_that_were_opened_elsewhere_are_shown() -> None:
    played = random_game(find("1926"), 5)
    game = added(write_game("dipcc", played))
    [back] = read_games(exported(game, "pypi"))
    assert [phase.bids for phase in replayed(back).game.phases] == [phase.bids for phase in played.phases]
    ordinal = next(phase.ordinal for phase in played.phases if phase.bids)
    assert "Published bids" in visitor(None).get(address("phase", game, ordinal=ordinal)).content.decode()


@pytest.mark.skipif(not GAMES.exists(), reason="there is no file of recorded games")
def test_recorded_games_come_out_as_they_went_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "refusal_if_too_often", lambda *_of: False)
    for number, told in enumerate(recorded_games(COUNT)):
        found = replayed(told)
        form = READABLE[number % len(READABLE)]
        text = write_game(form, found.game)
        [read] = read_games(text)
        game = added(text)
        assert game.elsewhere is not None
        assert game.elsewhere["differences"] == list(replayed(read).differences)
        for again in READABLE:
            [back] = read_games(exported(game, again, visitor(None)))
            assert without_facts(replayed(back).game) == without_facts(found.game)


# Refusals.


def test_damaged_files_are_refused_and_nothing_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "refusal_if_too_often", lambda *_of: False)
    chance, client, before = Random(33), visitor(ALICE), None
    files = [write_game(form, random_game(find(slug), 5)) for form in READABLE for slug in ("standard", "1926")]
    for number in range(DAMAGED):
        text = damaged(chance.choice(files), chance)
        before = before or rows()
        looked = sent(client, text)
        assert looked.status_code == 422, number
        assert "This file can’t be added." in looked.content.decode()
        anyway = client.post(ADD, {"kept": pack(text.encode("utf-8", "replace").decode()), "name": ""})
        assert anyway.status_code == 422, number
        assert rows() == before


def test_only_who_has_signed_in_may_add_a_game_and_not_many_at_once() -> None:
    text = write_game("pypi", random_game(find("standard"), 5))
    assert visitor(None).get(ADD).status_code == 302
    assert visitor(None).post(ADD, {"pasted": text}).status_code == 302
    client = visitor(ALICE)
    for _ in range(10):
        assert client.post(ADD, {"kept": pack(text)}).status_code == 303
    refused = client.post(ADD, {"kept": pack(text)})
    assert refused.status_code == 422
    assert "added 10 games within an hour" in refused.content.decode()
    assert Game.objects.count() == 10


@pytest.mark.parametrize("kept", ["", "x", "AAAA", pack("{}"), pack("[" * 5_000)])
def test_what_the_page_kept_is_read_like_any_other_file(kept: str) -> None:
    assert visitor(ALICE).post(ADD, {"kept": kept}).status_code == 422
    assert not Game.objects.exists()


def test_several_games_and_a_future_are_refused() -> None:
    one = write_game("pypi", random_game(find("standard"), 5))
    future = write_game("record", random_game(find("standard"), 5)).replace("2010-03-01T", "2150-03-01T")
    late = write_game("record", random_game(find("standard"), 5)).replace('"last_year": null', '"last_year": 1700')
    for text, sentence in ((f"{one}\n{one}", "has 2 games"), (future, "in the future"), (late, "begins in 1901")):
        page = sent(visitor(ALICE), text).content.decode()
        anyway = visitor(ALICE).post(ADD, {"kept": pack(text)}).content.decode()
        assert sentence in anyway
        assert sentence in page or "future" in sentence
    assert not Game.objects.exists()


def test_only_the_page_for_files_takes_long_ones() -> None:
    assert reverse("games:add-game") == settings.FILES_PATH == ADD
    assert most_bytes({"method": "POST", "path": ADD}) == settings.LONGEST_FILE
    assert most_bytes({"method": "POST", "path": "/new-game/"}) == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
