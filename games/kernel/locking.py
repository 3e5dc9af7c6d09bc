"""The first lines of every service: lock the game, then read everything that the decision depends on."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _

from games.kernel.models import Game, Occupancy
from games.kernel.plain import find_user_by_name
from games.kernel.refusals import NotAllowed, UnknownPlayer
from games.kernel.standpoint import Standpoint


def lock_game(game_id: int) -> Game:
    """The game, locked until the transaction ends; raises NotAllowed if it has been deleted, which only happens to
    practice games. Every writer takes this lock first."""
    game = Game.objects.select_for_update(of=("self",)).filter(pk=game_id).first()
    if game is None:
        raise NotAllowed(_("This game has been deleted."))
    return game


def lock_game_for(game_id: int, user_id: int | None, *, token: str = "") -> Standpoint:
    """This user's standpoint in the game, which is locked until the transaction ends; `token` as in `Standpoint`."""
    return Standpoint(lock_game(game_id), user_id, token=token)


def lock_game_for_holder(occupancy_id: int) -> Standpoint:
    """The standpoint of a seat's holder in the game, which is locked. If they have lost the seat, it has none."""
    before = Occupancy.objects.get(pk=occupancy_id)
    here = lock_game_for(before.game_id, before.user_id)
    if here.held is not None and here.held.pk != occupancy_id:
        here.held = None
    return here


def lock_account(user_id: int) -> None:
    """Keep this account from being deleted until the transaction ends; raises NotAllowed if it has been.

    Call it with the lock on the game, before the account is given a place there.
    """
    account = get_user_model().objects.select_for_update(no_key=True, of=("self",)).filter(pk=user_id, is_active=True)
    if account.values_list("pk").first() is None:
        raise NotAllowed(_("This account has been deleted."))


def account_named(username: str) -> Any:
    """The account with this name, whatever spaces surround it and, if only one account fits, in any case and without
    accents; raises UnknownPlayer if there is none."""
    name = username.strip()
    user = find_user_by_name(name, get_user_model().objects.filter(is_active=True))
    if user is None:
        raise UnknownPlayer(
            _("There is no account named “{name}”. Enter the name as the site shows it.").format(name=name)
        )
    return user
