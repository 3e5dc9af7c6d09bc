"""What the game master may do now, players for the seats, and assistants."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from django.http import Http404
from django.utils.translation import gettext as _

from adjudication.civil_disorder import playable_powers
from adjudication.judge import put_in_civil_disorder
from adjudication.position import Position
from adjudication.units import NEUTRAL
from games.history.parts import OutcomeView
from games.history.results import MINORS_NAME, outcome_views
from games.kernel import codec
from games.kernel.access import GameAccess, GmAccess, standpoint_of
from games.kernel.acts import gm_act
from games.kernel.marks import InApi
from games.kernel.members import open_sittings_for
from games.kernel.models import UNDER_WAY, Assistant, Event, rights_words
from games.kernel.page import Page, part
from games.kernel.parts import AssistantView, PhaseHead
from games.kernel.rules import allowed
from games.mastering import rules
from games.mastering.missing import may_see_saved
from games.mastering.news import ORDER_CORRECTED, ROLLED_BACK, SHEET_CORRECTED
from games.mastering.services.correcting import text_to_correct
from games.mastering.services.repair import judged_phase
from games.news.models import Webhook
from games.seating.parts import MarketView, RequestView, SeatCandidates
from games.seating.queries import candidates_for_seats, join_request_views
from games.seating.rules import seats as seat_rules
from variants.variant import Variant
from variants.words.english import listed
from variants.words.orders import unit_words


@dataclass(frozen=True, slots=True)
class GmPowers:
    """What you may do as the game master at this moment.

    The actions have the names that they are declared with: see `games.kernel.acts`.
    """

    may: Annotated[tuple[str, ...], InApi("The names of acts, as in “pause”.")]
    seats: Annotated[Mapping[str, tuple[str, ...]], InApi("By act: the powers it can be done to.")]
    phases: Annotated[
        Mapping[str, tuple[PhaseHead, ...]], InApi("By act: the closed phases it can be done to, newest first.")
    ]
    requests: Annotated[tuple[RequestView, ...], InApi("Those who ask to join.")]
    invitation: Annotated[str, InApi("The token of the invitation link; empty without one.")]


@dataclass(frozen=True, slots=True)
class Member:
    """A player who has joined a game that has not started; `power` is the name of theirs, "" if it is not assigned."""

    name: str
    power: str


@dataclass(frozen=True, slots=True)
class SideToCorrect:
    """A power, or the minor powers together, with their published orders for a closed phase, to be corrected."""

    power: str
    name: str
    outcomes: tuple[OutcomeView, ...]


@dataclass(frozen=True, slots=True)
class GmPeople:
    """`members`: players whom the game master may remove before the start. `successor` has been asked to be the next
    game master; "" if nobody has, or if the request can't be withdrawn."""

    market: SeatCandidates
    members: tuple[Member, ...]
    successor: str
    may_hand_over: bool
    assistants: tuple[AssistantView, ...]
    may_name_assistant: bool
    may_dismiss: bool
    may_step_down: bool


KINDS_THAT_UNDO = (ROLLED_BACK.log, ORDER_CORRECTED.log, SHEET_CORRECTED.log)


def gm_people(access: GmAccess) -> GmPeople:
    """The people whom the game master can give seats or the game to."""
    here = standpoint_of(access)
    members = list[Member]()
    if allowed(seat_rules.may_remove_player_who_joined, here):
        members += (
            Member(it.user.get_username(), here.variant.power(it.seat.power).name) for it in here.seated.values()
        )
        members += (Member(row.user.get_username(), "") for row in here.joiners)
    return GmPeople(
        market=candidates_for_seats(here),
        members=tuple(sorted(members, key=lambda member: member.name)),
        successor=rules.asked_successor(here) if allowed(rules.may_withdraw_handover, here) else "",
        may_hand_over=allowed(rules.may_hand_over, here),
        assistants=tuple(map(_assistant_view, rules.assistants_of(here))),
        may_name_assistant=allowed(rules.may_name_assistant, here),
        may_dismiss=allowed(rules.may_dismiss_assistant, here),
        may_step_down=allowed(rules.may_stop_assisting, here),
    )


def former_players(page: Page) -> dict[str, str]:
    """The players to whom the viewer may give back a seat, by power."""
    here = gm(page)
    powers = here.seats["give_back"] if here else ()
    return {power: rules.may_give_back(page.rows, power)[1].user.get_username() for power in powers}


def _assistant_view(row: Assistant) -> AssistantView:
    return AssistantView(row.user.get_username(), rights_words(row.rights), row.accepted is True)


def asked_role(access: GameAccess) -> AssistantView:
    """What this viewer is asked to do as an assistant; raises Http404 if they are not asked."""
    here = standpoint_of(access)
    if not allowed(rules.may_decline_to_assist, here):
        raise Http404
    return _assistant_view(rules.may_decline_to_assist(here))


