"""What can be done in a game: where its button is shown, and the service behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db.models import Q

from adjudication.units import NEUTRAL
from games.consent import services as consent
from games.consent.models import Asking
from games.deadlines.absences import book_absence, cancel_absence
from games.delivery.webhooks import add_webhook
from games.endings.services import propose_end, vote_on_proposal, withdraw_proposal, write_statement
from games.kernel import clock, codec
from games.kernel.members import members_of
from games.kernel.models import Occupancy, Phase, Sitting
from games.kernel.queries import mark_of, phase_head
from games.mastering import judging
from games.mastering.missing import remind_missing
from games.mastering.services import assistants, desk, repair
from games.mastering.services.correcting import correct_sheet, look_at_sheet, published_orders
from games.news.choices import follow
from games.orders.bids import look_at_all_bids, look_at_bids
from games.orders.services import enter_orders, save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.press.services import send_message, write_remark
from games.seating.models import Approach, JoinRequest
from games.seating.services import bots, joining, new_game, placing, sitters, vacancies
from games.seating.services.bots import let_own_bot_play
from tests.factories import powers_of
from variants.bots import Level

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"
FREE = "oscar"
"""A user who has no part in any game and can be named in each."""


@dataclass(frozen=True)
class Player:
    """A user looking at a game, with the arguments their pages send."""

    game: Game
    name: str
    id: int

    @property
    def me(self) -> dict[str, Any]:
        return {"game_id": self.game.pk, "user_id": self.id}

    @property
    def gm(self) -> dict[str, Any]:
        return {"game_id": self.game.pk, "by": self.id}

    @property
    def entering(self) -> dict[str, Any]:
        """With the link, if it was sent to this user."""
        return {**self.me, "token": self.game.invitation if self.name != UNINVITED else ""}

    @property
    def seat(self) -> dict[str, Any]:
        """The user's own seat; Nobody without one, because the page refuses then."""
        held = Occupancy.objects.filter(game=self.game, user_id=self.id, until__isnull=True).first()
        if held is None:
            raise Nobody
        return {"occupancy_id": held.pk}

    @property
    def sheet(self) -> dict[str, Any]:
        """The seat this user may give orders for."""
        sitting = Sitting.objects.filter(occupancy__game=self.game, sitter_id=self.id, accepted=True).first()
        return {"occupancy_id": sitting.occupancy_id, "sitting": sitting.pk} if sitting else self.seat

    @property
    def ordinal(self) -> int:
        """Of the latest phase."""
        return self.game.phases.count() - 1

    @property
    def seen(self) -> dict[str, Any]:
        """The phase that was shown when the page was made."""
        phase = Phase.objects.filter(game=self.game.pk).order_by("ordinal").last()
        return {"seen": mark_of(phase.game, phase_head(phase)) if phase else "", "reason": "Why not."}

    @property
    def asked(self) -> dict[str, Any]:
        """The request of the game master to agree to new terms."""
        found = Asking.objects.filter(game=self.game).first()
        return {"game_id": self.game.pk, "number": found.pk if found else 0}

    def asking(self, *, invited: bool) -> dict[str, Any]:
        """The open request or invitation that the desk shows."""
        found = Approach.objects.filter(game=self.game, invited=invited, accepted__isnull=True).first()
        return {**self.gm, "number": found.pk if found else 0}

    @property
    def sitting(self) -> dict[str, Any]:
        rows = Sitting.objects.filter(occupancy__game=self.game)
        own = rows.filter(Q(sitter=self.id) | Q(occupancy__user=self.id))
        found = own.last() or rows.last()
        return {"user_id": self.id, "number": found.pk if found else 0}


ADA, TED, ANN = "ada", "ted", "ann"
"""Assistants: one with every right, one who may talk, and one who is asked."""
UNINVITED = "ursula"
"""The users who can see a game by invitation without its link."""


class Nobody(Exception):
    """This user has nothing to act with, so there is no page for it."""


