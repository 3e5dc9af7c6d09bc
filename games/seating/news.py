"""News of games that are looking for players, and of seats that change hands."""

from functools import partial

from django.contrib.auth import get_user_model
from django.db.models import Q, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel import codec
from games.kernel.languages import later
from games.kernel.models import Event, Game, Occupancy, Status
from games.kernel.news import Text, Topic, declares_news_of
from games.kernel.page import Page
from games.kernel.queries import NOBODY
from games.kernel.wording import deadline_words, length_in_words, moment_words
from games.news.log import newest_line
from games.orders.queries import is_asked
from games.seating.options import name_of_level
from games.seating.queries import join_request_views, joining_view, power_views
from games.seating.rules.seats import name_of_lost_power, name_of_offered_power
from variants.survivors import listed_powers
from variants.words.english import listed
from variants.words.orders import phase_words

_news = declares_news_of(__file__)

GAME_CREATED = _news("GAME_CREATED")


def _text_of_request(view: Page, _time_zone: str) -> Text:
    names = [asking.name for asking in join_request_views(view.rows)]
    if not names:
        return _("a player has asked to join"), [_("A player asked to join your game. The request is no longer open.")]
    subject = ngettext("{names} has asked to join", "{names} have asked to join", len(names))
    sentence = ngettext(
        "{names} has asked to join your game. Accept or decline the request on the GM desk.",
        "{names} have asked to join your game. Accept or decline the request on the GM desk.",
        len(names),
    )
    return subject.format(names=listed(names)), [sentence.format(names=listed(names))]


REQUEST_MADE = _news("REQUEST_MADE", text=_text_of_request)
REQUEST_ACCEPTED = _news("REQUEST_ACCEPTED")
REQUEST_DECLINED = _news("REQUEST_DECLINED")
JOINED = _news("JOINED")
UNJOINED = _news("UNJOINED")
SEAT_TAKEN = _news("SEAT_TAKEN")
SEAT_LEFT = _news("SEAT_LEFT")


def _text_of_roll_call(view: Page, time_zone: str, because: str = "") -> Text:
    before = joining_view(view)
    roll_call = before.roll_call if before else None
    if roll_call is None:
        return _("the roll call is over"), [_("You were asked to confirm your place. The roll call is now over.")]
    return _("please confirm your place"), [
        because,
        _("The game will start as soon as everyone has confirmed their place."),
        _("Open the game and confirm by {moment}, or you’ll lose your place.").format(
            moment=moment_words(roll_call.deadline, time_zone)
        ),
    ]


ROLL_CALLED = _news(
    "ROLL_CALLED", words={"time": lambda event, _game: length_in_words(event.facts["length"])}, text=_text_of_roll_call
)
ASKED_AGAIN = _news(
    "ASKED_AGAIN",
    text=partial(_text_of_roll_call, because=later("You have abandoned another game since you joined this one.")),
)
ROLL_CALL_CANCELLED = _news("ROLL_CALL_CANCELLED")
CONFIRMED = _news("CONFIRMED")


def _text_of_lost_place(view: Page, _time_zone: str) -> Text:
    if view.rows.game.status != Status.OPEN:
        return _("you have lost your place"), [
            _("The game has started without you because you hadn’t confirmed your place."),
            _("If there is a vacant seat, you can take it over."),
        ]
    return _("you have lost your place"), [
        _("You didn’t confirm your place in time, so another player can now take it."),
        _("If there is still room, you can join again."),
    ]


PLACE_LOST = _news("PLACE_LOST", text=_text_of_lost_place)
SEATS_DEALT = _news("SEATS_DEALT")
BOT_STOPPED = _news("BOT_STOPPED")


def _line_of_seated_bots(event: Event, _game: Game) -> str:
    count = len(event.facts.get("of", ()))
    if not count:
        return BOTS_SEATED.line
    message = ngettext("{who} seated 1 {named} bot: {powers}.", "{who} seated {count} {named} bots: {powers}.", count)
    return message.replace("{count}", str(count))


BOTS_SEATED = _news(
    "BOTS_SEATED",
    line_of=_line_of_seated_bots,
    words={
        "named": lambda event, _game: name_of_level(event.facts["level"]),
        "powers": lambda event, game: listed_powers(event.facts["of"], codec.variant_of(game)),
    },
)
SEAT_EMPTIED = _news("SEAT_EMPTIED")
BOT_UNSEATED = _news("BOT_UNSEATED")
OWN_BOT_PLAYS = _news("OWN_BOT_PLAYS")
OWN_BOT_JOINED = _news("OWN_BOT_JOINED")
RESIGNED = _news("RESIGNED")


def _text_of_lapsed_seat(view: Page, _time_zone: str) -> Text:
    sentence = _("Your seat is now vacant because you missed too many phases.")
    remark = _("This counts as abandoning the game.")
    if name_of_lost_power(view.rows):
        remark = _(
            "You can come back: open the game and take your seat again before this phase ends or another player takes "
            "it. Otherwise, this counts as abandoning the game."
        )
    return _("you have lost your seat"), [sentence, remark]


def _line_of_lapsed_seat(event: Event, _game: Game) -> str:
    if event.facts.get("times"):
        return SEAT_LAPSED.line
    return ngettext(
        "{power} is now vacant: no orders received for one phase.",
        "{power} is now vacant: no orders received for {phases} phases in a row.",
        event.facts["phases"],
    )


SEAT_LAPSED = _news("SEAT_LAPSED", line_of=_line_of_lapsed_seat, text=_text_of_lapsed_seat)
CAME_BACK = _news("CAME_BACK")


