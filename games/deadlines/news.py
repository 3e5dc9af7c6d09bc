"""News of games that start, continue, stop and end; reminders."""

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from adjudication.turns import PhaseKind, Turn
from games.deadlines.models import Reminder
from games.deadlines.options import PhaseLengths
from games.history.queries import result
from games.kernel.access import GameAccess
from games.kernel.languages import later
from games.kernel.models import Event, Game, Status
from games.kernel.news import NEWS_BY_LINE, Text, Topic, declares_news_of
from games.kernel.page import Page
from games.kernel.wording import deadline_words, duration_in_words, moment_words, words_for_power
from games.news.log import events, newest_line
from games.news.outboxes import EmailWords, Look, Outbox
from variants.words.english import listed
from variants.words.orders import phase_words

_news = declares_news_of(__file__)


def _text_of_opening(view: Page, time_zone: str) -> Text | None:
    """The text for players who may write orders; None for a reader who has lost the seat."""
    if view.head is None or not view.may_write:
        return None
    return _("enter your orders for {phase}").format(phase=phase_words(view.head)), [
        _("It’s time to enter orders for {power}.").format(power=view.my_power_called),
        deadline_words(view.head.deadline, time_zone),
        *view.part("came_of_wishes"),
        *_sentence_about_missed_orders(view),
        *view.part("why_ended"),
    ]


def _sentence_about_missed_orders(view: Page) -> list[str]:
    """For the game master: who saved no orders for the last phase, except players who lost their seats."""
    rows = view.rows
    if rows.result is None or not rows.access.is_gm:
        return []
    names = []
    for power in rows.result.missed:
        holder, called = rows.seated.get(rows.seats[power].pk), rows.variant.power(power).called
        if holder is not None:
            names.append(called if view.names_are_hidden else f"{called} ({holder.user.get_username()})")
    return [_("No orders received from {names}.").format(names=listed(names))] if names else []


PHASE_OPENED = _news("PHASE_OPENED", text=_text_of_opening)


def _text_of_result(view: Page, time_zone: str) -> Text | None:
    """The text for everyone who has nothing to enter in the next phase."""
    before = result(view)
    if view.head is None or before is None:
        return None
    phase_over = phase_words(before.head)
    has_begun = _("{over}, is over, and {phase}, has begun.").format(over=phase_over, phase=phase_words(view.head))
    nothing_to_enter = _("You have no orders to enter for {power}.").format(power=view.my_power_called)
    return _("the result of {over}").format(over=phase_over), [
        *_sentence_about_missed_orders(view),
        *view.part("why_ended"),
        f"{has_begun} {nothing_to_enter}" if view.may_write else has_begun,
        deadline_words(view.head.deadline, time_zone),
    ]


RESULT_OUT = _news("RESULT_OUT", text=_text_of_result)


def _text_of_start(view: Page, time_zone: str) -> Text:
    """The text about the start; as long as the first phase lasts, with the text about a new phase."""
    sentences = [_("The game has started.")]
    if view.my_power:
        sentences = [_("The game has started, and you’re playing {power}.").format(power=view.my_power_called)]
    elif view.rows.access.is_gm:
        sentences = [_("The game has started, and you’re an assistant of the game master.")]
        if view.rows.is_master:
            sentences = [_("The game has started, and you’re the game master.")]
    on_phase = _text_of_opening(view, time_zone)
    if view.head is None or not view.head.is_open or view.head.ordinal or on_phase is None or not view.part("is_asked"):
        return _("the game has started"), sentences
    subject = _("the game has started: enter your orders for {phase}").format(phase=phase_words(view.head))
    return subject, [_("The game has started."), *on_phase[1]]


def _line_of_start(event: Event, game: Game) -> str:
    """The line about the start. Without `by`, the game started automatically, with or without a roll call."""
    if event.by_id:
        return GAME_STARTED.line
    if game.stored_options["roll_call_seconds"]:
        return _("The game started because everyone had confirmed.")
    return _("The game started because all seats were taken.")


VERSION_CHANGED = _news("VERSION_CHANGED")
GAME_STARTED = _news("GAME_STARTED", line_of=_line_of_start, text=_text_of_start)


def _verdict_sentence(event: Event, game: Game) -> str:
    verdict = event.facts.get("verdict") or game.verdict  # older lines leave it to the game
    return game.sentence_of(verdict) if verdict else ""


def _text_of_end(view: Page, _time_zone: str) -> Text:
    """How the game ended and, if it ended anew with a correction, what was corrected."""
    lines = [newest_line(view, Topic.GAME)] if view.game.verdict else []
    ends = [event for event in events(view) if NEWS_BY_LINE[event.kind].topic == Topic.GAME][:2]
    if any(it.kind == END_WITHDRAWN.log and it.at == ends[0].at for it in ends[1:]):
        lines.insert(0, newest_line(view, Topic.REPAIR))
    return _("the game is over"), lines


FINISHED = _news("FINISHED", words={"sentence": _verdict_sentence})
CLOSED = _news("CLOSED", words={"sentence": _verdict_sentence})
END_WITHDRAWN = _news("END_WITHDRAWN", words={"sentence": _verdict_sentence})
GAME_OVER = _news("GAME_OVER", text=_text_of_end)