@dataclass(frozen=True)
class Act:
    """`shown`: page -> a pattern of the button, which must be on all of them, or `anywhere` among them.

    `by_gm`: the service is for the game master.
    """

    does: Callable[[Player], object]
    shown: dict[str, str]
    by_gm: bool = False
    anywhere: bool = False


def gm(does: Callable[[Player], object], mark: str) -> Act:
    return Act(does, {"gm": mark}, by_gm=True)


def for_seat(power: str, button: str) -> str:
    """This button or link is among the controls of this seat."""
    return rf'name="power" value="{power}">(?:(?!</form>).)*{button}'


def posted(end: str) -> str:
    """A form is sent to an address with this ending."""
    return rf'(?:form)?action="[^"]*/{end}"'


def day(ahead: int = 20) -> dict[str, Any]:
    first = (clock.now() + timedelta(days=ahead)).date()
    return {"first": first, "last": first, "zone": "UTC"}


def asker(game: Game) -> str:
    """A user asking to join."""
    found = JoinRequest.objects.filter(game=game, accepted__isnull=True).select_related("user").first()
    return found.user.get_username() if found else FREE


def a_member(game: Game) -> str:
    """Somebody who has joined."""
    users = get_user_model().objects
    return next((users.get(pk=number).get_username() for number in members_of(game)), FREE)


def on_both_pages(button: str) -> dict[str, str]:
    """Of the first proposal."""
    return dict.fromkeys(("proposals", "game"), posted("proposals/1/vote/") + f"(?:(?!</form>).)*{button}")


def corrected(game: Game) -> dict[str, Any]:
    """The orders of a power in the first phase without one that was not to hold."""
    phase = game.phases.filter(ordinal=0, result__isnull=False).select_related("result").first()
    for power in (*powers_of(game), NEUTRAL):
        lines = published_orders(phase, power) if phase else ()
        going = [line for line in lines if not line.endswith(" H")]
        if going:
            return {"power": power, "text": "\n".join(line for line in lines if line != going[0])}
    return {"power": A, "text": ""}


def after_deadline(game: Game) -> datetime:
    """An hour later than its deadline is, or than now."""
    phase = game.phases.filter(closed__isnull=True).first()
    ends = phase and (phase.before_window or phase.deadline)
    return (ends or clock.now()) + timedelta(hours=1)


def moved(game: Game) -> str:
    """A possible change of the position: removing a unit."""
    phase = game.phases.filter(closed__isnull=True).first()
    return f"{codec.position_of(phase).units[0].province} unit -" if phase else ""


