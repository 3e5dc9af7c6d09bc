"""What viewers may know of seats: joining before the start, vacant seats and the people for them, sitters."""

from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import Annotated, Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from games.deadlines.options import PhaseLengths
from games.deadlines.queries import seats_shown_as_ready
from games.kernel import clock, codec
from games.kernel.access import GameAccess, Viewer, standpoint_of
from games.kernel.cards import MOST_CARDS, filtered_games, game_cards, newest_from
from games.kernel.marks import InApi
from games.kernel.models import OVER, UNDER_WAY, Block, Game, Joiner, Occupancy, Seat, Sitting, Status
from games.kernel.options import Bots, Names
from games.kernel.page import Page, part
from games.kernel.parts import GameCard
from games.kernel.queries import LIVE_SECONDS, NOBODY, card_of_power
from games.kernel.refusals import SeatTaken
from games.kernel.rules import allowed, objection, why_not
from games.kernel.standpoint import Standpoint
from games.kernel.wording import evenness_words
from games.orders.queries import order_sheet
from games.press.models import Message
from games.press.options import Talk
from games.seating import parts
from games.seating.filling import kind_of_game, seconds_to_fill
from games.seating.models import Approach, JoinRequest, MailedInvitation, Standby
from games.seating.options import Dealing, SeatAssignment, WaitForPlayers
from games.seating.reliability import reliability_of
from games.seating.rules import joining, sitters
from games.seating.rules import seats as seat_rules
from variants.variant import PowerInfo, Variant
from variants.words.english import ordinal

MOST_STANDBYS_TOLD = 200
"""At most this many people are told of one vacant seat, those who have waited longest."""


# Before the start.


def sql_for_kept_places() -> str:
    """SQL for the number of a game's places that are kept for guests, without seats that bots play until then."""
    return """(
        SELECT count(*) FROM seating_mailedinvitation mailed WHERE mailed.game_id = kernel_game.id
        AND NOT EXISTS (SELECT FROM kernel_occupancy WHERE seat_id = mailed.seat_id AND until IS NULL)
    )"""


def open_join_requests(game: Game) -> QuerySet[JoinRequest]:
    """The requests to join that wait for an answer, oldest first, without people the game master has blocked."""
    unheard = Block.objects.filter(by=game.gm_id).values("whom")
    rows = JoinRequest.objects.filter(game=game, accepted__isnull=True).exclude(user__in=unheard)
    return rows.select_related("user").order_by("asked", "pk")


def games_with_requests(games: Collection[int]) -> set[int]:
    """The games among these in which players whom the game master has not blocked ask to join or for a vacant seat."""
    is_blocked = Exists(Block.objects.filter(by=OuterRef("game__gm"), whom=OuterRef("user")))
    join_requests = JoinRequest.objects.filter(game__in=games, game__status=Status.OPEN, accepted__isnull=True)
    approaches = Approach.objects.filter(
        game__in=games, game__status__in=UNDER_WAY, accepted__isnull=True, invited=False, seat__held=False
    )
    rows = (them.exclude(is_blocked).values_list("game_id", flat=True) for them in (join_requests, approaches))
    return set(next(rows).union(*rows))


def join_request_views(here: Standpoint) -> tuple[parts.RequestView, ...]:
    """The requests that wait for the game master's answer."""
    if not allowed(joining.may_answer_join_requests, here):
        return ()
    return tuple(
        parts.RequestView(row.user.get_username(), reliability_of(row.user_id).words, row.asked)
        for row in open_join_requests(here.game)
    )


def _roll_call_view(here: Standpoint, *, hidden: bool) -> parts.RollCallView | None:
    roll_call = joining.roll_call_of(here)
    if roll_call is None:
        return None
    confirmed_ids = joining.users_who_confirmed(here)
    users = [*(one.user for one in here.seated.values()), *(one.user for one in here.joiners)]
    names_missing = [user.get_username() for user in users if user.pk not in confirmed_ids]
    return parts.RollCallView(
        deadline=roll_call.deadline,
        confirmed=len(confirmed_ids.intersection(here.members)),
        wanted=len(here.members),
        missing=() if hidden else tuple(sorted(names_missing)),
        must_confirm=allowed(joining.may_confirm, here),
    )


