"""News of what the moderators of the site do in a game."""

from games.news.kinds import News
from games.news.models import Topic

STOPPED = News("stopped", "The moderators of the site stopped the game.", topic=Topic.TIMETABLE)
