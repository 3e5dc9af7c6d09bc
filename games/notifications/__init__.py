"""Letters to players: their words, and their way."""
