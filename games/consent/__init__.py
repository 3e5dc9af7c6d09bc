"""Changing the terms of a game, or bringing a deadline forward, with the agreement of all whom it concerns."""
