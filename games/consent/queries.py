"""The open requests to agree to something, as their game master and the players who are asked see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.utils.translation import gettext as _

from games.consent import rules
from games.consent.models import Asking, Matter
from games.deadlines.options import PhaseLengths
from games.kernel.access import GameAccess, standpoint_of
from games.kernel.game_options import GameOptions
from games.kernel.marks import InApi
from games.kernel.models import Game
from games.kernel.rules import allowed


@dataclass(frozen=True, slots=True)
class AskingView:
    """A request of the game master to agree to something."""

    number: Annotated[int, InApi("Names it in addresses.")]
    is_about_terms: Annotated[bool, InApi("True for new terms, false for an earlier deadline.")]
    told: Annotated[str, InApi("What would change, in words.")]
    until: Annotated[datetime, InApi("Answers count before this moment.")]
    agreed: Annotated[int, InApi("How many players have agreed.")]
    wanted: Annotated[int, InApi("How many must agree.")]
    i_agreed: Annotated[bool, InApi("You have agreed.")]
    may_answer: Annotated[bool, InApi("You may agree or refuse now.")]
    may_withdraw: Annotated[bool, InApi("You asked for it, and may withdraw it.")]


def requests_for_viewer(access: GameAccess) -> tuple[AskingView, ...]:
    """The requests that this viewer made or must answer; () for everyone else, who can read them in the public log."""
    here = standpoint_of(access)
    if here.user_id is None or access.lent or not (access.is_gm or access.seat or here.joiners):
        return ()
    views = []
    for request in rules.open_requests(here):
        players = rules.players_to_agree(here, Matter(request.matter))
        agreed = players.intersection(request.consents.values_list("user_id", flat=True))
        view = AskingView(
            number=request.pk,
            is_about_terms=request.matter == Matter.TERMS,
            told=what_would_change(request, here.game),
            until=request.until,
            agreed=len(agreed),
            wanted=len(players),
            i_agreed=here.user_id in agreed,
            may_answer=allowed(rules.may_answer_request, here, request),
            may_withdraw=allowed(rules.may_withdraw_request, here, request),
        )
        if access.is_gm or view.may_answer or view.i_agreed:
            views.append(view)
    return tuple(views)


def differences_in_terms(before: GameOptions, after: GameOptions) -> str:
    """The old and new terms in words; "" if nothing changes."""
    old_terms = {term.title: term.sentence.removesuffix(".") for term in before.terms()}
    new_terms = {term.title: term.sentence.removesuffix(".") for term in after.terms()}
    titles = [title for title in {**old_terms, **new_terms} if old_terms.get(title) != new_terms.get(title)]
    no_term = _("nothing special")
    return " ".join(
        _("{title}: “{new}” instead of “{old}”.").format(
            title=title, new=new_terms.get(title, no_term), old=old_terms.get(title, no_term)
        )
        for title in titles
    )


def what_would_change(request: Asking, game: Game) -> str:
    """What would change if all agreed, in words."""
    if request.matter == Matter.TERMS:
        return differences_in_terms(game.options, game.options_as({**game.stored_options, **request.choices}))
    phase, lengths = request.phase, game.options[PhaseLengths]
    moments = (request.deadline, phase and (phase.before_window or phase.deadline))
    proposed, present = (lengths.in_words(moment) if moment else "" for moment in moments)
    if not present:
        return _("The deadline of this phase would be {wanted}.").format(wanted=proposed)
    return _("The deadline of this phase would be {wanted}, not {now}.").format(wanted=proposed, now=present)
