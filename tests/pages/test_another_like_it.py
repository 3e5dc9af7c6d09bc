"""A new game like an existing one: its form is filled in with all of that game's options."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.deadlines.timetable import Holiday, Slot, Week
from games.kernel.models import Game
from games.mastering.services.desk import close_game
from games.pages.forms import CreateGameForm
from games.seating.services.new_game import create_game
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game

pytestmark = pytest.mark.django_db

HOUR, DAY = 3_600, 86_400
SOON = date(datetime.now(UTC).year + 1, 7, 1)
LENGTHS = {"movement_seconds": DAY, "retreat_seconds": DAY, "adjustment_seconds": DAY}
TWICE = Week(zone="Europe/Berlin", movement=(Slot(0, 20, 30), Slot(3, 20, 30)))
STRANGE = Week(
    zone="America/New_York",
    movement=(Slot(0, 19, 0), Slot(3, 19, 0), Slot(5, 12, 15)),
    adjustment=tuple(Slot(day, 8, 5) for day in range(7)),
    days_off=(6,),
    holidays=(
        Holiday(SOON, SOON + timedelta(days=2), "Fair"),
        Holiday(SOON + timedelta(days=9), SOON + timedelta(days=9)),
    ),
)
SOME: tuple[dict[str, Any], ...] = (
    {**LENGTHS, "week": TWICE, "grace_seconds": 12 * HOUR, "grace_times": 2, "absence_days": 14, "vacant_after": 2},
    {
        "movement_seconds": 2 * DAY,
        "retreat_seconds": 12 * HOUR,
        "adjustment_seconds": HOUR,
        "week": STRANGE,
        "grace_seconds": HOUR,
        "grace_times": 5,
        "absence_days": 30,
        "all_ready": True,
        "panic_seconds": 300,
        "gm_processes_early": True,
        "roll_call_seconds": 7 * DAY,
        "seats": "preferences",
        "approval": True,
        "least_reliability": 90,
        "newcomers_welcome": False,
        "show_ready": False,
        "press": "public",
        "press_closed": ("R", "A"),
        "hidden_names": True,
        "gm_sees_bids": False,
        "gm_previews": True,
        "open_bids_at_end": True,
        "draws": "none",
        "open_votes": True,
        "last_year": 1932,
        "vacant_after": 0,
    },
    {**LENGTHS, "roll_call_seconds": 0, "press": "none", "hidden_names": True, "gm_plays": True, "vacant_after": 3},
)


def filled_in(slug: str, name: str = DAVE) -> CreateGameForm:
    answer = visitor(name).get(reverse("games:create"), {"like": slug})
    assert answer.status_code == 200
    form = answer.context["form"]
    assert isinstance(form, CreateGameForm)
    return form


def sent(form: CreateGameForm) -> dict[str, Any]:
    """What a browser sends if the form is left as filled in."""
    values = {field.html_name: field.value() for field in form}
    return {
        name: f"{value:%H:%M}" if name == "hour" else value
        for name, value in values.items()
        if value not in (None, False)
    }


def unfolded(form: CreateGameForm) -> list[str]:
    return [fold.section.title for fold in form.folded_sections(None) if fold.is_open]


@pytest.mark.parametrize("by_invitation", [False, True])
@pytest.mark.parametrize("chosen", SOME, ids=["usual", "unusual", "gunboat"])
def test_the_form_sent_as_it_was_filled_in_makes_a_game_like_it(chosen: dict[str, Any], *, by_invitation: bool) -> None:
    chosen = {**chosen, "approval": chosen.get("approval", False) and not by_invitation}
    slug = create_game(by=person(DAVE).pk, name="Thoiry", variant="1926", by_invitation=by_invitation, **chosen)
    form = filled_in(slug)
    answer = visitor(DAVE).post(reverse("games:create"), {**sent(form), "name": "Another"})
    assert answer.status_code == 303, answer.content.decode()
    first, other = Game.objects.get(slug=slug), Game.objects.get(name="Another")
    assert other.options == first.options
    assert (other.variant_slug, other.by_invitation) == (first.variant_slug, first.by_invitation)
    assert other.invitation != first.invitation


def test_a_choice_that_no_form_offers_becomes_the_nearest_and_a_holiday_that_is_over_goes() -> None:
    past = Week(holidays=(Holiday(date(2020, 1, 1), date(2020, 1, 2), "Long ago"),))
    lengths: dict[str, Any] = {"movement_seconds": 50 * HOUR, "retreat_seconds": 30, "adjustment_seconds": 70}
    game = waiting_game(**lengths, week=past, vacant_after=5, least_reliability=80, roll_call_seconds=5 * DAY)
    values = sent(filled_in(game.slug))
    assert (values["movement_seconds"], values["retreat_seconds"], values["adjustment_seconds"]) == (2 * DAY, 60, 60)
    assert (values["vacant_after"], values["least_reliability"], values["roll_call"]) == ("3", 75, "three")
    assert not any(name.startswith("holiday") for name in values)


def test_groups_that_are_chosen_as_usual_stay_folded() -> None:
    like_the_form: dict[str, Any] = {"gm_plays": True, "vacant_after": 2, "roll_call_seconds": 3 * DAY, "wait_days": 30}
    usual, open_ = waiting_game(**like_the_form), waiting_game(**like_the_form, draws="none")
    assert unfolded(filled_in(usual.slug)) == []
    assert unfolded(filled_in(open_.slug)) == ["How it ends"]


def test_only_what_everybody_there_may_know_is_filled_in_and_only_for_who_may_see_the_game() -> None:
    hidden = running_game(by_invitation=True, name="Chamber")
    page = reverse("games:create") + f"?like={hidden.slug}"
    assert visitor(DAVE).get(page).status_code == visitor(DAVE).get(f"{page}x").status_code == 404
    assert Client().get(page).status_code == 302
    shown = visitor(PLAYERS[0]).get(page).content.decode()
    assert "copied from <strong>Chamber</strong>" in shown
    assert hidden.invitation not in shown
    assert not [name for name in (*PLAYERS[1:], CAROL) if f">{name}<" in shown or f'"{name}"' in shown]
    assert "Chamber" not in str(filled_in(hidden.slug, PLAYERS[0]).groups[0]["name"])


def test_the_pages_of_a_game_lead_there_who_is_signed_in() -> None:
    game = running_game()
    link = f"{reverse('games:create')}?like={game.slug}"

    def leads(browser: Client, name: str) -> bool:
        return link in browser.get(reverse(f"games:{name}", args=[game.slug])).content.decode()

    assert [leads(visitor(DAVE), name) for name in ("game", "terms")] == [True, True]
    assert [leads(Client(), name) for name in ("game", "terms")] == [False, False]
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert (leads(visitor(DAVE), "game"), leads(Client(), "game")) == (True, False)
