"""The orders of a seat: reading and saving them, being ready, receipts, bids, and trying orders out."""
