"""The game master's desk: seats, corrections, going back, handing over."""
