"""Naming a sitter, who plays for a player for some days, and the sitter's answers. Nobody else learns who it is."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.kernel.blocks import is_blocked
from games.kernel.days import refuse_impossible_days, start_and_end_of_days
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


@transaction.atomic
def name_sitter(
    *, game_id: int, user_id: int, username: str, first: date, last: date, zone: str, talks: bool = False
) -> None:
    """Ask a user to write the orders of one's seat on these days, including the `last`, by the clocks of the zone.

    Raises UnknownPlayer; NotAllowed without a seat, or if they know another power; WrongMoment for impossible days.
    """
    here = lock_game_for(game_id, user_id)
    rules.may_name_sitter(here)
    game, now, occupancy = here.game, here.now, here.occupancy
    user = account_named(username)
    if why := rules.why_not_sit(game, user, occupancy.seat):
        raise NotAllowed(_("{why} Choose someone who isn’t involved in this game.").format(why=why))
    refuse_impossible_days(first, last, now.astimezone(ZoneInfo(zone)).date())
    unless(
        last - first < MOST_DAYS,
        WrongMoment(
            _("A sitter can play for at most {longest} days. Choose a shorter time.").format(longest=MOST_DAYS.days)
        ),
    )
    count_request_to_user(user_id, here.game)
    occupancy.sittings.filter(ended__isnull=True, ends__lte=now).update(ended=now)
    begins, ends = start_and_end_of_days(first, last, zone)
    sitting = Sitting.objects.create(occupancy=occupancy, sitter=user, begins=max(now, begins), ends=ends, talks=talks)
    if not is_blocked(by=user.pk, whom=user_id):
        tell(news.SITTER_ASKED, game, at=now, to=[user.pk], about=str(sitting.pk))


@transaction.atomic
def let_gm_enter_orders(*, game_id: int, user_id: int, agree: bool) -> None:
    """Let the game master see and enter this player's orders, or withdraw that at once. Orders the game master has
    saved still count. Raises NotAllowed where the terms don't allow it."""
    occupancy = rules.may_let_gm_enter(lock_game_for(game_id, user_id))
    occupancy.gm_enters = agree
    occupancy.save(update_fields=["gm_enters"])


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
