"""What every subject stands on: games, seats and phases, the clock, the log, who a viewer is."""
