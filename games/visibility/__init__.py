"""Who may see what. Pages, answers of the API and letters get their facts here and nowhere else.

What a viewer may not see does not exist for him: Http404, never a refusal. A view is built up from
public facts and the viewer's own sheet; nothing is cut down from more.
"""

from games.visibility.access import (
    GameAccess,
    GmAccess,
    SeatAccess,
    access_game,
    access_gm,
    access_seat,
    access_sheet,
)
from games.visibility.across_games import (
    deadlines_of,
    lobby,
    my_sittings,
    standby_of,
    vacant_seat,
    vacant_seats,
)
from games.visibility.game_master import gm_market_view, successor
from games.visibility.own import OwnSheet, absence_view, notes_view, own_sheets, receipt_view, sitter_view
from games.visibility.past import history_view, record_view, undone_view
from games.visibility.phase import choices_of, phase_view, position_view, public_view, terms_view
from games.visibility.talk import (
    gallery_view,
    message_view,
    news_view,
    reader_of,
    remark_view,
    search_view,
    talk_view,
    unread_count,
    unread_message,
)

__all__ = [
    "GameAccess",
    "GmAccess",
    "OwnSheet",
    "SeatAccess",
    "absence_view",
    "access_game",
    "access_gm",
    "access_seat",
    "access_sheet",
    "choices_of",
    "deadlines_of",
    "gallery_view",
    "gm_market_view",
    "history_view",
    "lobby",
    "message_view",
    "my_sittings",
    "news_view",
    "notes_view",
    "own_sheets",
    "phase_view",
    "position_view",
    "public_view",
    "reader_of",
    "receipt_view",
    "record_view",
    "remark_view",
    "search_view",
    "sitter_view",
    "standby_of",
    "successor",
    "talk_view",
    "terms_view",
    "undone_view",
    "unread_count",
    "unread_message",
    "vacant_seat",
    "vacant_seats",
]
