"""Naming a sitter, who plays for a player for some days, and the sitter's answers. Nobody else learns who it is."""

from datetime import date, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.kernel.acts import Asked, asked_for_user, player_act
from games.kernel.blocks import is_blocked
from games.kernel.days import refuse_impossible_days, start_and_end_of_days
from games.kernel.languages import later
from games.kernel.limits import count_request_to_user
from games.kernel.locking import account_named, lock_game_for
from games.kernel.models import Sitting
from games.kernel.news import tell
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.rules import sitters as rules

MOST_DAYS = timedelta(days=60)


Sitter = Annotated[
    str,
    asked_for_user(
        says="The user you ask to sit for you.",
        missing=later("Enter a player name."),
        help_text=later("Choose someone who isn’t involved in this game. They have to accept first."),
    ),
]
First = Annotated[date, Asked(says="The first day, in your time zone.")]
Last = Annotated[date, Asked(says="The last day, which belongs to it.")]
Talks = Annotated[
    bool,
    Asked(
        says="The sitter may read and write new messages of the seat.",
        label=later("My sitter can read and send messages for me"),
        help_text=later("They can’t see earlier messages."),
    ),
]
MayEnter = Annotated[bool, Asked(says="True to let the game master enter your orders, false to withdraw that.")]


@player_act.locked("name_sitter", rules.may_name_sitter, seated=True)
def name_sitter(
    here: Standpoint, user_id: int, *, username: Sitter, first: First, last: Last, zone: str, talks: Talks = False
) -> None:
    """Ask another user to sit for you: they get an email and say yes or no. Days are in your time zone.

    Raises UnknownPlayer; NotAllowed without a seat, or if they know another power; WrongMoment for impossible days.
    """
    game, now, occupancy = here.game, here.now, here.occupancy
    user = account_named(username)
    if why := rules.why_not_sit(game, user, occupancy.seat):
        raise NotAllowed(_("{why} Choose someone who isn’t involved in this game.").format(why=why))
    refuse_impossible_days(first, last, now.astimezone(ZoneInfo(zone)).date())
    told = _("A sitter can play for at most {longest} days. Choose a shorter time.")
    unless(last - first < MOST_DAYS, WrongMoment(told.format(longest=MOST_DAYS.days)))
    count_request_to_user(user_id, here.game)
    occupancy.sittings.filter(ended__isnull=True, ends__lte=now).update(ended=now)
    begins, ends = start_and_end_of_days(first, last, zone)
    sitting = Sitting.objects.create(occupancy=occupancy, sitter=user, begins=max(now, begins), ends=ends, talks=talks)
    if not is_blocked(by=user.pk, whom=user_id):
        tell(news.SITTER_ASKED, game, at=now, to=[user.pk], about=str(sitting.pk))


@player_act.locked("let_gm_enter", rules.may_let_gm_enter, seated=True)
def let_gm_enter_orders(here: Standpoint, _user_id: int, *, agree: MayEnter) -> None:
    """Let the game master see and enter your orders for the current phase, where the terms allow that, or withdraw it.

    Orders the game master has saved still count.
    """
    here.occupancy.gm_enters = agree
    here.occupancy.save(update_fields=["gm_enters"])


@transaction.atomic
def answer_sitting(*, user_id: int, number: int, accept: bool) -> None:
    """Agree or decline, as the user who was asked. The log only says that a player has a sitter."""
    here, sitting = _lock_open_sitting(number, user_id)
    (rules.may_agree_to_sit if accept else rules.may_answer_sitting)(here, sitting)
    game, now = here.game, here.now
    sitting.accepted = accept
    sitting.save(update_fields=["accepted"])
    if accept:
        tell(news.SITTER_NAMED, game, at=now)
    answer = news.SITTER_ACCEPTED if accept else news.SITTER_DECLINED
    tell(answer, game, at=now, to=[sitting.occupancy.user_id], about=str(sitting.pk))


def _lock_open_sitting(number: int, user_id: int) -> tuple[Standpoint, Sitting]:
    own = Q(sitter_id=user_id) | Q(occupancy__user_id=user_id)
    game_id = Sitting.objects.filter(own, pk=number).values_list("occupancy__game_id", flat=True).first()
    if game_id is None:
        raise NotAllowed(_("You have not been asked to sit here."))
    here = lock_game_for(game_id, user_id)
    open_ones = Sitting.objects.filter(ended__isnull=True, ends__gt=here.now, occupancy__until__isnull=True)
    sitting = open_ones.filter(pk=number).select_related("occupancy__seat", "sitter").first()
    if sitting is None:
        raise WrongMoment(_("This sitting is over."))
    return here, sitting


@transaction.atomic
def end_sitting(*, user_id: int, number: int) -> None:
    """End a sitting now, as the player or the sitter. Orders the sitter has saved for the open phase still count."""
    here, sitting = _lock_open_sitting(number, user_id)
    rules.may_end_sitting(here, sitting)
    sitting.ended = here.now
    sitting.save(update_fields=["ended"])
