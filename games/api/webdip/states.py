"""The seats of a token, and the state of one game as its player sees it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape

from django.db.models import QuerySet

from adjudication.orders import Waive
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, OrderResult
from adjudication.turns import PhaseKind, Season, Turn
from adjudication.units import NEUTRAL
from games.api.access import WHERE_BOTS_ACT
from games.api.webdip.orders import KIND_WORDS, Numbers, lawful_orders, order_in_numbers, stored_orders
from games.deadlines.options import PhaseLengths
from games.endings.models import EndKind
from games.endings.options import Agreement
from games.endings.parts import ProposalView
from games.endings.queries import agreement_view
from games.kernel import codec
from games.kernel.access import access_game
from games.kernel.models import OVER, UNDER_WAY, Game, Occupancy, Phase, Result, Status
from games.kernel.parts import Wanted
from games.kernel.phase_rows import PhaseRows
from games.orders.queries import ready_seats, sheet_to_write, wanted_by_game
from games.press.models import Message
from games.press.options import Press, Talk
from games.press.queries import messages_readable_by
from variants.maps import has_succeeded
from variants.registry import offered
from variants.travel.webdip import COUNTRIES, COUNTRY, FIRST_YEAR, KINDS, TERRITORIES, VARIANT, number_of, turn_to_json
from variants.variant import Variant

STATUS_WORDS = {
    Wanted.ORDERS: "",
    Wanted.SAVED: "Saved,Completed",
    Wanted.READY: "Saved,Completed,Ready",
    Wanted.NOTHING: "None",
}
PRESS_WORDS = {Press.FULL: "Regular", Press.PUBLIC: "PublicPressOnly", Press.NONE: "NoPress"}
A_MINUTE = 60
Seats = list[tuple[Occupancy, Phase]]


MUTED_TEXT = "(You have muted this power on the site.)"


@cache
def variants_for_webdip() -> frozenset[str]:
    """The slugs of variants whose powers, places and phases all have numbers here, and that have no points."""
    return frozenset(variant.slug for variant in offered() if _is_for_webdip(variant))


def _is_for_webdip(variant: Variant) -> bool:
    rules = variant.ruleset
    kinds_of_phase = {step.kind for step in rules.calendar.steps}
    return (
        {power.id for power in variant.powers} == set(COUNTRIES)
        and set(rules.board.locations) == set(TERRITORIES)
        and variant.start.turn == Turn(FIRST_YEAR, Season.SPRING, PhaseKind.MOVEMENT)
        and kinds_of_phase == set(KINDS)
    )


def seats_of(user_id: int, *, of_bot: bool) -> QuerySet[Occupancy]:
    """The seats that a token of this user plays; a bot's token only plays those in which bots may act."""
    seats = Occupancy.objects.filter(user_id=user_id, until__isnull=True, game__variant_slug__in=variants_for_webdip())
    return (seats.filter(WHERE_BOTS_ACT) if of_bot else seats).select_related("game", "seat").order_by("pk")


def _seats_under_way(user_id: int, *, of_bot: bool) -> tuple[Seats, Mapping[int, str]]:
    """The seats in games under way, each with its open phase, and what these games want, in this form's words."""
    rows = list(seats_of(user_id, of_bot=of_bot).filter(game__status__in=UNDER_WAY))
    open_phases = Phase.objects.filter(game__in=[seat.game_id for seat in rows], closed__isnull=True)
    phases = {phase.game_id: phase for phase in open_phases}
    seats = [(seat, phases[seat.game_id]) for seat in rows if seat.game_id in phases]
    for seat, phase in seats:
        phase.game = seat.game
    return seats, {game: STATUS_WORDS[wanted] for game, wanted in wanted_by_game(seats, ready_seats(seats)).items()}


def missing_orders(user_id: int, *, of_bot: bool) -> list[Numbers]:
    """The seats that have orders to enter and have saved none."""
    seats, wants = _seats_under_way(user_id, of_bot=of_bot)
    return [
        {"gameID": seat.game_id, "countryID": COUNTRY[seat.seat.power]}
        for seat, _ in seats
        if wants[seat.game_id] == STATUS_WORDS[Wanted.ORDERS] and seat.game.status == Status.RUNNING
    ]


def active_games(user_id: int, *, of_bot: bool) -> dict[str, list[Numbers]]:
    """All seats in games under way."""
    seats, wants = _seats_under_way(user_id, of_bot=of_bot)
    return {
        "games": [
            {
                "gameID": seat.game_id,
                "countryID": COUNTRY[seat.seat.power],
                "name": seat.game.name,
                "variantID": VARIANT,
                **turn_to_json(Turn.from_code(phase.turn)),
                "orderStatus": wants[seat.game_id],
                **_press_and_time(seat.game, phase),
            }
            for seat, phase in seats
        ]
    }


def _press_and_time(game: Game, phase: Phase | None) -> Numbers:
    minutes = game.options[PhaseLengths].movement_seconds // A_MINUTE
    return {
        "pressType": PRESS_WORDS[Press(game.options[Talk].press)],
        "processTime": int(phase.deadline.timestamp()) if phase and phase.deadline else 0,
        "phaseMinutes": minutes,
        "phaseLengthInMinutes": minutes,
    }


def game_rows_for(seat: Occupancy) -> PhaseRows:
    """The rows of the game as this player sees it now."""
    return PhaseRows(access_game(user=seat.user, slug=seat.game.slug), None)


