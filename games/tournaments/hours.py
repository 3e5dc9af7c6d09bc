"""What the site does at the hours of a round: seat it, tell its players that it ends soon, and end its games."""

import logging
from datetime import datetime

from django.db import transaction

from adjudication.resolution import Verdict
from games.deadlines.phases import finish_game
from games.kernel import clock
from games.kernel.locking import lock_game_for
from games.kernel.members import players_of
from games.kernel.models import NOT_OVER, UNDER_WAY, Game, Status
from games.kernel.news import tell
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.desk import end_in_a_draw
from games.tournaments import news
from games.tournaments.models import Round
from games.tournaments.seating import begin_round
from games.tournaments.terms import RoundTerms
from variants.kinds import Ending

log = logging.getLogger(__name__)


def rounds_due() -> list[int]:
    """The rounds whose hour has come, but for those of tournaments in which someone is acting."""
    with transaction.atomic():
        due = Round.objects.filter(due__lte=clock.now()).select_related("tournament").order_by("due", "pk")
        return [it.pk for it in due.select_for_update(of=("tournament",), skip_locked=True)]


def keep_hour(*, round_id: int) -> None:
    """Do what is due in this round, each game in its own transaction; doing it twice does no harm."""
    row, now = Round.objects.get(pk=round_id), clock.now()
    ends = RoundTerms.stored(row.terms).ends
    if not row.seated:
        begin_round(round_id=round_id)
    elif ends and row.due and row.due <= now:
        done, act = True, _end if ends <= now else _warn
        games = Game.objects.filter(table__round=row, status__in=NOT_OVER).order_by("pk")
        for game_id in games.values_list("pk", flat=True):
            try:
                done = act(game_id, ends) and done
            except Exception:
                log.exception("The hour of game %s could not be kept.", game_id)
                done = False
        if done:
            Round.objects.filter(pk=round_id, due=row.due).update(due=None if ends <= now else ends)


@transaction.atomic
def _warn(game_id: int, ends: datetime) -> bool:
    here = lock_game_for(game_id, None)
    if here.game.status in UNDER_WAY and not here.game.events.filter(kind=news.ENDS_SOON.log).exists():
        to, moment = players_of(here.game), ends.isoformat()
        tell(news.ENDS_SOON, here.game, at=here.now, to=to, about="end", until="", moment=moment)
    return True


@transaction.atomic
def _end(game_id: int, ends: datetime) -> bool:
    """End the game, unless it is over or stopped; False if the result of a phase that ended before is due."""
    here = lock_game_for(game_id, None)
    if here.game.status == Status.OPEN:
        unstarted = Verdict((), Ending.CLOSED, {"case": "unstarted"})
        finish_game(here.game, unstarted, status=Status.CLOSED, by=None, now=here.now)
    try:
        if here.game.status in UNDER_WAY:
            end_in_a_draw(here, None, hour=ends)
    except WrongMoment:
        return False
    except NotAllowed:
        pass  # the moderators have stopped it
    return True