# Vacant seats.


def suitable_standbys(game: Game) -> list[int]:
    """The users on the standby list who want and may take a seat in such a game; by invitation, only those invited."""
    pace = "live" if game.options[PhaseLengths].movement_seconds < LIVE_SECONDS else "slow"
    rows = Standby.objects.filter(pace__in=("", pace)).order_by("since", "pk")
    user_ids = [row.user_id for row in rows if not row.variants or game.variant_slug in row.variants]
    return [
        user_id
        for user_id in user_ids[:MOST_STANDBYS_TOLD]
        if allowed(seat_rules.only_newcomer, Standpoint(game, user_id))
    ]


def users_who_may_come_back(game: Game) -> list[int]:
    """The users who may return to seats that they lost by missing phases."""
    people = seat_rules.seats_lost_lately(game).values_list("user_id", flat=True)
    return [user_id for user_id in people if seat_rules.seat_to_come_back_to(Standpoint(game, user_id))]


def is_invited_or_may_come_back(game: Game, user_id: int | None) -> bool:
    """Has this user, without a seat in the game, been invited to one, or may they return to their own?"""
    here = Standpoint(game, user_id)
    return seat_rules.invitation_of(here) is not None or seat_rules.seat_to_come_back_to(here) is not None


def users_waiting_for_seat(game: Game) -> frozenset[int]:
    """The users who have joined without a power yet, ask for a place or a seat, or are invited to one."""
    in_game = {"game": game}
    joiners = Joiner.objects.filter(**in_game).values_list("user_id")
    requests = JoinRequest.objects.filter(**in_game, accepted__isnull=True).values_list("user_id")
    approaches = Approach.objects.filter(**in_game, accepted__isnull=True).values_list("user_id")
    seated = set(Occupancy.objects.filter(**in_game, until__isnull=True).values_list("user_id", flat=True))
    return frozenset(user_id for (user_id,) in joiners.union(requests, approaches)) - seated


def vacant_seats_in(games: QuerySet[Game], user_id: int | None, *, token: str = "") -> parts.PageOfVacantSeats:
    """The vacant seats of the first of these games that have any, as this user sees them, nearest deadline first; seats
    that bots play come last."""
    free = Seat.objects.filter(held=False, disordered=False)
    rows = list(games.filter(pk__in=free.values("game_id"))[: MOST_CARDS + 1])
    rows_shown = rows[:MOST_CARDS]
    read = game_cards(Game.objects.filter(pk__in=[game.pk for game in rows_shown]), user_id=user_id)
    cards = {card.slug: card for card in read}
    seats = [
        seat
        for game in rows_shown
        for seat in _vacant_seats_in_game(Standpoint(game, user_id, token=token), cards[game.slug])
    ]
    in_turn = sorted(seats, key=lambda seat: (bool(seat.bot), seat.game.is_next))
    return parts.PageOfVacantSeats(tuple(in_turn), rows_shown[-1].slug if rows[MOST_CARDS:] else "")


