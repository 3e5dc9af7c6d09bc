"""Changing the terms of a game, or bringing a deadline forward, with the agreement of all players concerned."""
