"""Automatic extensions: if a player has saved nothing, the deadline moves once. No one is told who the player is.

It is public that a phase had one. That it was for a player is only in their sealed sheet, and how many extensions each
player has used is counted from these.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from games.deadlines import news
from games.deadlines.options import Grace, PhaseLengths
from games.deadlines.timing import CLOCK_FIELDS, NO_TIME, BookedAbsences, extend_phase, extension_left, tell_of_clock
from games.kernel.days import SECOND
from games.kernel.members import Participants
from games.kernel.models import Occupancy, Phase
from games.kernel.queries import LIVE_SECONDS
from games.sealed import store


def give_grace(missing: Mapping[Phase, Collection[str]], participants: Participants, now: datetime) -> list[Phase]:
    """At the deadline, extend phases in which a player owes orders and has extensions left, once per phase. Return
    these phases.

    `missing`: the powers that owe orders, have saved none and are not ready. Bots and vacant seats get no extension.
    """
    limits = {
        phase: extension_left(phase)
        for phase, powers in missing.items()
        if powers and not phase.graced and phase.game.options[Grace].grace_times
    }
    owing = {
        phase: set(participants.people(phase.game, missing[phase])) for phase, most in limits.items() if most != NO_TIME
    }
    seats_by_phase = _seats_to_wait_for({phase: users for phase, users in owing.items() if users}, participants)
    if seats_by_phase:
        store.mark_seats_as_waited_for(seats_by_phase)
        away = BookedAbsences(participants, now)
        for phase in seats_by_phase:
            _extend_for_missing_orders(phase, limits[phase], away, now)
        Phase.objects.bulk_update(seats_by_phase, ["graced", *CLOCK_FIELDS])
    return list(seats_by_phase)


def _seats_to_wait_for(owing: Mapping[Phase, Collection[int]], participants: Participants) -> dict[Phase, list[int]]:
    """The seats of players who owe orders and have extensions left, by phase."""
    used = extensions_used([phase.game_id for phase in owing]) if owing else Counter[tuple[int, int]]()
    seats = {
        phase: [
            it.seat_id
            for it in participants.seated[phase.game_id]
            if it.user_id in users and used[phase.game_id, it.user_id] < phase.game.options[Grace].grace_times
        ]
        for phase, users in owing.items()
    }
    return {phase: found for phase, found in seats.items() if found}


def _extend_for_missing_orders(phase: Phase, limit: timedelta | None, away: BookedAbsences, now: datetime) -> None:
    """Extend the phase, by `limit` at most. The caller saves the phase."""
    extension = phase.game.options[Grace].grace_seconds * SECOND
    length = extension if limit is None else min(extension, limit)
    extend_phase(phase, length, away, now)
    phase.graced = True
    seconds = int(length.total_seconds())
    game, participants = phase.game, away.participants
    is_live = game.options[PhaseLengths].movement_seconds < LIVE_SECONDS
    users_not_told = participants.everyone(game, now) if is_live else ()  # it would be over before they read of it
    tell_of_clock(
        news.GRACE_GIVEN,
        game,
        phase,
        now,
        except_for=users_not_told,
        participants=participants,
        turn=phase.turn,
        seconds=seconds,
    )


def extensions_used(games: Collection[int]) -> Counter[tuple[int, int]]:
    """How many extensions each user has had, by game and user. Only they may be told, and only how many are left."""
    extended_phases = {
        phase.pk: phase for phase in Phase.every.filter(game__in=games, graced=True).only("game", "closed", "graced")
    }
    seats_by_phase = store.seats_waited_for(extended_phases.values())
    seats = {seat for seats_of_phase in seats_by_phase.values() for seat in seats_of_phase}
    occupancies = list(Occupancy.objects.filter(seat__in=seats))
    return Counter(
        (it.game_id, it.user_id)
        for number, seats_of_phase in seats_by_phase.items()
        for it in occupancies
        if it.seat_id in seats_of_phase and _held_seat_when_closed(it, extended_phases[number].closed)
    )


def _held_seat_when_closed(occupancy: Occupancy, moment: datetime | None) -> bool:
    """Did this player hold the seat when the phase closed or, if it is open, does now?"""
    if moment is None:
        return occupancy.until is None
    return occupancy.since < moment and (occupancy.until is None or occupancy.until >= moment)
