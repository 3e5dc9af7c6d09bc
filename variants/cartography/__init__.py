"""The map maker: run by hand when a board's facts change, never imported by the running site."""
