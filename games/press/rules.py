"""Where somebody may write, depending on the press setting and the moment."""

from django.utils.translation import gettext as _

from adjudication.turns import Turn
from games.kernel.hooks import waiting_for_a_seat
from games.kernel.models import OVER, Game, Right, Status
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.press.options import PRESS_TEXTS, GmWords, Press, Talk
from games.press.threads import GM, ROOM, Powers, waiting_user_of


def may_write(here: Standpoint, powers: Powers) -> None:
    """Allow writing for the power that this person speaks for, in the thread of these powers."""
    if powers == ROOM:
        _may_write_in_room(here)
        member = _("Only players who have a place in this game and its game master can write here.")
        return unless(here.user_id in here.members, NotAllowed(member))
    if GM in powers:
        return _may_write_with_gm(here, powers)
    if here.game.status in OVER:
        return unless(not powers, WrongMoment(_("The game is over, so you can only write to everyone.")))
    talk = here.options[Talk]
    unless(
        talk.press == Press.FULL or (not powers and talk.press == Press.PUBLIC),
        WrongMoment(". ".join(map(str, PRESS_TEXTS[Press(talk.press)]))),
    )
    unless(here.game.status != Status.OPEN, WrongMoment(_("You can send messages once the game has started.")))
    phase = here.open_phase if talk.press_closed else None
    is_closed = phase is not None and Turn.from_code(phase.turn).kind in talk.press_closed
    return unless(not is_closed, WrongMoment(talk.closed_press_sentence))


def _may_write_in_room(here: Standpoint) -> None:
    unless(here.game.status == Status.OPEN, WrongMoment(_("Players can write here only until the game starts.")))
    silence = here.options[Talk].why_no_room
    unless(not silence, WrongMoment(silence))


def users_waiting_for_seat(game: Game) -> frozenset[int]:
    """The users without a seat who may write to the game master in private."""
    return frozenset(waiting_for_a_seat(game))


def _may_write_with_gm(here: Standpoint, powers: Powers) -> None:
    """Allow this at any time and under every press setting; to users without a seat, only while they wait for one."""
    user_id = waiting_user_of(powers)
    if user_id is not None:
        no_more = _(
            "This conversation is only for players who have asked for a seat, or been invited to one, and have none."
        )
        unless(user_id in users_waiting_for_seat(here.game), WrongMoment(no_more))
    sentence = _("In this game, the game master and the players can’t write to each other privately.")
    unless(here.options[GmWords].allowed, WrongMoment(sentence))


def only_as_gm(here: Standpoint) -> None:
    """Allow only the game master, or an assistant who may write as the game master."""
    unless(Right.TALK in here.rights, NotAllowed(_("Only the game master can write as the game master.")))


def may_write_as_gm(here: Standpoint, powers: Powers) -> None:
    only_as_gm(here)
    if powers == ROOM:
        return _may_write_in_room(here)
    if powers:
        return _may_write_with_gm(here, powers)
    is_silent = (
        here.game.status not in OVER and here.options[Talk].press == Press.NONE and here.options[Master].gm_plays
    )
    silence = _("This game has no press, so a game master who plays can’t send messages until it is over.")
    return unless(not is_silent, WrongMoment(silence))


def may_write_remark(here: Standpoint) -> None:
    unless(here.game.status in OVER, WrongMoment(_("The gallery opens when the game is over.")))
