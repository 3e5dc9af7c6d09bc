"""News of games that were played elsewhere. No one is told but by the game's own log."""

from games.kernel.news import News

GAME_ADDED = News("added", "{who} added this game, which was played elsewhere.")