def _text_of_moved_clock(view: Page, time_zone: str) -> Text:
    """What is said of a changed deadline: the public log's reason and, if the game goes on, the new deadline."""
    assert view.head is not None, "a letter about a phase shows that phase"
    line = newest_line(view, Topic.TIMETABLE)
    if view.rows.game.status == Status.HELD:
        return _("the game is on hold"), [line]
    if view.head.deadline is None:
        return _("the game is paused"), [line]
    until, phase = moment_words(view.head.deadline, time_zone), phase_words(view.head)
    return _("the deadline for {phase}, has moved").format(phase=phase), [
        line,
        _("New deadline for {phase}: {until}.").format(phase=phase, until=until),
    ]


CLOCK_MOVED = _news("CLOCK_MOVED", text=_text_of_moved_clock)


def _text_of_hold(view: Page, _time_zone: str) -> Text:
    if view.rows.game.status != Status.HELD:
        return _("the game was on hold"), [_("The game was put on hold, but has since resumed.")]
    return _("the game is on hold"), [view.game.status_sentence]


def _line_of_moved_deadline(event: Event, _game: Game) -> str:
    """A deadline that was moved by 0 seconds ended the phase at that moment."""
    return DEADLINE_MOVED.line if event.facts["seconds"] else _("{who} ended {turn} early.")


def _line_of_written_ahead(event: Event, _game: Game) -> str:
    if Turn.from_code(str(event.facts["turn"])).kind is PhaseKind.RETREAT:
        return _("The retreats of {turn} ended at once, because everyone concerned had written ahead.")
    return ENDED_AS_WRITTEN_AHEAD.line


DEADLINE_MOVED = _news("DEADLINE_MOVED", line_of=_line_of_moved_deadline)
GRACE_GIVEN = _news("GRACE_GIVEN")
PLAYER_AWAY = _news("PLAYER_AWAY")
PAUSED = _news("PAUSED")
RESUMED = _news("RESUMED")
NOBODY_PLAYS = _news("NOBODY_PLAYS")
PLAYED_AGAIN = _news("PLAYED_AGAIN")
NO_LONGER_AWAY = _news("NO_LONGER_AWAY")
ENDED_AS_WRITTEN_AHEAD = _news("ENDED_AS_WRITTEN_AHEAD", line_of=_line_of_written_ahead)
HELD = _news("HELD")
RELEASED = _news("RELEASED")
GAME_HELD = _news("GAME_HELD", text=_text_of_hold)

STOPPED = _news("STOPPED")


def until_in_words(event: Event, game: Game) -> str:
    """The fact `moment` by the game's clock."""
    return game.options[PhaseLengths].in_words(datetime.fromisoformat(event.facts["moment"]))


UNTIL_IN_WORDS = {"until": until_in_words}
LOST_SINCE = later("Anything saved after that is lost and must be entered again.")
TIME_MADE_UP_FOR = {
    "deadline": later("The deadline moved by the time since then, {length}."),
    "roll_call": later("The time to confirm was extended by the time since then, {length}."),
}


def _sentence_about_lost_time(event: Event, _game: Game) -> str:
    """What was put off (the fact `what`) for the time that was `lost`, in seconds."""
    length = duration_in_words(event.facts["lost"]) or _("less than a second")
    made_up = TIME_MADE_UP_FOR.get(event.facts["what"].replace(" ", "_"))  # older lines have "roll call"
    return f"{made_up.format(length=length)} {LOST_SINCE}" if made_up else str(LOST_SINCE)


RESTORED = _news("RESTORED", words={**UNTIL_IN_WORDS, "sentence": _sentence_about_lost_time})


class Reminders(Outbox[Reminder]):
    """Reminds players who have not saved orders shortly before the deadline."""

    rows = Reminder.objects.select_related("user", "phase__game")
    topic = Topic.DUE
    is_secret = True

    def game_of(self, row: Reminder) -> Game:
        return row.phase.game

    def key_of(self, row: Reminder) -> str:
        return f"{row.phase.game.slug}:{row.due.isoformat()}"

    def words(self, row: Reminder, _access: GameAccess, look: Look) -> EmailWords | None:
        """The words of a reminder; None if the phase has ended or its clock has stopped, the recipient has lost the
        seat, or orders have been saved."""
        view = look(None)
        if view.head is None or view.head.ordinal != row.phase.ordinal or view.head.deadline is None:
            return None
        sheet = view.part("order_sheet")
        if sheet is None or sheet.saved:
            return None
        title, power = phase_words(view.head), view.my_power_called
        lines = (
            _("The game master reminds you.") if row.by_gm else "",
            _("You haven’t saved any orders for {power} yet. {unsaved}").format(
                power=power, unsaved=words_for_power(sheet).unsaved
            ),
            deadline_words(view.head.deadline, row.user.time_zone),
        )
        path = reverse("games:orders", args=[row.phase.game.slug])
        sentences = tuple(filter(None, lines))
        subject = _("no orders saved yet for {title}").format(title=title)
        return EmailWords(view.name, subject, sentences, path, _("Enter orders"), slug=row.phase.game.slug)
