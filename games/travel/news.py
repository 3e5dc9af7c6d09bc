"""News of games that were played elsewhere, or began there. It goes only into the game's own log."""

from games.kernel.news import declares_news_of

_news = declares_news_of(__file__)
GAME_ADDED = _news("GAME_ADDED")
POSITION_ENTERED = _news("POSITION_ENTERED")
