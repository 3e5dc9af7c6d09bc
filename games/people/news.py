"""News of what the site's moderators do in a game."""

from games.kernel.news import News, Topic

STOPPED = News("stopped", "The site’s moderators stopped the game.", topic=Topic.TIMETABLE)