def _vacant_seats_in_game(here: Standpoint, card: GameCard) -> Iterator[parts.VacantSeat]:
    if here.open_phase is None:
        return
    position, variant = here.open_position, here.variant
    # The rank of each power, as in "1st of 7" for the one with the most centres. Equal powers share a rank.
    centres = {power.id: len(position.centres_of(power.id)) for power in variant.powers}
    counts = [*centres.values()]
    message = {own: _("joint {rank} of {count}") if counts.count(own) > 1 else _("{rank} of {count}") for own in counts}
    ranks = {own: ordinal(1 + sum(other > own for other in counts)) for own in counts}
    standings = {power: message[own].format(rank=ranks[own], count=len(counts)) for power, own in centres.items()}
    messages = Message.objects.filter(thread__game=here.game, thread__powers=[]).count()
    is_known = here.user_id is not None
    needs_approval = is_known and joining.needs_approval(here)
    rule = seat_rules.may_ask_for_seat if needs_approval else seat_rules.may_take_over
    for power in sorted(power for power in here.seats if allowed(seat_rules.only_vacant, here, power)):
        refusal = objection(rule, here, power) if is_known else None
        has_asked = needs_approval and seat_rules.has_asked_for_seat(here, power)
        yield parts.VacantSeat(
            game=card,
            power=card_of_power(variant.power(power)),
            bot=held.bot if (held := here.holder(power)) else "",
            centres=len(position.centres_of(power)),
            units=len(position.units_of(power)),
            standing=standings[power],
            messages=messages,
            may_take=is_known and not needs_approval and refusal is None,
            must_ask=needs_approval,
            asked=has_asked,
            why_not="" if has_asked or refusal is None else refusal.sentence,
            invited=refusal is not None and seat_rules.invitation_of(here) is not None,
        )


def public_vacant_seats(user: Viewer, *, after: str = "", **wanted: str) -> parts.PageOfVacantSeats:
    """The vacant seats of the newest public games under way, or of those that follow the game with the slug `after`;
    filtered as in the lobby."""
    user_id = user.pk if user.is_authenticated else None
    public = Game.objects.filter(by_invitation=False)
    under_way = filtered_games(public.filter(status__in=UNDER_WAY), **wanted)
    return vacant_seats_in(newest_from(under_way, among=public, after=after), user_id)


def vacant_seat(access: GameAccess, power: str) -> parts.VacantSeat:
    """The vacant seat of this power; raises Http404 if it is not vacant."""
    games = Game.objects.filter(pk=access.game_id, status__in=UNDER_WAY)
    seats = vacant_seats_in(games, access.user_id, token=access.token).seats
    seat = next((seat for seat in seats if seat.power.id == power), None)
    if seat is None:
        raise Http404
    return seat


def offer_view(access: GameAccess) -> parts.OfferView:
    """The seat this viewer is invited to; raises Http404 without an invitation."""
    here = standpoint_of(access)
    invitation = seat_rules.invitation_of(here)
    if invitation is None or here.game.status not in UNDER_WAY:
        raise Http404
    return parts.OfferView(
        power=here.variant.power(invitation.seat.power).name,
        may_answer=allowed(seat_rules.may_answer_invitation, here),
        why_not=why_not(seat_rules.may_accept_invitation, here),
    )


def standby_wishes_of(user: Viewer) -> dict[str, Any] | None:
    """The variants and pace that this viewer chose for the standby list, as in the form; None if they are not on it."""
    row = Standby.objects.filter(user_id=user.pk or NOBODY).values("variants", "pace").first()
    return dict(row) if row else None


# The game master looks for players.


def candidates_for_seats(here: Standpoint) -> parts.SeatCandidates:
    """The players who ask for a seat or are invited to one, and those on the standby list for games like this one."""
    names_known = here.options[Names].seen_by_gm
    blocked = Block.objects.filter(by=here.game.gm_id).values("whom")
    rows = Approach.objects.filter(game=here.game, accepted__isnull=True).select_related("seat", "user")
    rows = rows.exclude(user__in=blocked, invited=False).order_by("made", "pk")
    may_answer = allowed(seat_rules.may_answer_seat_requests, here)
    may_withdraw = allowed(seat_rules.may_withdraw_invitation, here)
    mailed = MailedInvitation.objects.none()
    if names_known and may_withdraw:
        mailed = MailedInvitation.objects.filter(game=here.game, expires__gt=here.now).select_related("seat")
        mailed = mailed.order_by("pk")
    return parts.SeatCandidates(
        asking=tuple(_approach_view(here, row) for row in rows if not row.invited and may_answer),
        invited=tuple(_approach_view(here, row) for row in rows if row.invited and may_withdraw),
        mailed=tuple(
            parts.Mailed(
                number=row.pk,
                power=_name_of_power(row, here.variant),
                address=f"{row.email[0]}…@{row.email.rpartition('@')[2]}",
                until=row.expires,
            )
            for row in mailed
        ),
        waiting=_standby_views(here.game) if names_known else (),
    )


