"""News about bids."""

from games.kernel.news import News

BIDS_LOOKED_AT = News("bids looked at", "{who} looked at the bids of {turn}.")
ALL_BIDS_LOOKED_AT = News("all bids looked at", "{who} looked at the bids of all phases so far.")