ACTS: dict[str, Act] = {
    "follow": Act(lambda p: follow(**p.me), {"game": ">Follow this game<"}),
    # The game master's desk.
    "start": gm(lambda p: desk.start_game(**p.gm), ">Start the game<|>Start the roll call<"),
    "start anyway": gm(lambda p: desk.start_anyway(**p.gm), ">Start the game anyway<"),
    "cancel the roll call": gm(lambda p: desk.cancel_roll_call(**p.gm), ">Cancel the roll call<"),
    "extend": gm(lambda p: desk.extend_deadline(**p.gm, seconds=60), ">Extend the deadline<"),
    "set the deadline": gm(lambda p: desk.set_deadline(**p.gm, until=after_deadline(p.game)), ">Move the deadline<"),
    "ask for an earlier deadline": gm(
        lambda p: consent.ask_for_earlier_deadline(**p.gm, until=clock.now() + timedelta(hours=1)),
        ">Ask for an earlier deadline<",
    ),
    "change the terms": gm(
        lambda p: consent.change_terms(**p.gm, choices={"vacant_after": 5}), r'href="[^"]*/gm/terms/"'
    ),
    "rename": gm(lambda p: desk.rename_game(**p.gm, name="The long winter"), ">Rename the game<"),
    "pause": gm(lambda p: desk.pause_game(**p.gm), ">Pause the game<"),
    "resume": gm(lambda p: desk.resume_game(**p.gm), ">Resume the game<"),
    "process": gm(lambda p: desk.end_phase_early(**p.gm), posted("gm/process/")),
    "preview": gm(lambda p: judging.preview_open_phase(**p.gm), posted("gm/preview/")),
    "remind": Act(lambda p: remind_missing(**p.gm), {"missing": posted("gm/remind/")}, by_gm=True),
    "declare Turkey": gm(
        lambda p: desk.declare_civil_disorder(**p.gm, power=T), for_seat(T, rf'href="[^"]*/gm/disorder/{T}/"')
    ),
    "put into Turkey": gm(
        lambda p: desk.seat_player(**p.gm, power=T, username=FREE, reason="Agreed."), for_seat(T, ">Assign the seat<")
    ),
    "give Turkey back": gm(
        lambda p: desk.give_back_seat(**p.gm, power=T), for_seat(T, ">Give the seat back to [^<]+<")
    ),
    "take out of Turkey": gm(
        lambda p: desk.empty_seat(**p.gm, power=T, reason="Why not."), for_seat(T, ">Remove the player<")
    ),
    "give Turkey before the start": gm(
        lambda p: placing.place_player(**p.gm, power=T, username=FREE), for_seat(T, ">Give the seat<")
    ),
    "invite into Turkey by email": gm(
        lambda p: placing.send_email_invitation(**p.gm, power=T, email="new@example.org"),
        for_seat(T, ">Invite by email<"),
    ),
    "give a place before the start": gm(lambda p: placing.place_player(**p.gm, username=FREE), ">Give a place<"),
    "invite to a place by email": gm(
        lambda p: placing.send_email_invitation(**p.gm, email="new@example.org"), ">Invite to a place by email<"
    ),
    "remove before the start": gm(
        lambda p: placing.remove_player(**p.gm, username=a_member(p.game), reason="Why not."), posted("gm/remove/")
    ),
    "let a bot play Turkey": gm(
        lambda p: bots.seat_bot(**p.gm, power=T, level=Level.EASY, reason="Why not."), for_seat(T, ">Let a bot play<")
    ),
    "take the bot out of Turkey": gm(lambda p: bots.unseat_bot(**p.gm, power=T), for_seat(T, ">Take the bot out<")),
    "invite into Turkey": gm(
        lambda p: vacancies.invite_to_seat(**p.gm, power=T, username=FREE), for_seat(T, ">Invite the player<")
    ),
    "take an invitation back": gm(
        lambda p: vacancies.withdraw_invitation(**p.asking(invited=True)), 'value="withdraw"'
    ),
    "give a seat": gm(
        lambda p: vacancies.answer_seat_request(**p.asking(invited=False), accept=True),
        posted("gm/approaches/") + '(?:(?!</form>).)*value="yes"',
    ),
    "give no seat": gm(
        lambda p: vacancies.answer_seat_request(**p.asking(invited=False), accept=False),
        posted("gm/approaches/") + '(?:(?!</form>).)*value="no"',
    ),
    "let in": gm(
        lambda p: joining.answer_join_request(**p.gm, username=asker(p.game), accept=True),
        posted("gm/requests/") + '(?:(?!</form>).)*value="yes"',
    ),
    "let nobody in": gm(
        lambda p: joining.answer_join_request(**p.gm, username=asker(p.game), accept=False),
        posted("gm/requests/") + '(?:(?!</form>).)*value="no"',
    ),
    "hand over": gm(
        lambda p: assistants.offer_handover(**p.gm, username=FREE), r'class="button">Ask them to become game master<'
    ),
    "hand nothing over": gm(lambda p: assistants.withdraw_handover(**p.gm), ">Withdraw the request<"),
    "name an assistant": gm(
        lambda p: assistants.name_assistant(**p.gm, username=FREE, rights=["talk"]), ">Ask them to be an assistant<"
    ),
    "remove an assistant": gm(
        lambda p: assistants.dismiss_assistant(**p.gm, username=ADA), f'name="username" value="{ADA}"'
    ),
    "stop assisting": Act(lambda p: assistants.stop_assisting(**p.me), {"gm": posted("gm/step-down/")}),
    "assist": Act(lambda p: assistants.answer_assistance(**p.me, accept=True), {"assist": 'value="yes"'}),
    "do not assist": Act(lambda p: assistants.answer_assistance(**p.me, accept=False), {"assist": 'value="no"'}),
    "go back": gm(lambda p: repair.roll_back(**p.gm, ordinal=0, **p.seen), 'name="to" value="back"'),
    "correct orders": gm(
        lambda p: correct_sheet(**p.gm, ordinal=0, **corrected(p.game), **p.seen), 'name="to" value="orders"'
    ),
    "look at a sheet to correct it": Act(
        lambda p: look_at_sheet(**p.gm, ordinal=0, power="GERMANY"), {"correct": 'name="do" value="look"'}, by_gm=True
    ),
    "enter the orders of Russia": Act(
        lambda p: enter_orders(**p.gm, power=R, ordinal=p.ordinal, text="# here", seen=p.seen["seen"]),
        {"enter-orders": "data-save"},
        by_gm=True,
    ),
    "change the position": gm(
        lambda p: repair.change_position(**p.gm, changes=[moved(p.game)], **p.seen), r'href="[^"]*/gm/position/"'
    ),
    "look at bids": gm(lambda p: look_at_bids(**p.gm, ordinal=0), posted("gm/bids/0/")),
    "look at all bids": gm(lambda p: look_at_all_bids(**p.gm), posted("gm/bids/")),
    "tell elsewhere": Act(
        lambda p: add_webhook(**p.me, address="https://example.org/news", form="chat"),
        {"webhooks": ">Add the webhook<"},
    ),
    "close": gm(lambda p: desk.close_game(**p.gm), r'href="[^"]*/gm/close/"'),
    "write as the game master": Act(
        lambda p: send_message(**p.me, text="Hear", as_gm=True), {"everybody": 'name="voice" value="gm"'}
    ),
    "write to all from the desk": gm(lambda p: send_message(**p.me, text="Hear", as_gm=True), ">Send to everyone<"),
    "write to Turkey alone as the game master": Act(
        lambda p: send_message(**p.me, text="Hear", to=(T,), as_gm=True), {"with the gm": 'name="voice" value="gm"'}
    ),
    "be the game master": Act(lambda p: assistants.answer_handover(**p.me, accept=True), {"take-game": 'value="yes"'}),
    "not be the game master": Act(
        lambda p: assistants.answer_handover(**p.me, accept=False), {"take-game": 'value="no"'}
    ),
    # Before the start.
    "sit down as Turkey": Act(
        lambda p: new_game.take_seat(**p.entering, power=T), {"terms": rf'type="radio" name="power" value="{T}"'}
    ),
    "sit down": Act(lambda p: new_game.take_seat(**p.entering), {"terms": ">Take a seat</button>"}),
    "join": Act(lambda p: joining.join_game(**p.entering), {"terms": ">Join the game</button>"}),
    "wish": Act(lambda p: joining.change_wishes(**p.me, wishes=[R]), {"terms": ">Save my preferences<"}),
    "ask to join": Act(lambda p: joining.ask_to_join(**p.entering), {"terms": ">Ask to join</button>"}),
    "ask no more to join": Act(
        lambda p: joining.withdraw_join_request(**p.me), {"terms": posted("ask/back/"), "game": posted("ask/back/")}
    ),
    "confirm": Act(lambda p: joining.confirm_place(**p.me), {"game": posted("confirm/")}),
    "leave": Act(lambda p: new_game.leave_before_start(**p.me), {"game": posted("leave/")}),
    # Seats of games in progress.
    "take over from the bot": Act(lambda p: new_game.take_over_from_bot(**p.seat), {"game": posted("take-over/")}),
    "let my own bot play": Act(lambda p: let_own_bot_play(**p.me), {"game": posted("own-bot/")}),
    "resign": Act(
        lambda p: vacancies.resign(**p.me), {"game": r'href="[^"]*/resign/"', "resign": ">Give up my seat</button>"}
    ),
    "take Turkey": Act(lambda p: vacancies.take_over_seat(**p.entering, power=T), {"vacant": ">Take this seat<"}),
    "ask for Turkey": Act(lambda p: vacancies.ask_for_seat(**p.entering, power=T), {"vacant": ">Ask for this seat<"}),
    "come back": Act(lambda p: vacancies.come_back(**p.me), {"game": posted("come-back/")}),
    "accept an invitation": Act(lambda p: vacancies.answer_invitation(**p.me, accept=True), {"offer": 'value="yes"'}),
    "decline an invitation": Act(
        lambda p: vacancies.answer_invitation(**p.me, accept=False),
        {"offer": 'value="no"', "game": r'href="[^"]*/offer/"'},
    ),
    "name a sitter": Act(
        lambda p: sitters.name_sitter(**p.me, username=FREE, **day()), {"sitter": ">Ask them to sit for me<"}
    ),
    "let the game master enter my orders": Act(
        lambda p: sitters.let_gm_enter_orders(**p.me, agree=True), {"sitter": posted("sitter/gm/")}
    ),
    "sit": Act(lambda p: sitters.answer_sitting(**p.sitting, accept=True), {"sitting": 'name="answer" value="yes"'}),
    "not sit": Act(
        lambda p: sitters.answer_sitting(**p.sitting, accept=False), {"sitting": 'name="answer" value="no"'}
    ),
    "end a sitting": Act(
        lambda p: sitters.end_sitting(**p.sitting), {"sitting": 'value="end"', "sitter": 'name="end"'}, anywhere=True
    ),
    "book days": Act(lambda p: book_absence(**p.me, **day(30)), {"absences": ">Book these days<"}),
    "cancel days": Act(lambda p: cancel_absence(**p.me, number=1), {"absences": posted("absences/1/cancel/")}),
    # Orders, messages and the end.
    "save": Act(lambda p: save_sheet(**p.sheet, sheet=SentSheet("# here", p.ordinal)), {"orders": "data-save"}),
    "be ready": Act(lambda p: set_ready(**p.sheet, ordinal=p.ordinal, ready=True), {"orders": posted("ready/")}),
    "write to all": Act(lambda p: send_message(**p.me, text="Hear"), {"everybody": 'name="voice" value="power"'}),
    "write to the players": Act(
        lambda p: send_message(**p.me, text="Hear", to=(A, R, T)), {"private": 'name="voice" value="power"'}
    ),
    "write to the game master as Turkey": Act(
        lambda p: send_message(**p.me, text="Hear", to=("", T)), {"with the gm": 'name="voice" value="power"'}
    ),
    "remark": Act(lambda p: write_remark(**p.me, text="Well"), {"gallery": '<textarea class="input" id="message"'}),
    "propose": Act(
        lambda p: propose_end(**p.seat, kind="concession", powers=(T,)), {"proposals": ">Propose this ending<"}
    ),
    "agree": Act(lambda p: vote_on_proposal(**p.seat, number=1, agrees=True), on_both_pages(">Agree<")),
    "refuse": Act(lambda p: vote_on_proposal(**p.seat, number=1, agrees=False), on_both_pages(">Refuse<")),
    "withdraw": Act(lambda p: withdraw_proposal(**p.seat, number=1), on_both_pages(">Withdraw<")),
    "agree to new terms": Act(
        lambda p: consent.answer_request(**p.asked, user_id=p.id, agrees=True), {"consent": ">Agree<"}
    ),
    "refuse new terms": Act(
        lambda p: consent.answer_request(**p.asked, user_id=p.id, agrees=False), {"consent": ">Refuse<"}
    ),
    "withdraw new terms": Act(
        lambda p: consent.withdraw_request(**p.asked, by=p.id), {"consent": 'value="recall"', "gm": 'value="recall"'}
    ),
    "state": Act(lambda p: write_statement(**p.me, text="Well"), {"game": posted("statement/")}),
}


def is_shown(act: Act, pages: dict[str, str]) -> set[bool]:
    """Whether the button is on the pages that have a place for it."""
    found = {re.search(mark, pages[page], re.DOTALL) is not None for page, mark in act.shown.items()}
    return {any(found)} if act.anywhere else found
