"""The public log in words, the outboxes, and what users have chosen to be told. `games.delivery` sends it."""
