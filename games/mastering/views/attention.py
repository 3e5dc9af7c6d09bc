"""What needs the game master's attention, based only on what everyone may see of the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.deadlines.news import HELD, PAUSED
from games.kernel.models import Status
from games.kernel.news import News
from games.kernel.page import Page
from games.mastering.overview import LATE
from games.mastering.queries import gm
from games.news.log import events
from games.press.queries import unread
from games.seating.queries import joining_view, power_views

OFTEN_MISSED = 2
NEAR = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class DeskMatter:
    """Something that needs attention. `urgent`: the game can't continue well until it is done. `since` when, if known;
    `place` is the part of the desk where it can be dealt with, `seat` the power it is about."""

    sentence: str
    urgent: bool = False
    since: datetime | None = None
    place: str = ""
    seat: str = ""


def matters(view: Page, now: datetime, *, asking: int = 0) -> tuple[DeskMatter, ...]:
    """What needs attention, urgent matters first, then in the order of the desk. Nothing in it shows who has saved
    orders.

    `asking`: how many players ask for a vacant seat.
    """
    all_matters = [*_from_state(view), *_from_requests(view, asking), *_from_clock(view, now), *_from_seats(view)]
    if unread_count := unread(view):
        message = ngettext(
            "You have 1 unread message in this game.", "You have {count} unread messages in this game.", unread_count
        )
        all_matters.append(DeskMatter(message.format(count=unread_count)))
    return tuple(sorted(all_matters, key=lambda matter: not matter.urgent))


def _from_state(view: Page) -> Iterator[DeskMatter]:
    game = view.game
    if game.status == Status.HELD:
        yield DeskMatter(game.status_sentence, urgent=True, since=_time_of_newest(view, HELD))
    if game.status == Status.PAUSED:
        sentence = _("The game is paused. Players can save orders, but the phase won’t end until you resume the game.")
        yield DeskMatter(sentence, since=_time_of_newest(view, PAUSED), place="gm-clock")
    if game.status == Status.OPEN and game.taken == game.players and game.roll_call_until is None:
        sentence = (
            _("All seats are taken or kept for guests, but the game has not started.")
            if game.kept
            else _("All seats are taken, but the game has not started.")
        )
        yield DeskMatter(sentence, place="gm-clock")
    lobby = joining_view(view)
    roll_call = lobby.roll_call if lobby else None
    if roll_call is not None and roll_call.confirmed < roll_call.wanted:
        count = roll_call.wanted - roll_call.confirmed
        sentence = ngettext(
            "The roll call still waits for 1 player.", "The roll call still waits for {count} players.", count
        )
        yield DeskMatter(sentence.format(count=count), place="gm-roll-call")
    if game.status == Status.OPEN and game.taken < game.players:
        count = game.players - game.taken
        sentence = ngettext("The game needs 1 more player.", "The game needs {count} more players.", count)
        yield DeskMatter(sentence.format(count=count), place="invitation" if game.by_invitation else "")


def _from_requests(view: Page, asking: int) -> Iterator[DeskMatter]:
    here = gm(view)
    requests = here.requests if here else ()
    if requests:
        sentence = ngettext("A player has asked to join.", "{count} players have asked to join.", len(requests))
        yield DeskMatter(sentence.format(count=len(requests)), since=requests[0].asked, place="gm-requests")
    if asking:
        sentence = ngettext(
            "A player has asked for a vacant seat.", "{count} players have asked for a vacant seat.", asking
        )
        yield DeskMatter(sentence.format(count=asking), place="gm-market")


def _time_of_newest(view: Page, news: News) -> datetime | None:
    return next((event.at for event in events(view) if event.kind == news.log), None)


def _from_clock(view: Page, now: datetime) -> Iterator[DeskMatter]:
    deadline = view.game.deadline
    if view.game.status != Status.RUNNING or deadline is None:
        return
    if now - deadline > LATE:
        sentence = _("The deadline has passed, but there is no result yet. Tell the people who run this site.")
        yield DeskMatter(sentence, urgent=True, since=deadline)
    elif deadline <= now:
        yield DeskMatter(_("The deadline has passed; the phase is being adjudicated."))
    elif deadline - now <= NEAR:
        yield DeskMatter(_("The deadline is approaching."), place="gm-clock")


def _from_seats(view: Page) -> Iterator[DeskMatter]:
    if view.game.status not in {Status.RUNNING, Status.PAUSED, Status.HELD}:
        return
    for power in power_views(view):
        if power.disordered:
            continue
        if not power.seated:
            sentence = _("{power} is vacant: its units hold until you find a player.").format(power=power.name)
            yield DeskMatter(sentence, urgent=power.units > 0, place="gm-seats", seat=power.id)
        elif power.missed >= OFTEN_MISSED:
            label = f"{power.name} ({power.player})" if power.player else power.name
            sentence = _("{power} has missed {count} phases.").format(power=label, count=power.missed)
            yield DeskMatter(sentence, place="gm-seats", seat=power.id)
