"""What users have chosen to be told, and how."""

from collections.abc import Collection, Iterable
from functools import cached_property

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.kernel.locking import lock_account, lock_game_for
from games.kernel.models import NOT_OVER, Following, Game
from games.kernel.news import Topic
from games.kernel.refusals import NotAllowed
from games.kernel.rules import only_outside_practice, only_while, unless
from games.kernel.standpoint import Standpoint
from games.news.models import USUAL_MAIL, DailyLetter, Mail, NotificationChoice, Push, PushSilence


class MailChoices:
    """The choices of these users about emails, read at once."""

    def __init__(self, users: Collection[int]) -> None:
        self._users = users
        rows = NotificationChoice.objects.filter(user__in=users).exclude(mail="")
        self._chosen: dict[tuple[int, int | None, str], str] = {
            (user, game, topic): mail
            for user, game, topic, mail in rows.values_list("user_id", "game_id", "topic", "mail")
        }

    @cached_property
    def users_wanting_map(self) -> frozenset[int]:
        """The users who want a picture of the map in emails with a result."""
        rows = DailyLetter.objects.filter(user__in=self._users, with_map=True)
        return frozenset(rows.values_list("user_id", flat=True))

    def wanted(self, user_id: int, game_id: int, topic: Topic) -> Mail:
        """When the user wants emails on the topic: as chosen for this game, else for all games, else the default."""
        everywhere = self._chosen.get((user_id, None, topic), USUAL_MAIL[topic])
        return Mail(self._chosen.get((user_id, game_id, topic), everywhere))


def mail_for(user_id: int, game_id: int, topic: Topic) -> Mail:
    """When this user wants emails on the topic in this game."""
    return MailChoices([user_id]).wanted(user_id, game_id, topic)


def topics_wanted_on_devices(user_id: int) -> frozenset[Topic]:
    """The topics this user wants on devices; all of them by default."""
    silent = set(PushSilence.objects.filter(user_id=user_id).values_list("topic", flat=True))
    return frozenset(topic for topic in Topic if topic.value not in silent)


def wants_push(user_id: int, game_id: int, topic: Topic) -> bool:
    """Should devices be notified of this? As chosen for this game, otherwise as for all games."""
    rows = NotificationChoice.objects.filter(user_id=user_id, game_id=game_id, topic=topic).exclude(push="")
    here = rows.values_list("push", flat=True).first()
    return topic in topics_wanted_on_devices(user_id) if here is None else here == Push.ON


def content_with_one_email(game: Game, users: Iterable[int], topics: Collection[Topic]) -> set[int]:
    """The users who get one email for news that belongs to several topics. The others have chosen differently for these
    topics, and get an email for each."""
    user_ids = set(users)
    about = {"user_id__in": user_ids, "topic__in": topics}
    chosen = NotificationChoice.objects.filter(Q(game=None) | Q(game=game), **about).values_list("user_id")
    silent = PushSilence.objects.filter(**about).values_list("user_id")
    have_chosen = {user_id for (user_id,) in chosen.union(silent)}
    return {user_id for user_id in user_ids if user_id not in have_chosen or _chose_alike(game, user_id, topics)}


def _chose_alike(game: Game, user_id: int, topics: Collection[Topic]) -> bool:
    """Are this user's choices the same for all these topics, by email and on devices?"""
    ways = {(mail_for(user_id, game.pk, topic), wants_push(user_id, game.pk, topic)) for topic in topics}
    return len(ways) == 1


# Following a public game without a part in it.


def may_follow(here: Standpoint) -> None:
    only_outside_practice(here)
    unless(not here.game.by_invitation, NotAllowed(_("You can follow public games only.")))
    only_while(here, NOT_OVER)
    has_part = bool(here.rights) or here.user_id in here.members
    unless(not has_part, NotAllowed(_("You’re part of this game, so you get its news anyway.")))


@transaction.atomic
def follow(*, game_id: int, user_id: int) -> None:
    """Follow a game; doing it again changes nothing. Raises NotAllowed or WrongMoment as in `may_follow`."""
    here = lock_game_for(game_id, user_id)
    may_follow(here)
    lock_account(user_id)
    Following.objects.get_or_create(game=here.game, user_id=user_id, defaults={"since": here.now})


def unfollow(*, game_id: int, user_id: int) -> None:
    Following.objects.filter(game_id=game_id, user_id=user_id).delete()


def is_following(game_id: int, user_id: int | None) -> bool:
    return user_id is not None and Following.objects.filter(game_id=game_id, user_id=user_id).exists()
