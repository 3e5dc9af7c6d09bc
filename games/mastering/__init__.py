"""The game master's desk: seats, corrections, rollbacks, and handing over the game."""
