"""What the site does at the hours of a round: seat it, tell its players that it ends soon, and end its games."""

import logging
from datetime import datetime

from django.db import transaction

from games.deadlines.phases import finish_game
from games.kernel import clock
from games.kernel.locking import lock_game_for
from games.kernel.members import players_of
from games.kernel.models import MODERATORS, NOT_OVER, UNDER_WAY, Game, Status
from games.kernel.news import tell
from games.kernel.refusals import WrongMoment
from games.mastering.services.desk import UNSTARTED, end_in_a_draw
from games.tournaments import news
from games.tournaments.models import Round
from games.tournaments.seating import begin_round
from games.tournaments.terms import RoundTerms

log = logging.getLogger(__name__)


def rounds_due() -> list[int]:
    """The rounds whose hour has come, but for those of tournaments in which someone is acting."""
    with transaction.atomic():
        due = Round.objects.filter(due__lte=clock.now()).select_related("tournament").order_by("due", "pk")
        return [it.pk for it in due.select_for_update(of=("tournament",), skip_locked=True)]


def keep_hour(*, round_id: int) -> None:
    """Do what is due in this round, each game in its own transaction; doing it twice does no harm."""
    row, now, done = Round.objects.get(pk=round_id), clock.now(), True
    ends = RoundTerms.stored(row.terms).ends
    if not row.seated:
        begin_round(round_id=round_id)
    if not (row.seated and ends and row.due and row.due <= now):
        return
    games = Game.objects.filter(table__round=row, status__in=NOT_OVER).order_by("pk")
    for game_id in games.values_list("pk", flat=True):
        try:
            done = _keep_hour_of_game(game_id, ends) and done
        except Exception:
            log.exception("The hour of game %s could not be kept.", game_id)
            done = False
    if done:
        Round.objects.filter(pk=round_id, due=row.due).update(due=None if ends <= now else ends)


@transaction.atomic
def _keep_hour_of_game(game_id: int, ends: datetime) -> bool:
    """Tell the players that the game ends soon or, at the hour, end it; False if the result of a phase is due."""
    here = lock_game_for(game_id, None)
    game, is_over = here.game, here.now >= ends
    goes_on = game.status in UNDER_WAY and game.incident != MODERATORS
    if is_over and game.status == Status.OPEN:
        finish_game(game, UNSTARTED, status=Status.CLOSED, by=None, now=here.now)
    elif is_over and goes_on:
        try:
            end_in_a_draw(here, None)
        except WrongMoment:
            return False
    elif goes_on and not game.events.filter(kind=news.ENDS_SOON.log, facts__moment=ends.isoformat()).exists():
        to, moment = players_of(game), ends.isoformat()
        tell(news.ENDS_SOON, game, at=here.now, to=to, about="end", until="", moment=moment)
    return True
