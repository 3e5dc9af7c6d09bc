"""Games in every state that matters for what users may do, each with the users who look at it.

Carol is the game master. Once a game has started, Alice plays Austria, Bob Russia, and Fritz (or a bot instead) Turkey.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from games.consent.models import Asking
from games.consent.services import answer_request as agree
from games.consent.services import change_terms
from games.deadlines.absences import book_absence
from games.deadlines.options import Absences
from games.deadlines.phases import hold_game
from games.endings.services import propose_end, vote_on_proposal
from games.kernel import clock
from games.kernel.models import Right, Sitting
from games.mastering.services import assistants, desk
from games.people.moderation import stop_game
from games.press.options import Press
from games.sealed.options import EnteredOrders
from games.seating.models import JoinRequest, RollCall
from games.seating.options import SeatAssignment
from games.seating.services import joining, sitters, vacancies
from games.seating.services.bots import seat_bot
from games.seating.services.new_game import let_bot_play, take_seat
from tests.browsers import EVE
from tests.cast import CAROL, DAVE, PLAYERS, SAM, person
from tests.factories import HOUR, occupancy_of, running_game, waiting_game
from tests.pages.buttons import ADA, ANN, FREE, TED, UNINVITED, A, R, T, day
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

ALICE, BOB, FRITZ = PLAYERS[:3]
SID, ERIN = "sid", "erin"
SMALL: dict[str, Any] = {"variant": "three-way-balkan-battle"}
EVERYTHING: dict[str, Any] = {
    "gm_previews": True,
    "gm_sees_saved": True,
    "gm_enters_orders": True,
    "gm_processes_early": True,
    "all_ready": True,
    "absence_days": 5,
    "own_bots": True,
}
PLAYING = (CAROL, ALICE, BOB, FRITZ, SID, DAVE, EVE)


def ids(game: Game, name: str) -> dict[str, Any]:
    return {"game_id": game.pk, "user_id": person(name).pk}


def by_carol(game: Game) -> dict[str, Any]:
    return {"game_id": game.pk, "by": person(CAROL).pk}


# Before the start.


def with_a_free_seat(**options: Any) -> Game:
    """Alice has taken a seat."""
    game = waiting_game(**SMALL, **options)
    take_seat(**ids(game, ALICE), power=A, token=game.invitation)
    return game


def with_wishes(**options: Any) -> Game:
    """Alice and Bob have joined, and powers will be assigned by preferences."""
    game = waiting_game(**SMALL, seats=SeatAssignment.PREFERENCES, roll_call_seconds=24 * HOUR, **options)
    for name in (ALICE, BOB):
        joining.join_game(**ids(game, name), wishes=[T])
    return game


def calling_the_roll() -> Game:
    """A roll call is open, and Bob has confirmed."""
    game = with_wishes()
    desk.start_game(**by_carol(game))
    joining.confirm_place(**ids(game, BOB))
    return game


def roll_call_over() -> Game:
    """The roll call has run out but hasn't been settled yet."""
    game = calling_the_roll()
    RollCall.objects.filter(game=game).update(deadline=clock.now() - timedelta(seconds=1))
    return game


def with_leave() -> Game:
    """Dave asks to join, Fritz was declined, Sid was accepted, and Alice has taken a seat."""
    game = waiting_game(**SMALL, approval=True)
    for name in (ALICE, FRITZ, SID, DAVE):
        joining.ask_to_join(**ids(game, name))
    for name, accept in ((ALICE, True), (FRITZ, False), (SID, True)):
        joining.answer_join_request(**by_carol(game), username=name, accept=accept)
    take_seat(**ids(game, ALICE), power=A)
    return game


def full_by_leave() -> Game:
    """All seats are taken, and a roll call is open."""
    game = with_leave()
    game.stored_options = {**game.stored_options, "roll_call_seconds": 24 * HOUR}
    game.save()
    for name in (SID, BOB):
        JoinRequest.objects.update_or_create(
            game=game, user=person(name), defaults={"asked": clock.now(), "accepted": True}
        )
        take_seat(**ids(game, name))
    return game


def by_invitation() -> Game:
    """A user without the link is asked to be its game master."""
    game = with_a_free_seat(by_invitation=True)
    assistants.offer_handover(**by_carol(game), username=person(UNINVITED).username)
    return game


def taken_by_the_next_master() -> Game:
    """Alice was asked to be the game master and has since taken a seat."""
    game = waiting_game(**SMALL, least_reliability=90, newcomers_welcome=True)
    assistants.offer_handover(**by_carol(game), username=person(ALICE).username)
    take_seat(**ids(game, ALICE), power=T)
    return game


def closed_before_the_start() -> Game:
    game = with_wishes(absence_days=5)
    desk.close_game(**by_carol(game))
    return game


# In progress.


