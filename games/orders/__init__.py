"""The orders of a seat: reading, saving, saying ready, receipts, bids, trying orders out."""
