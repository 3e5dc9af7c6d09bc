"""What a game master may ask players to agree to, which of them must agree, and what can no longer change."""

from datetime import timedelta

from django.utils.translation import gettext as _

from adjudication.options import must_decide
from games.consent.models import Asking, AskingOutcome, Consent, Matter
from games.kernel.game_options import Fixed, declared_options
from games.kernel.languages import later
from games.kernel.members import members_of, players_of
from games.kernel.models import Game, Right, Status
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import only_before_deadline, only_gm, only_gm_while, only_outside_practice, only_while, unless
from games.kernel.standpoint import Standpoint, answered_once

ANSWERABLE = (Status.OPEN, Status.RUNNING, Status.PAUSED)
TIME_TO_ANSWER = timedelta(days=7)
LEAST_TIME_LEFT = timedelta(minutes=5)
ON_HOLD = later("The game is on hold.")


def options_fixed_in(game: Game, *, is_empty: bool) -> frozenset[str]:
    """The options that can't change any more, not even if all agree. `is_empty`: no one has joined."""
    fixed = set() if is_empty else {Fixed.JOINED}
    if game.status != Status.OPEN:
        fixed = {*Fixed} - {Fixed.NEVER}
    return frozenset(name for name, (_, it) in declared_options().items() if it.fixed in fixed)


@answered_once
def open_requests(here: Standpoint) -> tuple[Asking, ...]:
    """The open requests in this game, the oldest first."""
    if not getattr(here.game, "has_askings", True):
        return ()
    rows = Asking.objects.filter(game=here.game, outcome=AskingOutcome.OPEN, until__gt=here.now).order_by("pk")
    phase = here.open_phase.pk if rows and here.open_phase else None
    return tuple(row for row in rows if row.phase_id in {None, phase})


def has_askings() -> tuple[str, str]:
    """The attribute `has_askings` and its SQL, for the hook `hints_that_nothing_is_there`."""
    open_rows = f"SELECT FROM consent_asking WHERE game_id = kernel_game.id AND outcome = '{AskingOutcome.OPEN}'"
    return "has_askings", f"EXISTS ({open_rows})"


def open_request_about(here: Standpoint, matter: Matter) -> Asking | None:
    return next((row for row in open_requests(here) if row.matter == matter), None)


def players_to_agree(here: Standpoint, matter: Matter) -> frozenset[int]:
    """The players who must agree: before the start, all who have joined; then those whose powers are left or, for a
    deadline, must decide in this phase. Bots agree to everything, and a vacant seat has no say."""
    if here.game.status == Status.OPEN:
        return frozenset(members_of(here.game))
    decides = matter == Matter.DEADLINE
    powers = must_decide(here.open_position, here.variant.ruleset) if decides else here.left
    return frozenset(players_of(here.game, set(powers)))


def may_change_terms(here: Standpoint) -> None:
    only_gm(here)
    only_outside_practice(here)
    only_while(here, ANSWERABLE, ON_HOLD)
    before = _("You’ve already asked the players to agree to new terms. Withdraw that request first.")
    unless(open_request_about(here, Matter.TERMS) is None, WrongMoment(before))


def may_ask_for_earlier_deadline(here: Standpoint) -> None:
    only_outside_practice(here)
    message = _("Only a running game has a deadline to bring forward.")
    only_gm_while(here, (Status.RUNNING,), message, Right.CLOCK)
    only_before_deadline(here)
    unless(not here.phase.is_untimed, WrongMoment(message))
    before = _("You’ve already asked the players for an earlier deadline. Withdraw that request first.")
    unless(open_request_about(here, Matter.DEADLINE) is None, WrongMoment(before))


def may_answer_request(here: Standpoint, request: Asking) -> None:
    only_while(here, ANSWERABLE, ON_HOLD)
    told = _("You aren’t asked to agree to this.")
    unless(here.user_id in players_to_agree(here, Matter(request.matter)), NotAllowed(told))
    has_agreed = Consent.objects.filter(asking=request, user_id=here.user_id or NOBODY).exists()
    unless(not has_agreed, WrongMoment(_("You’ve already agreed.")))


def may_withdraw_request(here: Standpoint, request: Asking) -> None:
    only_gm(here, Right.CLOCK if request.matter == Matter.DEADLINE else None)
    unless(request in open_requests(here), WrongMoment(_("This request is no longer open.")))
