"""Saving notes; sending, reading, muting and reporting messages; remarks in the gallery."""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

from django import forms
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel import clock, codec
from games.kernel.access import SeatAccess
from games.kernel.acts import Asked, gm_act
from games.kernel.after_commit import start_task_after_commit
from games.kernel.blocks import readers_blocking
from games.kernel.languages import later
from games.kernel.limits import count_letters
from games.kernel.live import announce_change
from games.kernel.locking import lock_game, lock_game_for
from games.kernel.members import Participants, is_assistant, masters_of, players_of, sitting_now, when_became_master
from games.kernel.models import Game, Occupancy, Right
from games.kernel.queries import NOBODY
from games.kernel.refusals import BadMessage, BadReason, NotAllowed, TooOften, WrongMoment
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.press import models as rows
from games.press import threads
from games.press.rules import may_write, may_write_as_gm, may_write_remark, only_as_gm

TIME_TO_READ = timedelta(minutes=2)
"""Readers who have the thread open read the message there and get no email."""


@transaction.atomic
def save_notes(seat: SeatAccess, *, text: str, version: int | None) -> int:
    """Replace the notes with this text and return the new version. `version` is the one on the page where it was typed.

    Raises BadMessage if the text is too long; WrongMoment if the notes have been changed since then. With None they are
    overwritten anyway.
    """
    words = text.replace("\r\n", "\n").replace("\0", "")
    told = _("Not saved: your notes have {count} characters, and the limit is {most}. Shorten them.")
    unless(len(words) <= rows.LONGEST_NOTES, BadMessage(told.format(count=len(words), most=rows.LONGEST_NOTES)))
    lock_game(seat.game_id)
    notes, _made = rows.Notebook.objects.get_or_create(occupancy_id=seat.occupancy_id)
    if notes.text == words:
        return notes.version
    if version is not None and version != notes.version:
        raise WrongMoment(
            _(
                "Not saved: these notes have been changed on another page or device since you opened them here. "
                "The other version is shown below. Press “Save my version” to replace it with yours."
            )
        )
    notes.text, notes.version = words, notes.version + 1
    notes.save()
    return notes.version


LIMITS = (
    (30, timedelta(minutes=10), later("Not sent: you have already sent {most} messages in ten minutes.")),
    (120, timedelta(hours=1), later("Not sent: you have already sent {most} messages in an hour.")),
)
"""How many messages one player may send in a game, and in what time."""


Announcement = Annotated[
    str,
    Asked(
        says="What everyone in the game will read.",
        label=later("Announcement"),
        most=rows.LONGEST_MESSAGE,
        missing=later("Fill this in first."),
        trimmed=False,
        tells_limit=True,
        widget=forms.Textarea(attrs={"rows": 4}),
    ),
]


@gm_act("write", partial(may_write_as_gm, powers=()))
def write_as_master(*, game_id: int, by: int, text: Announcement) -> None:
    """Write to everyone as the game master."""
    send_message(game_id=game_id, user_id=by, text=text, as_gm=True)


@transaction.atomic
def send_message(
    *, game_id: int, user_id: int, text: str, to: Collection[str] = (), as_gm: bool = False, key: str | None = None
) -> tuple[str, ...]:
    """Write to these powers, to the game master or to `ROOM` in private or, if `to` is empty, to everyone. Returns the
    powers of the thread.

    The same text with the same `key` as before is the same message, sent twice. Raises BadMessage if the text is empty
    or too long, or for powers that are not in the game; NotAllowed for people who aren't part of the game; WrongMoment
    if the press setting forbids it; TooOften after too many messages.
    """
    here = lock_game_for(game_id, user_id)
    game, now, power = here.game, here.now, _voice_of_writer(here, to, as_gm=as_gm)
    powers = _thread_powers(game, power, to)
    words = _checked_text(text)
    twins = rows.Message.objects.filter(thread__game=game, thread__powers=list(powers), power=power, key=key)
    twin = None if key is None else twins.first()
    if twin is not None and twin.text == words:
        return powers
    (may_write_as_gm if as_gm else may_write)(here, powers)
    # Raises TooOften for too many messages in this voice since its player took the seat; earlier ones stay secret.
    messages = rows.Message.objects.filter(thread__game=game, power=power)
    if power and threads.user_of_voice(power) is None:
        messages = messages.filter(sent__gte=Occupancy.objects.get(game=game, seat__power=power, until=None).since)
    _refuse_beyond_limits(messages, now)
    thread, _made = rows.Thread.objects.get_or_create(game=game, powers=list(powers))
    last_message = rows.Message.objects.filter(thread=thread).order_by("-number").first()
    phase = game.phases.filter(closed__isnull=True).first()
    seated = Occupancy.objects.filter(game=game, until__isnull=True)
    # all who are here can read it, even if the clock was set back since they came
    sent = max(now, when_became_master(game, game.gm_id), seated.aggregate(last=Max("since"))["last"] or now)
    message = rows.Message.objects.create(
        thread=thread,
        number=last_message.number + 1 if last_message else 1,
        power=power,
        turn=phase.turn if phase else "",
        sent=sent,
        text=words,
        key=None if twin else key,
        assistant_id=user_id if as_gm and is_assistant(game, user_id) else None,
    )
    email = _email_announcement if as_gm and not powers else _email_readers
    email(game, message, user_id, now)
    if not powers:
        announce_change(game_id)
    return powers


