"""What is posted to Discord is what it takes: results with the map, times on each reader's clock, reminders."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from games.delivery.discord import discord_message
from games.delivery.posting import post_news
from games.delivery.webhooks import add_webhook
from games.kernel import clock
from games.kernel.models import Phase
from games.news.log import public_news_of
from games.news.models import Webhook
from tests.cast import CAROL, person
from tests.delivery.test_webhooks import receiver, try_now
from tests.factories import open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.delivery.test_webhooks import OtherSite

__all__ = ["receiver"]
pytestmark = pytest.mark.django_db

LIMITS: dict[str, Any] = json.loads((Path(__file__).parent / "discord.json").read_text())
SECRET = "3: A Aus S A Mun-Cze"


def refused(said: dict[str, Any]) -> list[str]:
    """Why Discord would refuse this message."""
    found = _wrong("message", said)
    for embed in said["embeds"]:
        found += _wrong("embed", embed)
        for field in embed.get("fields", ()):
            found += _wrong("field", field) + [f"empty {key}" for key in ("name", "value") if not field[key]]
    texts = [text for embed in said["embeds"] for text in (embed["title"], embed["description"])]
    texts += [text for embed in said["embeds"] for it in embed.get("fields", ()) for text in (it["name"], it["value"])]
    return found + ["too long in all"] * (sum(map(len, texts)) > LIMITS["all_texts"])


def _wrong(part: str, said: dict[str, Any]) -> list[str]:
    limits = {key: most for key, most in LIMITS[part].items() if key != "keys"}
    unknown = [f"unknown {key}" for key in said if key not in LIMITS[part]["keys"]]
    return unknown + [f"too long {key}" for key, most in limits.items() if len(said.get(key, "")) > most]


def hooked(receiver: OtherSite, game: Game, *, reminders: bool = False) -> None:
    who = person(CAROL).pk
    add_webhook(game_id=game.pk, user_id=who, address=receiver.address, form="chat", reminders=reminders)


def stamp(game: Game) -> int:
    deadline = open_phase(game).deadline
    assert deadline is not None
    return int(deadline.timestamp())


def test_a_result_has_the_map_every_power_s_orders_and_the_deadline_on_the_reader_s_clock(receiver: OtherSite) -> None:
    story = Story(running_game())
    hooked(receiver, story.game)
    story.order("GERMANY", "A Mun-Cze", SECRET)
    story.deadline()
    assert post_news() == 1
    (said,) = receiver.shown()
    (embed,) = said["embeds"]
    assert refused(said) == []
    assert embed["title"] == "Locarno: Spring 1926, movement"
    assert embed["image"] == {"url": f"http://testserver/games/{story.game.slug}/phases/0/map.png"}
    assert f"<t:{stamp(story.game)}:F> (<t:{stamp(story.game)}:R>)" in embed["description"]
    fields = {field["name"]: field["value"] for field in embed["fields"]}
    assert "✓ A Mun–Cze" in fields["Germany"]
    assert "No orders received." in fields["France"]
    assert "3: " not in json.dumps(said)


def test_a_game_by_invitation_posts_no_address_of_a_picture_that_nobody_could_open(receiver: OtherSite) -> None:
    game = running_game(by_invitation=True)
    hooked(receiver, game)
    Story(game).deadline()
    assert post_news() == 1
    assert "image" not in receiver.shown()[0]["embeds"][0]


def test_what_is_too_long_is_cut_with_the_number_of_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.delivery.discord.MOST_SIGNS", 700)
    game = running_game(name="A *bold* name")
    Story(game).deadline()
    news = [line for line in public_news_of(game) if line.ordinal is not None]
    said = discord_message(game, "The result is out. " * 200, news)
    assert refused(said) == []
    (embed,) = said["embeds"]
    assert "\\*bold\\*" in embed["title"]
    assert any(field["value"].endswith(" more") for field in embed["fields"])
    texts = [text for field in embed["fields"] for text in (field["name"], field["value"])]
    assert sum(map(len, (embed["title"], embed["description"], *texts))) <= 700


def test_a_reminder_is_posted_once_when_players_are_reminded_and_only_where_it_was_chosen(receiver: OtherSite) -> None:
    game, other = running_game(), running_game()
    hooked(receiver, game, reminders=True)
    hooked(receiver, other)
    assert post_news() == 0
    Phase.objects.update(reminded=clock.now() + timedelta(seconds=1))
    assert [post_news(), try_now()] == [1, 0]
    (said,) = receiver.shown()
    assert refused(said) == []
    assert said["content"] == "Locarno: Spring 1926, movement ends soon."
    assert f"<t:{stamp(game)}:R>" in said["embeds"][0]["description"]


def test_a_reminder_does_not_depend_on_who_has_saved(receiver: OtherSite) -> None:
    story = Story(running_game())
    hooked(receiver, story.game, reminders=True)
    Phase.objects.update(reminded=clock.now() + timedelta(seconds=1))
    post_news()
    story.order("GERMANY", SECRET)
    story.order("FRANCE", "A Par H")
    Webhook.objects.update(reminded_until=clock.now() - timedelta(days=1))
    post_news()
    first, second = receiver.shown()
    assert first == second


def test_a_webhook_that_has_stopped_posts_no_reminder(receiver: OtherSite) -> None:
    game = running_game()
    hooked(receiver, game, reminders=True)
    Webhook.objects.update(next_try=None)
    Phase.objects.update(reminded=clock.now() + timedelta(seconds=1))
    assert post_news() == 0


def test_a_program_gets_a_reminder_with_the_deadline(receiver: OtherSite) -> None:
    game, who = running_game(), person(CAROL).pk
    add_webhook(game_id=game.pk, user_id=who, address=receiver.address, form="json", reminders=True)
    Phase.objects.update(reminded=clock.now() + timedelta(seconds=1))
    assert post_news() == 1
    (said,) = receiver.shown()
    deadline = open_phase(game).deadline
    assert deadline is not None
    assert (said["event"], said["lines"], said["deadline"]) == ("reminder", [], deadline.isoformat())


def test_a_test_post_shows_the_next_deadline(receiver: OtherSite) -> None:
    game = running_game()
    hooked(receiver, game)
    Webhook.objects.update(next_test=clock.now())
    assert post_news() == 1
    (said,) = receiver.shown()
    assert refused(said) == []
    assert said["embeds"][0]["description"].startswith(
        "This is a test post.\n\nDeadline for Spring 1926, movement: <t:"
    )
