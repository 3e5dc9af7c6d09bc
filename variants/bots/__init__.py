"""Players that are programs, for any variant: they know the board, the lawful choices and the judge, and no variant's
name. Nothing is random: the same seed gives the same orders on every machine.

A bot reads the public position and nothing else, so it can give away nothing that others have written.
"""

from variants.bots.levels import Level, guesses, play

__all__ = ["Level", "guesses", "play"]
