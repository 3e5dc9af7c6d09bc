"""The bell at the top of every page."""

from django import template

from games.news.inbox import count_unseen

register = template.Library()


@register.simple_tag
def new_notices(user_id: int) -> int:
    """How many of this user's notifications are unread."""
    return count_unseen(user_id)
