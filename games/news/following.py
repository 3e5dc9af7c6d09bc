"""Following a public game without a part in it."""

from django.db import transaction

from games.kernel.locking import lock, lock_account
from games.kernel.models import NOT_OVER, Following
from games.kernel.refusals import NotAllowed
from games.kernel.rules import only_among_people, only_while, unless
from games.kernel.standpoint import Standpoint


def may_follow(here: Standpoint) -> None:
    only_among_people(here)
    unless(not here.game.by_invitation, NotAllowed("You can follow public games only."))
    only_while(here, NOT_OVER, "")
    has_part = bool(here.rights) or here.user_id in here.members
    unless(not has_part, NotAllowed("You’re part of this game, so you get its news anyway."))


@transaction.atomic
def follow(*, game_id: int, user_id: int) -> None:
    """Follow a game; doing it again changes nothing. NotAllowed or WrongMoment as in `may_follow`."""
    here = lock(game_id, user_id)
    may_follow(here)
    lock_account(user_id)
    Following.objects.get_or_create(game=here.game, user_id=user_id, defaults={"since": here.now})


def unfollow(*, game_id: int, user_id: int) -> None:
    Following.objects.filter(game_id=game_id, user_id=user_id).delete()


def follows(game_id: int, user_id: int | None) -> bool:
    return user_id is not None and Following.objects.filter(game_id=game_id, user_id=user_id).exists()
