"""News of games that were played elsewhere, or began there. No one is told but by the game's own log."""

from games.kernel.news import news_beside

_news = news_beside(__file__)
GAME_ADDED = _news("GAME_ADDED")
POSITION_ENTERED = _news("POSITION_ENTERED")