def _name_of_power(row: MailedInvitation, variant: Variant) -> str:
    return variant.power(row.seat.power).name if row.seat else ""


def email_offer_view(row: MailedInvitation) -> parts.EmailOffer:
    variant = codec.variant_of(row.game)
    return parts.EmailOffer(
        slug=row.game.slug,
        game=row.game.name,
        variant=variant.title,
        master=row.game.gm.get_username(),
        power=_name_of_power(row, variant),
        begun=row.game.status in UNDER_WAY,
        until=row.expires,
    )


def _approach_view(here: Standpoint, row: Approach) -> parts.ApproachView:
    return parts.ApproachView(
        number=row.pk,
        power=here.variant.power(row.seat.power).name,
        player=row.user.get_username() if here.options[Names].seen_by_gm else "A player",
        words=reliability_of(row.user_id).words,
        may_give=not row.invited and allowed(seat_rules.may_grant_seat, here, row),
    )


def _standby_views(game: Game) -> tuple[parts.Waiting, ...]:
    users = get_user_model().objects.in_bulk(suitable_standbys(game))
    return tuple(
        parts.Waiting(user.get_username(), reliability_of(user_id).words)
        for user_id, user in sorted(users.items(), key=lambda item: item[1].get_username())
    )


# Sitters.


def sitter_view(access: GameAccess) -> parts.SitterView:
    """The sitter this player has named; raises Http404 for everybody else."""
    if access.seat is None:
        raise Http404
    here = standpoint_of(access)
    sitting = sitters.sitting_of(here)
    gm_enters = sitters.may_let_gm_enter(here).gm_enters if allowed(sitters.may_let_gm_enter, here) else None
    named = _sitting(here, sitting) if sitting else None
    return parts.SitterView(named, allowed(sitters.may_name_sitter, here), gm_enters)


def open_sittings_of(user: Viewer) -> tuple[parts.SittingView, ...]:
    """The sittings this viewer has been asked for or has agreed to, earliest first."""
    rows = Sitting.objects.filter(
        Q(accepted__isnull=True) | Q(accepted=True),
        sitter=user.pk or NOBODY,
        ended__isnull=True,
        ends__gt=clock.now(),
        occupancy__until__isnull=True,
    ).exclude(occupancy__game__status__in=OVER)
    related = rows.select_related("occupancy__game", "occupancy__seat", "occupancy__user", "sitter")
    return tuple(_sitting(Standpoint(row.occupancy.game, user.pk), row) for row in related.order_by("begins", "pk"))


def _sitting(here: Standpoint, row: Sitting) -> parts.SittingView:
    """The sitting. It hides the player where the game is anonymous: a sitter needn't know whose seat it is."""
    return parts.SittingView(
        number=row.pk,
        slug=here.game.slug,
        game=here.game.name,
        player="A player" if here.options[Names].hidden_names else row.occupancy.user.get_username(),
        sitter=row.sitter.get_username(),
        begins=row.begins,
        ends=row.ends,
        talks=row.talks,
        accepted=row.accepted,
        has_begun=row.begins <= here.now,
        may_say_yes=allowed(sitters.may_agree_to_sit, here, row),
        may_end=allowed(sitters.may_end_sitting, here, row),
    )


# Parts of the page of a game.


@part("powers")
def power_views(page: Page) -> Annotated[tuple[parts.PowerView, ...], InApi("The powers and their players.")]:
    """The powers of the variant with their players and their sizes in the position shown."""
    seats = page.rows.seats
    return tuple(_power_view(page, power, seats[power.id]) for power in page.rows.variant.powers if power.id in seats)


