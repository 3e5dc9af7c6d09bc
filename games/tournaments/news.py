"""News about games that are tables of a tournament, or that join or leave a series."""

from games.deadlines.news import UNTIL_IN_WORDS
from games.kernel.news import declares_news_of

_news = declares_news_of(__file__)
PUT_IN = _news("PUT_IN")
TAKEN_OUT = _news("TAKEN_OUT")
SEATED = _news("SEATED")
STANDINGS = _news("STANDINGS")
ENDS_SOON = _news("ENDS_SOON", words=UNTIL_IN_WORDS)
