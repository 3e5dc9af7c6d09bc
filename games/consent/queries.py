"""The open requests to agree to something, as their game master and the players who are asked see them."""

from games.consent import rules
from games.consent.models import Asking, Matter
from games.consent.parts import AskingView
from games.kernel.access import GameAccess, standpoint_of
from games.kernel.rules import allowed
from games.kernel.standpoint import Standpoint


def requests_in(access: GameAccess) -> tuple[AskingView, ...]:
    """() for everyone else: the public log tells them."""
    here = standpoint_of(access)
    if here.user_id is None or access.lent or not (access.is_gm or access.seat or here.joiners):
        return ()
    views = (_view(here, asking) for asking in rules.askings(here))
    return tuple(view for view in views if access.is_gm or view.may_answer or view.i_agreed)


def _view(here: Standpoint, asking: Asking) -> AskingView:
    players = rules.concerned(here, Matter(asking.matter))
    agreed = set(asking.consents.values_list("user_id", flat=True))
    return AskingView(
        number=asking.pk,
        is_about_terms=asking.matter == Matter.TERMS,
        told=asking.told,
        until=asking.until,
        agreed=len(players & agreed),
        wanted=len(players),
        i_agreed=here.user_id in players & agreed,
        may_answer=allowed(rules.may_answer, here, asking),
        may_withdraw=allowed(rules.may_withdraw, here, asking),
    )