def _power_view(page: Page, power: PowerInfo, seat: Seat) -> parts.PowerView:
    rows = page.rows
    holder, is_mine = rows.seated.get(seat.pk), rows.my_power == power.id
    is_own = is_mine and rows.access.lent is None
    is_person = holder is not None and not holder.user.is_bot
    seats_ready, own = seats_shown_as_ready(rows), order_sheet(page) if is_mine else None
    ready = own.ready if own else None if seats_ready is None else seat.pk in seats_ready
    return parts.PowerView(
        id=power.id,
        name=power.name,
        called=power.called,
        adjective=power.adjective,
        letter=power.letter,
        colour=str(power.colour),
        player=holder.user.get_username() if holder and is_person and (is_own or not rows.hidden) else "",
        seated=holder is not None,
        person=is_person,
        bot=holder.bot if holder else "",
        own_bot=holder.own_bot if holder else False,
        disordered=seat.disordered,
        units=len(rows.position.units_of(power.id)),
        centres=len(rows.position.centres_of(power.id)),
        mine=is_mine,
        ready=ready,
        missed=holder.missed if holder else 0,
        elsewhere=(rows.game.elsewhere or {}).get("players", {}).get(power.id, ""),
        kept=joining.is_kept_for_guest(rows, power.id),
    )


@part("joining")
def joining_view(page: Page) -> Annotated[parts.JoiningView | None, InApi("How to join; null after the start.")]:
    """How to join a game; None after its start."""
    here, are_hidden = page.rows, page.rows.hidden
    if here.game.status != Status.OPEN:
        return None
    joiner = joining.joiner_of(here)
    kind = kind_of_game(here.game.variant_slug, here.options[PhaseLengths].movement_seconds)
    seconds = None if here.options[Bots].bots else seconds_to_fill([kind]).get(kind)
    likely_start = here.game.created + timedelta(seconds=seconds) if seconds else None
    is_outside = here.user_id is not None and here.held is None and joiner is None
    needs_approval = is_outside and joining.needs_approval(here)
    join = joining.may_take_seat if here.options[Dealing].seats == SeatAssignment.CHOICE else joining.may_join
    refusal = objection(joining.may_ask_to_join if needs_approval else join, here) if is_outside else None
    has_asked = is_outside and allowed(joining.may_withdraw_join_request, here)
    full = joining.ALL_SEATS_TAKEN if isinstance(refusal, SeatTaken) else ""
    other_names = (row.user.get_username() for row in here.joiners if row is not joiner)
    return parts.JoiningView(
        may_join=is_outside and not needs_approval and refusal is None,
        why_not="" if has_asked or refusal is None else full or refusal.sentence,
        may_ask=needs_approval and refusal is None,
        asked=has_asked,
        joined=joiner is not None,
        may_leave=here.user_id is not None and allowed(joining.may_leave, here),
        wishes=tuple(joiner.wishes) if joiner else (),
        others=() if are_hidden else tuple(other_names),
        roll_call=_roll_call_view(here, hidden=are_hidden),
        gives_up=here.options[WaitForPlayers].until(here.game.created),
        similar_took=seconds,
        expected=likely_start if likely_start and likely_start > here.now else None,
        why_no_room=here.options[Talk].why_no_room,
    )


@part("how_even")
def how_even(page: Page) -> str:
    """The `evenness_words`; "" for a game that goes on from another position than the one that was measured."""
    variant = page.rows.variant
    return evenness_words(variant) if page.rows.position == variant.start else ""


@part("bot_plays_for_me")
def may_take_over_from_my_bot(
    page: Page,
) -> Annotated[bool, InApi("A bot has taken your place, and you can take it back.")]:
    """May the viewer take over from a bot?"""
    return allowed(joining.may_take_over_from_bot, page.rows)


@part("seats_to_take")
def seats_to_take(
    page: Page,
) -> Annotated[tuple[str, ...], InApi("The ids of the powers you can take before the start.")]:
    """The powers that the viewer may choose before the start."""
    rows = page.rows
    if rows.game.status != Status.OPEN or rows.user_id is None:
        return ()
    return tuple(power.id for power in rows.variant.powers if allowed(joining.may_take_seat, rows, power.id))