def begun(**options: Any) -> Game:
    """One phase is adjudicated. A bot plays for Fritz, Sid sits for Bob, who lets the game master enter orders too, and
    Alice proposes a draw."""
    game = running_game(**SMALL, players=PLAYERS[:3], **{**EVERYTHING, **options})
    Story(game).order(A, "A BU1-SER")
    Story(game).deadline()
    let_bot_play(occupancy_id=occupancy_of(game, T).pk)
    today = clock.now().date()
    span: dict[str, Any] = {"first": today, "last": today + timedelta(days=3), "zone": "UTC"}
    sitters.name_sitter(**ids(game, BOB), username=person(SID).username, **span, talks=True)
    sitters.answer_sitting(user_id=person(SID).pk, number=Sitting.objects.latest("pk").pk, accept=True)
    if game.options[EnteredOrders].allowed:
        sitters.let_gm_enter_orders(**ids(game, BOB), agree=True)
    propose_end(occupancy_id=occupancy_of(game, A).pk, kind="draw", powers=(A, R, T))
    if game.options[Absences].absence_days:
        book_absence(**ids(game, ALICE), **day())
    assistants.offer_handover(**by_carol(game), username=person(DAVE).username)
    return game


def due(game: Game) -> Game:
    """The deadline has passed, and the phase is waiting to be adjudicated."""
    Story(game).deadline_comes()
    return game


def paused() -> Game:
    game = begun()
    desk.pause_game(**by_carol(game))
    return game


def held() -> Game:
    game = begun()
    hold_game(game_id=game.pk)
    return game


def stopped() -> Game:
    game = begun()
    stop_game(by=person(SAM).pk, slug=game.slug, reason="Why not.")
    return game


def asked_to_agree() -> Game:
    """To new terms; Bob has agreed."""
    game = begun()
    change_terms(**by_carol(game), choices={"vacant_after": 5})
    agree(**ids(game, BOB), number=Asking.objects.get(game=game).pk, agrees=True)
    return game


def proposed_enough() -> Game:
    """Alice has as many open proposals as allowed, has booked all her days away, and no one asks her to sit."""
    game = running_game(**SMALL, players=PLAYERS[:3], absence_days=1, open_votes=True)
    for powers in ((A, R), (A, T), (R, T)):
        propose_end(occupancy_id=occupancy_of(game, A).pk, kind="draw", powers=powers)
    vote_on_proposal(occupancy_id=occupancy_of(game, R).pk, number=1, agrees=False)
    book_absence(**ids(game, ALICE), **day())
    sitters.name_sitter(**ids(game, BOB), username=person(SID).username, **day())
    return game


def silent(**options: Any) -> Game:
    """No press, no names, and a game master who might play: no one can write messages."""
    game = running_game(**SMALL, players=PLAYERS[:3], gm_plays=True, hidden_names=True, press=Press.NONE, **options)
    Story(game).order(A, "A BU1-SER")
    Story(game).deadline()
    return game


def quiet() -> Game:
    """All press is public and closed in this phase, in which no one gives orders to units."""
    return running_game(variant="formal-diplomacy", press=Press.PUBLIC, press_closed=("D",))


def vacant(**options: Any) -> Game:
    """Fritz has resigned as Turkey, and Erin is asked to play it."""
    game = running_game(**SMALL, players=PLAYERS[:3], **{**EVERYTHING, "gm_processes_early": False, **options})
    vacancies.resign(**ids(game, FRITZ))
    person(ERIN)
    vacancies.invite_to_seat(**by_carol(game), power=T, username=ERIN)
    return game


def just_assigned() -> Game:
    """Erin has Turkey instead of Fritz, and has not opened the game yet."""
    game = running_game(**SMALL, players=PLAYERS[:3], **EVERYTHING)
    desk.seat_player(**by_carol(game), power=T, username=person(ERIN).username, reason="Agreed.")
    return assisted(game)


def with_a_bot() -> Game:
    """A bot has Turkey, which Fritz has resigned and Erin is asked to play."""
    game = vacant()
    seat_bot(**by_carol(game), power=T, level=Level.STRONG)
    return game


def asked_for() -> Game:
    """Dave asks for Turkey, and Erin is asked to play it."""
    game = running_game(**SMALL, players=PLAYERS[:3])
    game.stored_options = {**game.stored_options, "approval": True}
    game.save()
    vacancies.resign(**ids(game, FRITZ))
    vacancies.ask_for_seat(**ids(game, DAVE), power=T)
    person(ERIN)
    vacancies.invite_to_seat(**by_carol(game), power=T, username=ERIN)
    return game


def outdated() -> Game:
    """Users who asked, were invited or were asked to sit no longer can: Dave has sat for Alice, and Erin for Bob."""
    game = asked_for()
    today = clock.now().date()
    for name, player in ((DAVE, ALICE), (ERIN, BOB)):
        sitters.name_sitter(**ids(game, player), username=name, first=today, last=today, zone="UTC")
        sitters.answer_sitting(user_id=person(name).pk, number=Sitting.objects.latest("pk").pk, accept=True)
    return game


