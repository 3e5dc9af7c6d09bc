"""News of practice games. No one is told but by the game's own log."""

from games.kernel.news import News

PRACTICE_BEGUN = News("practice begun", "{power} is played by a person, against bots.")
