"""Which players have saved orders, for a game master who may see it, and reminders to the others.

No log records that the game master looked, because the terms say that they can see this. Nor is it recorded who is
reminded: the reminders are the same as before any deadline, and only players without saved orders get them.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from django.db.models import Max
from django.utils.translation import gettext as _

from games.deadlines.models import Reminder
from games.deadlines.phases import powers_owing_orders
from games.deadlines.reminders import write_reminders
from games.kernel.acts import gm_act
from games.kernel.languages import later
from games.kernel.marks import InApi
from games.kernel.members import Participants
from games.kernel.models import UNDER_WAY, Status
from games.kernel.parts import PowerCard
from games.kernel.queries import card_of_power
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import only_before_deadline, only_in_a_phase, only_while, unless, why_not
from games.kernel.standpoint import Standpoint
from games.kernel.wording import length_in_words
from games.press.queries import readers_of_announcement
from games.sealed import store
from games.sealed.options import SeeingWhoSaved

BETWEEN_REMINDERS = timedelta(hours=12)
"""The game master has players reminded at most this often in one phase."""


@dataclass(frozen=True, slots=True)
class SeatSaved:
    """A seat, and whether its player has saved orders."""

    power: Annotated[PowerCard, InApi("The power.")]
    player: Annotated[str, InApi("The name of its player; empty for none.")]
    saved: Annotated[bool | None, InApi("Orders are saved; null if none have to be, or no person plays it.")]
    read: Annotated[bool | None, InApi("The player has read the last announcement; null without one.")]


@dataclass(frozen=True, slots=True)
class MissingView:
    """Which players have saved orders for the open phase. Never what, or how much."""

    seats: Annotated[tuple[SeatSaved, ...], InApi("All seats.")]
    owing: Annotated[int, InApi("How many players have orders to save.")]
    missing: Annotated[int, InApi("How many of them have saved none.")]
    announced: Annotated[bool, InApi("There is an announcement to read.")]
    why_not: Annotated[str, InApi("Why you can’t have them reminded now; empty if you can.")]


def may_see_saved(here: Standpoint) -> None:
    """Allow seeing which players have saved, but not to a game master who plays or has played in the game."""
    unless(here.rights, NotAllowed(_("Only the game master can do that.")))
    private = _("In this game, only the players themselves know whether they have saved orders.")
    unless(here.options[SeeingWhoSaved].seen_by_gm, NotAllowed(private))
    only_while(here, UNDER_WAY, _("The game has not started."))
    not_yet = _("Players began this phase under terms without that. You can see who has saved from the next phase on.")
    unless(only_in_a_phase(here).shows(SeeingWhoSaved), WrongMoment(not_yet))
    played = _("You have had a seat in this game, so you can’t see who has saved orders.")
    unless(not here.has_had_a_seat, NotAllowed(played))


def may_remind(here: Standpoint) -> None:
    may_see_saved(here)
    only_while(here, (Status.RUNNING,), _("Players are reminded only while the clock runs."))
    only_before_deadline(here)
    last = Reminder.objects.filter(phase=here.phase, by_gm=True).aggregate(last=Max("due"))["last"]
    if last is not None and here.now - last < BETWEEN_REMINDERS:
        time_since = length_in_words(max(60, int((here.now - last).total_seconds()) // 60 * 60))
        time_between = length_in_words(int(BETWEEN_REMINDERS.total_seconds()))
        told = _("Players were reminded {ago} ago. You can remind them every {every} in a phase.")
        raise WrongMoment(told.format(ago=time_since, every=time_between))


def missing_view(here: Standpoint) -> MissingView:
    may_see_saved(here)
    saved, owing = store.saved_seats(here.phase), set(powers_owing_orders(here.open_position, here.variant))
    who_has_read, participants = readers_of_announcement(here.game), Participants([here.game])
    seats = []
    for power, seat in here.seats.items():
        holder = here.seated.get(seat.pk)
        human = holder is not None and not holder.user.is_bot
        users = (
            {holder.user_id, *participants.sitters(here.game, [holder.user_id], here.now)}
            if holder and human
            else set()
        )
        seats.append(
            SeatSaved(
                power=card_of_power(here.variant.power(power)),
                player=holder.user.get_username() if holder is not None and human else "",
                saved=seat.pk in saved if human and power in owing else None,
                read=bool(who_has_read & users) if who_has_read is not None and human else None,
            )
        )
    answers = [it.saved for it in seats if it.saved is not None]
    return MissingView(
        seats=tuple(seats),
        owing=len(answers),
        missing=answers.count(False),
        announced=who_has_read is not None,
        why_not=why_not(may_remind, here),
    )


@gm_act.locked(
    "remind",
    may_remind,
    done=later("Players who haven’t saved orders are reminded."),
    to="games:missing",
    offered=False,
)
def remind_missing(here: Standpoint, _by: int) -> None:
    """Remind the players who haven’t saved orders, where the terms allow it.

    Raises WrongMoment soon after another reminder, or while the clock is stopped; NotAllowed if the game master may not
    see who has saved.
    """
    write_reminders(here.game, here.phase, here.now, here.now, by_gm=True)