def _email_readers(game: Game, message: rows.Message, writer_id: int, now: datetime) -> None:
    """Email the readers who have not muted the power. Users who have blocked its writer don't get the message."""
    thread, powers = message.thread, tuple(message.thread.powers)
    readers = _readers(game, powers) - {writer_id}
    blocking = readers_blocking(game, writer_id, readers) if powers else set()
    rows.Withheld.objects.bulk_create(rows.Withheld(message=message, user_id=reader) for reader in sorted(blocking))
    muting = set(rows.Mute.objects.filter(game=game, power=message.power).values_list("user_id", flat=True))
    # Email these users about new messages, unless an email about the thread is already waiting or unread.
    letters = [
        rows.PressLetter(thread=thread, user_id=user, written=now, next_try=now + TIME_TO_READ)
        for user in sorted(readers - muting)
    ]
    rows.PressLetter.objects.bulk_create(letters, ignore_conflicts=True)
    # Written to all first, so that the numbers of emails give away no block.
    rows.PressLetter.objects.filter(thread=thread, user_id__in=blocking, written=now).delete()


def _email_announcement(game: Game, message: rows.Message, writer_id: int, now: datetime) -> None:
    """Email an announcement of the game master in full, and at once, even if earlier ones are unread."""
    readers = _readers(game, ())
    letters = [
        rows.AnnouncementLetter(message=message, user_id=user, written=now, next_try=now)
        for user in sorted({*readers, *Participants([game]).sitters(game, readers, now)} - {writer_id})
    ]
    count_letters(writer_id, len(letters))
    rows.AnnouncementLetter.objects.bulk_create(letters)
    start_task_after_commit("games.tasks.deliver")


def _voice_of_writer(here: Standpoint, to: Collection[str], *, as_gm: bool) -> str:
    """The power that this person speaks for, as its player or sitter; "" for the game master. Without a seat, it is
    their own voice: to the game master while they wait for a seat, and always in the waiting room."""
    if as_gm:
        only_as_gm(here)
        return ""
    if threads.ROOM[0] in to:
        return threads.voice_in_room(here.game, here.user_id)
    if here.held is not None:
        return here.held.seat.power
    own_voice = threads.voice_of_waiting_user(here.user_id or NOBODY)
    if own_voice in to:
        return own_voice
    sitting = sitting_now(here.game, here.user_id)
    if sitting is None or not sitting.talks:
        raise NotAllowed(_("Only players with a seat in this game and its game master can write here."))
    return sitting.occupancy.seat.power


def _refuse_beyond_limits(rows_sent: QuerySet[Any], now: datetime) -> None:
    """Raises TooOften if these rows have reached the limit."""
    for most, span, message in LIMITS:
        recent = list(rows_sent.filter(sent__gt=now - span).order_by("-sent").values_list("sent", flat=True)[:most])
        if len(recent) == most:
            minutes = 1 + int((recent[-1] + span - now).total_seconds()) // 60
            wait = ngettext("Wait 1 minute, then send it again.", "Wait {count} minutes, then send it again.", minutes)
            raise TooOften(f"{message.format(most=most)} {wait.format(count=minutes)}", wait=60 * minutes)


def _thread_powers(game: Game, power: str, to: Collection[str]) -> tuple[str, ...]:
    """The powers of the thread, sorted: the writer's own and the others."""
    if tuple(to) == threads.ROOM:
        return threads.ROOM
    all_powers = {info.id for info in codec.variant_of(game).powers}
    bad_powers = sorted(
        each for each in set(to) - all_powers - {threads.GM} if threads.waiting_user_of((each,)) is None
    )
    if bad_powers:
        told = _("This game has no power {power}. Choose from: {powers}.")
        raise BadMessage(told.format(power=repr(bad_powers[0]), powers=", ".join(sorted(all_powers))))
    if to and set(to) == {power}:
        raise BadMessage(_("Choose at least one power besides your own."))
    powers = tuple(sorted({power, *to})) if to else ()
    if not threads.is_possible(powers):
        raise BadMessage(_("A private message to the game master can’t go to others as well."))
    return powers


