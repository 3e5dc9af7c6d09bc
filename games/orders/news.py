"""News of the order sheets."""

from games.kernel.news import News

BIDS_LOOKED_AT = News("bids looked at", "{who} looked at the bids of {turn}.")
