"""Games that travel: written for other programs and for people, and read from files of other programs.

A form's module reads text into a `ToldGame`, which is only what the file says. `replaying` adjudicates it again and
makes a `PlayedGame` of it, which every form can write.
"""

from variants.travel.files import FORMS, Form, read_games, write_game
from variants.travel.games import PlayedGame, ToldGame
from variants.travel.reading import WrongFile
from variants.travel.replaying import Replayed, replayed

__all__ = ["FORMS", "Form", "PlayedGame", "Replayed", "ToldGame", "WrongFile", "read_games", "replayed", "write_game"]
