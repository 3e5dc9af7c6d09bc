"""Players' own bots: the label that everyone sees on their seats, for as long as the player has the seat."""

from django.db import transaction

from games.kernel.locking import lock
from games.kernel.models import Occupancy
from games.kernel.news import tell
from games.seating import news
from games.seating.rules.bots import may_let_own_bot_play


@transaction.atomic
def let_own_bot_play(*, game_id: int, user_id: int) -> None:
    """Label this player's seat, or their place in a game that assigns powers later, as played by a bot of theirs.

    NotAllowed where the terms don't allow that, and without a place; WrongMoment if it is labelled or the game is over.
    """
    here = lock(game_id, user_id)
    place = may_let_own_bot_play(here)
    place.own_bot = True
    place.save(update_fields=["own_bot"])
    if isinstance(place, Occupancy):
        tell(news.OWN_BOT_PLAYS, here.game, at=here.now, by=user_id, power=place.seat.power)
    else:
        tell(news.OWN_BOT_JOINED, here.game, at=here.now, by=user_id)
