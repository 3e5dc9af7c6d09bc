"""Previews of the result of saved orders: only if everyone was told, never for a game master who plays, always
logged."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.models import Phase, Result
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.judging import preview_open_phase
from games.mastering.news import PREVIEWED
from games.mastering.services import desk as game_master
from games.sealed import store
from games.sealed.store import NoAccessToSheet
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import HOUR, occupancy_of, open_phase, powers_of, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def carol() -> int:
    return person(CAROL).pk


def test_a_look_beforehand_shows_what_would_be_published_and_nothing_of_bids_or_of_who_saved() -> None:
    game = running_game(gm_previews=True)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.order("FRANCE", "1: A Hun H")
    seen = preview_open_phase(game_id=game.pk, by=carol())
    story.deadline()
    result = story.seen_by(DAVE, 0).result
    assert result is not None
    assert (seen.outcomes, seen.notices, seen.verdict) == (result.outcomes, result.notices, result.verdict)
    assert seen.following.units == story.seen_by(DAVE).drawing.units
    assert seen.following_title == "Fall 1926, movement"
    assert not {"bids", "missed", "saved"} & set(type(seen).__dataclass_fields__)


@pytest.mark.parametrize("offer", ["2: A Aus S A Mun-Cze", "2: A Aus H", "1: A Hun S A Aus", "1: F Nwy H"])
def test_where_the_game_master_never_sees_bids_no_preview_depends_on_them(offer: str) -> None:
    game, seen = running_game(gm_previews=True, gm_sees_bids=False), []
    for bids in ((), (offer,)):
        Story(game).order("GERMANY", "A Mun-Cze", *bids)
        seen.append(preview_open_phase(game_id=game.pk, by=carol()))
    assert seen[0] == seen[1]
    assert {it.power for it in seen[1].outcomes} == {*powers_of(game)}, "no orders of minor powers"


@pytest.mark.parametrize("sees", [True, False])
def test_the_terms_and_the_preview_say_whether_orders_of_minor_powers_are_left_out(sees: bool) -> None:
    game = running_game(gm_previews=True, gm_sees_bids=sees)
    terms = " ".join(str(term.sentence) for term in Story(game).seen_by(DAVE).game.options.terms)
    assert ("they show no orders of minor powers" in terms) is not sees
    assert preview_open_phase(game_id=game.pk, by=carol()).without_minors is not sees
    page = " ".join(visitor(CAROL).post(reverse("games:preview", args=[game.slug])).content.decode().split())
    assert ("units of minor powers hold here and their orders are left out" in page) is not sees
    assert ("A Aus holds" in page) is sees


def test_where_nothing_is_bid_no_preview_leaves_anything_out() -> None:
    game = running_game(variant="standard", gm_previews=True, gm_sees_bids=False)
    assert not preview_open_phase(game_id=game.pk, by=carol()).without_minors


def test_every_look_beforehand_is_in_the_public_log_and_leaves_nothing_else() -> None:
    game = running_game(gm_previews=True)
    story = Story(game)
    preview_open_phase(game_id=game.pk, by=carol())
    preview_open_phase(game_id=game.pk, by=carol())
    sentences = [event.sentence for event in story.seen_by(DAVE).events if event.kind == PREVIEWED.log]
    assert sentences == ["carol previewed the result of the orders saved so far for Spring 1926."] * 2
    assert (Phase.every.count(), Result.every.count()) == (1, 0)


def test_without_the_option_or_without_the_right_nobody_looks_beforehand() -> None:
    game = running_game()
    with pytest.raises(NotAllowed, match="created without previews"):
        preview_open_phase(game_id=game.pk, by=carol())
    with pytest.raises(NoAccessToSheet):
        store.read_for_preview(open_phase(game))
    chosen = running_game(gm_previews=True)
    for name in ("alice", DAVE):
        with pytest.raises(NotAllowed, match="Only the game master"):
            preview_open_phase(game_id=chosen.pk, by=person(name).pk)
    for closed in (game, chosen):
        assert not closed.events.filter(kind=PREVIEWED.log).exists()
    with pytest.raises(WrongMoment, match="not started"):
        preview_open_phase(game_id=waiting_game(gm_previews=True).pk, by=carol())


def test_who_has_had_a_seat_never_looks_beforehand() -> None:
    game = running_game(gm_previews=True)
    held = occupancy_of(game, "ITALY")
    held.user = person(CAROL)
    held.save()
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="ITALY", username=person(DAVE).username, reason="Agreed."
    )
    with pytest.raises(NotAllowed, match="had a seat"):
        preview_open_phase(game_id=game.pk, by=carol())


def test_the_door_opens_only_while_the_phase_is_open() -> None:
    game = running_game(gm_previews=True)
    phase = open_phase(game)
    Story(game).deadline()
    phase.refresh_from_db()
    with pytest.raises(NoAccessToSheet):
        store.read_for_preview(phase)


def test_a_game_master_who_plays_cannot_choose_previews_and_everybody_is_told_of_them() -> None:
    with pytest.raises(BadOptions, match="isn’t playing"):
        GameOptions.create(movement_seconds=HOUR, gm_plays=True, gm_previews=True)
    sentences = [term.sentence for term in Story(running_game(gm_previews=True)).seen_by(DAVE).game.options.terms]
    assert any("can preview the result of the orders saved so far" in sentence for sentence in sentences)
    assert not any("preview" in term.sentence for term in Story(running_game()).seen_by(DAVE).game.options.terms)
