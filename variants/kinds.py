"""What a site tells of a game besides what the rules of its variant tell; `variants.words` has the sentences."""

from adjudication.reasons import Coded


class Ending(Coded):
    """How a game can end otherwise than by the rules of its variant."""

    DRAW_AGREED = "draw agreed", "Proposals", "powers"
    CONCESSION_AGREED = "concession agreed", "Proposals", "powers", "together: powers"
    CLOSED = "closed", "Game master", "draw: powers", "concession: powers", "solo: powers", "unstarted:"
    VOID = "void", "Game master"
    TOO_FEW_PLAYERS = "too few players", "Options: patience", "count"
    NOTHING_LEFT = "nothing left", "Practice", "power"
    FILE_ENDS = "file ends", "Games played elsewhere", "turn"


class Change(Coded):
    """What happens to a position between phases."""

    POSITION_ENTERED = "position entered", "Games brought along", "turn"
    POSITION_CHANGED = "position changed", "Corrections", "edits"
    GONE_BACK = "gone back", "Corrections", "reason", "bids: reason"