def state_of(seat: Occupancy) -> Numbers:
    """The game with all its phases. In addition to the old form: the player's own orders, and every lawful order."""
    rows = game_rows_for(seat)
    sheet = sheet_to_write(rows, None) if rows.open_phase else None
    mine = [(seat, rows.open_phase)] if rows.open_phase else []
    wants = wanted_by_game(mine, ready_seats(mine)) if mine else {}
    draw = full_draw(rows)
    is_over = rows.game.status in OVER
    name = "Pre-Game" if rows.game.status == Status.OPEN else "Finished" if is_over else None
    moment = turn_to_json(Turn.from_code(rows.shown.turn) if rows.shown else rows.position.turn)
    winners = (rows.game.verdict or {}).get("winners", ())
    return {
        "gameID": seat.game_id,
        "countryID": COUNTRY[seat.seat.power],
        "variantID": VARIANT,
        "potType": "Unranked",
        "turn": moment["turn"],
        "phase": name or moment["phase"],
        "gameOver": "No" if not is_over else "Won" if len(winners) == 1 else "Drawn",
        **_press_and_time(rows.game, rows.open_phase),
        "drawType": "draw-votes-public" if rows.options[Agreement].open_votes else "draw-votes-hidden",
        "phases": _all_phases(rows),
        **_closed_to_retreats(rows.position),
        "votes": "Draw" if draw and draw.my_vote else "",
        "orderStatus": STATUS_WORDS[wants.get(seat.game_id, Wanted.NOTHING)],
        "status": "Playing",
        "orders": stored_orders(sheet) if sheet else [],
        "lawfulOrders": lawful_orders(sheet) if sheet else [],
    }


def full_draw(rows: PhaseRows) -> ProposalView | None:
    """The open proposal of a draw between all remaining powers, if there is one."""
    if rows.open_phase is None or rows.game.practice:
        return None
    view = agreement_view(rows)
    everyone = {power.id for power in view.left}
    draws = (proposal for proposal in view.proposals if proposal.kind == EndKind.DRAW)
    return next((draw for draw in draws if {power.id for power in draw.powers} == everyone), None)


def _all_phases(rows: PhaseRows) -> list[Numbers]:
    """All phases, the open one or the final position last, with what was said in each."""
    if not rows.has_begun:
        return []
    # The messages that this player may read, by the code of the turn in which they were written.
    messages = defaultdict[str, list[Numbers]](list)
    for message in messages_readable_by(rows.access):
        if message.turn:
            messages[message.turn].extend(message_in_numbers(message, str(rows.my_power)))
    variant = rows.variant
    results = Result.objects.filter(phase__game=rows.game).select_related("phase").order_by("phase__ordinal")
    closed = ((codec.position_of(result.phase), codec.public_result_of(result).outcomes) for result in results)
    past_phases = [phase_in_numbers(position, variant, messages, outcomes) for position, outcomes in closed]
    return [*past_phases, phase_in_numbers(rows.position, variant, messages)]


def phase_in_numbers(
    position: Position, variant: Variant, messages: Mapping[str, list[Numbers]], outcomes: Iterable[OrderOutcome] = ()
) -> Numbers:
    """`messages`: messages by the code of the turn. `outcomes`: empty while the phase is open."""
    moment = turn_to_json(position.turn)
    units = [(unit, "No") for unit in position.units] + [(beaten.unit, "Yes") for beaten in position.dislodged]
    return {
        **moment,
        "units": [
            {
                "unitType": KIND_WORDS[unit.kind],
                "terrID": number_of(unit.location),
                "countryID": COUNTRY[unit.power],
                "retreating": retreating,
            }
            for unit, retreating in units
        ],
        "centers": [
            {"terrID": number_of(centre), "countryID": COUNTRY.get(position.centres.get(centre, NEUTRAL), 0)}
            for centre in variant.ruleset.board.centres
        ],
        "orders": [
            {
                **moment,
                "countryID": COUNTRY[it.power],
                **order_in_numbers(it.order, position),
                "success": "Yes" if has_succeeded(it) else "No",
                "dislodged": "Yes" if OrderResult.DISLODGED in it.results else "No",
            }
            for it in outcomes
            if not isinstance(it.order, Waive)
        ],
        "messages": messages.get(position.turn.code, []),
    }


def _closed_to_retreats(position: Position) -> Numbers:
    """The provinces closed to retreats: where units stood off, and where attackers came from."""
    is_retreat = position.turn.kind is PhaseKind.RETREAT
    attacked_units = [dislodged for dislodged in position.dislodged if dislodged.attacker_from] if is_retreat else []
    provinces = sorted(position.contested) if is_retreat else []
    return {
        "standoffs": [{"terrID": number_of(province), "countryID": 0} for province in provinces],
        "occupiedFrom": {
            number_of(dislodged.unit.province): number_of(str(dislodged.attacker_from), whole=True)
            for dislodged in attacked_units
        },
    }


def message_in_numbers(message: Message, own: str) -> list[Numbers]:
    """A message that this player, who plays `own`, may read: once, or once for each power if they wrote it to several.
    Nothing if it is to the game master only, who isn't in this form. A muted message only says that there is one,
    because this form can't fold it away."""
    author, others = message.power, [power for power in message.thread.powers if power != message.power]
    to = [0] if not others else [COUNTRY[power] for power in (others if author == own else [own]) if power in COUNTRY]
    text = MUTED_TEXT if message.muted and author != own else message.text  # type: ignore[attr-defined]  # annotated
    return [
        {
            "fromCountryID": COUNTRY.get(author, 0),
            "toCountryID": number,
            "message": escape(text).replace("\n", "<br />"),
            "timeSent": int(message.sent.timestamp()),
            "phaseMarker": KINDS[Turn.from_code(message.turn).kind],
        }
        for number in to
    ]
