"""What the game master may do now, and the people for his seats."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from games.deadlines.options import EarlyEnd
from games.kernel import clock
from games.kernel.members import members_of
from games.kernel.models import MODERATORS, OVER, Game, Status
from games.kernel.options import Names
from games.mastering.parts import GmPowers
from games.mastering.rules import asked_name
from games.sealed.options import Looks, Previews
from games.seating.entry import is_mustering, requests_of
from games.seating.vacancies import gm_market

if TYPE_CHECKING:
    from games.kernel.access import GmAccess
    from games.kernel.gathered import Gathered
    from games.kernel.parts import PhaseHead
    from games.seating.parts import GmMarket


BEGUN = {Status.RUNNING, Status.PAUSED}


def gm_powers(rows: Gathered, heads: tuple[PhaseHead, ...]) -> GmPowers | None:
    """What the game master may do in this game as it is; None for everybody else. `heads` are its phases."""
    if not rows.access.is_gm:
        return None
    status, phase, options = rows.game.status, rows.open_phase, rows.game.options
    ticking = phase is not None and phase.time_left(clock.now()) > timedelta(0)
    playable = tuple(seat.power for seat in rows.seats if not seat.disordered) if phase else ()
    return GmPowers(
        can_start=status == Status.OPEN and bool(members_of(rows.game)) and not is_mustering(rows.game),
        can_pause=status == Status.RUNNING and ticking,
        can_resume=status == Status.PAUSED,
        can_extend=status in BEGUN and ticking,
        can_process_now=status == Status.RUNNING and ticking and options[EarlyEnd].gm_processes_early,
        can_declare=playable if ticking else (),
        can_seat=playable if options[Names].seen_by_gm else (),
        can_empty=_powers_to_empty(rows) if ticking else (),
        can_preview=phase is not None and options[Previews].allowed and not rows.viewer_has_had_a_seat,
        can_repair=_phases_to_take_back(rows, heads),
        can_change_position=status in BEGUN and ticking,
        can_close=status not in OVER and rows.game.incident != MODERATORS,
        can_look_at_bids=_phases_to_look_at(rows, heads),
        requests=requests_of(rows.game),
        invitation=rows.game.invitation if rows.game.by_invitation else "",
    )


def _powers_to_empty(rows: Gathered) -> tuple[str, ...]:
    return tuple(seat.power for seat in rows.seats if seat.pk in rows.seated)


def _phases_to_take_back(rows: Gathered, heads: tuple[PhaseHead, ...]) -> tuple[PhaseHead, ...]:
    if rows.game.status not in BEGUN:
        return ()
    return tuple(head for head in reversed(heads) if head.ordinal in rows.judged)


def _phases_to_look_at(rows: Gathered, heads: tuple[PhaseHead, ...]) -> tuple[PhaseHead, ...]:
    """Judged movement phases, where the options allow it and the game master never had a seat."""
    looks = rows.game.options[Looks]
    if not looks.allowed or not looks.bids or rows.viewer_has_had_a_seat:
        return ()
    return tuple(head for head in heads if head.ordinal in rows.judged and head.kind == "M")


def gm_market_view(access: GmAccess) -> GmMarket:
    """The people for the seats of this game, for its master."""
    return gm_market(Game.objects.get(pk=access.game_id))


def successor(access: GmAccess) -> str:
    """The name of the one whom the game master has asked to take the game over; "" if nobody is asked."""
    return asked_name(access.game_id)
