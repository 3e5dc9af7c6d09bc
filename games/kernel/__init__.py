"""What every subject builds on: games, seats and phases, the clock, the log, access."""