def lapsed() -> Game:
    """Fritz has lost Turkey by missing phases."""
    game = running_game(**SMALL, players=PLAYERS[:3], vacant_after=1)
    for power in (A, R):
        Story(game).order(power, "# here")
    Story(game).deadline()
    return game


def with_bids() -> Game:
    """Points are bid, and the game master may look at the bids of the adjudicated phase and correct them."""
    game = running_game(gm_corrects_bids=True)
    Story(game).order("GERMANY", "A Mun-Cze")
    Story(game).deadline()
    return game


def assisted(game: Game) -> Game:
    """Ada has every right of an assistant, Ted may write and set the clock, and Ann has not answered."""
    for name, rights in ((ADA, list(Right)), (TED, [Right.TALK, Right.CLOCK]), (ANN, [Right.SEATS])):
        assistants.name_assistant(**by_carol(game), username=person(name).username, rights=rights)
        if name != ANN:
            assistants.answer_assistance(**ids(game, name), accept=True)
    game.refresh_from_db()
    return game


# Over.


def over(game: Game) -> Game:
    desk.close_game(**by_carol(game))
    return game


STAGES: dict[str, tuple[Callable[[], Game], tuple[str, ...]]] = {
    "nobody is there": (lambda: waiting_game(**SMALL), (CAROL, ALICE)),
    "a seat is free": (with_a_free_seat, (CAROL, ALICE, DAVE, EVE)),
    "a seat is free, the game master plays": (
        lambda: with_a_free_seat(gm_plays=True, press=Press.NONE, absence_days=2),
        (CAROL, ALICE),
    ),
    "wishes": (with_wishes, (CAROL, ALICE, DAVE, EVE)),
    "roll call": (calling_the_roll, (CAROL, ALICE, BOB, DAVE)),
    "roll call, time is up": (roll_call_over, (CAROL, ALICE)),
    "by leave": (with_leave, (CAROL, ALICE, FRITZ, SID, DAVE, FREE)),
    "by leave, and full": (full_by_leave, (CAROL, BOB, DAVE, FREE)),
    "by invitation": (by_invitation, (CAROL, DAVE, UNINVITED)),
    "the next master has sat down": (taken_by_the_next_master, (CAROL, ALICE)),
    "closed before the start": (closed_before_the_start, (CAROL, ALICE, DAVE)),
    "running": (begun, PLAYING),
    "running, time is up": (lambda: due(begun()), (CAROL, ALICE, FRITZ, SID)),
    "paused": (paused, (CAROL, ALICE)),
    "held": (held, (CAROL, ALICE)),
    "stopped by moderators": (stopped, (CAROL, ALICE)),
    "new terms": (asked_to_agree, (CAROL, ALICE, BOB, SID, DAVE)),
    "enough is proposed": (proposed_enough, (CAROL, ALICE, BOB, SID)),
    "silent": (silent, (CAROL, ALICE)),
    "talk is closed": (quiet, (CAROL, ALICE)),
    "a seat is vacant": (vacant, (CAROL, ALICE, FRITZ, ERIN, DAVE, EVE)),
    "a seat has just been assigned": (just_assigned, (CAROL, TED, FRITZ)),
    "a bot has a vacant seat": (with_a_bot, (CAROL, ALICE, FRITZ, ERIN, DAVE)),
    "a seat is vacant, time is up": (lambda: due(vacant()), (CAROL, ERIN, DAVE)),
    "a seat is asked for": (asked_for, (CAROL, DAVE, ERIN, FREE)),
    "a seat is asked for, time is up": (lambda: due(asked_for()), (CAROL, DAVE)),
    "those who asked may not any more": (outdated, (CAROL, DAVE, ERIN)),
    "a seat is lost by silence": (lapsed, (ALICE, FRITZ, DAVE)),
    "a seat is lost by silence, time is up": (lambda: due(lapsed()), (FRITZ,)),
    "assistants": (lambda: assisted(begun()), (CAROL, ADA, TED, ANN, DAVE)),
    "assistants, a seat is asked for": (lambda: assisted(asked_for()), (CAROL, ADA, TED)),
    "assistants, before the start": (lambda: assisted(with_leave()), (CAROL, ADA, TED, ANN)),
    "assistants, bids": (lambda: assisted(with_bids()), (ADA, TED)),
    "assistants, over": (lambda: over(assisted(begun())), (CAROL, ADA, ANN)),
    "bids": (with_bids, (CAROL, ALICE)),
    "over": (lambda: over(begun()), (CAROL, ALICE, BOB, FRITZ, SID, EVE)),
    "over with a vacant seat": (lambda: over(asked_for()), (CAROL, DAVE, ERIN, FRITZ)),
}
