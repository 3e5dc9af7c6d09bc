"""News of what the moderators of the site do in a game."""

from games.kernel.news import News, Topic

STOPPED = News("stopped", "The moderators of the site stopped the game.", topic=Topic.TIMETABLE)