def _checked_text(text: str) -> str:
    plain_text = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not plain_text:
        raise BadMessage(_("Not sent: the message is empty. Write something first."))
    told = _("Not sent: the message has {count} characters, and the limit is {most}. Shorten it or send it in parts.")
    count, most = len(plain_text), rows.LONGEST_MESSAGE
    unless(count <= most, BadMessage(told.format(count=count, most=most)))
    return plain_text


def _readers(game: Game, powers: tuple[str, ...]) -> set[int]:
    if powers not in ((), threads.ROOM):
        waiting = [user_id for user_id in (threads.waiting_user_of(powers),) if user_id is not None]
        return {*players_of(game, powers), *waiting, *(masters_of(game, Right.TALK) if threads.GM in powers else [])}
    return {*players_of(game), *masters_of(game)}


@transaction.atomic
def mark_read(*, game_id: int, reader: threads.Reader, powers: tuple[str, ...], last: int) -> None:
    """Note how far a player, the game master or an assistant has read in a thread: up to this place. Nothing is noted
    for other people."""
    thread = rows.Thread.objects.filter(game_id=game_id, powers=list(powers)).first()
    if (
        thread is None
        or last < 1
        or reader.user_id is None
        or not (reader.power or reader.is_member or reader.voice_without_seat in powers)
    ):
        return
    message = threads.messages_in_thread(reader, thread)[last - 1 : last]
    if not message:
        return  # some have been hidden from this reader meanwhile
    number = message[0].number
    if reader.bookmarks.filter(thread=thread, number__gte=number).exists():
        return
    lock_game(game_id)
    rows.Bookmark.objects.update_or_create(thread=thread, user_id=reader.user_id, defaults={"number": number})
    announcements = rows.AnnouncementLetter.objects.filter(message__thread=thread, message__number__lte=number)
    announcements.filter(user_id=reader.user_id, seen__isnull=True).update(seen=clock.now())
    if not threads.messages_in_thread(reader, thread).filter(number__gt=number).exists():
        rows.PressLetter.objects.filter(thread=thread, user_id=reader.user_id).delete()


@transaction.atomic
def set_mute(*, game_id: int, user_id: int, power: str, muted: bool) -> None:
    """Mute a power in this game, or unmute it; nobody is told. Raises BadMessage if there is no such power."""
    game = lock_game(game_id)
    if power not in {info.id for info in codec.variant_of(game).powers}:
        raise BadMessage(_("This game has no power {power}.").format(power=repr(power)))
    row = rows.Mute.objects.filter(game=game, user_id=user_id, power=power)
    if not muted:
        row.delete()
    elif not row.exists():
        rows.Mute.objects.create(game=game, user_id=user_id, power=power)


@transaction.atomic
def report_to_moderators(*, what: rows.Message | rows.Remark, user_id: int, reason: str) -> None:
    """Report a message that this person may read, or a remark from a gallery, to the moderators.

    Raises BadReason if the reason is missing or too long.
    """
    facts: dict[str, Any] = {"user_id": user_id, "defaults": {"reason": reason_to_report(reason), "made": clock.now()}}
    if isinstance(what, rows.Remark):
        rows.RemarkReport.objects.get_or_create(remark=what, **facts)
    else:
        rows.Report.objects.get_or_create(message=what, **facts)


def reason_to_report(reason: str) -> str:
    """The reason as it is stored. Raises BadReason if it is missing or too long."""
    words = reason.replace("\r\n", "\n").replace("\0", "").strip()
    if not words:
        raise BadReason(_("Not sent: say in a few words what’s wrong with it."))
    told = _("Not sent: your reason has {count} characters, and the limit is {most}. Shorten it.")
    unless(len(words) <= rows.LONGEST_REPORT, BadReason(told.format(count=len(words), most=rows.LONGEST_REPORT)))
    return words


@transaction.atomic
def write_remark(*, game_id: int, user_id: int, text: str, key: str | None = None) -> None:
    """Write in the gallery of a finished game, as anyone may. Raises as `send_message`; WrongMoment before the end."""
    here = lock_game_for(game_id, user_id)
    may_write_remark(here)
    game, now, words = here.game, here.now, _checked_text(text)
    own_remarks = rows.Remark.objects.filter(game=game, user_id=user_id)
    twin = own_remarks.filter(key=key).first() if key else None
    if twin is not None and twin.text == words:
        return
    _refuse_beyond_limits(own_remarks, now)
    rows.Remark.objects.create(game=game, user_id=user_id, sent=now, text=words, key=None if twin else key)
