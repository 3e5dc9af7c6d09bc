"""News of practice games. No one is told but by the game's own log."""

from games.kernel.news import news_beside

_news = news_beside(__file__)
PRACTICE_BEGUN = _news("PRACTICE_BEGUN")
