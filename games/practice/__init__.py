"""Games of one person against bots, started with one tap, with or without an account."""