def disorder_sentences(power: str, position: Position, variant: Variant) -> tuple[str, ...]:
    """The immediate effects of permanent civil disorder for a power in this position, in sentences."""
    board = variant.ruleset.board
    next_position, _notices = put_in_civil_disorder(position, power, variant.ruleset)
    units_before = [*position.units, *(each.unit for each in position.dislodged)]
    units_left = [*next_position.units, *(each.unit for each in next_position.dislodged)]
    names_by_sentence = {
        _("Disbanded: {names}."): [unit_words(unit, board) for unit in units_before if unit not in units_left],
        _("Still on the board: {names}."): [unit_words(unit, board) for unit in units_left if unit.power == power],
        _("New minor powers: {names}."): [board.name(unit.province) for unit in units_left if unit not in units_before],
        _("Still its supply centres: {names}."): [board.name(centre) for centre in next_position.centres_of(power)],
    }
    return tuple(sentence.format(names=listed(sorted(names))) for sentence, names in names_by_sentence.items() if names)


def sides_to_correct(access: GmAccess, ordinal: int) -> tuple[SideToCorrect, ...]:
    """All powers that had orders in this closed phase, or could have had some."""
    variant, phase = codec.variant_of(access.game), judged_phase(access.game, ordinal)
    position = codec.position_of(phase)
    outcomes = outcome_views(codec.public_result_of(phase.result).outcomes, position, variant)
    playing = playable_powers(position, variant.ruleset)
    names = [(power.id, power.name) for power in variant.powers if power.id in playing]
    if any(outcome.power == NEUTRAL for outcome in outcomes):
        names.append((NEUTRAL, MINORS_NAME))
    return tuple(SideToCorrect(id, name, tuple(it for it in outcomes if it.power == id)) for id, name in names)


def orders_to_correct(access: GmAccess, ordinal: int, power: str) -> str:
    """The published orders of this power, or of several joined by "+", in canonical notation."""
    return text_to_correct(judged_phase(access.game, ordinal), power)


def webhook_has_stopped(game_id: int, user_id: int) -> bool:
    """Have too many attempts in a row failed for one of this user's webhooks?"""
    return Webhook.objects.filter(game_id=game_id, user_id=user_id, next_try__isnull=True).exists()


# Parts of the page of a game.


@part("gm")
def gm(page: Page) -> Annotated[GmPowers | None, InApi("What you may do as the game master; null if you aren’t.")]:
    """What the game master or an assistant may do now; None for everyone else."""
    here = page.rows
    if not here.rights:
        return None
    newest_first = [head for head in reversed(page.phases) if not head.is_open]
    return GmPowers(
        may=tuple(act for act, rule in (*gm_act.about(""), ("see_saved", may_see_saved)) if allowed(rule, here)),
        seats={
            act: tuple(power for power in here.seats if allowed(rule, here, power))
            for act, rule in gm_act.about("power")
        },
        phases={
            act: tuple(head for head in newest_first if allowed(rule, here, head.ordinal))
            for act, rule in gm_act.about("ordinal")
        },
        requests=join_request_views(here),
        invitation=here.game.invitation if here.game.by_invitation else "",
    )


@part("assistants")
def assistants(page: Page) -> Annotated[tuple[AssistantView, ...], InApi("Those who help the game master.")]:
    """Those who help the game master, as everyone may know them."""
    helpers = rules.assistants_of(page.rows) if page.rows.game.assistants else ()
    return tuple(_assistant_view(row) for row in helpers if row.accepted)


@part("has_undone")
def has_undone(page: Page) -> bool:
    """Has the game master undone or corrected anything?"""
    rows = page.rows
    return rows.access.is_repaired and Event.objects.filter(game=rows.game, kind__in=KINDS_THAT_UNDO).exists()


@part("market")
def market(page: Page) -> Annotated[MarketView, InApi("Vacant seats, and what concerns your own.")]:
    """The seats of a game under way, and what the viewer is asked."""
    rows = page.rows
    asked_to_master = rows.access.is_asked_to_master and allowed(rules.may_answer_handover, rows)
    asked_to_assist = rows.access.is_asked_to_assist and allowed(rules.may_decline_to_assist, rows)
    variant, lent_seat = rows.variant, rows.access.lent
    if rows.game.status not in UNDER_WAY:
        own_bot = allowed(seat_rules.may_let_own_bot_play, rows)
        return MarketView(asked_to_master=asked_to_master, asked_to_assist=asked_to_assist, may_let_own_bot=own_bot)
    is_outside = rows.user_id is not None and rows.held is None
    asked_to_sit = open_sittings_for(rows.game, rows.user_id, rows.now).filter(accepted__isnull=True)
    vacant_powers = [power.id for power in variant.powers if allowed(seat_rules.only_vacant, rows, power.id)]
    return MarketView(
        vacant=tuple(power for power in vacant_powers if rows.holder(power) is None),
        bots=tuple(power for power in vacant_powers if rows.holder(power)),
        offered=seat_rules.name_of_offered_power(rows),
        way_back=seat_rules.name_of_lost_power(rows),
        may_resign=allowed(seat_rules.may_resign, rows),
        may_let_own_bot=allowed(seat_rules.may_let_own_bot_play, rows),
        asked_to_sit=is_outside and lent_seat is None and asked_to_sit.exists(),
        sits_for=variant.power(lent_seat.power).name if lent_seat else "",
        asked_to_master=asked_to_master,
        asked_to_assist=asked_to_assist,
    )
