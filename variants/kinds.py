"""The kinds of event that a site adds to those of the rules; `variants.words` has the sentences."""

from adjudication.reasons import Coded


class Ending(Coded):
    """How a game can end other than by the rules of its variant."""

    DRAW_AGREED = "draw agreed", "Proposals", "powers"
    CONCESSION_AGREED = "concession agreed", "Proposals", "powers", "together: powers"
    CLOSED = "closed", "Game master", "draw: powers", "concession: powers", "solo: powers", "unstarted:", "hour: powers"
    VOID = "void", "Game master"
    TOO_FEW_PLAYERS = "too few players", "Options: patience", "count"
    NOTHING_LEFT = "nothing left", "Practice", "power"
    FILE_ENDS = "file ends", "Games played elsewhere", "turn"


class PositionChange(Coded):
    """A change of a position between phases."""

    POSITION_ENTERED = "position entered", "Games brought along", "turn"
    POSITION_CHANGED = "position changed", "Corrections", "edits"
    GONE_BACK = "gone back", "Corrections", "reason", "bids: reason"
