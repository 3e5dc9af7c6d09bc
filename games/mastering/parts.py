"""What the game master may do, and the people for the seats."""

from __future__ import annotations

from dataclasses import dataclass

from games.kernel.parts import PhaseHead
from games.seating.parts import RequestView


@dataclass(frozen=True, slots=True)
class GmPowers:
    """What the game master may do now; tuples name the powers or phases for which he may. `can_repair`: the judged
    phases, the newest first, while phases may be undone and the position changed."""

    can_start: bool
    can_pause: bool
    can_resume: bool
    can_extend: bool
    can_process_now: bool
    can_declare: tuple[str, ...]
    can_seat: tuple[str, ...]
    can_empty: tuple[str, ...]
    can_preview: bool
    can_repair: tuple[PhaseHead, ...]
    can_change_position: bool
    can_close: bool
    can_look_at_bids: tuple[PhaseHead, ...]
    requests: tuple[RequestView, ...]
    invitation: str
