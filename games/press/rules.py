"""Where somebody may write, by the press of the game and by when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.turns import Turn
from games.kernel.models import OVER, Status
from games.kernel.options import Master
from games.press.options import Press, Talk

if TYPE_CHECKING:
    from games.kernel.models import Game


def silence(game: Game, *, public: bool, as_gm: bool) -> str:
    """Why nobody may write there now as a power, or as the game master; "" if one may."""
    if game.status in OVER:
        return "" if public else "The game is over. Only the talk with everybody goes on."
    return _gm_silence(game, public=public) if as_gm else _player_silence(game, public=public)


def _gm_silence(game: Game, *, public: bool) -> str:
    if not public:
        return "The game master writes to everybody only."
    if game.options[Talk].press == Press.NONE and game.options[Master].gm_plays:
        return "In this game nobody writes until it is over, and a game master who plays does not either."
    return ""


def _player_silence(game: Game, *, public: bool) -> str:
    if game.options[Talk].press == Press.NONE:
        return "No press: in this game players write nothing until it is over."
    if game.options[Talk].press == Press.PUBLIC and not public:
        return "Public press: in this game every message goes to everybody."
    if game.status == Status.OPEN:
        return "The talk begins when the game starts."
    return _closed_now(game)


def _closed_now(game: Game) -> str:
    talk = game.options[Talk]
    if not talk.press_closed:
        return ""
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is None or Turn.from_code(phase.turn).kind not in talk.press_closed:
        return ""
    return f"In this game nobody writes while {talk.closed_phases} are open. The talk opens again after that."