def _names_of_vacant_powers(view: Page) -> list[str]:
    """The names of the powers whose seats anyone can take."""
    return [power.called for power in power_views(view) if not (power.seated or power.kept or power.disordered)]


def _text_of_vacant_seat(view: Page, _time_zone: str) -> Text:
    """The email to users on the standby list."""
    names = _names_of_vacant_powers(view)
    if not names or view.head is None:
        return _("a vacant seat has been taken"), [_("A seat in this game was vacant, but has since been taken.")]
    sentence = ngettext(
        "The seat of {powers} is vacant in this game (variant: {variant}).",
        "The seats of {powers} are vacant in this game (variant: {variant}).",
        len(names),
    )
    return _("would you like to play {power}?").format(power=listed(names, "or")), [
        sentence.format(powers=listed(names), variant=view.variant_title),
        _(
            "You’re on the standby list. Seats are first come, first served, and you get at least a full phase to "
            "enter your orders."
        ),
    ]


def _text_of_seat_to_fill(view: Page, _time_zone: str) -> Text | None:
    """The email to the game master; None once all seats have been taken."""
    names = _names_of_vacant_powers(view)
    if not names:
        return None
    standby = "" if view.game.by_invitation else _("Suitable players on the standby list have been told.")
    hold = ngettext(
        "Until someone takes the seat, the units hold. Find players on the GM desk.",
        "Until someone takes the seats, the units hold. Find players on the GM desk.",
        len(names),
    )
    subject = ngettext("{powers} is vacant", "{powers} are vacant", len(names)).format(powers=listed(names))
    return subject, [newest_line(view, Topic.SEAT), hold, standby]


SEAT_VACANT = _news("SEAT_VACANT", text=_text_of_vacant_seat)
SEAT_TO_FILL = _news("SEAT_TO_FILL", text=_text_of_seat_to_fill)
TAKEN_OVER = _news("TAKEN_OVER")
FRESH_TIME = _news("FRESH_TIME")


def _text_of_new_player(view: Page, time_zone: str) -> Text | None:
    """The email to a new player; None if they have lost the seat."""
    if not view.my_power:
        return None
    sentence = _("You’re now playing {power}: the game master, {gm}, has given you the seat.").format(
        power=view.my_power_called, gm=view.gm_name
    )
    if view.head is None or not is_asked(view):
        return _("you’re playing {power}").format(power=view.my_power_called), [sentence]
    return _("you’re playing {power}: enter your orders for {phase}").format(
        power=view.my_power_called, phase=phase_words(view.head)
    ), [sentence, deadline_words(view.head.deadline, time_zone)]


PLAYER_SEATED = _news("PLAYER_SEATED", text=_text_of_new_player)


def _text_of_removal(view: Page, _time_zone: str, sentence: str) -> Text:
    """The email to a removed player: the `sentence`, with a field {gm}, and the reason in the public log."""
    game, user_id = view.rows.game, view.rows.user_id or NOBODY
    mine = Occupancy.objects.filter(game=game, user_id=user_id, until__isnull=False)
    seat_ended = Q(at__in=mine.order_by("-until").values("until")[:1])
    name = get_user_model().objects.filter(pk=user_id).values("username")[:1]
    place_ended = Q(kind=REMOVED.log, player=Subquery(name))
    events = game.events.annotate(player=KeyTextTransform("player", "facts"))
    lines = events.filter(seat_ended | place_ended, facts__reason__gt="").order_by("-pk")
    return _("you have been removed"), [
        sentence.format(gm=view.gm_name),
        *(_("Reason: {reason}").format(reason=it.facts["reason"]) for it in lines[:1]),
        _("This doesn’t count as abandoning the game."),
    ]


SEAT_LOST = _news(
    "SEAT_LOST",
    text=partial(
        _text_of_removal, sentence=later("The game master, {gm}, has removed you from your seat in this game.")
    ),
)
SEAT_GIVEN_BACK = _news("SEAT_GIVEN_BACK")
PLACED = _news("PLACED")
REMATCH = _news("REMATCH")
RENAMED = _news("RENAMED")
PLACE_GIVEN = _news("PLACE_GIVEN")
REMOVED = _news(
    "REMOVED",
    text=partial(
        _text_of_removal, sentence=later("The game master, {gm}, has removed you from this game before its start.")
    ),
)
SEAT_GONE = _news("SEAT_GONE")

SEAT_ASKED_FOR = _news("SEAT_ASKED_FOR")
SEAT_REFUSED = _news("SEAT_REFUSED")


def _text_of_offer(view: Page, _time_zone: str) -> Text:
    power = name_of_offered_power(view.rows)
    if not power:
        return _("you were offered a seat"), [_("You were offered a seat in this game. The offer is no longer open.")]
    return _("would you like to play {power}?").format(power=power), [
        _("The game master, {gm}, has asked you to play {power} in this game (variant: {variant}).").format(
            gm=view.gm_name, power=power, variant=view.variant_title
        ),
        _("Open the game to answer."),
    ]


SEAT_OFFERED = _news("SEAT_OFFERED", text=_text_of_offer)
SEAT_DECLINED = _news("SEAT_DECLINED")

SITTER_ASKED = _news("SITTER_ASKED")
SITTER_ACCEPTED = _news("SITTER_ACCEPTED")
SITTER_DECLINED = _news("SITTER_DECLINED")
SITTER_NAMED = _news("SITTER_NAMED")
