"""A game as lists show it, its options, its variant, and the lobby."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.terms import Term


@dataclass(frozen=True, slots=True)
class GameOptionsView:
    """Lengths in seconds. `bids`: are points bid in this variant? `terms` say to everybody, before they join,
    what was chosen. `pace` is the time for orders in a few words, `zone` that in which fixed times and free days are
    read, "" without any."""

    movement_seconds: int
    retreat_seconds: int
    adjustment_seconds: int
    gm_plays: bool
    all_ready: bool
    gm_processes_early: bool
    bids: bool
    gm_sees_bids: bool
    gm_previews: bool
    open_bids_at_end: bool
    press: str
    press_title: str
    hidden_names: bool
    seats: str
    seats_title: str
    approval: bool
    least_reliability: int
    newcomers_welcome: bool
    muster_seconds: int
    show_ready: bool
    may_end_early: bool
    panic_seconds: int
    grace_seconds: int
    grace_times: int
    absence_days: int
    pace: str
    zone: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the lobby shows it. `everybody_is_ready`: the deadline comes early, unless somebody
    takes that back. `winners` are power ids; `taken` counts those who have joined, with a power or
    without; `muster_until` while the roll is called before the start. `i_sit`, for a player, in the
    viewer's own list only. `repairs` counts how often the game master has put something right; `unread` the messages
    that wait for this player, sitter or game master."""

    slug: str
    name: str
    variant: str
    variant_title: str
    status: str
    status_sentence: str
    verdict: str
    winners: tuple[str, ...]
    gm_name: str
    players: int
    taken: int
    ordinal: int | None
    turn_title: str
    kind_title: str
    deadline: datetime | None
    remaining_seconds: int | None
    everybody_is_ready: bool
    by_invitation: bool
    my_power: str | None
    i_joined: bool
    i_sit: bool
    i_am_gm: bool
    muster_until: datetime | None
    options: GameOptionsView
    created: datetime
    repairs: int
    unread: int


@dataclass(frozen=True, slots=True)
class Lobby:
    mine: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]


@dataclass(frozen=True, slots=True)
class PowerCard:
    id: str
    name: str
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class VariantCard:
    """`rules_text` is markdown; `bids`: players bid points for the orders of minor powers; `press_title` says
    what players may write to each other unless a game is created otherwise."""

    slug: str
    title: str
    players: int
    summary: str
    rules_text: str
    credits: str
    powers: tuple[PowerCard, ...]
    bids: bool
    press_title: str
