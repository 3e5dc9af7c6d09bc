"""News about bids."""

from games.kernel.news import declares_news_of

_news = declares_news_of(__file__)
BIDS_LOOKED_AT = _news("BIDS_LOOKED_AT")
ALL_BIDS_LOOKED_AT = _news("ALL_BIDS_LOOKED_AT")
