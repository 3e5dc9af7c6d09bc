"""News of how people are told."""

from games.kernel.news import declares_news_of

_news = declares_news_of(__file__)
DEVICE_GONE = _news("DEVICE_GONE")
