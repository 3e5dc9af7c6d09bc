"""The rows that every subject knows: games, seats and the people in them, phases and their results, the log."""

from games.kernel.models.acts import Act
from games.kernel.models.brought import Brought
from games.kernel.models.game import (
    MODERATORS,
    NOT_OVER,
    OVER,
    UNDER_WAY,
    Departure,
    Game,
    Occupancy,
    Right,
    Seat,
    Status,
    new_invitation,
)
from games.kernel.models.members import Assistant, Block, Following, Handover, Joiner, Sitting, rights_words
from games.kernel.models.news import Event, Letter, Outgoing
from games.kernel.models.phase import (
    NO_CLOCK,
    Amendment,
    OpenedBids,
    Phase,
    Readiness,
    Result,
    StandingPhases,
    StandingResults,
    Undoing,
)
