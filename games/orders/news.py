"""News about bids."""

from games.kernel.news import news_beside

_news = news_beside(__file__)
BIDS_LOOKED_AT = _news("BIDS_LOOKED_AT")
ALL_BIDS_LOOKED_AT = _news("ALL_BIDS_LOOKED_AT")
