"""News of games that were played elsewhere, or began there. No one is told but by the game's own log."""

from games.kernel.news import News

GAME_ADDED = News("added", "{who} added this game, which was played elsewhere.")
POSITION_ENTERED = News(
    "position entered", "{who} entered the position of {turn}, in which this game, begun elsewhere, goes on."
)
