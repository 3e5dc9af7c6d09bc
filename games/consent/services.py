"""Changing the terms and bringing a deadline forward: at once if no player has to agree, else once all have agreed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.consent import news, rules
from games.consent.models import Asking, AskingOutcome, Consent, Matter
from games.consent.queries import differences_in_terms
from games.deadlines import timing
from games.kernel.acts import Agrees, NewDeadline, Number, Reason, gm_act, player_act
from games.kernel.game_options import BadOptions, GameOptions, declared_options
from games.kernel.languages import later
from games.kernel.locking import lock_game_for
from games.kernel.models import Game, Phase, Status
from games.kernel.news import checked_reason, tell
from games.kernel.refusals import BadGame, NotAllowed, WrongMoment
from games.kernel.standpoint import Standpoint


@gm_act.locked("change_terms", rules.may_change_terms, counted=True)
def change_terms(here: Standpoint, by: int, *, choices: Mapping[str, Any]) -> bool:
    """Change the terms; once players have joined, ask all of them to agree.

    True if the new terms apply now. BadGame names each wrong option, also those that can no longer change.
    """
    game, now = here.game, here.now
    players = rules.players_to_agree(here, Matter.TERMS)
    before = game.options
    chosen = {name: it for name, it in before.values.items() if it is not None} | dict(choices)  # with newer options
    try:
        options_now = GameOptions.create(before.variant, by_invitation=game.by_invitation, **chosen)
    except BadOptions as bad:
        raise BadGame(bad.problems) from None
    changed_names = {name for name in declared_options() if before.values[name] != options_now.values[name]}
    fixed = changed_names & rules.options_fixed_in(game, is_empty=not here.members)
    if fixed:
        raise BadGame(dict.fromkeys(sorted(fixed), _("It’s too late to change this in this game.")))
    if not differences_in_terms(before, options_now):
        raise WrongMoment(_("Nothing was changed: these are the terms as they are."))
    stored = options_now.to_json()
    choices = {name: stored[name] for name in sorted(changed_names)}
    stored_before = game.stored_options
    if not players - {by}:
        change_options(game, choices, here.open_phase, now)
        tell(news.TERMS_CHANGED, game, at=now, by=by, changes="", before=stored_before, chosen=choices)
        return True
    until = now + rules.TIME_TO_ANSWER
    asking = _create_request(here, by, Matter.TERMS, until=until, choices=choices)
    to, about = players - {by}, str(asking.pk)
    tell(
        news.TERMS_ASKED, game, at=now, by=by, to=to, about=about,
        changes="", before=stored_before, chosen=choices, moment=until.isoformat(),
    )  # fmt: skip
    return False


def deadline_of(here: Standpoint) -> datetime | None:
    return here.phase.deadline


@gm_act.locked(
    "ask_earlier",
    rules.may_ask_for_earlier_deadline,
    done=later("We’ve asked all players with orders to enter. The deadline moves once they have agreed."),
    counted=True,
    replaces=deadline_of,
)
def ask_for_earlier_deadline(here: Standpoint, by: int, *, until: NewDeadline, reason: Reason = "") -> bool:
    """Ask everyone with orders to enter to agree to an earlier deadline.

    True if it has moved.
    """
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=False)
    ends = phase.before_window if phase.in_window else phase.deadline
    if ends is None or not now + rules.LEAST_TIME_LEFT <= until < ends:
        raise WrongMoment(_("Choose a moment before the current deadline, at least 5 minutes from now."))
    timing.refuse_moment_on_day_off(game, until)
    players = rules.players_to_agree(here, Matter.DEADLINE)
    asking = _create_request(here, by, Matter.DEADLINE, until=until, phase=phase, deadline=until)
    to, about = players - {by}, str(asking.pk)
    if to:
        tell(
            news.EARLIER_ASKED, game, at=now, by=by, to=to, about=about, ordinal=phase.ordinal,
            turn=phase.turn, until="", moment=until.isoformat(), reason=why,
        )  # fmt: skip
    return apply_requests_all_agreed_to(game, now)


def _create_request(here: Standpoint, by: int, matter: Matter, **facts: Any) -> Asking:
    """Create a request, in place of one that has lapsed. A game master who plays agrees by asking."""
    game = here.game
    game.askings.filter(matter=matter, outcome=AskingOutcome.OPEN).update(outcome=AskingOutcome.LAPSED)
    request = Asking.objects.create(game=game, matter=matter, by_id=by, at=here.now, **facts)
    if by in rules.players_to_agree(here, matter):
        Consent.objects.create(asking=request, user_id=by)
    return request


@player_act("consent")
@transaction.atomic
def answer_request(*, game_id: int, user_id: int, number: int, agrees: Agrees) -> bool:
    """Agree, or refuse, which ends the request. It applies once everyone has agreed.

    Nobody is told which player it was. True if all have agreed now.
    """
    here = lock_game_for(game_id, user_id)
    request = _open_request(here, number)
    rules.may_answer_request(here, request)
    game, now = here.game, here.now
    if agrees:
        Consent.objects.create(asking=request, user_id=user_id)
        return apply_requests_all_agreed_to(game, now)
    _close_request(request, AskingOutcome.REFUSED)
    tell(news.REFUSED, game, at=now, to=[game.gm_id], about=str(request.pk), what="", matter=request.matter)
    return False


@gm_act("withdraw_request", rules.may_withdraw_request, offered=False)
@transaction.atomic
def withdraw_request(*, game_id: int, by: int, number: Number) -> None:
    """Withdraw a request that players should agree to."""
    here = lock_game_for(game_id, by)
    request = _open_request(here, number)
    rules.may_withdraw_request(here, request)
    _close_request(request, AskingOutcome.WITHDRAWN)
    tell(news.WITHDRAWN, here.game, at=here.now, by=by, what="", matter=request.matter)


def _open_request(here: Standpoint, number: int) -> Asking:
    if not here.game.askings.filter(pk=number).exists():
        raise NotAllowed(_("This game has no such request."))
    request = next((row for row in rules.open_requests(here) if row.pk == number), None)
    if request is None:
        raise WrongMoment(_("This request is no longer open."))
    return request


def _close_request(request: Asking, outcome: AskingOutcome) -> None:
    request.outcome = outcome
    request.save(update_fields=["outcome"])


def apply_requests_all_agreed_to(game: Game, now: datetime) -> bool:
    """Apply the requests to which all have agreed by now; True if there were any. Call this whenever the players who
    are asked change. The caller holds the lock on the game."""
    here = Standpoint(game, None)
    here.now = now
    if game.status not in rules.ANSWERABLE:
        return False
    return True in [_apply_if_all_agreed(here, asking) for asking in rules.open_requests(here)]


def apply_requests_in_games(games: Sequence[Game], now: datetime) -> None:
    """`apply_requests_all_agreed_to` for many games, skipping those without a request."""
    rows = Asking.objects.filter(game__in=games, outcome=AskingOutcome.OPEN).values_list("game_id", flat=True)
    with_request = set(rows) if games else set()
    for game in games:
        if game.pk in with_request:
            apply_requests_all_agreed_to(game, now)


def _apply_if_all_agreed(here: Standpoint, request: Asking) -> bool:
    game, now, matter = here.game, here.now, Matter(request.matter)
    players = rules.players_to_agree(here, matter)
    if players - set(request.consents.values_list("user_id", flat=True)):
        return False
    if matter == Matter.TERMS and rules.options_fixed_in(game, is_empty=False).intersection(request.choices):
        _close_request(request, AskingOutcome.LAPSED)
        return False
    if matter == Matter.TERMS:
        _close_request(request, AskingOutcome.AGREED)
        to, stored_before = {*players, game.gm_id}, game.stored_options
        change_options(game, request.choices, here.open_phase, now)
        tell(
            news.TERMS_AGREED, game, at=now, to=to, about=str(request.pk),
            changes="", before=stored_before, chosen=request.choices,
        )  # fmt: skip
        return True
    if game.status != Status.RUNNING:
        return False
    _close_request(request, AskingOutcome.AGREED)
    phase, until = here.phase, request.deadline
    assert until is not None, "asking_has_its_matter"
    timing.leave_window(phase)  # if all are ready, until a player takes that back
    phase.deadline, phase.without_absences = until, None
    timing.save_clock(phase)
    timing.end_early_if_all_are_ready(game, phase, now)
    timing.tell_of_clock(news.EARLIER_AGREED, game, phase, now, turn=phase.turn, until="", moment=until.isoformat())
    return True


def change_options(game: Game, choices: Mapping[str, Any], phase: Phase | None, now: datetime) -> None:
    """Give the game these options. If they show more of what players save, that applies only to later phases; if less,
    to the open one, too."""
    game.stored_options = {**game.stored_options, **choices}
    game.save(update_fields=["stored_options"])
    vars(game).pop("options", None)
    if phase is None:
        return
    phase.game = game
    phase.narrow(game.options.revealing)
    phase.save(update_fields=["reveals"])
    if phase.in_window and not game.options.values["all_ready"]:
        timing.leave_window(phase)
        timing.save_clock(phase)
    timing.end_early_if_all_are_ready(game, phase, now)


def lapse_requests(game: Game) -> None:
    """Let open requests lapse, because the game is over."""
    game.askings.filter(outcome=AskingOutcome.OPEN).update(outcome=AskingOutcome.LAPSED)
