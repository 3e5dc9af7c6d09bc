"""News of practice games. It goes only into the game's own log."""

from games.kernel.news import declares_news_of

_news = declares_news_of(__file__)
PRACTICE_BEGUN = _news("PRACTICE_BEGUN")
